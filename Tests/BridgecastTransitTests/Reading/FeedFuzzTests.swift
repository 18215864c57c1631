// Whatever bytes a zip file or its files hold: a feed is read or refused.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTransit
import Foundation
import Testing

@Suite struct FeedFuzzTests {
    @Test("Mutated zip files and mutated files in whole zip files are read or refused")
    func anyBytesAreReadOrRefused() async {
        let fuzz = FuzzRun(usually: 6_000)
        let total = await fuzz.results(Self.run).reduce(into: Tally()) { $0.add($1) }
        #expect(total.read.reduce(0, +) + total.refused.reduce(0, +) == fuzz.cases)
        for form in 0..<2 {
            #expect(total.read[form] > 0 && total.refused[form] > 0, "form \(form)")
        }
        #expect(total.notices > 0)
        if !fuzz.isUsual {
            print(
                "\(fuzz.cases) feeds from seed \(fuzz.seed): zip files, files in them: \(total.read) read with "
                    + "\(total.notices) findings, \(total.refused) refused; the longest took \(total.longest)"
            )
        }
    }

    private struct Tally: Sendable {
        var read = [0, 0]
        var refused = [0, 0]
        var notices = 0
        var longest = Duration.zero

        mutating func add(_ other: Tally) {
            for form in 0..<2 {
                read[form] += other.read[form]
                refused[form] += other.refused[form]
            }
            notices += other.notices
            longest = max(longest, other.longest)
        }
    }

    private static let good = SmallFeed().files
    private static let zip = StoredZip.bytes(good)
    private static let names = good.keys.sorted()

    private static func run(_ cases: Int, _ seed: UInt64) -> Tally {
        var random = SeededGenerator(seed: seed)
        let clock = ContinuousClock()
        var tally = Tally()
        for _ in 0..<cases {
            let form = Int.random(in: 0...1, using: &random)
            var files = good
            if form == 1, let name = names.randomElement(using: &random) {
                files[name] = mutated(good[name] ?? [], words: words, &random)
            }
            let bytes = form == 0 ? mutated(zip, words: words, &random) : StoredZip.bytes(files)
            let start = clock.now
            let feed = try? TransitFeed(zip: bytes, name: "f")
            tally.longest = max(tally.longest, clock.now - start)
            guard let feed else {
                tally.refused[form] += 1
                continue
            }
            tally.read[form] += 1
            tally.notices += feed.notices.count(.info)
            check(feed)
        }
        return tally
    }

    /// What every feed promises, whatever it was read from.
    private static func check(_ feed: TransitFeed) {
        let table = feed.stopTimes
        #expect(
            Int(table.starts.last ?? 0) == table.count && table.starts.count == feed.trips.count + 1
        )
        #expect(table.stops.allSatisfy { (0..<Int32(feed.stops.count)).contains($0) })
        #expect(Swift.zip(table.arrivals, table.departures).allSatisfy { 0 <= $0 && $0 <= $1 })
        #expect(table.distances.isEmpty || table.distances.count == table.count)
        #expect(table.headsignTexts.allSatisfy { Int($0) < feed.trips.headsignTexts.count })
        #expect(feed.calls.rows.sorted() == (0..<UInt32(table.count)).map { $0 })
        #expect(feed.trips.routes.allSatisfy { (0..<Int32(feed.routes.count)).contains($0) })
        #expect(feed.trips.services.allSatisfy { (0..<Int32(feed.services.count)).contains($0) })
        #expect(feed.trips.shapes.allSatisfy { $0 < Int32(feed.shapes.count) })
        #expect(Int(feed.shapes.starts.last ?? 0) == feed.shapes.latitudes.count)
        #expect(feed.services.exceptionStarts.count == feed.services.count + 1)
        for stop in 0..<feed.stops.count { _ = feed[StopIndex(stop)] }
        for trip in 0..<feed.trips.count { _ = feed[TripIndex(trip)] }
        for notice in feed.notices.kept { #expect(!notice.description.isEmpty) }
    }

    private static let words: [[UInt8]] =
        [
            "\"", "\"\"", ",", ",,,,,,,,,,", "\n", "\r", "\r\n", "T1", "S", "-1",
            "99999999999999999999",
            "1e999", "1e300", "-1e300", "nan", "25:00:00", "999:59:59", "20260230", "\u{0}",
            "\u{FEFF}", "é", " ",
            "\t",
            "stop_id", "trip_id", "PK\u{3}\u{4}", "../",
        ].map { Array($0.utf8) } + [[0xff], [0xff, 0xfe], [0xc3]]
}
