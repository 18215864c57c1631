// A timetable that is replaced while the service runs, and the events of realtime feeds.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct TransitUpdaterTests {
    private func name(of id: String, in state: ServiceState) throws -> String {
        let feed = try #require(state.transit?.timetable.feed)
        return feed[try #require(feed.stop(id))].name
    }

    @Test func aNewerTimetableKeepsTheRealtimeState() async throws {
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
        #expect(
            transit.timetable.snapshot.runs.count == 1
                && transit.timetable.snapshot.vehicles.count == 1)
    }

    @Test func aNewerTimetableInASubfolderIsLoaded() async throws {
        let folder = try Fixtures.temporaryFolder()
        let inner = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = folder.appendingPathComponent("gtfs")
        try FileManager.default.moveItem(at: inner, to: feed)
        let state = try await TransitFixture.state(folder: folder)
        let transit = try #require(state.transit)
        try SmallTransit.write(SmallTransit.stops(named: "Old Ballard"), "stops.txt", in: feed)
        for _ in 0..<2 { await transit.look() }
        #expect(try name(of: SmallTransit.station, in: state) == "Old Ballard")
    }

    @Test func anUnreadableTimetableKeepsTheOldOneInUse() async throws {
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

    /// All that a listener receives until the hub ends.
    private func text(of stream: EventStream, from events: EventHub) async -> String {
        events.finish()
        return await stream.chunks.reduce(into: "") { $0 += String(buffer: $1) }
    }

    @Test func aNewMessageIsSentAsAnEvent() async throws {
        var parts = try ServiceFixture.parts()
        parts.transit = try TransitFixture.parts([TransitFixture.updates])
        let state = ServiceState(parts, ServiceSettings())
        let stream = state.events.listen(after: nil)
        await state.transit?.refresh()
        let sent = await text(of: stream, from: state.events)
        let piece = try #require(sent.components(separatedBy: "event: transit\ndata: ").last)
        let event = try JSONValue.read(Array(piece.prefix { $0 != "\n" }.utf8))
        #expect(event["refreshed"]?.texts == ["trip_updates"])
        #expect(event["realtime_runs"]?.number == 1)
        #expect(event.at("sources.0.error") == .null)
        #expect(sent.components(separatedBy: "event: transit").count == 2)
    }

    @Test func aFailureAndARecoveryAreSentOnceEach() async throws {
        let feed = try TransitFixture.parts([]).feed
        let events = EventHub(run: "t")
        let now = TransitFixture.evening
        let sender = TransitEventSender(clock: StandingClock(now: now)) { events.send($0) }
        let stream = events.listen(after: nil)
        var realtime = RealtimeState()
        var tracker = VehicleTracker()
        func tell() {
            let snapshot = TransitSnapshot(feed, realtime, asOf: now, tracker: &tracker)
            sender.send(TransitNews(snapshot: snapshot, refreshed: []))
        }
        tell()
        for _ in 0..<3 {
            realtime.fail("trip_updates", problem: "it failed")
            tell()
        }
        for _ in 0..<3 {
            realtime.confirm("trip_updates", at: now)
            tell()
        }
        let sent = await text(of: stream, from: events)
        #expect(sent.components(separatedBy: "event: transit").count == 3)
        #expect(sent.components(separatedBy: "it failed").count == 2)
    }

    @Test func metricsCountFeedsAndVehicles() async throws {
        let state = try await TransitFixture.state()
        let answer = try await ServiceFixture.answer("/metrics", from: state)
        let text = String(decoding: ServiceFixture.bytes(answer), as: UTF8.self)
        #expect(text.contains(#"bridgecast_transit_refreshes_total{feed="trip_updates"} 1"#))
        #expect(text.contains("bridgecast_transit_vehicles 1"))
        #expect(text.contains("bridgecast_transit_timetable_refused 0"))
        #expect(text.contains(#"bridgecast_transit_feed_age_seconds{feed="vehicle_positions"}"#))
    }
}
