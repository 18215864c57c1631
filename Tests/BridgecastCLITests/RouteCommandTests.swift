// Trips through the network as a user asks `predict` for them, and routes of a route service.
import Foundation
import Testing

@Suite struct RouteCommandTests: RunsCommands {
    private let ballard = ["predict", "--from", "Ballard", "--to", "Downtown"]

    @Test func aCommuteShowsTheWaysOverDifferentCrossings() async throws {
        let run = try await run(
            ballard + [
                "--at", "2026-02-20T18:02", "--arrive-by", "2026-02-20T18:25", "--format", "json",
            ])
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        let groups = try #require(try document(run)["groups"] as? [[String: Any]])
        let routes = try #require(groups[0]["routes"] as? [[String: Any]])
        let names = routes.compactMap { $0["id"] as? String }
        #expect(names.contains("Ballard Bridge") && names.contains("Aurora Bridge"))
        // Ballard Bridge had gone up two minutes before.
        let over = try #require(routes.first { $0["id"] as? String == "Ballard Bridge" })
        let aurora = try #require(routes.first { $0["id"] as? String == "Aurora Bridge" })
        #expect(try #require(over["probability_stopped"] as? Double) > 0.8)
        #expect(aurora["probability_stopped"] as? Double == 0)
        let onTime = routes.compactMap { $0["probability_on_time"] as? Double }
        #expect(onTime.count == routes.count && onTime.allSatisfy { (0...1).contains($0) })
        #expect(routes[0]["behind_best_min"] as? [String: Double] == [:])
        let behind = try #require(routes[1]["behind_best_min"] as? [String: Double])
        let difference =
            try #require(routes[1]["score"] as? Double)
            - (try #require(routes[0]["score"] as? Double))
        #expect(abs(behind.values.reduce(0, +) - difference) < 1e-3)
    }

    @Test func thePlaceAndTheModeDecide() async throws {
        let bike = try await run([
            "predict", "--from", "ballard", "--to", "Discovery Park", "--mode", "bike", "--at",
            "2026-02-20T12:00",
        ])
        #expect(
            bike.code == 0 && bike.output.contains("Ballard Locks walkway")
                && bike.output.contains("(by bike)"))
        let night = try await run(ballard + ["--at", "2026-02-20T03:00"])
        #expect(night.output.contains("2 is") && night.output.contains("min behind 1"))
    }

    @Test func farDeparturesAreClimatologyAndSaySo() async throws {
        // A year from whenever this runs: the clock of the machine is the issue time.
        let format = ISO8601DateFormatter()
        let later = format.string(from: Date(timeIntervalSinceNow: 300 * 86_400))
        let run = try await run(ballard + ["--at", later])
        #expect(
            run.code == 0 && run.errors.contains("300 days ahead")
                && run.errors.contains("climatology"))
        #expect(run.output.contains("Aurora Bridge") && !run.output.contains("HIGH"))
    }

    @Test(arguments: [
        (["--from", "Balard", "--to", "Downtown"], "did you mean Ballard"),
        (["--from", "park", "--to", "Downtown"], "say which"),
        (["--from", "45.5,-122.6", "--to", "Downtown"], "nearest road"),
        (["--from=-122.37,47.66", "--to", "Downtown"], "longitude first"),
        (["--from", "47.6476,-122.34973", "--to", "Downtown"], "Fremont Bridge"),
        (["--from", "Ballard", "--to", "ballard"], "same place"),
        (["--from", "Ballard"], "belong together"),
        (["--from", "Ballard", "--to", "Downtown", "--only", "x"], "--only"),
        (["--from", "Ballard", "--to", "Downtown", "--mode", "boat"], "boat"),
        (["--weights", "expected=-1"], "expected_minutes"), (["--weights", "late=5"], "arrive by"),
        (["--weights", "expected=0"], "all weights are 0"),
        (["--weights", "p90=1,p90=2"], "two weights"),
    ])
    func tripsThatMakeNoSenseAreUsageErrors(_ example: ([String], String)) async throws {
        let run = try await run(["predict"] + example.0)
        #expect(run.code == 64 && run.output.isEmpty, "\(run.errors)")
        #expect(run.errors.contains(example.1), "\(run.errors)")
    }

    @Test func candidatesOfARouteServiceAreRanked() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(UUID()).geojson")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(
            """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "properties": {"name": "low", "duration": 500}, "geometry": {"type": "LineString",
               "coordinates": [[-122.3490, 47.6520], [-122.3498, 47.6489], [-122.3497, 47.6464], [-122.3400, 47.6325]]}},
              {"type": "Feature", "properties": {"name": "high", "duration": 540}, "geometry": {"type": "LineString",
               "coordinates": [[-122.3490, 47.6520], [-122.3474, 47.6503], [-122.3473, 47.6432], [-122.3400, 47.6325]]}}]}
            """.utf8
        ).write(to: file)
        let run = try await run([
            "predict", "--routes", file.path, "--at", "2026-02-20T12:00", "--format", "csv",
        ])
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            run.output.contains("\"low, Fremont Bridge\"")
                && run.output.contains("\"high, Aurora Bridge\""))
        try Data("{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 1]]}".utf8).write(
            to: file)
        let broken = try await self.run(["predict", "--routes", file.path])
        #expect(broken.code == 65 && broken.errors.contains("near Seattle"))
    }
}
