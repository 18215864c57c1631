// `verify`, and the options that name an archive.
import Foundation
import Testing

@Suite struct VerifyCommandTests: RunsCommands {
    @Test func aReplayIsArchivedAndVerified() async throws {
        try await withHome { home in
            let archive = home.appendingPathComponent("a.sqlite").path
            let replay = try await CommandRun(
                [
                    "replay", "--from", "2026-02-20T12:00", "--to", "2026-02-20T14:00", "--speed",
                    "max", "--format", "lines", "--archive", archive,
                ], home: home)
            #expect(replay.code == 0, "\(replay.errors)")
            let text = try await CommandRun(["verify", "--archive", archive], home: home)
            #expect(text.code == 0 && text.output.contains("of a replay"), "\(text.errors)")
            #expect(text.output.contains("no complete fortnight is scored yet"))
            let json = try await CommandRun(
                ["verify", "--archive", archive, "--days", "2", "--format", "json"], home: home)
            let windows = try #require(try document(json)["windows"] as? [[String: Any]])
            #expect(windows.compactMap { $0["days"] as? Int } == [2])
            let total = try #require(windows.first?["total"] as? [String: Any])
            #expect(total["cases"] as? Int ?? 0 > 1000 && total["pending"] as? Int == 0)
            // Forecasts of a replay are never among those that were issued.
            let watch = try await CommandRun(
                ["verify", "--archive", archive, "--store", home.path + "/none.sqlite"], home: home)
            #expect(watch.code == 66 && watch.errors.contains("nothing else has the outcomes"))
            #expect(text.output.hasPrefix("Forecasts issued from 2026-02-20T12:0"))
            #expect(text.output.contains("where the model was fitted to these days"))
            let check = try await CommandRun(
                ["serve", "--check", "--store", home.path + "/s", "--archive", archive], home: home)
            #expect(check.code == 65 && check.errors.contains("forecasts of a replay"))
        }
    }

    @Test func aReplayDoesNotBeginWithAnArchiveThatIsNone() async throws {
        try await withHome { home in
            let file = home.appendingPathComponent("a.csv")
            try Data("not a database".utf8).write(to: file)
            let run = try await CommandRun(
                ["replay", "--speed", "max", "--format", "lines", "--archive", file.path],
                home: home)
            #expect(run.code == 65 && run.errors.contains("not a forecast archive"))
            #expect(run.output.isEmpty)
            #expect(try Data(contentsOf: file) == Data("not a database".utf8))
        }
    }

    @Test func storeAndArchiveAreTwoFiles() async throws {
        try await withHome { home in
            let file = home.appendingPathComponent("one.sqlite").path
            for command in [
                ["serve", "--check"], ["replay", "--speed", "max", "--format", "lines"],
                ["watch", "--seconds", "1"],
            ] {
                let run = try await CommandRun(
                    command + ["--store", file, "--archive", file], home: home)
                #expect(run.code == 64 && run.errors.contains("is the store"), "\(run.errors)")
                #expect(!FileManager.default.fileExists(atPath: file))
            }
        }
    }

    @Test(arguments: [
        (["verify"], 66, "there is no such archive"),
        (["verify", "--days", "0"], 64, "--days: 1 to 36500"),
        (["watch", "--archive", "a", "--no-archive"], 64, "contradict each other"),
        (["serve", "--check", "--archive", "a", "--no-archive"], 64, "contradict each other"),
        (["serve", "--check", "--archive", "/dev/null"], 74, "not a file"),
    ])
    func whatIsWrongIsReported(_ arguments: [String], _ code: Int32, _ text: String) async throws {
        let run = try await run(arguments)
        #expect(run.code == code && run.errors.contains(text), "\(run.code) \(run.errors)")
    }
}
