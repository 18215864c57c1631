// `roads`, and what `predict` shows of routes on roads.
import BridgecastBench
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCLI

@Suite struct RoadsCommandTests: RunsCommands {
    /// A town of two shores with the Fremont Bridge between them.
    private static let town = Fixtures.checkout.appendingPathComponent(
        "Tests/BridgecastCLITests/Roads/fremont.json"
    ).path

    private func withTown(_ body: (URL, String) async throws -> Void) async throws {
        try await withHome { home in
            let file = home.appendingPathComponent("fremont.roads").path
            let run = try await CommandRun(
                ["roads", "import", Self.town, "--output", file, "--name", "Fremont"], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("drawbridge Fremont Bridge"))
            #expect(run.output.contains("took: read ") && run.errors.contains("preparing"))
            try await body(home, file)
        }
    }

    private func trip(_ network: String) -> [String] {
        [
            "predict", "--network", network, "--from", "Stone Way & N 36th", "--to",
            "Dexter Ave & Westlake", "--at", "2026-02-20T17:50",
        ]
    }

    @Test func infoShowsAnImportedFile() async throws {
        try await withTown { home, file in
            let left = try FileManager.default.contentsOfDirectory(atPath: home.path)
            #expect(left.filter { $0.contains("fremont") } == ["fremont.roads"])
            let run = try await CommandRun(["roads", "info", file, "--format", "json"], home: home)
            let facts = try document(run)
            #expect(facts["name"] as? String == "Fremont")
            #expect(facts["junctions"] as? Int == 14 && facts["pieces"] as? Int == 30)
            let crossings = try #require(facts["crossings"] as? [[String: Any]])
            #expect(crossings.map { $0["is_drawbridge"] as? Bool } == [true])
            #expect(facts["attribution"] as? String == "© OpenStreetMap contributors, ODbL 1.0")
        }
    }

    @Test func findLeadsToCornersAndRefusesUnknownPlaces() async throws {
        try await withTown { home, file in
            let found = try await CommandRun(
                ["roads", "find", "N 34", "--network", file], home: home)
            #expect(found.code == 0 && found.output.contains("N 34th St & Stone Way N"))
            let none = try await CommandRun(["roads", "find", "Zq", "--network", file], home: home)
            #expect(none.code == 64 && none.errors.contains("unknown place"))
        }
    }

    @Test func predictShowsTheRoadsTheirSourceAndTheLine() async throws {
        try await withTown { home, file in
            let plain = try await CommandRun(trip(file), home: home)
            #expect(plain.output.contains("Roads: © OpenStreetMap contributors, ODbL 1.0"))
            #expect(!plain.output.contains("4th Ave N 0.4 km"))
            let described = try await CommandRun(trip(file) + ["--directions"], home: home)
            #expect(described.output.contains("  1: Stone Way N 0.4 km"))
            #expect(described.output.contains("Fremont Bridge 80 m, 4th Ave N 0.4 km"))

            let answer = try document(
                try await CommandRun(trip(file) + ["--format", "json"], home: home))
            let groups = try #require(answer["groups"] as? [[String: Any]])
            let route = try #require((groups.first?["routes"] as? [[String: Any]])?.first)
            let metres = try #require(route["metres"] as? Double)
            let steps = try #require(route["directions"] as? [[String: Any]])
            #expect(abs(steps.reduce(0) { $0 + ($1["metres"] as? Double ?? 0) } - metres) < 1)
            #expect(steps.compactMap { $0["crossing"] as? String } == ["Fremont Bridge"])
            #expect((route["geometry"] as? String)?.isEmpty == false)

            let map = try document(
                try await CommandRun(trip(file) + ["--format", "geojson"], home: home))
            let features = try #require(map["features"] as? [[String: Any]])
            let properties = try #require(features.first?["properties"] as? [String: Any])
            #expect(
                properties["rank"] as? Int == 1 && map["type"] as? String == "FeatureCollection")
            #expect(properties["crossings"] as? [String] == ["Fremont Bridge"])
        }
    }

    @Test func otherFilesAreRefusedAndNothingIsWritten() async throws {
        try await withHome { home in
            let garbage = try write("Dear diary", "garbage", in: home)
            let output = home.appendingPathComponent("x.roads").path
            for (words, code) in [
                (["import", garbage, "--output", output], 65),
                (["import", home.path + "/none", "--output", output], 66),
                (["import", Self.town, "--output", home.path + "/none/x.roads"], 74),
                (["info", garbage], 65), (["info", home.path + "/none"], 66),
            ] as [([String], Int32)] {
                let run = try await CommandRun(["roads"] + words, home: home)
                #expect(run.code == code, "\(words): \(run.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: output))
            let geojson = try await CommandRun(["predict", "--format", "geojson"], home: home)
            #expect(geojson.code == 64 && geojson.errors.contains("--from"))
        }
    }

    @Test func theImportStartsTheOtherProgram() async throws {
        try await withHome { home in
            let words = ["roads", "import", "x", "--output", "y"]
            let run = try await CommandRun(words, of: BridgecastCommand.self, home: home)
            #expect(run.serverArguments == ["bridgecast-server"] + words)
        }
    }
}

@Suite struct RoadBenchTests {
    /// The benchmark refuses to time a search that finds other ways than Dijkstra's algorithm does.
    @Test func everyPartOfTheRoadsIsTimedWithAPlainSearch() async throws {
        let reader = SituationReader(Fixtures.shippedHistory)
        let bench = RoadBench(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")),
            situation: reader.situation(at: Fixtures.timestamp("2026-02-20T07:00")),
            file: Fixtures.model("roads/seattle.roads"), milliseconds: 1)
        let result = try await bench.run()
        #expect(
            result.ratios.map(\.trip).prefix(2) == [
                "Ballard to Downtown", "Lake City to Fauntleroy",
            ])
        #expect(result.ratios.count == 4)
        #expect(result.ratios.allSatisfy { $0.median > 0 && $0.median.isFinite })
        #expect(result.parts.count == 19)
        let curves = result.parts.filter { $0.part.hasPrefix("departures of ") }
        #expect(curves.map(\.count) == [24, 288])
        // All ways are several, and rankings show some of them.
        let ways = result.parts.filter { $0.part.hasSuffix("all ways") }
        #expect(ways.count == 4 && ways.contains { $0.count > 2 })
        #expect(result.fileBytes > 10_000_000 && result.peakKB > 20_000)
        let text = BenchText.text(result)
        #expect(text.contains("plain Dijkstra, Ballard to Downtown, bike: the quickest way"))
        #expect(text.contains("Lake City to Fauntleroy"))
    }
}
