// Boards of random realtime content are in order, and nothing traps.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastTransit

@Suite struct MergeFuzzTests {
    @Test func anyUpdatesAndVehiclesLeaveBoardsInOrder() async throws {
        let fuzz = FuzzRun(usually: 2000)
        let feed = try TextTimetable().feed()
        let lines = await fuzz.results { Self.run($0, $1, feed) }.reduce(0, +)
        #expect(lines > fuzz.cases)
    }

    /// The number of lines on boards.
    private static func run(_ cases: Int, _ seed: UInt64, _ feed: TransitFeed) -> Int {
        var random = SeededGenerator(seed: seed)
        var lines = 0
        var tracker = VehicleTracker()
        for _ in 0..<cases {
            let now = TextTimetable.time("07:30").adding(
                seconds: Int64.random(in: 0...14_400, using: &random))
            var state = RealtimeState()
            var message = RealtimeFeed(timestamp: time(near: now, &random))
            message.entities = (0..<Int.random(in: 1...4, using: &random)).map {
                RealtimeEntity(id: "\($0)", tripUpdate: update(now, &random))
            }
            state.take(message, of: "trip_updates", at: now)
            message.entities = (0..<Int.random(in: 0...2, using: &random)).map {
                RealtimeEntity(id: "\($0)", vehicle: vehicle(now, &random))
            }
            state.take(message, of: "vehicles", at: now)
            let snapshot = TransitSnapshot(feed, state, asOf: now, tracker: &tracker)
            for stop in 0..<feed.stops.count {
                let board = snapshot.board(of: StopIndex(stop)).departures
                // A run that is at the stop may have been expected earlier.
                let times = board.compactMap(\.expected)
                #expect(times.count == board.count && times == times.sorted())
                lines += board.count
            }
            for run in snapshot.live { _ = snapshot.stops(of: run.key) }
        }
        return lines
    }

    private static func time(
        near now: Timestamp, _ random: inout SeededGenerator
    ) -> Timestamp? {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: nil
        case 1: [.earliest, .latest, Timestamp(secondsSinceEpoch: 0)].randomElement(using: &random)
        case 2: now.adding(seconds: Int64.random(in: -200_000...200_000, using: &random))
        default: now.adding(seconds: Int64.random(in: -4000...4000, using: &random))
        }
    }

    private static func number(_ random: inout SeededGenerator) -> Int? {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: nil
        case 1: [Int(Int32.min), Int(Int32.max), 0, -1, .max, .min].randomElement(using: &random)
        default: Int.random(in: -600...600, using: &random)
        }
    }

    private static func text(_ texts: [String], _ random: inout SeededGenerator) -> String? {
        Int.random(in: 0..<6, using: &random) == 0
            ? ["", "_", "40_", "40_A", "ü/ü", nil].randomElement(using: &random) ?? nil
            : texts.randomElement(using: &random)
    }

    private static func selector(_ random: inout SeededGenerator) -> TripSelector {
        var selector = TripSelector()
        selector.tripID = text(["north-8", "north-9", "south-8", "night", "shuttle"], &random)
        selector.routeID = text(["L", "N", "F"], &random)
        selector.startTime = text(["08:00:00", "10:12:00", "25:10:00", "999:59:59"], &random)
        selector.startDate = text(["20260218", "20260217", "99991231", "00010101"], &random)
        selector.direction = number(&random)
        selector.relationship = TripRelationship.allCases.randomElement(using: &random)
        return selector
    }

    private static func event(
        _ now: Timestamp, _ random: inout SeededGenerator
    ) -> StopTimeEvent? {
        guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
        return StopTimeEvent(
            delaySeconds: number(&random), time: time(near: now, &random),
            scheduledTime: time(near: now, &random), uncertaintySeconds: number(&random))
    }

    private static func update(_ now: Timestamp, _ random: inout SeededGenerator) -> TripUpdate {
        var update = TripUpdate()
        update.trip = selector(&random)
        update.timestamp = time(near: now, &random)
        update.delaySeconds = number(&random)
        if Bool.random(using: &random) {
            let other = selector(&random)
            update.properties = TripProperties()
            update.properties?.tripID = other.tripID
            update.properties?.startTime = other.startTime
            update.properties?.startDate = other.startDate
        }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            var stop = StopTimeUpdate()
            stop.sequence = Bool.random(using: &random) ? number(&random) : 20
            stop.stopID = text(["S1", "S2", "S", "A", "B", "C"], &random)
            stop.assignedStopID = text(["", "S1", "S2", "S", "C"], &random)
            stop.arrival = event(now, &random)
            stop.departure = event(now, &random)
            stop.relationship = StopTimeUpdate.Relationship.allCases.randomElement(using: &random)
            update.stops.append(stop)
        }
        return update
    }

    private static func vehicle(
        _ now: Timestamp, _ random: inout SeededGenerator
    ) -> VehicleReport {
        var report = VehicleReport()
        report.trip = Bool.random(using: &random) ? selector(&random) : nil
        report.latitude =
            [47.605, 47.62, .nan, .infinity, 90, 0, nil].randomElement(using: &random) ?? nil
        report.longitude = [-122.33, -180, 1e30, nil].randomElement(using: &random) ?? nil
        report.bearing = [0, 359, -1e30, .nan, nil].randomElement(using: &random) ?? nil
        report.stopSequence = number(&random)
        report.stopID = text(["S1", "A", "B"], &random)
        report.stopStatus = VehicleReport.StopStatus.allCases.randomElement(using: &random)
        report.timestamp = time(near: now, &random)
        return report
    }
}
