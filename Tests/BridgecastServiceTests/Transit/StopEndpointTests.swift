// Boards over HTTP: what leaves a stop, by schedule and as predicted, and what the bridge before it may do.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import BridgecastService

private let south = "/api/v1/stops/S%2F1%20s%C3%BCd"

@Suite struct StopEndpointTests {
    @Test(arguments: ["board", "departures"])
    func aBoardHasScheduleAndPredictionApart(name: String) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let board = try await TransitFixture.json("\(south)/\(name)", client)
            #expect(board.at("data.stop.id")?.text == SmallTransit.south)
            #expect(board.at("data.departures.0.trip_id")?.text == "n-18:00")
            #expect(
                board.at("data.departures.0.scheduled_departure")?.text
                    == "2026-02-20T18:00:00-08:00")
            #expect(
                board.at("data.departures.0.predicted_departure")?.text
                    == "2026-02-20T18:03:00-08:00")
            #expect(board.at("data.departures.0.occupancy_status")?.number == 2)
            #expect(board.at("data.departures.0.confidence")?.text == "HIGH")
            #expect(board.at("data.departures.1.trip_id")?.text == "n-18:10")
            #expect(board.at("data.departures.1.predicted_departure") == .null)
            #expect(board.at("data.departures.1.occupancy_status") == .null)
            let sources = board["sources"]?.values?.compactMap { $0["id"]?.text } ?? []
            #expect(sources.prefix(3) == ["timetable", "trip_updates", "vehicle_positions"])
        }
    }

    @Test func aStationHasTheDeparturesOfAllItsPlatforms() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let board = try await TransitFixture.json(
                "/api/v1/stops/ballard/board?arrivals=true&per_direction=2", client)
            let departures = board.at("data.departures")?.values ?? []
            #expect(departures.count == 4)
            #expect(Set(departures.compactMap { $0["platform"]?.text }) == ["1", "2"])
        }
    }

    @Test func aBusBeforeARaisedBridgeIsToldOfIt() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let board = try await TransitFixture.json(
                "/api/v1/stops/N1/board?arrivals=true", client)
            let bus = try #require(
                board.at("data.departures")?.values?.first { $0["trip_id"]?.text == "n-18:00" })
            #expect(bus.at("bridges.0.bridge")?.text == "Ballard")
            let chance = try #require(bus.at("bridge_delay.probability_stopped")?.number)
            #expect(chance > 0.1)
            #expect(board["issue_time"]?.text != nil && board["model"]?.text != nil)
        }
    }

    @Test func predictionsAreFiveUnlessMoreAreAskedFor() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let usual = try await TransitFixture.json("\(south)/predictions", client)
            #expect(usual.at("data.predictions")?.values?.count == 5)
            #expect(usual.at("data.predictions.0.arrival_time")?.number == 60)
            let two = try await TransitFixture.json("\(south)/predictions?limit=2", client)
            #expect(two.at("data.predictions")?.values?.count == 2)
        }
    }

    @Test(arguments: [
        "\(south)/board/timeline?", "/api/v1/board/timeline?stop_id=S%2F1%20s%C3%BCd&",
        "/api/v1/board/timeline?lat=47.65&lon=-122.376&",
    ]) func aTimelineCountsDownRightlyAtEachOfItsMoments(path: String) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let timeline = try await TransitFixture.json(path + "limit=3", client)
            let entries = timeline.at("data.entries")?.values ?? []
            #expect(entries.count >= 12)
            let start = TransitFixture.evening.secondsSinceEpoch
            for (place, entry) in entries.enumerated() {
                let moment = Double(start + Int64(place) * 300)
                #expect(entry["date_epoch_s"]?.number == moment)
                for departure in entry["departures"]?.values ?? [] {
                    let expected = try #require(departure["expected_epoch_s"]?.number)
                    #expect(departure["countdown_s"]?.number == expected - moment)
                }
            }
        }
    }

    /// A widget has few lines, and its thirteen boards go through the air.
    @Test func aTimelineIsShortUnlessMoreIsAskedFor() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let path = "/api/v1/stops/ballard/board"
            let usual = try await TransitFixture.json("\(path)/timeline?arrivals=true", client)
            let first = try #require(usual.at("data.entries.0.departures")?.values)
            #expect(first.count == 6)
            let bridges = first.compactMap { $0.at("bridges.0") }
            #expect(!bridges.isEmpty && bridges.allSatisfy { $0["reasons"] == nil })
            let more = try await TransitFixture.json(
                "\(path)/timeline?arrivals=true&limit=9", client)
            #expect(more.at("data.entries.0.departures")?.values?.count == 9)
            let board = try await TransitFixture.json("\(path)?arrivals=true", client)
            let told = board.at("data.departures")?.values?.compactMap { $0.at("bridges.0") } ?? []
            #expect(!told.isEmpty && told.allSatisfy { $0["reasons"]?.values != nil })
        }
    }

    /// A bus every minute for two days is 2880 departures.
    @Test func boardsAndTimelinesHaveAnEndThoughNobodySetsOne() async throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try SmallTransit.write(
            "trip_id,start_time,end_time,headway_secs\nn-17:00,0:00:00,24:00:00,60\n",
            "frequencies.txt", in: folder)
        let state = try await TransitFixture.state([], folder: folder)
        try await TransitFixture.asking(state) { client in
            let board = try await TransitFixture.json("\(south)/board?horizon_min=2880", client)
            #expect(board.at("data.departures")?.values?.count == 1000)
            let timeline = try await TransitFixture.json(
                "\(south)/board/timeline?horizon_min=2880&limit=1000", client)
            let counts = timeline.at("data.entries")?.values?.map {
                $0["departures"]?.values?.count
            }
            #expect(counts == Array(repeating: 100, count: 13))
        }
    }

    @Test func anUnknownStopIsAnsweredWithThoseOfThatNameAndThatIdentifier() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let named = try ToldProblem(
                try await client.execute(uri: "/api/v1/stops/interbay/board", method: .get))
            #expect(named.status == 404 && named.code == "not_found")
            #expect(named.near?.first == SmallTransit.south)
            let typed = try ToldProblem(
                try await client.execute(uri: "/api/v1/stops/N3/board", method: .get))
            #expect(Set(typed.near?.prefix(2) ?? []) == ["N1", "N2"])
        }
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("horizon_min=x", "horizon_min"), ("direction=2", "direction"),
        ("at=yesterday", "at"), ("arrivals=yes", "arrivals"), ("on_time_s=-1", "on_time_s"),
    ]) func aWrongParameterIsNamed(_ example: (String, String)) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let problem = try ToldProblem(
                try await client.execute(uri: "\(south)/board?\(example.0)", method: .get))
            #expect(problem.status == 400 && problem.parameter == example.1)
        }
    }

    @Test func withoutATimetableThatIsSaid() async throws {
        try await asking { client in
            for path in [
                "stops/1/board", "stops", "stops/nearest?lat=47&lon=-122", "routes/1", "trips/1",
                "realtime", "board/timeline?stop_id=1",
            ] {
                let problem = try ToldProblem(
                    try await client.execute(uri: "/api/v1/" + path, method: .get))
                #expect(problem.status == 404 && problem.code == "noData", "\(path)")
                #expect(problem.recovery.contains("--transit"))
            }
        }
    }

    @Test func aFeedThatFailsIsSaidAndBoardsShowTheTimetable() async throws {
        let state = try await TransitFixture.state([SpokenFeed("trip_updates", nil)])
        try await TransitFixture.asking(state) { client in
            let board = try await TransitFixture.json("\(south)/board", client)
            let source = board["sources"]?.values?.first { $0["id"]?.text == "trip_updates" }
            #expect(source?["error"]?.text == "it failed" && source?["stale"] == .bool(true))
            #expect(board.at("data.departures.0.trip_id")?.text == "n-18:10")
            #expect(
                board["warnings"]?.texts.contains(
                    "trip_updates: it failed; nothing is known from it") == true)
            let ready = try await TransitFixture.json("/readyz", client)
            let names = ready["sources"]?.values?.compactMap { $0["id"]?.text } ?? []
            #expect(names.contains("timetable") && names.contains("trip_updates"))
        }
    }
}
