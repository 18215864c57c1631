// Matching and predictions of buses whose true positions are known.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit

@Suite("Matching of reported vehicles")
struct FollowedVehiclesTests {
    private func follow(
        _ fixes: [VehicleFix], on line: ShapeLine
    ) -> (
        places: [VehicleLocation], track: LineTrack
    ) {
        var track = LineTrack()
        let places = fixes.map {
            // A trip is seen from its start on.
            track.match($0, to: line, maxMetresPerSecond: 32, startCost: { $0 / 1000 })
        }
        return (places, track)
    }

    @Test("A bus is placed where it was, and goes forwards")
    func truePositions() throws {
        let afternoon = try SimulatedAfternoon.shared.get()
        var fixes = 0
        var wrong = 0
        var jumps = 0
        #expect(afternoon.trips.count > 50)
        for trip in afternoon.trips {
            let line = try #require(afternoon.feed.geometry(of: trip.run.trip)?.line)
            let (places, track) = follow(trip.fixes, on: line)
            jumps += track.jumps
            for (place, truth) in zip(places, trip.trueMetres) where !place.isOffRoute {
                fixes += 1
                if abs(place.metres - truth) > 60 { wrong += 1 }
            }
            let back = zip(places, places.dropFirst()).count { $1.metres < $0.metres }
            #expect(back <= track.jumps)
        }
        #expect(fixes > 4_500)
        // One position in two hundred is 80 metres off, some of them along the line.
        #expect(wrong <= fixes / 100, "\(wrong) of \(fixes)")
        #expect(jumps <= 10, "\(jumps)")
    }

    @Test("A bus on the line that another trip of its route drove goes forwards")
    func otherTrips() throws {
        let pairs = try Self.pairs()
        var fixes = 0
        var back = 0
        for (line, trip) in pairs.map({ ($0.line, $0.trip) }) {
            let (places, track) = follow(trip.fixes, on: line)
            fixes += places.count
            let steps = zip(places, places.dropFirst()).count { $1.metres < $0.metres }
            #expect(steps <= track.jumps)
            back += steps
        }
        #expect(pairs.count > 40 && fixes > 3_500)
        #expect(back < fixes / 300, "\(back) of \(fixes)")
    }

    /// Each trip with the line through the fixes of the trip before it on the same shape.
    private static func pairs() throws -> [(of: String, line: ShapeLine, trip: SimulatedTrip)] {
        let trips = try SimulatedAfternoon.shared.get().trips
        let byShape = Dictionary(grouping: trips, by: \.shape).values
            .map { $0.sorted { $0.id < $1.id } }.sorted { $0[0].id < $1[0].id }
        return byShape.flatMap { group in
            zip(group, group.dropFirst()).compactMap { other, trip in
                line(through: other.fixes).map { (other.id, $0, trip) }
            }
        }
    }

    /// A line through fixes that are at least 10 m apart.
    private static func line(through fixes: [VehicleFix]) -> ShapeLine? {
        var points: [GeoPoint] = []
        for fix in fixes {
            if let last = points.last, last.metres(to: fix.point) < 10 { continue }
            points.append(fix.point)
        }
        return ShapeLine(points)
    }

    /// For `tools/checks/transit/matching.py`, which searches slowly and exactly: the messages, and what was found, a line
    /// of JSON a pair, in the folder that BRIDGECAST_MATCHING names.
    @Test("The results are written for the slow search")
    func written() throws {
        let temporary = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: temporary) }
        let named = ProcessInfo.processInfo.environment["BRIDGECAST_MATCHING"]
        let folder = named.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? temporary
        try SimulatedAfternoon.shared.get().write(to: folder)
        var text = ""
        for (other, line, trip) in try Self.pairs() {
            let (places, _) = follow(trip.fixes, on: line)
            let metres = places.map { "\(($0.metres * 100).rounded() / 100)" }
            let off = places.map { $0.isOffRoute ? "1" : "0" }
            text += """
                {"line":"\(other)","trip":"\(trip.id)","metres":[\(metres.joined(separator: ","))],\
                "off_route":[\(off.joined(separator: ","))]}

                """
        }
        try Data(text.utf8).write(to: folder.appendingPathComponent("matching.ndjson"))
        #expect(text.split(separator: "\n").count > 40)
    }

    @Test(
        "Predictions from positions are better than the timetable, and know how far off they may be"
    )
    func predictions() throws {
        var run = PredictionRun(try SimulatedAfternoon.shared.get())
        let scores = run.scored()
        let own = try #require(scores.own.meanAbsoluteSeconds)
        let timetable = try #require(scores.timetable.meanAbsoluteSeconds)
        #expect(scores.own.count > 1_000)
        #expect(own < 0.75 * timetable, "\(own) s, the timetable \(timetable) s")
        // The spread that is claimed, one standard deviation, holds about two of three.
        let within = Double(scores.within) / Double(scores.own.count)
        #expect((0.5...0.9).contains(within), "\(within)")
    }
}

/// The afternoon played report by report, and what was predicted scored by what came.
private struct PredictionRun {
    struct Scores {
        var own = PredictionScore()
        var timetable = PredictionScore()
        /// How many of ours were no farther off than the spread claimed.
        var within = 0
    }

    private let afternoon: SimulatedAfternoon
    private var tracker = VehicleTracker()
    private var scores = Scores()
    /// Every so many reports of a bus are scored.
    private static let reportsBetween = 10
    /// What is nearer in time says little of predictions, seconds.
    private static let minLeadSeconds = 240.0

    init(_ afternoon: SimulatedAfternoon) { self.afternoon = afternoon }

    mutating func scored() -> Scores {
        let events = afternoon.trips.indices.flatMap { trip in
            afternoon.trips[trip].fixes.indices.map { (trip: trip, fix: $0) }
        }.sorted {
            let first = afternoon.trips[$0.trip].fixes[$0.fix].seconds
            let second = afternoon.trips[$1.trip].fixes[$1.fix].seconds
            return (first, $0.trip) < (second, $1.trip)
        }
        for event in events { play(afternoon.trips[event.trip], event.fix) }
        return scores
    }

    private mutating func play(_ trip: SimulatedTrip, _ index: Int) {
        let fix = trip.fixes[index]
        let seenAt = Timestamp(secondsSinceEpoch: Int64(fix.seconds))
        let place = tracker.match(
            VehicleReport(at: fix.point), vehicle: trip.id, on: trip.run, seenAt: seenAt,
            in: afternoon.feed)
        guard let place, index % Self.reportsBetween == 0,
            let course = afternoon.feed.scheduledCourse(of: trip.run)
        else { return }
        let predictions = tracker.predictions(
            for: trip.run, from: place, seenAt: seenAt, in: afternoon.feed)
        for (stop, prediction) in predictions.enumerated() {
            let came = trip.arrivals[stop]
            guard let arrival = prediction.arrival, came - fix.seconds > Self.minLeadSeconds
            else { continue }
            let error = came - Double(arrival.secondsSinceEpoch)
            scores.own.add(errorSeconds: error)
            scores.timetable.add(errorSeconds: came - course.arrivals[stop])
            if abs(error) <= prediction.spreadSeconds ?? 0 { scores.within += 1 }
        }
    }
}

extension VehicleReport {
    /// A report of a place alone.
    init(at point: GeoPoint) {
        self.init()
        latitude = Float(point.latitude)
        longitude = Float(point.longitude)
    }
}
