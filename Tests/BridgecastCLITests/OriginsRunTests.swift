// `origins run` where files cannot be read and where records contradict themselves.
import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

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

    @Test func anotherOriginOfOtherSettingsIsRefusedAndALostModelIsFittedAgain() async throws {
        try await withHome { home in
            func run(_ more: [String]) async throws -> CommandRun {
                try await CommandRun(Self.run(in: home) + more, home: home)
            }
            try #require(try await run(["--origin", "2018-02-12"]).code == 0)
            let mixed = try await run(["--origin", "2025-02-15", "--seed", "2"])
            #expect(mixed.code == 65 && mixed.errors.contains("is of the same recipe"))
            func isThere(_ file: URL) -> Bool {
                FileManager.default.fileExists(atPath: file.path)
            }
            #expect(!isThere(file(home, "2025-02-15.json")))

            let model = file(home, "2018-02-12.int8.bcm")
            try FileManager.default.removeItem(at: model)
            let again = try await run(["--origin", "2018-02-12"])
            #expect(again.code == 0 && again.errors.contains("fitting"), "\(again.errors)")
            #expect(isThere(model))
        }
    }

    @Test func onlyOneRunAtATimeWritesToTheFolderOfARecipe() async throws {
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

    @Test func whatCannotBeReadIsMadeAnewIfAsked() async throws {
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
                #expect(refused.errors.contains("make it anew with --again"))
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

            // What can never be replaced is said before the work.
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
            let arguments =
                Self.run(in: home) + [
                    "--records", Fixtures.trainingData("openings-2017-2018.csv").path, "--records",
                    late, "--coverage", Fixtures.trainingData("coverage.json").path, "--origin",
                    "2026-02-01", "--origin", "2026-02-15",
                ]
            let first = try await CommandRun(arguments, home: home)
            #expect(first.code == 0, "\(first.errors)")
            // The bridges and the start of what is set aside.
            let told = first.errors.split(separator: "\n").filter { $0.hasSuffix("; set aside") }
                .map { String($0).components(separatedBy: " to ")[0] }
            #expect(told.contains { $0.contains("2025-01-31") }, "\(first.errors)")
            #expect(Set(told).count == told.count, "\(told)")
            let second = try await CommandRun(arguments, home: home)
            #expect(second.code == 0 && !second.errors.contains("set aside"), "\(second.errors)")
        }
    }
}
