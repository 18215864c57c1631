// What the live widget of a route takes for the next arrivals.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit
@testable import BridgecastTransitAnswers

@Suite struct LiveWidgetTests {
    /// 17:55, five minutes before the bus of 18:00.
    private static let moment = Timestamp(secondsSinceEpoch: 1_771_638_900)

    @Test(
        "A trip that is cancelled is no next arrival, and no vehicle goes to a stop that it passes by"
    )
    func cancelledAndSkipped() throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        let seconds = Self.moment.secondsSinceEpoch
        let message = """
            {"header": {"gtfs_realtime_version": "2.0", "timestamp": \(seconds)}, "entity": [
             {"id": "1", "trip_update": {"trip": {"trip_id": "n-18:00", "start_date": "20260220",
              "schedule_relationship": "CANCELED"}}},
             {"id": "2", "trip_update": {"trip": {"trip_id": "n-18:10", "start_date": "20260220"},
              "stop_time_update": [{"stop_sequence": 1, "schedule_relationship": "SKIPPED"},
               {"stop_sequence": 2, "arrival": {"delay": 0}}]}},
             {"id": "3", "vehicle": {"trip": {"trip_id": "n-18:10", "start_date": "20260220"},
              "vehicle": {"id": "v1"}, "timestamp": \(seconds),
              "position": {"latitude": 47.6481, "longitude": -122.3762}}}]}
            """
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        state.take(try RealtimeFeed.read(Array(message.utf8)).feed, of: "all", at: Self.moment)
        let snapshot = TransitSnapshot(feed, state, asOf: Self.moment, tracker: &tracker)
        let envelope = TransitEnvelope(snapshot, generatedAt: Self.moment)
        let route = try #require(feed.route(SmallTransit.route))
        let south = try #require(feed.stop(SmallTransit.south))
        let widget = LiveWidgetDocument(route, stop: south, snapshot, envelope)
        let arrivals = widget.predictions.filter { $0.departure.tripID.hasPrefix("n-") }
        #expect(widget.predictions.count == 3)
        #expect(arrivals.allSatisfy { $0.departure.isServed && $0.countdownSeconds != nil })
        #expect(!arrivals.contains { $0.departure.tripID == "n-18:00" })
        let vehicle = VehicleEntry(0, snapshot, at: Self.moment, bridges: nil)
        #expect(vehicle.next.map(\.stop.id) == [SmallTransit.north])
    }
}
