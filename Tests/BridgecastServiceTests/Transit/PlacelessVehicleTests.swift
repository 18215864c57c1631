// Vehicles whose coordinates are no place on earth: without a place in every document.
import BridgecastAnswers
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import BridgecastTransitAnswers
import Foundation
import Testing

@Suite struct PlacelessVehicleTests {
    private static let moment = Timestamp(secondsSinceEpoch: 1_771_638_900)

    /// The vehicle of the bus of 18:00, seen so long after the moment.
    private func snapshot(
        _ latitude: Float?, _ longitude: Float?, ahead: Int64 = 0
    ) throws -> TransitSnapshot {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        let bytes = SmallTransit.vehicles(
            of: SmallTransit.trip(at: "18:00"), latitude: 47.65,
            at: Self.moment.adding(seconds: ahead))
        var message = try RealtimeFeed.read(bytes).feed
        message.entities[0].vehicle?.latitude = latitude
        message.entities[0].vehicle?.longitude = longitude
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        state.take(message, of: "vehicles", at: Self.moment)
        return TransitSnapshot(feed, state, asOf: Self.moment, tracker: &tracker)
    }

    private func json(_ answer: some JSONAnswer) throws -> [String: Any] {
        var writer = JSONWriter()
        answer.write(to: &writer)
        let document = try JSONSerialization.jsonObject(with: Data(writer.bytes))
        return try #require(document as? [String: Any])
    }

    @Test(
        "A place that is not on earth is none, in lists and on maps",
        arguments: [
            (Float.nan, -122.3), (3e38, -122.3), (91, -500), (47.65, .infinity), (0, 0), (nil, 9),
        ] as [(Float?, Float?)])
    func placeless(_ latitude: Float?, _ longitude: Float?) throws {
        let snapshot = try snapshot(latitude, longitude)
        let envelope = TransitEnvelope(snapshot, generatedAt: Self.moment)
        let list = try json(RealtimeDocument(nil, snapshot, envelope))
        let data = try #require(list["data"] as? [String: Any])
        let vehicle = try #require((data["vehicles"] as? [[String: Any]])?.first)
        #expect(vehicle["trip_id"] as? String == "n-18:00")
        for field in ["lat", "lon", "fix_lat", "fix_lon", "along_m"] {
            #expect(vehicle[field] is NSNull, "\(field): \(vehicle[field] ?? "missing")")
        }
        let run = try #require(snapshot.vehicles.first?.run)
        let map = try json(TripMap(TripDocument(run, snapshot, envelope)))
        let features = try #require(map["features"] as? [[String: Any]])
        #expect(
            !features.contains {
                ($0["properties"] as? [String: Any])?["feature"] as? String == "vehicle"
            })
        #expect(features.count > 1)
    }

    @Test("A vehicle whose clock is a little ahead has the age 0, on boards too")
    func age() throws {
        let snapshot = try snapshot(47.65, -122.3762, ahead: 30)
        #expect(VehicleEntry(0, snapshot, at: Self.moment, bridges: nil).ageSeconds == 0)
        let stop = try #require(snapshot.feed.stop(SmallTransit.south))
        let envelope = TransitEnvelope(snapshot, generatedAt: Self.moment)
        let board = try json(StopBoardDocument(snapshot.board(of: stop), snapshot, envelope))
        let data = try #require(board["data"] as? [String: Any])
        let ages = try #require(data["departures"] as? [[String: Any]]).compactMap {
            $0["vehicle_age_s"] as? Int
        }
        #expect(ages == [0])
    }
}
