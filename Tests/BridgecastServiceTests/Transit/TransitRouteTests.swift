// Routes, vehicles and trips over HTTP, by the paths and fields that apps were written for.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import BridgecastTransitAnswers
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

private let route = "/api/v1/routes/15%2F%C3%84"

@Suite struct TransitRouteTests {
    @Test func aRouteHasItsBridgesAndDirections() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let answer = try await TransitFixture.json(route, client)
            #expect(answer.at("data.id")?.text == SmallTransit.route)
            #expect(answer.at("data.bridges.0.bridge")?.text == "Ballard")
            #expect(answer.at("data.directions")?.values?.count == 2)
            let ferry = try await TransitFixture.json("/api/v1/routes/ferry", client)
            #expect(ferry.at("data.bridges")?.values?.isEmpty == true)
            let problem = try ReportedProblem(
                try await client.execute(uri: "/api/v1/routes/interbay", method: .get))
            #expect(problem.status == 404 && problem.suggestions?.first == SmallTransit.route)
            // What riders call it will do.
            let named = try await TransitFixture.json("/api/v1/routes/15", client)
            #expect(named.at("data.id")?.text == SmallTransit.route)
        }
    }

    @Test func theLiveWidgetHasItsFieldsAtTheTop() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let widget = try await TransitFixture.json(
                route + "/live-widget?stop_id=S%2F1%20s%C3%BCd", client)
            #expect(widget.at("route.short_name")?.text == "15")
            #expect(widget.at("vehicles.0.id")?.text == "v1")
            #expect(widget.at("stops")?.values?.isEmpty == false)
            #expect(widget.at("predictions")?.values?.count == 3)
            // The bus from Ballard ends here.
            #expect(widget.at("predictions.1.trip_id")?.text == "s-18:00")
            #expect(widget.at("predictions.1.arrival_time")?.number == 360)
            #expect(
                widget["timestamp"]?.number == Double(TransitFixture.evening.secondsSinceEpoch))
        }
    }

    @Test func stopsOfARouteAreInItsOrder() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let stops = try await TransitFixture.json(
                "/api/v1/stops?route_id=15%2F%C3%84", client)
            #expect(stops.at("data.directions.0.stop_ids")?.texts == [SmallTransit.south, "N1"])
            // The stop in the south is the first of one direction and the last of the other.
            let listed = stops.at("data.stops")?.values ?? []
            #expect(
                listed.map { $0["id"]?.text }
                    == [SmallTransit.south, "N1", "N2", SmallTransit.south])
            #expect(listed.map { $0["direction"]?.number } == [0, 0, 1, 1])
            #expect(listed.map { $0["sequence"]?.number } == [1, 2, 1, 2])
            #expect(stops.at("data.total")?.number == 4)
            let all = try await TransitFixture.json("/api/v1/stops?limit=2&offset=1", client)
            #expect(all.at("data.stops")?.values?.count == 2)
            #expect(all.at("data.total")?.number == 5)
        }
    }

    /// A page of the list has 100 stops, a long line more.
    @Test func allStopsOfALongLineComeAtOnce() async throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let numbers = 1...150
        let stops = numbers.map { "L\($0),Long \($0),47.\(600 + $0),-122.4,0,,\n" }.joined()
        try SmallTransit.write(
            SmallTransit.stops(named: "Ballard") + "\n" + stops, "stops.txt", in: folder)
        let calls = numbers.map { number in
            let time = "17:\(10 + number / 40):\(10 + number % 40)"
            return "n-17:00,\(time),\(time),L\(number),\(number + 2)\n"
        }.joined()
        let times = try #require(SmallTransit.files["stop_times.txt"])
        try SmallTransit.write(times + "\n" + calls, "stop_times.txt", in: folder)
        let state = try await TransitFixture.state(folder: folder)
        try await TransitFixture.asking(state) { client in
            let document = try await TransitFixture.json(
                "/api/v1/stops?route_id=15%2F%C3%84", client)
            #expect(document.at("data.stops")?.values?.count == 154)
            #expect(document.at("data.total")?.number == 154)
        }
    }

    @Test func vehiclesOfARouteAreWhereTheyWereSeen() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let answer = try await TransitFixture.json(
                "/api/v1/realtime?route_id=15%2F%C3%84", client)
            #expect(answer.at("data.vehicles")?.values?.count == 1)
            #expect(answer.at("data.vehicles.0.trip_id")?.text == "n-18:00")
            #expect(answer.at("data.vehicles.0.occupancy_status")?.number == 2)
            let ferries = try await TransitFixture.json("/api/v1/realtime?route_id=ferry", client)
            #expect(ferries.at("data.vehicles")?.values?.isEmpty == true)
        }
    }

    @Test func vehiclesWithoutAnyAnswerOfAFeedAreAnError() async throws {
        let silent = try await TransitFixture.state([SpokenFeed("trip_updates", nil)])
        try await TransitFixture.asking(silent) { client in
            let problem = try ReportedProblem(
                try await client.execute(uri: "/api/v1/realtime", method: .get))
            #expect(problem.status == 503 && problem.code == "apiError")
            #expect(problem.retryAfterS == 20 && problem.detail.contains("trip_updates"))
        }
        try await TransitFixture.asking(try await TransitFixture.state([])) { client in
            let problem = try ReportedProblem(
                try await client.execute(uri: "/api/v1/realtime", method: .get))
            #expect(problem.status == 404 && problem.code == "noData")
        }
    }

    @Test func aTripHasItsStopsWithTheirLocations() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let trip = try await TransitFixture.json("/api/v1/trips/n-18:00", client)
            #expect(trip.at("data.stops.0.lat")?.number == 47.65)
            #expect(trip.at("data.stops.0.lon")?.number == -122.3762)
            #expect(trip.at("data.vehicle.id")?.text == "v1")
            #expect(trip.at("data.bridges.0.bridge")?.text == "Ballard")
            let other = try await TransitFixture.json(
                "/api/v1/trips/n-18:00?date=2026-03-02", client)
            #expect(other.at("data.service_date")?.text == "2026-03-02")
            for (query, code) in [("date=2027-01-01", "noData"), ("date=x", "bad_parameter")] {
                let problem = try ReportedProblem(
                    try await client.execute(uri: "/api/v1/trips/n-18:00?\(query)", method: .get))
                #expect(problem.code == code)
            }
        }
    }

    /// 01:10 in the night belongs to the service day before.
    @Test func aNightTripBelongsToThePreviousDay() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let trip = try await TransitFixture.json(
                "/api/v1/trips/n-25:10?at=2026-02-21T01:00", client)
            #expect(trip.at("data.service_date")?.text == "2026-02-20")
            #expect(
                trip.at("data.stops.0.scheduled_departure")?.text == "2026-02-21T01:10:00-08:00")
        }
    }

    /// The board shows it, so its page is there too.
    @Test func anAddedTripHasWhatItsFeedReports() async throws {
        let start = TransitFixture.evening.secondsSinceEpoch
        let message = """
            {"header": {"gtfs_realtime_version": "2.0", "timestamp": \(start)}, "entity": [
             {"id": "1", "trip_update": {
              "trip": {"trip_id": "extra", "route_id": "15/Ä", "start_date": "20260220",
               "schedule_relationship": "ADDED"},
              "stop_time_update": [
               {"stop_id": "N2", "departure": {"time": \(start + 60)}},
               {"stop_id": "S/1 süd", "arrival": {"time": \(start + 540)}}]}}]}
            """
        let feed = SpokenFeed("trip_updates", Array(message.utf8))
        try await TransitFixture.asking(try await TransitFixture.state([feed])) { client in
            let trip = try await TransitFixture.json("/api/v1/trips/extra", client)
            #expect(trip.at("data.relationship")?.text == "added")
            #expect(trip.at("data.service_date")?.text == "2026-02-20")
            #expect(trip.at("data.route_id")?.text == SmallTransit.route)
            #expect(trip.at("data.stops")?.values?.count == 2)
            #expect(trip.at("data.stops.0.countdown_s")?.number == 60)
            #expect(trip.at("data.stops.1.stop_id")?.text == SmallTransit.south)
            let map = try await TransitFixture.json("/api/v1/trips/extra/map", client)
            #expect(map.at("features.0.properties.approximate") == .bool(true))
            let described = try ServiceDescription()
            for (name, answer) in [("TransitTrip", trip), ("TripMap", map)] {
                let problems = described.validator.problems(
                    answer, try #require(described.schema(name)))
                #expect(problems.isEmpty, "\(name): \(problems)")
            }
        }
    }

    @Test func theMapOfATripHasItsLineItsStopsItsVehicleAndItsBridge() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let response = try await client.execute(
                uri: "/api/v1/trips/n-18:00/map", method: .get)
            #expect(response.headers[.contentType] == "application/geo+json")
            let map = try JSONValue.read(response.body.readableBytesView)
            let kinds = map["features"]?.values?.compactMap { $0.at("properties.feature")?.text }
            #expect(kinds == ["line", "stop", "stop", "vehicle", "bridge"])
            #expect(map.at("features.0.geometry.coordinates")?.values?.count == 23)
        }
    }
}
