// What is no feed is refused with words that say what it is and what to do.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTransit
import Foundation
import Glibc
import Testing

@Suite struct FeedRefusalTests {
    /// The words of a refusal, which is expected.
    private func words(_ bytes: [UInt8], limits: FeedLimits = FeedLimits()) -> String {
        do throws(TransitFeedError) {
            _ = try TransitFeed.parts(ofZip: bytes, "x", limits)
            return "was read"
        } catch {
            return "\(error.problem)"
        }
    }

    @Test(
        "Bytes that are no zip file are told by what they are",
        arguments: [
            ("<!DOCTYPE html><html><body>503", "a web page"), ("\n <HTML>", "a web page"),
            ("<?xml version='1.0'?>", "XML"), ("{\"Header\":", "JSON"), ("", "empty"),
            ("\u{1f}", "a text"), ("stop_id,stop_name\nA,B\n", "one file of a feed"),
            ("SQLite format 3\u{0}", "a database"), ("%PDF-1.7", "a PDF"),
        ])
    func otherFiles(_ text: String, _ wanted: String) {
        let words = words(Array(text.utf8))
        #expect(words.contains(wanted) && words.contains("a GTFS feed is a zip file"))
    }

    @Test("So are gzip, and the realtime feeds that publishers offer beside their timetables")
    func packedAndRealtime() {
        #expect(words([0x1f, 0x8b, 8, 0]).contains("gunzip"))
        let message: [UInt8] = [0x0a, 0x0d, 0x0a, 3] + Array("2.0".utf8) + [0x10, 0]
        #expect(words(message).contains("GTFS-realtime 2.0"))
    }

    @Test(
        "A missing file or column is named",
        arguments: ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"])
    func missingFiles(_ name: String) throws {
        var small = SmallFeed()
        small.files[name] = nil
        #expect(small.refusal()?.problem == .missingFile(name))
        small = SmallFeed()
        let columns = [
            "agency.txt": "agency_timezone", "stops.txt": "stop_id", "routes.txt": "route_type",
            "trips.txt": "service_id", "stop_times.txt": "stop_sequence",
        ]
        let column = try #require(columns[name])
        small.replace(column, with: "other", in: name)
        let error = try #require(small.refusal())
        #expect(error.problem == .missingColumn(file: name, column: column))
        #expect(error.description.contains("\(name), line 1") && error.kind == .data)
        #expect(error.notices.kept.map(\.code) == ["unknown_column"])
        small[name] = ""
        #expect(small.refusal()?.problem == .empty(name))
    }

    @Test("A zip file that was cut short or changed is refused, not half read")
    func damagedZip() throws {
        let zip = StoredZip.bytes(SmallFeed().files)
        for length in [zip.count - 1, zip.count / 2, 200, 4] {
            #expect(words(Array(zip.prefix(length))).contains("fetch it again"), "\(length) bytes")
        }
        var changed = zip
        let place = try #require(
            zip.indices.first { zip[$0...].starts(with: Array("8:30:00,8:30:00".utf8)) })
        changed[place] = UInt8(ascii: "9")
        #expect(words(changed).contains("a damaged zip file"), "the checksum is another")
    }

    @Test("Names that point out of the zip file are passed over and said")
    func hostileNames() throws {
        let small = SmallFeed()
        var files = small.files.map { (name: $0.key, bytes: $0.value) }.sorted { $0.name < $1.name }
        files.append(("../stops.txt", Array("stop_id\nEVIL\n".utf8)))
        files.append(("/etc/trips.txt", []))
        files.append(("__MACOSX/stops.txt", [0]))
        let feed = try TransitFeed(zip: StoredZip.bytes(files), name: "z")
        #expect(feed.notices.counts.map(\.code) == ["unsafe_file_name"])
        #expect(feed.notices.counts.map(\.count) == [2])
        #expect(feed.stop("EVIL") == nil && feed.stops.count == 5)
    }

    @Test("Encrypted files, zip files in a zip file and zip files of something else are told")
    func otherZips() {
        let files = SmallFeed().files.map { (name: $0.key, bytes: $0.value) }
        #expect(words(StoredZip.bytes(files, flags: 1)).contains("behind a password"))
        let zip = StoredZip.bytes(SmallFeed().files)
        #expect(words(StoredZip.bytes(["gtfs_public.zip": zip])).contains("zip file of zip files"))
        #expect(
            words(StoredZip.bytes(["a.png": [1], "b.doc": [2]])).contains("none of its 2 files"))
        #expect(words(StoredZip.bytes([:] as [String: [UInt8]])).contains("an empty zip file"))
    }

    @Test(
        "A zip file that unpacks to more than its size allows is refused as soon as that is known")
    func bombs() throws {
        var small = SmallFeed()
        small["stop_times.txt"] += String(repeating: "\n", count: 3 << 20)
        var limits = FeedLimits()
        limits.freeBytes = 1 << 20
        limits.ratio = 0
        #expect(
            words(StoredZip.bytes(small.files), limits: limits).contains(
                "unpacks to more than 1 MiB"))
        limits.freeBytes = 8 << 20
        #expect(words(StoredZip.bytes(small.files), limits: limits) == "was read")
        limits.rows = 7
        #expect(words(StoredZip.bytes(small.files), limits: limits).contains("more than 7 rows"))
        limits = FeedLimits()
        limits.otherRows = 4
        #expect(
            words(StoredZip.bytes(small.files), limits: limits)
                == "stops.txt has more than 4 rows")
        limits.otherRows = 5
        #expect(words(StoredZip.bytes(small.files), limits: limits) == "was read")
        limits = FeedLimits()
        limits.files = 5
        #expect(words(StoredZip.bytes(small.files), limits: limits).contains("more than 5 files"))
    }

    @Test("A pipe that was refused is not held open")
    func refusedPipe() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("stops.txt").path
        try #require(unsafe mkfifo(path, 0o600) == 0)
        #expect(throws: TransitFeedError.Problem.self) {
            try OpenFile(URL(fileURLWithPath: path))
        }
        // Without a reader nobody can open it for writing (POSIX, open: ENXIO).
        let writer = unsafe open(path, O_WRONLY | O_NONBLOCK)
        #expect(writer < 0 && errno == ENXIO)
        if writer >= 0 { close(writer) }
    }

    @Test("A missing file, a pipe and an address are told apart")
    func places() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = folder.appendingPathComponent("none.zip")
        #expect { try TransitFeed(contentsOf: missing) } throws: {
            ($0 as? TransitFeedError)?.kind == .missing
        }
        #expect { try TransitFeed(contentsOf: folder) } throws: {
            "\($0)".contains("nothing is in it")
        }
        #expect { try TransitFeed(contentsOf: URL(fileURLWithPath: "/dev/null")) } throws: {
            ($0 as? TransitFeedError)?.kind == .io
        }
        let address = try #require(URL(string: "https://example.org/gtfs.zip"))
        #expect { try TransitFeed(contentsOf: address) } throws: { "\($0)".contains("fetch it") }
    }
}
