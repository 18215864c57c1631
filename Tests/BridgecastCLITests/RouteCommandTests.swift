// `predict` on the roads and with a route server.
import BridgecastCLI
import BridgecastTestSupport
import Foundation
import Testing

/// Whether errors are the one line about a day whose records the shipped model was fitted to.
private func isFittedNote(_ errors: String) -> Bool {
    errors
        == "bridgecast: note: the model in use was fitted to records of this day, so this is no test of it\n"
}

@Suite struct RouteCommandTests: RunsCommands {
    private let ballard = ["predict", "--from", "Ballard", "--to", "Downtown"]

    @Test func aCommuteShowsTheWaysOverDifferentCrossings() async throws {
        let run = try await run(
            ballard + [
                "--at", "2026-02-20T18:02", "--arrive-by", "2026-02-20T18:25", "--format", "json",
            ])
        #expect(run.code == 0 && isFittedNote(run.errors), "\(run.errors)")
        #expect((try document(run)["warnings"] as? [String])?.count == 1)
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
        #expect(routes[0]["excess_over_best_min"] as? [String: Double] == [:])
        let excess = try #require(routes[1]["excess_over_best_min"] as? [String: Double])
        let difference =
            try #require(routes[1]["score"] as? Double)
            - (try #require(routes[0]["score"] as? Double))
        #expect(abs(excess.values.reduce(0, +) - difference) < 1e-3)
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
        #expect(night.output.contains(#/2 is [0-9.]+ weighted minutes behind 1:/#))
        #expect(night.output.contains("Model bridgecast; the state of"))
    }

    @Test(arguments: [("2026-02-20T18:02", true), ("2020-02-20T18:02", false)])
    func daysThatTheModelWasFittedToHaveANote(_ example: (String, Bool)) async throws {
        for words in [
            ballard, ["bridge", "Ballard"], ["depart", "--from", "Ballard", "--to", "Downtown"],
        ] {
            let run = try await run(words + ["--at", example.0])
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("fitted to records of this day") == example.1)
            // Of other days there are no records at all.
            #expect(run.errors.contains("no bridge's state is known") != example.1)
        }
    }

