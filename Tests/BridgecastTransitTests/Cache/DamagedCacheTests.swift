// Cached feeds that are damaged, cut off or made up: never believed, never a crash, made again.
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit

@Suite("Damaged cached feeds")
struct DamagedCacheTests {
    /// A small feed, its identity and the bytes of its cached feed; and a place for damaged ones.
    private struct Kept {
        let source: FeedIdentity
        let bytes: [UInt8]
        let place: String

        func read(_ bytes: [UInt8]) throws -> TransitFeed {
            try Data(bytes).write(to: URL(fileURLWithPath: place))
            return try CachedFeedReader.read(place, madeFrom: source)
        }
    }

    private func withKept(_ body: (Kept) throws -> Void) throws {
        let (folder, url) = (try Fixtures.temporaryFolder(), try SmallTransit.folder())
        defer { for url in [folder, url] { try? FileManager.default.removeItem(at: url) } }
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -60)],
                ofItemAtPath: url.appendingPathComponent(name).path)
        }
        let source = try #require(FeedIdentity(of: url))
        let whole = folder.appendingPathComponent("whole.feed").path
        let length = try CachedFeedWriter.write(
            TransitFeed(contentsOf: url), from: source, to: whole)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
        #expect(bytes.count == length)
        try body(
            Kept(source: source, bytes: bytes, place: folder.appendingPathComponent("x").path))
    }

    @Test("Any changed byte is noticed, or lies between sections and changes nothing")
    func changedBytes() throws {
        try withKept { kept in
            let whole = try kept.read(kept.bytes)
            var generator = SeededGenerator(seed: 21)
            var refused = 0
            for number in 0..<600 {
                var bytes = kept.bytes
                // The header and the table byte by byte, the rest at random.
                let place =
                    number < 200 ? number : Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
                try Data(bytes).write(to: URL(fileURLWithPath: kept.place))
                do throws(CachedFeedDamage) {
                    let feed = try CachedFeedReader.read(kept.place, madeFrom: kept.source)
                    #expect(FeedColumns.differences(whole, feed) == [])
                } catch { refused += 1 }
            }
            #expect(refused > 250)
        }
    }

    @Test("A file that is cut off anywhere is refused")
    func cutOff() throws {
        try withKept { kept in
            for length in [
                0, 1, 8, 39, 40, 41, 200, 6440, kept.bytes.count / 2, kept.bytes.count - 1,
            ] {
                #expect(throws: CachedFeedDamage.self) {
                    try kept.read(Array(kept.bytes.prefix(length)))
                }
            }
            #expect(throws: CachedFeedDamage.self) { try kept.read(kept.bytes + [0]) }
        }
    }

    @Test("The cached feed of another version, or of another folder, is refused")
    func others() throws {
        try withKept { kept in
            var bytes = kept.bytes
            bytes[8] += 1
            let damage = try #require(throws: CachedFeedDamage.self) { try kept.read(bytes) }
            #expect(damage.description.contains("version"))
            _ = try kept.read(kept.bytes)
            let folder = try SmallTransit.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let other = try #require(FeedIdentity(of: folder))
            #expect(throws: CachedFeedDamage.self) {
                try CachedFeedReader.read(kept.place, madeFrom: other)
            }
        }
    }

    @Test(
        "Columns that do not fit together are refused, whatever the checksums say",
        arguments: FeedChange.all.indices)
    func structure(_ number: Int) throws {
        let url = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: url) }
        var parts = FeedParts(try TransitFeed(contentsOf: url))
        try parts.checkStructure()
        FeedChange.all[number](&parts)
        #expect(throws: CachedFeedDamage.self) { try parts.checkStructure() }
    }

    @Test("Numbers of findings that no feed has are refused, before somebody adds them up")
    func findings() throws {
        let url = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: url) }
        let source = try #require(FeedIdentity(of: url))
        var about = CachedFeedAbout(
            FeedParts(try TransitFeed(contentsOf: url)), source: source)
        _ = try about.emptyFeed()
        for count in [Int.max, -1] {
            about.noticeCounts = [
                FeedNotices.Count(code: "x", severity: .error, file: "", count: count)
            ]
            #expect(throws: CachedFeedDamage.self) { try about.emptyFeed() }
        }
    }

    @Test(
        "The checksum is XXH64 of the specification",
        arguments: [
            (0, 0xef46_db37_51d8_e999), (1, 0xe934_a84a_db05_2768), (3, 0xe5c7_bb45_33bc_65dd),
            (8, 0x884a_1736_14b8_1b8d), (31, 0xc346_d2b5_9b4d_8ee1), (32, 0xcbf5_9c51_16ff_32b4),
            (100, 0x6ac1_e580_3216_6597),
        ] as [(Int, UInt64)])
    func checksum(_ count: Int, _ expected: UInt64) {
        // Of the bytes 0, 1, 2, ...: as the reference implementation has it (PyPI xxhash 3).
        let bytes = (0..<count).map { UInt8($0) }
        #expect(unsafe bytes.withUnsafeBytes { unsafe XXH64.hash($0) } == expected)
    }
}

