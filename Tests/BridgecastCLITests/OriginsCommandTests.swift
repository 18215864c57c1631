// `origins`: fits at several cuts that go on where they were, scores of models that are there, and their table.
import Foundation
import Testing

@Suite struct OriginsCommandTests: RunsCommands {
    /// Fits of a second.
    private static let tiny = [
        "--teachers", "0", "--epochs", "1", "--hidden", "8", "--minutes-between-issue-times",
        "1440", "--origin", "2018-02-12", "--origin", "2025-02-15", "--days", "1",
    ]

    private static let twoWinters = """
        {"periods": [
          {"from": "2017-10-25T10:00:00", "to": "2018-02-28T00:00:00",
           "bridges": ["1", "2", "3", "4", "6", "21", "29"]},
          {"from": "2025-01-10T00:00:00", "to": "2025-02-28T00:00:00",
           "bridges": ["1", "2", "3", "4", "6", "21", "29"]}]}
        """

    private func file(_ home: URL, _ name: String) -> URL {
        home.appendingPathComponent("out/\(name)")
    }

    @Test func aRunGoesOnWhereItWasAndRefusesOtherSettings() async throws {
        try await withHome { home in
            func run(_ more: [String] = []) async throws -> CommandRun {
                try await CommandRun(
                    ["origins", "run", "--recipe-name", "small", "--folder", home.path + "/out"]
                        + Self.tiny + more, home: home)
            }
            let first = try await run()
            try #require(first.code == 0, "\(first.errors)")
            #expect(first.output.contains("2018-02-12: skill"))
            #expect(first.output.contains("2025-02-15: skill"))
            let early = file(home, "small/2018-02-12.json")
            let late = file(home, "small/2025-02-15.json")
            let model = file(home, "small/2025-02-15.int8.bcm")
            let scores = try Data(contentsOf: late)
            let weights = try Data(contentsOf: model)

            // Ended before the last scores: the model that is there is scored, nothing is fitted.
            try FileManager.default.removeItem(at: late)
            let second = try await run()
            #expect(second.code == 0 && !second.errors.contains("fitting"), "\(second.errors)")
            #expect(second.errors.contains("1 of 2 origins are there already"))
            #expect(!second.output.contains("2018-02-12"))
            #expect(try Data(contentsOf: model) == weights)
            // Ended before the last model: the same fit and scores come again.
            for file in [late, model] { try FileManager.default.removeItem(at: file) }
            #expect(try await run().code == 0)
            #expect(try Data(contentsOf: late) == scores)

            let unchanged = try Data(contentsOf: early)
            let coverage = try write(Self.twoWinters, "coverage.json", in: home)
            for other in [
                ["--seed", "2"], ["--learning-rate", "0.002"], ["--purge-days", "2"],
                ["--coverage", coverage],
            ] {
                let refused = try await run(other)
                #expect(refused.code == 65, "\(other): \(refused.errors)")
                #expect(refused.errors.contains("was made otherwise"))
                #expect(refused.errors.contains("--again"))
            }
            #expect(try Data(contentsOf: early) == unchanged)
            let again = try await run(["--seed", "2", "--again"])
            #expect(again.code == 0 && again.errors.contains("fitting"))
            #expect(try Data(contentsOf: early) != unchanged)
        }
    }

    @Test func modelsThatAreThereAreScoredAndStandBesideOtherPrograms() async throws {
        try await withHome { home in
            let folder = home.path + "/out"
            let fitted = try await CommandRun(
                ["origins", "run", "--recipe-name", "small", "--folder", folder, "--quiet"]
                    + Self.tiny, home: home)
            try #require(fitted.code == 0, "\(fitted.errors)")
            let scored = try await CommandRun(
                [
                    "origins", "score", "--model-folder", folder + "/small", "--recipe-name",
                    "scored", "--folder", folder, "--days", "1", "--origin", "2018-02-12",
                    "--origin", "2025-02-15",
                ], home: home)
            try #require(scored.code == 0, "\(scored.errors)")
            // What another program writes, at one origin, with half the loss.
            try FileManager.default.createDirectory(
                at: file(home, "python"), withIntermediateDirectories: true)
            let ours = try #require(
                JSONSerialization.jsonObject(
                    with: Data(contentsOf: file(home, "small/2018-02-12.json")))
                    as? [String: Any])
            let rows = try #require(ours["rows"] as? [[String: Any]])
            let halved = rows.map { row in
                row.merging(["loss": (row["loss"] as? Double ?? 0) / 2]) { $1 }
            }
            let theirs: [String: Any] = [
                "recipe": "another", "origin": "2018-02-12", "days": 1, "rows": halved,
                "calibration_error": 0.01,
            ]
            try JSONSerialization.data(withJSONObject: theirs).write(
                to: file(home, "python/2018-02-12.json"))
            let table = try await CommandRun(
                ["origins", "table", "--folder", folder, "--against", "small"], home: home)
            #expect(table.code == 0, "\(table.errors)")
            #expect(table.output.contains("python against small, 1 common origin, paired"))
            let shown = try document(
                try await CommandRun(
                    [
                        "origins", "table", "--folder", folder, "--against", "small", "--format",
                        "json",
                    ], home: home))
            let recipes = try #require(shown["recipes"] as? [[String: Any]])
            #expect(recipes.count == 3 && recipes.first?["recipe"] as? String == "python")
            let comparisons = try #require(shown["comparisons"] as? [[String: Any]])
            let same = try #require(comparisons.first { $0["recipe"] as? String == "scored" })
            let total = try #require(same["total"] as? [String: Any])
            let difference = try #require(total["difference"] as? [String: Double])
            // The same models: no difference; of one day alone there is no interval.
            #expect(difference == ["value": 0])
            try Data("{}".utf8).write(to: file(home, "python/2018-02-12.json"))
            let broken = try await CommandRun(
                ["origins", "table", "--folder", folder], home: home)
            #expect(
                broken.code == 65 && broken.errors.contains("python/2018-02-12.json: no scores"))
        }
    }

    @Test func whatCannotBeScoredIsSaid() async throws {
        try await withHome { home in
            let usual = ["--recipe-name", "x", "--folder", home.path + "/out"]
            for (arguments, code, words) in [
                (["run", "--origin", "yesterday"] + usual, 64, "expected a date"),
                (["run", "--origin", "2010-01-01"] + usual, 65, "no covered records before"),
                (["run", "--days", "0"] + usual, 64, "--days"),
                (["run", "--folder", "y", "--recipe-name", "../x"], 64, "--recipe-name"),
                (["run", "--folder", "y", "--recipe-name", ".x"], 64, "--recipe-name"),
                (
                    ["score", "--model-folder", home.path] + usual, 66,
                    "there is no ORIGIN.int8.bcm"
                ),
                (["table", "--folder", home.path], 66, "there is no NAME/ORIGIN.json"),
            ] as [([String], Int32, String)] {
                let run = try await CommandRun(["origins"] + arguments, home: home)
                #expect(run.code == code, "\(arguments): \(run.code) \(run.errors)")
                #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
            }
            // Nothing is made for what is refused.
            #expect(!FileManager.default.fileExists(atPath: home.path + "/out"))
        }
    }
}
