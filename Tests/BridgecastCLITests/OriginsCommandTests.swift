// `origins run` and `origins score`: fits, resumed runs, refusals. The table is in
// OriginsTableTests.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing
@testable import BridgecastCLI

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

    @Test func anInterruptedRunContinuesAndRefusesOtherSettings() async throws {
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
            #expect(second.errors.contains("1 of 2 origins exist already"))
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
                #expect(refused.errors.contains("was made with other inputs"))
                #expect(refused.errors.contains("--again"))
            }
            #expect(try Data(contentsOf: early) == unchanged)
            let again = try await run(["--seed", "2", "--again"])
            #expect(again.code == 0 && again.errors.contains("fitting"))
            #expect(try Data(contentsOf: early) != unchanged)
        }
    }

    @Test func existingModelsAreScoredAndComparedWithOtherPrograms() async throws {
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

    @Test func missingInputsOfScoresAreReported() async throws {
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

@Suite struct OriginsRunTests: RunsCommands {
    /// Fits of a second.
    private static func run(in home: URL) -> [String] {
        [
            "origins", "run", "--recipe-name", "small", "--folder", home.path + "/out",
            "--teachers", "0", "--epochs", "1", "--hidden", "8", "--minutes-between-issue-times",
            "1440", "--days", "1",
        ]
    }

    private func file(_ home: URL, _ name: String) -> URL {
        home.appendingPathComponent("out/small/\(name)")
    }

    @Test func otherSettingsAreRefusedAndALostModelIsFittedAgain() async throws {
        try await withHome { home in
            func run(_ more: [String]) async throws -> CommandRun {
                try await CommandRun(Self.run(in: home) + more, home: home)
            }
            try #require(try await run(["--origin", "2018-02-12"]).code == 0)
            let mixed = try await run(["--origin", "2025-02-15", "--seed", "2"])
            #expect(mixed.code == 65 && mixed.errors.contains("is of the same recipe"))
            func exists(_ file: URL) -> Bool {
                FileManager.default.fileExists(atPath: file.path)
            }
            #expect(!exists(file(home, "2025-02-15.json")))

            let model = file(home, "2018-02-12.int8.bcm")
            try FileManager.default.removeItem(at: model)
            let again = try await run(["--origin", "2018-02-12"])
            #expect(again.code == 0 && again.errors.contains("fitting"), "\(again.errors)")
            #expect(exists(model))
        }
    }

    @Test func aRecipesFolderIsLockedByARun() async throws {
        try await withHome { home in
            let arguments = Self.run(in: home) + ["--origin", "2018-02-12"]
            let folder = file(home, "")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let other = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
            try #require(other >= 0 && flock(other, LOCK_EX) == 0)
            let second = try await CommandRun(arguments, home: home)
            #expect(second.code == 74, "\(second.errors)")
            #expect(second.errors.contains("out/small: another run is writing to it"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            close(other)
            // What one run has done the next one has the lock for.
            for _ in 0..<2 {
                let run = try await CommandRun(arguments, home: home)
                #expect(run.code == 0, "\(run.errors)")
            }
        }
    }

    @Test func unreadableFilesAreOverwrittenOnlyWithAgain() async throws {
        try await withHome { home in
            func run(_ more: [String] = []) async throws -> CommandRun {
                try await CommandRun(
                    Self.run(in: home) + ["--origin", "2018-02-12"] + more, home: home)
            }
            func expectRefusal(of file: URL) async throws {
                let broken = try Data(contentsOf: file)
                let refused = try await run()
                #expect(refused.code == 65, "\(refused.errors)")
                #expect(refused.errors.contains("small/\(file.lastPathComponent): "))
                #expect(refused.errors.contains("make it again with --again"))
                #expect(try Data(contentsOf: file) == broken)
            }
            try FileManager.default.createDirectory(
                at: file(home, ""), withIntermediateDirectories: true)
            let model = file(home, "2018-02-12.int8.bcm")
            try Data(RandomModel.bytes(.int8).prefix(1_000)).write(to: model)
            try await expectRefusal(of: model)
            let fitted = try await run(["--again"])
            #expect(fitted.code == 0 && fitted.errors.contains("fitting"), "\(fitted.errors)")

            let scores = file(home, "2018-02-12.json")
            let first = try JSONDecoder().decode(
                JustRows.self, from: Data(contentsOf: scores))
            try Data("{}".utf8).write(to: scores)
            try await expectRefusal(of: scores)
            let scored = try await run(["--again"])
            #expect(scored.code == 0 && !scored.errors.contains("fitting"), "\(scored.errors)")
            #expect(
                try JSONDecoder().decode(JustRows.self, from: Data(contentsOf: scores)) == first)

            // A missing input is reported before the work begins.
            try FileManager.default.removeItem(at: scores)
            try FileManager.default.createDirectory(at: scores, withIntermediateDirectories: true)
            let folder = try await run(["--again"])
            #expect(folder.code == 74 && folder.errors.contains("2018-02-12.json: is a folder"))
        }
    }

    private struct JustRows: Decodable, Equatable {
        struct Row: Decodable, Equatable { let day, bridge: String, rows: Int, loss: Double }

        let rows: [Row]
    }

    @Test func recordsAreReviewedOnceAndOnlyForAFit() async throws {
        try await withHome { home in
            let text = try String(
                contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
            let lines = text.split(whereSeparator: \.isNewline).filter {
                !$0.contains("\"2025-02-")
            }
            let late = try write(lines.joined(separator: "\n") + "\n", "late.csv", in: home)
            let earlier = Fixtures.recordFiles.dropLast().flatMap { ["--records", $0.path] }
            let arguments =
                Self.run(in: home) + earlier + [
                    "--records", late, "--coverage", Fixtures.trainingData("coverage.json").path,
                    "--origin", "2026-02-01", "--origin", "2026-02-15",
                ]
            let first = try await CommandRun(arguments, home: home)
            #expect(first.code == 0, "\(first.errors)")
            // The bridges and the start of what is set aside.
            let notes = first.errors.split(separator: "\n").filter { $0.hasSuffix("; set aside") }
                .map { String($0).components(separatedBy: " to ")[0] }
            #expect(notes.contains { $0.contains("2025-01-31") }, "\(first.errors)")
            #expect(Set(notes).count == notes.count, "\(notes)")
            let second = try await CommandRun(arguments, home: home)
            #expect(second.code == 0 && !second.errors.contains("set aside"), "\(second.errors)")
        }
    }
}

@Suite struct OriginsScoreTests: RunsCommands {
    /// Adds a random model; its header says that it was fitted to the records before 2026-02-15.
    private func put(
        _ format: WeightFormat, _ name: String, seed: UInt64 = 7, fittedBefore: String? = nil,
        in home: URL
    ) throws {
        var draft = RandomModel.draft(hidden: [32, 16], seed: seed)
        if let fittedBefore {
            draft.provenance.fittedBefore = Fixtures.timestamp(fittedBefore)
        }
        let calibration =
            format == .int8
            ? ActivationCalibration(draft.layers, draft.normalisation, rows: RandomModel.rows(64))
            : nil
        let folder = home.appendingPathComponent("models")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(ModelFile.bytes(of: draft, as: format, calibration: calibration)).write(
            to: folder.appendingPathComponent("\(name).\(format.rawValue).bcm"))
    }

    private func score(_ more: [String], home: URL) async throws -> CommandRun {
        try await CommandRun(
            [
                "origins", "score", "--model-folder", home.path + "/models", "--recipe-name",
                "scored", "--folder", home.path + "/out", "--days", "1",
            ] + more, home: home)
    }

    private func exists(_ name: String, in home: URL) -> Bool {
        FileManager.default.fileExists(atPath: home.path + "/out/" + name)
    }

    @Test func aModelFittedToTheScoredDaysIsRefused() async throws {
        try await withHome { home in
            try put(.int8, "2026-02-16", in: home)
            try put(.int8, "2026-02-17", fittedBefore: "2026-02-16T00:01", in: home)
            let both = ["--origin", "2026-02-16", "--origin", "2026-02-17"]
            let refused = try await score(both, home: home)
            #expect(refused.code == 65, "\(refused.errors)")
            #expect(
                refused.errors.contains("2026-02-17.int8.bcm: was fitted to records before 2026-"))
            #expect(refused.output.isEmpty && !exists("scored", in: home))
            // With no day left out before it, the model has seen nothing of what is scored.
            let scored = try await score(both + ["--purge-days", "0"], home: home)
            #expect(scored.code == 0, "\(scored.errors)")
            #expect(exists("scored/2026-02-17.json", in: home))
        }
    }

    @Test func aNamedOriginNeedsAModel() async throws {
        try await withHome { home in
            try put(.int8, "2026-02-16", in: home)
            let both = ["--origin", "2026-02-16", "--origin", "2026-02-18"]
            let refused = try await score(both, home: home)
            #expect(refused.code == 66, "\(refused.errors)")
            #expect(refused.errors.contains("of 2026-02-18\n"), "\(refused.errors)")
            #expect(!exists("scored", in: home))
        }
    }

    @Test func existingScoresStayUnlessTheRecordsDiffer() async throws {
        try await withHome { home in
            try put(.int8, "2026-02-16", in: home)
            let arguments = ["--origin", "2026-02-16"]
            #expect(try await score(arguments, home: home).code == 0)
            let second = try await score(arguments, home: home)
            #expect(second.code == 0 && second.output.isEmpty, "\(second.errors)")
            #expect(second.errors.contains("1 of 1 origins exist already"))
            let merged = try await score(arguments + ["--merge-gap", "20"], home: home)
            #expect(merged.code == 65, "\(merged.errors)")
            #expect(merged.errors.contains("was made with other inputs: records and coverage"))
            let again = try await score(arguments + ["--merge-gap", "20", "--again"], home: home)
            #expect(again.code == 0 && again.output.contains("2026-02-16: skill"))
        }
    }

    @Test func weightsInFP32CountIfTheyAreOfTheSameFit() async throws {
        try await withHome { home in
            func loss(_ more: [String] = []) async throws -> (Double?, String) {
                let run = try await score(["--origin", "2026-02-16"] + more, home: home)
                #expect(run.code == 0, "\(run.errors)")
                let scores = try #require(
                    JSONSerialization.jsonObject(
                        with: Data(
                            contentsOf: home.appendingPathComponent("out/scored/2026-02-16.json")))
                        as? [String: Any])
                try FileManager.default.removeItem(at: home.appendingPathComponent("out"))
                return (scores["fp32_log_loss"] as? Double, run.errors)
            }
            try put(.int8, "2026-02-16", in: home)
            try put(.fp32, "2026-02-16", in: home)
            #expect(try await loss().0 ?? 0 > 0)
            try put(.fp32, "2026-02-16", seed: 8, in: home)
            let (other, errors) = try await loss()
            #expect(other == nil)
            #expect(errors.contains("2026-02-16.fp32.bcm: is not of the same fit"), "\(errors)")
        }
    }
}

@Suite struct OriginFolderTests {
    @Test func aFolderCreatedByAnotherRunIsRefused() throws {
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        let folder = OriginFolder(
            try OriginOptions.parse(["--recipe-name", "small", "--folder", home.path]))
        #expect(try folder.lock() == nil)
        // Another run begins and ends between the look at the folder and the work.
        let own = home.appendingPathComponent("small")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let scores = own.appendingPathComponent("2018-02-12.json")
        try Data("{}".utf8).write(to: scores)
        let failure = try #require(throws: CommandFailure.self) { try folder.make(nil) }
        #expect(failure.code == .io && failure.message.contains("small: another run has written"))

        // What was looked at under a lock may be there, and so may an empty folder.
        let held = try #require(try folder.lock())
        #expect(try folder.make(held) === held)
        try FileManager.default.removeItem(at: own)
        #expect(try folder.make(nil) != nil)
    }
}
