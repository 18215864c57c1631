// Stop boards over HTTP: schedule, predictions and bridges ahead; the nearest stops; alerts and calendars.
import BridgecastAnswers
import BridgecastTransitAnswers
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import HTTPTypes
import NIOCore
import Testing
@testable import BridgecastService

private let south = "/api/v1/stops/S%2F1%20s%C3%BCd"

@Suite struct StopEndpointTests {
    @Test(arguments: ["board", "departures"])
    func aBoardSeparatesScheduleAndPrediction(name: String) async throws {
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

    @Test func aDepartureListsTheRaisedBridgeAhead() async throws {
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

    @Test func predictionsAreFiveByDefault() async throws {
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
    ]) func aTimelineCountsDownRightlyInEachEntry(path: String) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let timeline = try await TransitFixture.json(path + "limit=3", client)
            let entries = timeline.at("data.entries")?.values ?? []
            #expect(entries.count >= 12)
            let start = TransitFixture.evening.secondsSinceEpoch
            for (place, entry) in entries.enumerated() {
                let date = Double(start + Int64(place) * 300)
                #expect(entry["date_epoch_s"]?.number == date)
                for departure in entry["departures"]?.values ?? [] {
                    let expected = try #require(departure["expected_epoch_s"]?.number)
                    #expect(departure["countdown_s"]?.number == expected - date)
                }
            }
        }
    }

    /// A widget has few lines, and its thirteen boards go through the air.
    @Test func aTimelineIsShortByDefault() async throws {
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
            let crossings =
                board.at("data.departures")?.values?.compactMap { $0.at("bridges.0") } ?? []
            #expect(!crossings.isEmpty && crossings.allSatisfy { $0["reasons"]?.values != nil })
        }
    }

    /// A bus every minute for two days is 2880 departures.
    @Test func boardsAndTimelinesHaveADefaultLimit() async throws {
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

    @Test func anUnknownStopSuggestsSimilarNamesAndIdentifiers() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let named = try ReportedProblem(
                try await client.execute(uri: "/api/v1/stops/interbay/board", method: .get))
            #expect(named.status == 404 && named.code == "not_found")
            #expect(named.suggestions?.first == SmallTransit.south)
            let typed = try ReportedProblem(
                try await client.execute(uri: "/api/v1/stops/N3/board", method: .get))
            #expect(Set(typed.suggestions?.prefix(2) ?? []) == ["N1", "N2"])
        }
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("horizon_min=x", "horizon_min"), ("direction=2", "direction"),
        ("at=yesterday", "at"), ("arrivals=yes", "arrivals"), ("on_time_s=-1", "on_time_s"),
    ]) func aWrongParameterIsNamed(_ example: (String, String)) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let problem = try ReportedProblem(
                try await client.execute(uri: "\(south)/board?\(example.0)", method: .get))
            #expect(problem.status == 400 && problem.parameter == example.1)
        }
    }

    @Test func withoutATimetableThereIsNoData() async throws {
        try await asking { client in
            for path in [
                "stops/1/board", "stops", "stops/nearest?lat=47&lon=-122", "routes/1", "trips/1",
                "realtime", "board/timeline?stop_id=1",
            ] {
                let problem = try ReportedProblem(
                    try await client.execute(uri: "/api/v1/" + path, method: .get))
                #expect(problem.status == 404 && problem.code == "noData", "\(path)")
                #expect(problem.recovery.contains("--transit"))
            }
        }
    }

    @Test func aFailingFeedIsReportedAndBoardsShowTheTimetable() async throws {
        let state = try await TransitFixture.state([SpokenFeed("trip_updates", nil)])
        try await TransitFixture.asking(state) { client in
            let board = try await TransitFixture.json("\(south)/board", client)
            let source = board["sources"]?.values?.first { $0["id"]?.text == "trip_updates" }
            #expect(source?["error"]?.text == "it failed" && source?["stale"] == .bool(true))
            #expect(board.at("data.departures.0.trip_id")?.text == "n-18:10")
            #expect(
                board["warnings"]?.texts.contains(
                    "trip_updates: it failed; there is no data from it") == true)
            let ready = try await TransitFixture.json("/readyz", client)
            let names = ready["sources"]?.values?.compactMap { $0["id"]?.text } ?? []
            #expect(names.contains("timetable") && names.contains("trip_updates"))
        }
    }
}

private let path = "/api/v1/stops/nearest"

