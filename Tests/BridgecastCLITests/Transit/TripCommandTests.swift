// `trip`, its map, and `vehicles`.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct TripCommandTests {
    @Test("A trip has its stops with locations, its vehicle and the bridges on its way")
    func document() async throws {
        try await TransitHome.with { transit in
            let trip = try await transit.json(
                "trip", "n-18:00", "--updates", try transit.updates(late: 240), "--vehicles",
                try transit.vehicles())
            #expect(value(trip, "data", "stops", 0, "lat") as? Double == 47.65)
            #expect(value(trip, "data", "stops", 0, "lon") as? Double == -122.3762)
            #expect(value(trip, "data", "stops", 1, "sequence") as? Int == 2)
            #expect(value(trip, "data", "stops", 1, "platform") as? String == "1")
            // Lateness is carried on to where the feed says nothing.
            #expect(value(trip, "data", "stops", 1, "delay_s") as? Int == 240)
            #expect(value(trip, "data", "stops", 1, "prediction_origin") as? String == "propagated")
            #expect(value(trip, "data", "vehicle", "id") as? String == "v1")
            #expect(value(trip, "data", "bridges", 0, "bridge") as? String == "Ballard")
            #expect(value(trip, "data", "stops", 0, "bridge_delay") is NSNull)
            #expect(value(trip, "data", "stops", 1, "bridge_delay", "mean_s") is Double)
        }
    }

    @Test("A trip's table has the bridge between its stops")
    func table() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run("trip", "n-18:00")
            let lines = run.output.split(separator: "\n").map(String.init)
            let south = try #require(lines.firstIndex { $0.contains("Interbay") })
            let north = try #require(lines.lastIndex { $0.contains("Ballard 1") })
            let bridge = try #require(lines.firstIndex { $0.contains("Ballard Bridge at 18:0") })
            #expect(south < bridge && bridge < north, "\(run.output)")
        }
    }

    @Test("A trip's map has its line, its stops in order, its vehicle and its bridges")
    func map() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run(
                "trip", "n-18:00", "--format", "geojson", "--vehicles", try transit.vehicles())
            let map = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            let features = try #require(value(map, "features") as? [Any])
            let kinds = features.map { value($0, "properties", "feature") as? String }
            #expect(kinds == ["line", "stop", "stop", "vehicle", "bridge"])
            #expect((value(features[0], "geometry", "coordinates") as? [Any])?.count == 23)
            #expect(value(features[0], "properties", "approximate") as? Bool == false)
            let box = try #require(value(map, "bbox") as? [Double])
            #expect(box == [-122.3762, 47.648, -122.3762, 47.67])
        }
    }

    @Test("A trip is of the named day, and a run of another day is labelled")
    func dates() async throws {
        try await TransitHome.with { transit in
            let named = try await transit.json("trip", "n-18:00", "--date", "2026-03-02")
            #expect(value(named, "data", "service_date") as? String == "2026-03-02")
            let table = try await transit.run("trip", "n-18:00", "--date", "2026-03-02")
            #expect(table.output.contains("Of another day: Monday, 2026-03-02."))
            let today = try await transit.run("trip", "n-18:00")
            #expect(today.code == 0 && !today.output.contains("another day"))
            for (date, words) in [("2027-03-02", "does not run on 2027-03-02"), ("x", "--date")] {
                let run = try await transit.run("trip", "n-18:00", "--date", date)
                #expect(run.code == 64 && run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    @Test("A trip that is not in the timetable has what its feed has")
    func added() async throws {
        try await TransitHome.with { transit in
            let start = TransitHome.epoch.secondsSinceEpoch
            let message = """
                {"header": {"gtfs_realtime_version": "2.0", "timestamp": \(start)}, "entity": [
                 {"id": "1", "trip_update": {
                  "trip": {"trip_id": "extra", "route_id": "15/Ä", "schedule_relationship": "ADDED"},
                  "stop_time_update": [
                   {"stop_id": "N2", "departure": {"time": \(start + 60)}},
                   {"stop_id": "S/1 süd", "arrival": {"time": \(start + 540)}}]}}]}
                """
            let file = try transit.file(Array(message.utf8), "extra.json")
            let run = try await transit.run("trip", "extra", "--updates", file)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("Runs today and is not in the timetable."))
            #expect(run.output.contains("Interbay") && run.output.contains("1:00"))
        }
    }

    @Test("A vehicle has its location, the age of its fix, and its next stop")
    func vehicles() async throws {
        try await TransitHome.with { transit in
            let vehicles = try await transit.json(
                "vehicles", "15", "--vehicles", try transit.vehicles(), "--updates",
                try transit.updates(late: 240))
            let first = value(vehicles, "data", "vehicles", 0)
            #expect(value(first, "id") as? String == "v1")
            #expect(value(first, "off_route") as? Bool == false)
            #expect(value(first, "age_s") as? Int == 0)
            #expect(value(first, "occupancy_status") as? Int == 2)
            #expect(value(first, "next_stops", 0, "stop_id") as? String == SmallTransit.south)
            #expect(value(first, "bridges", 0, "bridge") as? String == "Ballard")
            #expect(value(vehicles, "data", "route", "color") as? String == "#E74C3C")
            let none = try await transit.run(
                "vehicles", "ferry", "--vehicles", try transit.vehicles())
            #expect(none.output.contains("No vehicles currently tracked."))
            let without = try await transit.run("vehicles", "15")
            #expect(without.code == 64 && without.errors.contains("--vehicles"))
        }
    }

    @Test("Watched vehicles are shown as they are shown once")
    func watchedVehicles() async throws {
        try await TransitHome.with { transit in
            let feeds = [
                "--vehicles", try transit.vehicles(), "--updates", try transit.updates(late: 240),
            ]
            func lines(_ words: [String]) async throws -> [Substring] {
                let run = try await CommandRun(
                    ["vehicles", "--no-bridges", "--feed", transit.feed.path, "--at"]
                        + [TransitHome.now] + feeds + words, home: transit.home)
                #expect(run.code == 0, "\(run.errors)")
                return run.output.split(separator: "\n")
            }
            let once = try await lines([])
            let watched = try await lines(["--watch", "--seconds", "1"])
            let vehicle = try #require(once.first { $0.hasPrefix("v1") })
            let shown = try #require(watched.first { $0.hasPrefix("v1") })
            // Up to the time of its next stop; from there on a second may have passed.
            #expect(vehicle.contains("18:04") && vehicle.contains("Interbay"))
            #expect(vehicle.prefix(while: { $0 != ":" }) == shown.prefix(while: { $0 != ":" }))
            #expect(once.first == watched.first)
        }
    }

    @Test("Without a feed, vehicles are those of the shipped recording, on its day alone")
    func shippedRecording() async throws {
        try await withHome { home in
            let environment = ["HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path]
            let run = try await CommandRun(
                ["vehicles", "542", "--at", "2018-01-04T15:09", "--no-bridges"], home: home,
                environment: environment)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("made-"), "\(run.output)")
            #expect(run.errors.contains("vehicle_positions: made, not recorded"))
            let other = try await CommandRun(
                ["vehicles", "542", "--at", "2018-01-05T15:09", "--no-bridges"], home: home,
                environment: environment)
            #expect(other.code == 64 && other.errors.contains("--at 2018-01-04T15:09"))
        }
    }
}
