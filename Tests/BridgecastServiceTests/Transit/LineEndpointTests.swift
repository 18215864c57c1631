// Lines found, drawn and followed over HTTP: what a client needs to move vehicles along a line by itself.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

private let route = "/api/v1/routes/15%2F%C3%84"

@Suite struct LineEndpointTests {
    @Test func linesAndStopsAreFoundByWhatRidersType() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let all = try await TransitFixture.json("/api/v1/lines", client)
            let found = try await TransitFixture.json("/api/v1/lines?q=15", client)
            #expect(all.at("data.total")?.number ?? 0 > found.at("data.total")?.number ?? 0)
            #expect(found.at("data.lines.0.id")?.text == SmallTransit.route)
            #expect(found.at("data.lines.0.bridges.0.bridge")?.text == "Ballard")
            #expect(found["time_zone"]?.text == "America/Los_Angeles")
            let page = try await TransitFixture.json("/api/v1/lines?limit=1&offset=1", client)
            #expect(page.at("data.lines")?.values?.count == 1)
            #expect(page.at("data.lines.0.id")?.text != all.at("data.lines.0.id")?.text)
            let none = try await TransitFixture.json("/api/v1/lines?q=zzz", client)
            #expect(none.at("data.lines")?.values?.isEmpty == true)
            let stops = try await TransitFixture.json("/api/v1/stops?q=n1", client)
            #expect(stops.at("data.stops.0.id")?.text == "N1")
            #expect(stops.at("data.stops.0.lines.0.id")?.text == SmallTransit.route)
            let empty = try ReportedProblem(
                try await client.execute(uri: "/api/v1/lines?q=", method: .get))
            #expect(empty.status == 400 && empty.code == "bad_parameter")
        }
    }

    @Test func blankTextIsRefusedAndSpacesAroundItAreNot() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let line = "/api/v1/stops?route_id=15%2F%C3%84"
            for path in ["/api/v1/lines?q=", "/api/v1/stops?q=", line + "&q="] {
                for blank in ["%20", "+%09"] {
                    let problem = try ReportedProblem(
                        try await client.execute(uri: path + blank, method: .get))
                    #expect(problem.status == 400 && problem.code == "bad_parameter", "\(path)")
                    #expect(problem.parameter == "q")
                }
            }
            let all = try await TransitFixture.json(line, client)
            let found = try await TransitFixture.json(line + "&q=%20n1%20", client)
            #expect(found.at("data.stops.0.id")?.text == "N1")
            #expect(found.at("data.total")?.number == 1 && all.at("data.total")?.number == 4)
        }
    }

    @Test func linesAndStopsAreFoundOnceForAll() {
        for path in ["/lines", "/stops"] {
            let endpoint = TransitRouteEndpoints.all.first { $0.path.hasSuffix("/v1" + path) }
            #expect(endpoint?.sharedFor?.seconds == 60, "\(path)")
        }
    }

    @Test func vehiclesOfAllLinesHaveTheAlertsOfThose() async throws {
        func alert(_ id: String, _ selector: String) -> String {
            """
            {"id": "\(id)", "alert": {"informed_entity": [\(selector)],
             "header_text": {"translation": [{"text": "\(id)", "language": "en"}]}}}
            """
        }
        let message = """
            {"header": {"gtfs_realtime_version": "2.0",
             "timestamp": \(TransitFixture.evening.secondsSinceEpoch)}, "entity": [
             \(alert("line", #"{"route_id": "15/Ä"}"#)),
             \(alert("both", #"{"route_id": "15/Ä"}, {"stop_id": "N1"}"#)),
             \(alert("other", #"{"route_id": "ferry"}"#)), \(alert("stop", #"{"stop_id": "N1"}"#)),
             \(alert("passed", #"{"stop_id": "N2"}"#)),
             \(alert("trip", #"{"trip": {"trip_id": "n-18:00"}}"#))]}
            """
        let alerts = SpokenFeed("alerts", Array(message.utf8))
        let state = try await TransitFixture.state(
            [TransitFixture.updates, TransitFixture.vehicles, alerts])
        try await TransitFixture.asking(state) { client in
            for query in ["", "?route_id=15%2F%C3%84"] {
                let answer = try await TransitFixture.json("/api/v1/realtime" + query, client)
                let headers = (answer.at("data.alerts")?.values ?? []).map { $0["header"]?.text }
                #expect(headers == ["line", "both", "stop", "trip"], "\(query)")
            }
            // Without vehicles nothing concerns anybody.
            let none = try await TransitFixture.json("/api/v1/realtime?offset=10", client)
            #expect(none.at("data.alerts")?.values?.isEmpty == true)
        }
    }

    @Test func theMapOfALineHasItsWaysStopsAndBridges() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let map = try await TransitFixture.json(route + "/map", client)
            let features = map["features"]?.values ?? []
            let lines = features.filter { $0.at("properties.feature")?.text == "line" }
            #expect(Set(lines.compactMap { $0.at("properties.pattern")?.number }).count == 2)
            #expect(lines.map { $0.at("properties.direction")?.number } == [0, 1])
            let north = try #require(lines.first)
            #expect(north.at("geometry.type")?.text == "LineString")
            let length = try #require(north.at("properties.length_m")?.number)
            let places = (north.at("properties.stops")?.values ?? []).compactMap {
                $0["along_m"]?.number
            }
            #expect(places.count == 2 && places[0] < places[1] && places[1] <= length + 0.1)
            let bridge = try #require(north.at("properties.bridges.0.along_m")?.number)
            #expect(places[0] < bridge && bridge < places[1])
            let bridges = features.filter { $0.at("properties.feature")?.text == "bridge" }
            #expect(bridges.map { $0.at("properties.bridge_id")?.number } == [2])
            #expect(bridges.first?.at("properties.calls")?.values?.count == 2)
            // The stop in the south is the first of one way and the last of the other.
            let south = features.first { $0.at("properties.id")?.text == SmallTransit.south }
            let calls = south?.at("properties.calls")?.values ?? []
            #expect(calls.map { $0["sequence"]?.number } == [1, 2])
            #expect(map["bbox"]?.values?.count == 4)
        }
    }

    @Test func aVehicleHasItsRunAndItsTimesAlongTheLine() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let answer = try await TransitFixture.json(
                "/api/v1/realtime?route_id=15,ferry&stop_id=N1&on_time_s=60", client)
            #expect(answer.at("data.routes")?.values?.count == 2)
            let vehicle = try #require(answer.at("data.vehicles.0"))
            #expect(vehicle.at("run.trip_id")?.text == "n-18:00")
            #expect(vehicle.at("run.service_date")?.text == "2026-02-20")
            let map = try await TransitFixture.json(route + "/map", client)
            let line = (map["features"]?.values ?? []).first {
                $0.at("properties.feature")?.text == "line"
                    && $0.at("properties.pattern")?.number == vehicle["pattern"]?.number
            }
            #expect(line?.at("properties.direction")?.number == 0)
            #expect(vehicle["delay_s"]?.number == 180 && vehicle["status"]?.text == "late")
            let stops = vehicle["next_stops"]?.values ?? []
            var reached = try #require(vehicle["along_m"]?.number)
            let now = Double(TransitFixture.evening.secondsSinceEpoch)
            var time = -Double.infinity
            for stop in stops {
                let metres = try #require(stop["along_m"]?.number)
                let arrival = try #require(stop["arrival_epoch_s"]?.number)
                let departure = try #require(stop["departure_epoch_s"]?.number)
                #expect(metres >= reached - 40, "it may be at the stop")
                #expect(arrival >= time && departure >= arrival)
                #expect(departure >= now)
                reached = metres
                time = departure
            }
            #expect(stops.last?["stop_id"]?.text == "N1")
            #expect(vehicle.at("at_stop.stop_id")?.text == "N1")
            #expect(vehicle.at("at_stop.confidence")?.text == "HIGH")
            let lenient = try await TransitFixture.json(
                "/api/v1/realtime?route_id=15&on_time_s=240", client)
            #expect(lenient.at("data.vehicles.0.status")?.text == "on_time")
            #expect(lenient.at("data.vehicles.0.at_stop") == nil)
        }
    }

    @Test func theBandOfBeingOnTimeIsThatOfTheRequestEverywhere() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            for (path, field) in [
                ("/api/v1/trips/n-18:00", "data.stops.1.status"),
                ("/api/v1/stops/N1/predictions", "data.predictions.0.status"),
                (route + "/live-widget?stop_id=N1", "predictions.0.status"),
            ] {
                let sign = path.contains("?") ? "&" : "?"
                let strict = try await TransitFixture.json(path + sign + "on_time_s=60", client)
                let lenient = try await TransitFixture.json(path + sign + "on_time_s=600", client)
                #expect(strict.at(field)?.text == "late", "\(path)")
                #expect(lenient.at(field)?.text == "on_time", "\(path)")
            }
        }
    }

    @Test func predictionsIncludeTripsThatEndThere() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            // N1 is where the buses of one direction end.
            let ends = try await TransitFixture.json("/api/v1/stops/N1/predictions", client)
            #expect(ends.at("data.predictions.0.trip_id")?.text == "n-18:00")
            let board = try await TransitFixture.json("/api/v1/stops/N1/board", client)
            #expect(board.at("data.departures")?.values?.isEmpty == true)
            #expect(board.at("data.arrivals_only") == .bool(true))
            #expect(board.at("data.problem.code")?.text == "noData")
        }
    }

    @Test func aBoardSaysWhyItIsEmptyOrOnlyTheTimetable() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let full = try await TransitFixture.json("/api/v1/stops/S%2F1%20s%C3%BCd/board", client)
            #expect(full.at("data.problem") == .null)
            let empty = try await TransitFixture.json(
                "/api/v1/stops/nearest?lat=47.66&lon=-122.3762&at=2031-01-01T12:00", client)
            #expect(empty.at("data.board.problem.code")?.text == "noData")
            #expect(empty.at("data.board.problem.recovery")?.text?.isEmpty == false)
        }
        let failing = try await TransitFixture.state([SpokenFeed("trip_updates", nil)])
        try await TransitFixture.asking(failing) { client in
            let board = try await TransitFixture.json(
                "/api/v1/stops/S%2F1%20s%C3%BCd/board", client)
            #expect(board.at("data.problem.code")?.text == "apiError")
            #expect(board.at("data.departures")?.values?.isEmpty == false)
        }
    }
}