@Suite struct NearestEndpointTests {
    @Test func theNearestStationHasItsBoardWithoutTheClientsLocation() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let response = try await client.execute(
                uri: path + "?lat=47.667123&lon=-122.3765&stations=2&arrivals=true", method: .get)
            let nearest = try JSONValue.read(response.body.readableBytesView)
            #expect(nearest.at("data.stops.0.id")?.text == SmallTransit.station)
            #expect(nearest.at("data.stops.1.id")?.text == SmallTransit.south)
            let metres = try #require(nearest.at("data.stops.0.distance_m")?.number)
            #expect(abs(metres - 100) < 5)
            #expect(nearest.at("data.board.departures.0.trip_id")?.text != nil)
            #expect(!String(buffer: response.body).contains("667123"))
        }
    }

    @Test(arguments: [
        ("", 400, "noLocation"), ("?lat=47.6", 400, "noLocation"),
        ("?lat=91&lon=0", 400, "bad_parameter"), ("?lat=nan&lon=0", 400, "bad_parameter"),
        ("?lat=47.65&lon=-122.376&located_at=2026-02-20T17:31:59", 400, "cacheStale"),
        ("?lat=47.65&lon=-122.376&located_at=2026-02-20T18:03:01", 400, "cacheStale"),
        ("?lat=37.4&lon=-122.1", 404, "noStation"),
        ("?lat=47.66&lon=-122.376&within_m=10", 404, "noStation"),
    ]) func problemsHaveTheirCodes(_ example: (String, Int, String)) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let problem = try ReportedProblem(
                try await client.execute(uri: path + example.0, method: .get))
            #expect(problem.status == example.1 && problem.code == example.2, "\(problem)")
            #expect(!problem.recovery.isEmpty)
        }
    }

    @Test func aLocationOfHalfAnHourAgoIsAccepted() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let response = try await client.execute(
                uri: path + "?lat=47.65&lon=-122.376&located_at=2026-02-20T17:32:00", method: .get)
            #expect(response.status == .ok)
        }
    }

    /// A path with a name of its own is no identifier, and another method is refused as such.
    @Test func fixedPathsAreNotIdentifiers() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let rank = try await client.execute(uri: "/api/v1/routes/rank", method: .get)
            #expect(rank.status == .methodNotAllowed && rank.headers[.allow] == "POST, OPTIONS")
            let board = try await client.execute(uri: "/api/v1/board/timeline", method: .post)
            #expect(board.status == .methodNotAllowed)
        }
    }
}

@Suite struct PlacelessVehicleTests {
    private static let now = Timestamp(secondsSinceEpoch: 1_771_638_900)

    /// The vehicle of the bus of 18:00, seen `ahead` seconds after ``now``.
    private func snapshot(
        _ latitude: Float?, _ longitude: Float?, ahead: Int64 = 0
    ) throws -> TransitSnapshot {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        let bytes = SmallTransit.vehicles(
            of: SmallTransit.trip(at: "18:00"), latitude: 47.65,
            at: Self.now.adding(seconds: ahead))
        var message = try RealtimeFeed.read(bytes).feed
        message.entities[0].vehicle?.latitude = latitude
        message.entities[0].vehicle?.longitude = longitude
        var state = RealtimeState()
        var tracker = VehicleTracker()
        state.take(message, of: "vehicles", at: Self.now)
        return TransitSnapshot(feed, state, asOf: Self.now, tracker: &tracker)
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
        let envelope = TransitEnvelope(snapshot, generatedAt: Self.now)
        let list = try json(VehiclesDocument([], snapshot, envelope: envelope))
        let data = try #require(list["data"] as? [String: Any])
        let vehicle = try #require((data["vehicles"] as? [[String: Any]])?.first)
        #expect(vehicle["trip_id"] as? String == "n-18:00")
        for field in ["lat", "lon", "fix_lat", "fix_lon", "along_m"] {
            #expect(vehicle[field] is NSNull, "\(field): \(vehicle[field] ?? "missing")")
        }
        let run = try #require(snapshot.vehicles.first?.run)
        let map = try json(TripMap(TripDocument(run, snapshot, envelope: envelope)))
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
        #expect(VehicleEntry(0, snapshot, at: Self.now, bridges: nil).ageSeconds == 0)
        let stop = try #require(snapshot.feed.stop(SmallTransit.south))
        let envelope = TransitEnvelope(snapshot, generatedAt: Self.now)
        let board = try json(
            StopBoardDocument(snapshot.board(of: stop), snapshot, envelope: envelope))
        let data = try #require(board["data"] as? [String: Any])
        let ages = try #require(data["departures"] as? [[String: Any]]).compactMap {
            $0["vehicle_age_s"] as? Int
        }
        #expect(ages == [0])
    }
}

@Suite struct BridgeAlertsTests {
    @Test func aRaisedBridgeIsAnAlertForItsRoutes() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let response = try await client.execute(uri: "/gtfs-rt/alerts", method: .get)
            #expect(response.headers[.contentType] == "application/x-protobuf")
            let feed = try RealtimeFeed.read(Array(response.body.readableBytesView)).feed
            #expect(feed.timestamp == TransitFixture.evening)
            // Ballard alone: no other bridge is on the way of a bus of this timetable.
            let alert = try #require(feed.entities.first?.alert)
            #expect(feed.entities.count == 1)
            #expect(alert.informed.map(\.routeID) == [SmallTransit.route])
            #expect(alert.header.first?.text.contains("Ballard") == true)
            #expect(alert.activePeriods.first?.start == Fixtures.timestamp("2026-02-20T18:00"))
        }
    }

    @Test func closedWindowsAreACalendar() async throws {
        try await TransitFixture.asking(try await TransitFixture.state([])) { client in
            let response = try await client.execute(uri: "/calendar/fremont.ics", method: .get)
            #expect(response.headers[.contentType] == "text/calendar; charset=utf-8")
            let text = String(buffer: response.body)
            #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
            let number = try await client.execute(uri: "/calendar/3.ics", method: .get)
            #expect(String(buffer: number.body) == text)
            for path in ["/calendar/tower.ics", "/calendar/.ics", "/calendar/fremont"] {
                #expect(try await client.execute(uri: path, method: .get).status == .notFound)
            }
        }
    }
}
