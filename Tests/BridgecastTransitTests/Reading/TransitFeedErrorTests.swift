// Feeds that are refused as a whole, and what the error says.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Glibc
import Testing
@testable import BridgecastTransit

@Suite struct TransitFeedErrorTests {
    /// The message of an expected error.
    private func message(_ bytes: [UInt8], limits: FeedLimits = FeedLimits()) -> String {
        do throws(TransitFeedError) {
            _ = try TransitFeed.parts(ofZip: bytes, "x", limits)
            return "was read"
        } catch {
            return "\(error.problem)"
        }
    }

    @Test(
        "Bytes other than a zip file are recognised",
        arguments: [
            ("<!DOCTYPE html><html><body>503", "a web page"), ("\n <HTML>", "a web page"),
            ("<?xml version='1.0'?>", "XML"), ("{\"Header\":", "JSON"), ("", "empty"),
            ("\u{1f}", "a text"), ("stop_id,stop_name\nA,B\n", "one file of a feed"),
            ("SQLite format 3\u{0}", "a database"), ("%PDF-1.7", "a PDF"),
        ])
    func otherFiles(_ text: String, _ wanted: String) {
        let error = message(Array(text.utf8))
        #expect(error.contains(wanted) && error.contains("a GTFS feed is a zip file"))
    }

    @Test("So are gzip and realtime feeds")
    func packedAndRealtime() {
        #expect(message([0x1f, 0x8b, 8, 0]).contains("gunzip"))
        let realtime: [UInt8] = [0x0a, 0x0d, 0x0a, 3] + Array("2.0".utf8) + [0x10, 0]
        #expect(message(realtime).contains("GTFS-realtime 2.0"))
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

    @Test("A truncated or changed zip file is refused, not half read")
    func damagedZip() throws {
        let zip = StoredZip.bytes(SmallFeed().files)
        for length in [zip.count - 1, zip.count / 2, 200, 4] {
            #expect(
                message(Array(zip.prefix(length))).contains("download it again"), "\(length) bytes")
        }
        var changed = zip
        let place = try #require(
            zip.indices.first { zip[$0...].starts(with: Array("8:30:00,8:30:00".utf8)) })
        changed[place] = UInt8(ascii: "9")
        #expect(message(changed).contains("a damaged zip file"), "wrong checksum")
    }

    @Test("Names that lead out of the zip file are ignored with a notice")
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

    @Test("Encrypted, nested and unrelated zip files are recognised")
    func otherZips() {
        let files = SmallFeed().files.map { (name: $0.key, bytes: $0.value) }
        #expect(message(StoredZip.bytes(files, flags: 1)).contains("is encrypted"))
        let zip = StoredZip.bytes(SmallFeed().files)
        #expect(
            message(StoredZip.bytes(["gtfs_public.zip": zip])).contains("zip file of zip files"))
        #expect(
            message(StoredZip.bytes(["a.png": [1], "b.doc": [2]])).contains("none of its 2 files"))
        #expect(message(StoredZip.bytes([:] as [String: [UInt8]])).contains("an empty zip file"))
    }

    @Test(
        "A zip file that unpacks to too much is refused early")
    func bombs() throws {
        var small = SmallFeed()
        small["stop_times.txt"] += String(repeating: "\n", count: 3 << 20)
        var limits = FeedLimits()
        limits.freeBytes = 1 << 20
        limits.ratio = 0
        #expect(
            message(StoredZip.bytes(small.files), limits: limits).contains(
                "unpacks to more than 1 MiB"))
        limits.freeBytes = 8 << 20
        #expect(message(StoredZip.bytes(small.files), limits: limits) == "was read")
        limits.rows = 7
        #expect(message(StoredZip.bytes(small.files), limits: limits).contains("more than 7 rows"))
        limits = FeedLimits()
        limits.otherRows = 4
        #expect(
            message(StoredZip.bytes(small.files), limits: limits)
                == "stops.txt has more than 4 rows")
        limits.otherRows = 5
        #expect(message(StoredZip.bytes(small.files), limits: limits) == "was read")
        limits = FeedLimits()
        limits.files = 5
        #expect(message(StoredZip.bytes(small.files), limits: limits).contains("more than 5 files"))
    }

    @Test("A refused pipe is closed")
    func refusedPipe() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("stops.txt").path
        try #require(unsafe mkfifo(path, 0o600) == 0)
        #expect(throws: TransitFeedError.Problem.self) {
            try FeedStream.openFile(URL(fileURLWithPath: path))
        }
        // Without a reader it cannot be opened for writing (POSIX, open: ENXIO).
        let writer = unsafe open(path, O_WRONLY | O_NONBLOCK)
        #expect(writer < 0 && errno == ENXIO)
        if writer >= 0 { close(writer) }
    }

    @Test("A missing file, a pipe and an address have different errors")
    func places() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = folder.appendingPathComponent("none.zip")
        #expect { try TransitFeed(contentsOf: missing) } throws: {
            ($0 as? TransitFeedError)?.kind == .missing
        }
        #expect { try TransitFeed(contentsOf: folder) } throws: {
            "\($0)".contains("it is empty")
        }
        #expect { try TransitFeed(contentsOf: URL(fileURLWithPath: "/dev/null")) } throws: {
            ($0 as? TransitFeedError)?.kind == .io
        }
        let address = try #require(URL(string: "https://example.org/gtfs.zip"))
        #expect { try TransitFeed(contentsOf: address) } throws: {
            "\($0)".contains("download it first")
        }
    }
}

