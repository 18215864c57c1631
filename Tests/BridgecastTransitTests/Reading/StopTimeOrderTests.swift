// Stop times come in any order and with gaps: what is made of them.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTransit
import Foundation
import Testing

@Suite struct StopTimeOrderTests {
    @Test("Rows in any order make the same timetable", arguments: 0..<6)
    func anyOrder(_ seed: UInt64) throws {
        var (small, random) = (SmallFeed(), SeededGenerator(seed: seed))
        for name in ["stop_times.txt", "shapes.txt"] {
            var lines = small[name].split(separator: "\n")
            let header = lines.removeFirst()
            lines.shuffle(using: &random)
            small[name] = ([header] + lines).joined(separator: "\n") + "\n"
        }
        let (feed, usual) = (try small.read(), try SmallFeed().read())
        #expect(feed.stopTimes.starts == usual.stopTimes.starts)
        #expect(feed.stopTimes.arrivals == usual.stopTimes.arrivals)
        #expect(feed.stopTimes.departures == usual.stopTimes.departures)
        #expect(feed.stopTimes.stops == usual.stopTimes.stops)
        #expect(feed.stopTimes.sequences == usual.stopTimes.sequences)
        #expect(feed.stopTimes.flags == usual.stopTimes.flags)
        #expect(feed.shapes.latitudes == usual.shapes.latitudes)
        #expect(feed.notices.counts.isEmpty)
    }

    /// What T1 is, with stops of its own between.
    private func times(_ rows: String) throws -> [Int32] {
        var small = SmallFeed()
        let lines = small["stop_times.txt"].split(separator: "\n")
        small["stop_times.txt"] = ([lines[0]] + lines[4...]).joined(separator: "\n") + "\n" + rows
        let feed = try small.read()
        let trip = try #require(feed.trip("T1"))
        let range = feed.stopTimes.rows(of: trip)
        for row in range {
            let isFilled = StopTimeTable.Flags(rawValue: feed.stopTimes.flags[row])
                .contains(.interpolated)
            #expect(isFilled == (row != range.first && row != range.last))
        }
        return range.map { feed.stopTimes.arrivals[$0] }
    }

    @Test("Missing times lie as far along in time as along the distance that the feed gives")
    func byGivenDistance() throws {
        let rows = "T1,8:00:00,8:00:00,S1,1,,0\nT1,,,A,2,,5\nT1,9:00:00,9:00:00,B,3,,6\n"
        #expect(try times(rows) == [28_800, 28_800 + 3_000, 32_400])
    }

    @Test("A distance below zero or beyond all measure is left out, and times go by the stops")
    func byNoDistance() throws {
        for (near, far) in [("1e300", "1e301"), ("-1e300", "5"), ("3e38", "4e38")] {
            let rows =
                "T1,8:00:00,8:00:00,S1,1,,0\nT1,,,A,2,,\(near)\nT1,9:00:00,9:00:00,B,3,,\(far)\n"
            #expect(
                try times(rows) == [28_800, 28_800 + Int32((3600.0 * 199 / 599).rounded()), 32_400])
        }
    }

    @Test("Without distances they lie as far along as the stops do")
    func byPlaces() throws {
        // Central at 47.6001, A at 47.62, B at 47.66, all on one meridian: 199 and 400 parts of 599.
        let rows = "T1,8:00:00,8:00:00,S1,1,,\nT1,,,A,2,,\nT1,9:00:00,9:00:00,B,3,,\n"
        #expect(
            try times(rows) == [28_800, 28_800 + Int32((3600.0 * 199 / 599).rounded()), 32_400])
    }

    @Test("Where nothing tells the way, they lie evenly")
    func evenly() throws {
        let rows =
            "T1,8:00:00,8:00:00,B,1,,\nT1,,,B,2,,\nT1,,,B,3,,\nT1,8:30:00,8:30:00,B,4,,\n"
        #expect(try times(rows) == [28_800, 29_400, 30_000, 30_600])
    }

    @Test("Of arrival and departure one will do")
    func oneOfTwo() throws {
        var small = SmallFeed()
        small.replace("T1,8:10:00,8:10:00", with: "T1,,8:10:00", in: "stop_times.txt")
        small.replace("T2,9:10:00,9:10:00", with: "T2,9:10:00,", in: "stop_times.txt")
        let (feed, usual) = (try small.read(), try SmallFeed().read())
        #expect(feed.stopTimes.arrivals == usual.stopTimes.arrivals)
        #expect(feed.stopTimes.departures == usual.stopTimes.departures)
        #expect(feed.stopTimes.flags == usual.stopTimes.flags)
    }

    @Test("Times never run backwards within a trip, nor distances, whatever the file says")
    func neverBackwards() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            var small = SmallFeed()
            small["stop_times.txt"] =
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                + (0..<12).map { _ in Self.row(&random) }.joined()
                + "T2,1:00:00,1:00:00,A,1,\nT2,2:00:00,2:00:00,B,2,\n"
            let table = try small.read().stopTimes
            let rows = table.rows(of: TripIndex(0))
            for row in rows {
                #expect(table.departures[row] >= table.arrivals[row])
                guard row + 1 < rows.upperBound else { continue }
                #expect(table.arrivals[row + 1] >= table.departures[row])
                #expect(table.sequences[row + 1] > table.sequences[row])
            }
            let distances = rows.compactMap { row -> Float? in
                table.distances.isEmpty || table.distances[row].isNaN ? nil : table.distances[row]
            }
            #expect(distances == distances.sorted())
        }
    }

    private static func row(_ random: inout SeededGenerator) -> String {
        func time() -> String {
            Bool.random(using: &random) ? "" : "\(Int.random(in: 0...30, using: &random)):00:00"
        }
        let distance = Bool.random(using: &random) ? "" : "\(Int.random(in: 0...9, using: &random))"
        let stop = ["S1", "A", "B"].randomElement(using: &random) ?? "A"
        return
            "T1,\(time()),\(time()),\(stop),\(Int.random(in: 0...15, using: &random)),\(distance)\n"
    }
}