    @Test func farDeparturesAreClimatologyWithANote() async throws {
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
        (["--from", "park", "--to", "Downtown"], "choose one"),
        (["--from", "45.5,-122.6", "--to", "Downtown"], "nearest road"),
        (["--from=-122.37,47.66", "--to", "Downtown"], "longitude first"),
        (["--from", "47.6476,-122.34973", "--to", "Downtown"], "Fremont Bridge"),
        (["--from", "Ballard", "--to", "ballard"], "same place"),
        (["--from", "Ballard"], "need each other"),
        (["--from", "Ballard", "--to", "Downtown", "--only", "x"], "--only"),
        (["--from", "Ballard", "--to", "Downtown", "--mode", "boat"], "boat"),
        (["--weights", "expected=-1"], "expected_minutes"),
        (["--weights", "late=5"], "no arrival time"),
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

@Suite struct RouterCommandTests: RunsCommands {
    private static let trip = ["--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02"]

    private func router(_ kind: String, _ scenario: String) throws -> [String] {
        ["--router", "\(kind)=\(try StandIn.shared.get().address)/\(scenario)"]
    }

    @Test(arguments: [("osrm", "OSRM"), ("valhalla", "Valhalla")])
    func aServersRoutesAreRankedAndItsNameIsShown(_ example: (String, String)) async throws {
        let words = ["predict"] + Self.trip + (try router(example.0, "ok/cli"))
        let table = try await run(words)
        #expect(table.code == 0 && isFittedNote(table.errors), "\(table.errors)")
        #expect(table.output.contains("Routes of \(example.1) at http://127.0.0.1:"))
        #expect(table.output.contains("Ballard -> Downtown\n"))
        let document = try document(try await run(words + ["--format", "json"]))
        let source = try #require(document["route_source"] as? [String: Any])
        #expect(source["kind"] as? String == example.0 && source["requests"] as? Int == 6)
        #expect((source["url"] as? String)?.hasSuffix("/ok/cli") == true)
        let groups = try #require(document["groups"] as? [[String: Any]])
        let routes = try #require(groups.first?["routes"] as? [[String: Any]])
        #expect(routes.contains { ($0["name"] as? String)?.contains("Ballard Bridge") == true })
    }

    @Test func departTakesRoutesOfARouterToo() async throws {
        let run = try await run(["depart"] + Self.trip + (try router("osrm", "ok/depart")))
        #expect(run.code == 0 && run.output.contains("Routes of OSRM at"), "\(run.errors)")
        #expect(run.output.contains("Aurora Ave N, Aurora Bridge"))
    }

    @Test func ourOwnRoadsAreUsedOnlyOnRequest() async throws {
        let words = ["predict"] + Self.trip + (try router("osrm", "noroute/cli"))
        let refused = try await run(words)
        #expect(refused.code == 65 && refused.output.isEmpty)
        #expect(refused.errors.contains("NoRoute: Impossible route between points (HTTP 400)"))
        let unreachable = try await run(
            ["predict"] + Self.trip + ["--router", "osrm=http://127.0.0.1:1"])
        #expect(unreachable.code == 74 && unreachable.errors.contains("cannot be reached"))
        let own = try await run(words + ["--router-fallback", "--format", "json"])
        #expect(own.code == 0 && own.errors.contains("these are our own roads instead"))
        let source = try #require(try document(own)["route_source"] as? [String: Any])
        #expect(source["kind"] as? String == "roads")
        #expect((source["notes"] as? [String])?.first?.contains("NoRoute") == true)
        let table = try await run(words + ["--router-fallback"])
        #expect(table.output == (try await run(["predict"] + Self.trip)).output)
    }

    @Test(arguments: [["predict"], ["depart"], []])
    func theProgramWithoutANetworkStartsTheOther(_ command: [String]) async throws {
        let words = command + Self.trip + ["--router=osrm=http://host"]
        try await withHome { home in
            let run = try await CommandRun(words, of: BridgecastCommand.self, home: home)
            #expect(run.serverArguments == ["bridgecast-server"] + words && run.output.isEmpty)
        }
    }

    @Test func contradictoryOptionsAreRefused() async throws {
        for (words, said) in [
            (["--router", "http://host"], "write osrm=URL or valhalla=URL"),
            (["--router", "osrm=ftp://host"], "is not an address of a route server"),
            (["--router-fallback"], "--router-fallback needs --router"),
        ] {
            let run = try await run(["predict"] + Self.trip + words)
            #expect(run.code == 64 && run.errors.contains(said), "\(run.errors)")
        }
        let alone = try await run(["predict", "--router", "osrm=http://host"])
        #expect(alone.code == 64 && alone.errors.contains("--router needs --from and --to"))
    }
}

@Suite struct DetourTests: RunsCommands {
    @Test(arguments: [
        ("Lake City", "Fauntleroy"), ("Ballard", "Downtown"), ("Ballard", "Magnolia"),
    ])
    func noRouteCrossesTheCanalAndReturns(_ from: String, _ to: String) async throws {
        let answer = try await run([
            "predict", "--from", from, "--to", to, "--at", "2026-02-20T17:50", "--format",
            "geojson",
        ])
        #expect(answer.code == 0, "\(answer.errors)")
        let features = try #require(try document(answer)["features"] as? [[String: Any]])
        let crossings = features.map { feature in
            let properties = feature["properties"] as? [String: Any]
            return Set(properties?["crossings"] as? [String] ?? [])
        }
        #expect(!crossings.isEmpty)
        for (place, later) in crossings.enumerated() {
            #expect(!crossings[..<place].contains { $0.isStrictSubset(of: later) }, "\(later)")
        }
    }
}
