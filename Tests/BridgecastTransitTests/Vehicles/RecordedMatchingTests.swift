// Matching on a recorded afternoon: against the order in which vehicles passed, and against a slow exact search.
//
// The recording has no shapes. So a trip's own fixes are made its line: once every other one, with the rest matched
// to it, and once those of another trip of the same route.
import BridgecastCore
import Foundation
import Testing

@testable import BridgecastTransit

@Suite("Matching of recorded vehicles", .enabled(if: TransitSamples.areHere))
struct RecordedMatchingTests {
    private func follow(
        _ fixes: [VehicleFix], on line: ShapeLine
    ) -> (
        places: [VehiclePlace], track: LineTrack
    ) {
        var track = LineTrack()
        let places = fixes.map {
            // The timetable would tell as much: a trip is seen from its start on.
            track.take($0, on: line, mostMetresPerSecond: 32, start: { $0 / 1000 })
        }
        return (places, track)
    }

    @Test("the recording is whole")
    func recording() {
        #expect(RecordedVehicles.trips.count == 251)
        #expect(RecordedVehicles.trips.map(\.fixes.count).reduce(0, +) > 7_000)
    }

    @Test("a fix left out of its trip's line is put back between its neighbours")
    func leftOut() throws {
        var (checked, wrong, jumps) = (0, 0, 0)
        for trip in RecordedVehicles.trips where trip.fixes.count >= 20 {
            let kept = trip.fixes.indices.filter { $0 % 2 == 0 }.map { trip.fixes[$0] }
            guard let line = RecordedTrip.line(through: kept), line.length > 1000 else { continue }
            let (places, track) = follow(trip.fixes, on: line)
            jumps += track.jumps
            // Where the fixes of the line lie along it, by their order alone.
            let known = metresByOrder(kept, on: line)
            for index in stride(from: 1, to: trip.fixes.count - 1, by: 2)
            where !places[index].isOffRoute {
                let (low, high) = (known[index / 2], known[index / 2 + 1])
                // Where it drove round a corner that the line cuts off, the line does not tell where it was.
                let cut = line.nearest(to: trip.fixes[index].point, within: low...high).offMetres
                guard cut < 60 else { continue }
                checked += 1
                if places[index].metres < low - 60 || places[index].metres > high + 60 {
                    wrong += 1
                }
            }
        }
        #expect(checked > 2_500)
        // A bus that stands at a corner its line cuts off is a few tens of metres farther out.
        #expect(wrong <= checked / 500)
        #expect(jumps <= 20)
    }

    @Test("a bus on the line of another trip of its route goes forwards")
    func otherTrips() throws {
        var (pairs, fixes, back) = (0, 0, 0)
        for (line, trip) in Self.pairs {
            let (places, track) = follow(trip.fixes, on: line)
            pairs += 1
            fixes += places.count
            let steps = zip(places, places.dropFirst()).filter { $1.metres < $0.metres }.count
            #expect(steps <= track.jumps)
            back += steps
        }
        #expect(pairs > 100 && fixes > 5_000)
        #expect(back < fixes / 300)
    }

    /// Trips with lines of others of their route, near which four in five of their fixes lie.
    static let pairs: [(line: ShapeLine, trip: RecordedTrip)] = namedPairs.map {
        ($0.line, $0.trip)
    }

    private static let namedPairs: [(of: String, line: ShapeLine, trip: RecordedTrip)] = {
        var pairs: [(String, ShapeLine, RecordedTrip)] = []
        for other in RecordedVehicles.trips where other.fixes.count >= 20 {
            guard let line = RecordedTrip.line(through: other.fixes), line.length > 2000 else {
                continue
            }
            for trip in RecordedVehicles.trips
            where trip.route == other.route && trip.id != other.id && trip.fixes.count >= 10 {
                let near = trip.fixes.filter { !line.approaches(to: $0.point, within: 60).isEmpty }
                guard 5 * near.count >= 4 * trip.fixes.count, goesForwards(trip, on: line) else {
                    continue
                }
                pairs.append((other.id, line, trip))
            }
        }
        return pairs
    }()

    /// Whether four in five of a trip's steps go the way of a line: routes have two directions and one name.
    private static func goesForwards(_ trip: RecordedTrip, on line: ShapeLine) -> Bool {
        let places = trip.fixes.map { line.nearest(to: $0.point, within: 0...line.length).metres }
        let steps = zip(places, places.dropFirst()).filter { abs($1 - $0) > 100 }
        return 5 * steps.filter { $1 > $0 }.count >= 4 * max(1, steps.count)
    }

    /// For `tools/checks/transit/matching.py`, which searches slowly and exactly: what was found, a line of JSON a
    /// pair.
    @Test(
        "what was found is written for the slow search",
        .enabled(if: ProcessInfo.processInfo.environment["BRIDGECAST_MATCHING"] != nil))
    func written() throws {
        var text = ""
        for (other, line, trip) in Self.namedPairs {
            let (places, _) = follow(trip.fixes, on: line)
            let metres = places.map { "\(($0.metres * 100).rounded() / 100)" }
            let off = places.map { $0.isOffRoute ? "1" : "0" }
            text += """
                {"line":"\(other)","trip":"\(trip.id)","metres":[\(metres.joined(separator: ","))],\
                "off_route":[\(off.joined(separator: ","))]}

                """
        }
        let path = try #require(ProcessInfo.processInfo.environment["BRIDGECAST_MATCHING"])
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Metres along the line through these fixes of each of them.
    private func metresByOrder(_ fixes: [VehicleFix], on line: ShapeLine) -> [Double] {
        var (piece, last) = (0, fixes[0].point)
        return fixes.map { fix in
            if fix.point.metres(to: last) >= 10 { (piece, last) = (piece + 1, fix.point) }
            return line.metres[min(piece, line.metres.count - 1)]
        }
    }
}