/// Changes after which something that reads a feed would leave its tables.
private enum FeedChange {
    static let all: [@Sendable (inout FeedParts) -> Void] = [
        { $0.stops.latitudes.removeLast() },
        { $0.stops.parents[0] = Int32($0.stops.count) },
        { $0.stops.parents[0] = -2 },
        { $0.routes.agencies[0] = 1 },
        { $0.routes.kinds.append(3) },
        { $0.trips.routes[0] = -1 },
        { $0.trips.services[0] = 1 },
        { $0.trips.headsigns[0] = 1_000_000 },
        { $0.trips.shapes[0] = Int32($0.shapes.count) },
        { $0.trips.directions[0] = 7 },
        { $0.stopTimes.starts[1] = 9_999_999 },
        { $0.stopTimes.starts[0] = 1 },
        { $0.stopTimes.starts.removeLast() },
        { $0.stopTimes.stops[3] = Int32($0.stops.count) },
        { $0.stopTimes.arrivals.removeLast() },
        { $0.stopTimes.distances = [1] },
        { $0.stopTimes.headsignRows.append(0) },
        { $0.services.exceptionStarts.append(0) },
        { $0.services.weekdays = [] },
        { $0.shapes.longitudes.removeLast() },
        { $0.shapes.starts[1] = 1_000_000 },
        { $0.calls.rows[0] = UInt32($0.stopTimes.count) },
        { $0.calls.starts[1] = .max },
        { $0.children.stops = [Int32($0.stops.count)] },
        { $0.transfers = [StopTransfer(from: 0, to: -1, kind: 0, leastSeconds: -1)] },
        {
            $0.frequencies = [
                TripFrequency(
                    trip: 0, startSeconds: 0, endSeconds: 1, headwaySeconds: 0, isExact: 0)
            ]
        },
        { $0.trips.frequencyStarts = [0] },
        // Numbers with which reckoning would run over, or for ever.
        { $0.stops.latitudes[0] = .infinity },
        { $0.stops.longitudes[0] = -181 },
        { $0.stopTimes.arrivals[0] = .min },
        { $0.stopTimes.departures[0] = .max },
        { $0.stopTimes.distances = $0.stopTimes.stops.map { _ in .infinity } },
        { $0.shapes.distances = $0.shapes.latitudes.map { _ in -.infinity } },
        { $0.services.lastDays[0] = .max },
        { $0.services.firstDays[0] = .min },
        { $0.shapes.latitudes[0] = .min },
        { $0.shapes.longitudes[0] = 1_800_000_001 },
        {
            $0.frequencies = [
                TripFrequency(
                    trip: 0, startSeconds: .min, endSeconds: .max, headwaySeconds: 1, isExact: 0)
            ]
        },
    ]
}
