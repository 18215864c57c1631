// Trips through the network as a user asks for them: predict, depart, bridge, and the C library.
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RouteCommandTests {
    private func run(_ arguments: [String]) async throws -> CommandRun {
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        return try await CommandRun(arguments, home: home)
    }

    private func document(_ run: CommandRun) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

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

    @Test func departSaysWhenToLeave() async throws {
        let arguments = [
            "depart", "--from", "Fremont", "--to", "Downtown", "--at", "2026-02-20T07:30",
            "--arrive-by", "09:00", "--confidence", "0.9",
        ]
        let table = try await run(arguments)
        #expect(table.code == 0, "\(table.errors)")
        #expect(table.output.contains("Leave 07:30") && table.output.contains("Leave 07:40"))
        #expect(
            table.output.contains("leave by")
                && ["▇", "█"].contains { table.output.contains("on time  \($0)") })
        let document = try document(try await run(arguments + ["--format", "json"]))
        let latest = try #require(document["latest"] as? [[String: Any]])
        #expect(latest.allSatisfy { $0["probability_on_time"] as? Double ?? 0 >= 0.9 })
        let points = try #require(document["points"] as? [[String: Any]])
        #expect(
            points.count == 18
                && (points[0]["departure"] as? String)?.hasPrefix("2026-02-20T07:30") == true)
        #expect((document["arrive_by"] as? String)?.hasPrefix("2026-02-20T09:00") == true)
        for (wrong, message) in [
            (["--arrive-by", "2026-02-20T07:33"], "cannot be met"),
            (["--confidence", "1.2"], "--confidence"),
            (["--arrive-by", "25:00"], "not a time"),
        ] {
            let run = try await run(arguments + wrong)
            #expect(run.code == 64 && run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test func aBridgeShowsItsHoursRulesAndWhatFitsUnderIt() async throws {
        let high = try await run([
            "bridge", "fremont", "--at", "2026-02-20T17:40", "--vessel-height", "45",
        ])
        #expect(high.code == 0, "\(high.errors)")
        for words in [
            "30.0 ft", "07:00 to 09:00 and 16:00 to 18:00", "needs an opening (15 ft too high)",
            "until 18:00", "1 h notice",
        ] {
            #expect(high.output.contains(words), "\(words)")
        }
        let low = try await run([
            "bridge", "Fremont", "--at", "2026-02-22T12:00", "--vessel-height", "8m",
        ])
        #expect(
            low.output.contains("passes under it") && low.output.contains("no closed hours today"))
        let document = try document(
            try await run([
                "bridge", "6", "--at", "2026-02-20T12:00", "--format", "json", "--vessel-height",
                "60ft",
            ]))
        #expect(
            document["state"] as? String == "unknown"
                && document["vessel_needs_opening"] as? Bool == true)
        #expect((document["outlook"] as? [Any])?.count == 21)
        for wrong in [
            ["bridge", "Tower"], ["bridge", "Fremont", "--vessel-height", "tall"],
            ["bridge", "Fremont", "--hours", "99"], ["bridge"],
        ] {
            #expect(try await run(wrong).code == 64)
        }
    }

    @Test func routesAreScoredOnPastDays() async throws {
        let run = try await run([
            "evaluate", "--routes", "--from", "2026-02-20", "--to", "2026-02-20", "--model",
            Fixtures.checkout.appendingPathComponent("models/validation/bridgecast.int8.bcm").path,
            "--format", "json",
        ])
        #expect(run.code == 0, "\(run.errors)")
        let document = try document(run)
        let policies = try #require(document["policies"] as? [[String: Any]])
        func regret(_ name: String) throws -> Double {
            let figures = try #require(policies.first { $0["policy"] as? String == name })
            return try #require((figures["regret_minutes"] as? [String: Double])?["value"])
        }
        #expect(try regret("bridgecast") >= 0)
        #expect(try regret("bridgecast") < regret("shortest"))
        #expect(try regret("shortest") < regret("fixed_bridge"))
    }

    @Test func theCLibraryServesPython() async throws {
        let library = try CommandRun.binary("libBridgecastABI.so").path
        try #require(FileManager.default.fileExists(atPath: library), "built with the tests")
        let script = Fixtures.checkout.appendingPathComponent("tools/examples/bridgecast.py").path
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        func python(_ arguments: [String]) async throws -> CommandRun {
            try await CommandRun(
                process: ["python3", script, library] + arguments, home: home,
                executable: "/usr/bin/env")
        }
        let model = Fixtures.model("bridgecast.int8.bcm").path
        let good = try await python([model, "Ballard", "Downtown", "1771607000"])
        #expect(good.code == 0, "\(good.errors)")
        #expect(good.output.contains("Ballard, raised for a minute, in two minutes: 100%"))
        #expect(
            good.output.contains("Aurora Bridge")
                && good.output.contains("Ballard Bridge, 15th Ave W"))
        for (arguments, message) in [
            ([model, "Balard", "Downtown"], "did you mean Ballard? (64)"),
            ([script, "Ballard", "Downtown"], "(65)"),
            (["/nowhere.bcm", "Ballard", "Downtown"], "(66)"),
            ([model, "Ballard", "Downtown", "-5"], "no time"),
            ([model, "Ballard", "Ballard"], "same place"),
        ] {
            let run = try await python(arguments)
            #expect(run.code != 0 && run.errors.contains(message), "\(run.errors)")
        }
    }
}
