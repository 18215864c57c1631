// A timetable that is replaced while the service runs, and what listeners are told of realtime feeds.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct TransitWatchTests {
    private func name(of id: String, in state: ServiceState) throws -> String {
        let feed = try #require(state.transit?.desk.feed)
        return feed[try #require(feed.stop(id))].name
    }

    @Test func aNewerTimetableIsTakenOverWithWhatRealtimeFeedsHaveSaid() async throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let state = try await TransitFixture.state(folder: folder)
        let transit = try #require(state.transit)
        await transit.look()
        #expect(transit.status.reloads == 0)
        try SmallTransit.write(
            SmallTransit.stops(named: "Old Ballard"), "stops.txt", in: folder)
        // It may still be being written: a second look finds it at rest.
        await transit.look()
        #expect(try name(of: SmallTransit.station, in: state) == "Ballard")
        await transit.look()
        #expect(try name(of: SmallTransit.station, in: state) == "Old Ballard")
        #expect(transit.status.reloads == 1)
        #expect(transit.desk.snapshot.runs.count == 1 && transit.desk.snapshot.vehicles.count == 1)
    }

    @Test func aTimetableThatCannotBeReadLeavesTheOldOneInUseAndThatIsSaid() async throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let state = try await TransitFixture.state(folder: folder)
        let transit = try #require(state.transit)
        try FileManager.default.removeItem(at: folder.appendingPathComponent("stops.txt"))
        for _ in 0..<3 { await transit.look() }
        #expect(transit.status.refusals == 1 && transit.status.reloads == 0)
        #expect(try name(of: SmallTransit.station, in: state) == "Ballard")
        let answer = try await ServiceFixture.answer(
            "/api/v1/stops/{id}/board", pathValues: ["N1"], from: state)
        let body = String(decoding: ServiceFixture.bytes(answer), as: UTF8.self)
        #expect(body.contains("its newer file is refused") && !body.contains(folder.path))
        try SmallTransit.write(SmallTransit.stops(named: "New"), "stops.txt", in: folder)
        for _ in 0..<2 { await transit.look() }
        #expect(transit.status.refusal == nil && transit.status.reloads == 1)
    }

    @Test func listenersAreToldWhenAFeedIsNewAndWhenItFailsAndOfNothingElse() async throws {
        let updates = TransitFixture.updates
        let state = try await TransitFixture.state([updates])
        let stream = state.events.listen(after: nil)
        var chunks = stream.chunks.makeAsyncIterator()
        let first = String(buffer: try #require(await chunks.next()))
        #expect(first.contains("event: transit\n"))
        let line = try #require(first.split(separator: "\n").last { $0.hasPrefix("data: ") })
        let event = try JSONValue.read(Array(line.dropFirst(6).utf8))
        #expect(event["refreshed"]?.texts == ["trip_updates"])
        #expect(event["live_runs"]?.number == 1)
        #expect(event.at("sources.0.error") == .null)
        #expect(first.components(separatedBy: "event: transit").count == 2)
    }

    @Test func metricsTellOfFeedsAndVehicles() async throws {
        let state = try await TransitFixture.state()
        let answer = try await ServiceFixture.answer("/metrics", from: state)
        let text = String(decoding: ServiceFixture.bytes(answer), as: UTF8.self)
        #expect(text.contains(#"bridgecast_transit_refreshes_total{feed="trip_updates"} 1"#))
        #expect(text.contains("bridgecast_transit_vehicles 1"))
        #expect(text.contains("bridgecast_transit_timetable_refused 0"))
        #expect(text.contains(#"bridgecast_transit_feed_age_seconds{feed="vehicle_positions"}"#))
    }
}