@Suite struct UnusableFeedTests {
    @Test("A feed without services or a known time zone is refused")
    func uselessFeeds() throws {
        var small = SmallFeed()
        small.files["calendar.txt"] = nil
        small.files["calendar_dates.txt"] = nil
        #expect(throws: TransitFeedError.self) { try small.read() }
        small = SmallFeed()
        small.replace("America/Los_Angeles", with: "Seattle time", in: "agency.txt")
        #expect(small.refusal()?.problem == .unknownTimeZone("Seattle time"))
        small = SmallFeed()
        small["stops.txt"] = "stop_id,stop_lat,stop_lon\n"
        #expect(small.refusal()?.problem == .empty("stops.txt"))
        #expect(
            small.refusal()?.description == "small.zip: stops.txt has no rows; GTFS requires some")
        small = SmallFeed()
        small.files["stops.txt"]?.insert(contentsOf: [0xff, 0xfe], at: 0)
        #expect { try small.read() } throws: { "\($0)".contains("UTF-16") }
    }

    @Test(
        "A file without a usable row reports its first error and keeps all",
        arguments: [
            (
                "stop_times.txt", "T1,-01:00:00,-01:00:00,A,-1,,",
                "line 2, stop_sequence: '-1' should be a number from 0 to 4294967295"
            ),
            (
                "stop_times.txt", "T1,600000:00:00,600000:00:00,A,1,,",
                "line 2, arrival_time: '600000:00:00' should be a time such as 25:10:00"
            ),
            ("trips.txt", "R9,week,T1,,,", "line 2, route_id: routes.txt has no 'R9'"),
            (
                "calendar.txt", "week,1,1,1,1,1,1,1,x,y",
                "line 2, start_date: 'x' should be a date such as 20261123"
            ),
        ])
    func uselessRows(_ name: String, _ row: String, _ wanted: String) throws {
        var small = SmallFeed()
        small.files["calendar_dates.txt"] = nil
        let header = try #require(small[name].split(separator: "\n").first)
        small[name] = "\(header)\n\(row)\n\(row)\n"
        let error = try #require(small.refusal())
        #expect(error.problem == .empty(name) && error.kind == .data)
        let message =
            "small.zip: \(name) has no usable row; first error: \(name), "
        #expect(error.description.hasPrefix(message + wanted), "\(error)")
        let others = error.notices.count(.error) - 1
        #expect(
            others > 0 && error.description.hasSuffix(" (\(others) more: bridgecast feed check)"))
        let found = error.notices.kept.filter { $0.file == name && $0.severity == .error }
        #expect(Set(found.compactMap(\.line)) == [2, 3])
    }

    @Test("An unusable calendar_dates.txt is named if it is the only calendar")
    func uselessDates() throws {
        var small = SmallFeed()
        small.files["calendar.txt"] = nil
        small["calendar_dates.txt"] = "service_id,date,exception_type\nweek,20260732,1\n"
        let error = try #require(small.refusal())
        #expect(error.problem == .empty("calendar_dates.txt"))
        #expect("\(error)".contains("calendar_dates.txt, line 2, date: '20260732'"))
        #expect(!"\(error)".contains("feed check"), "there is no more to see")
    }

    @Test("A first line that cannot be split into fields is not an empty file")
    func damagedHeader() throws {
        var small = SmallFeed()
        small["stops.txt"] = "\"stop_id\"x,stop_name\nA,B\n"
        let error = try #require(small.refusal())
        #expect("\(error)".contains("stops.txt, line 1: "), "\(error)")
        #expect(error.notices.counts.map(\.code) == ["csv_parsing_failed"])
        small = SmallFeed()
        small["calendar_dates.txt"] = "\"service_id\"x\n"
        #expect(try small.read().notices.counts.map(\.code).contains("csv_parsing_failed"))
        #expect(try !small.read().notices.counts.map(\.code).contains("empty_file"))
    }
}
