// `refit`: a new fit is compared with the model in use on the store's newest days, and replaces it or not.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

@testable import BridgecastCLI

@Suite struct RefitCommandTests: RunsCommands {
    private let light = [
        "--teachers", "0", "--epochs", "1", "--minutes-between-issue-times", "240", "--hidden", "8",
        "--quiet",
    ]

    /// A store of the later shipped records, up to a day of 2026.
    private func ingest(until end: String, in home: URL) async throws {
        let text = try String(
            contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline)
        let rows = lines.dropFirst().filter {
            $0.split(separator: "\"", omittingEmptySubsequences: false)[7] < end
        }
        let file = try write(
            ([lines[0]] + rows).joined(separator: "\n") + "\n", "records.csv", in: home)
        let run = try await CommandRun(
            ["ingest", file, "--coverage", Fixtures.trainingData("coverage.json").path], home: home)
        #expect(run.code == 0, "\(run.errors)")
    }

    private func refit(_ more: [String] = [], in home: URL) async throws -> CommandRun {
        try await CommandRun(
            ["refit", "--model", home.path + "/models/city.int8.bcm"] + light + more, home: home)
    }

    private func files(in home: URL) throws -> [String: Data] {
        let folder = home.appendingPathComponent("models")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in
                (try? Data(contentsOf: folder.appendingPathComponent(path))).map { (path, $0) }
            })
    }

    /// Puts a model in use that knows nothing.
    private func useRandomModel(in home: URL) throws {
        let folder = home.appendingPathComponent("models")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var draft = RandomModel.draft(hidden: [8], seed: 3)
        draft.provenance = ModelProvenance(
            sources: [], fittedFrom: Fixtures.timestamp("2017-10-25T10:00"),
            fittedBefore: Fixtures.timestamp("2026-01-01T00:00"), seed: 3, commit: "test",
            settings: [:], scores: [:])
        let bytes = ModelFile.bytes(
            of: draft, as: .int8,
            calibration: ActivationCalibration(
                draft.layers, draft.normalisation, rows: RandomModel.rows(64)))
        try Data(bytes).write(to: folder.appendingPathComponent("city.int8.bcm"))
    }

    @Test func aBetterFitTakesOverWithItsManifestAndItsValidation() async throws {
        try await withHome { home in
            try await ingest(until: "2026-03", in: home)
            try useRandomModel(in: home)
            let before = try files(in: home)
            let run = try await refit(in: home)
            #expect(
                run.code == 0 && run.output.contains("takes over"), "\(run.output)\(run.errors)")
            #expect(run.output.hasPrefix("2026-02-15 to 2026-02-28, 14 covered days"))
            let after = try files(in: home)
            #expect(
                after.keys.sorted() == [
                    "city.int8.bcm", "city.manifest.json", "validation/city.int8.bcm",
                    "validation/city.manifest.json",
                ])
            #expect(after["city.int8.bcm"] != before["city.int8.bcm"])
            for (file, cut) in [
                ("city", "2026-03-01T00:00"), ("validation/city", "2026-02-15T00:00"),
            ] {
                let bytes = [UInt8](try #require(after[file + ".int8.bcm"]))
                let header = try ModelFile.read(bytes).header
                #expect(header.provenance.fittedBefore == Fixtures.timestamp(cut))
                #expect(header.provenance.sources.map(\.file).contains("history.sqlite"))
                #expect(header.provenance.sources.count == 4)
                let manifest = String(
                    decoding: try #require(after[file + ".manifest.json"]), as: UTF8.self)
                #expect(manifest.contains(ModelFile.digest(of: bytes)))
            }
            // The model in use has now seen the days: its validation model is compared instead, and equals the new fit.
            let again = try await refit(["--format", "json"], in: home)
            let report = try document(again)
            #expect(again.code == 0 && report["takes_over"] as? Bool == true, "\(again.errors)")
            let stopped = try #require(report["stopped"] as? [String: Any])
            #expect(stopped["mean_difference"] as? Double == 0)
            #expect(report["in_use_fitted_before"] as? String == "2026-02-15T00:00:00-08:00")
        }
    }

    @Test func aWorseFitLeavesEveryFileAsItIs() async throws {
        try await withHome { home in
            try await ingest(until: "2026-03", in: home)
            let folder = home.appendingPathComponent("models")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: Fixtures.model("validation/bridgecast.int8.bcm"),
                to: folder.appendingPathComponent("city.int8.bcm"))
            let before = try files(in: home)
            let run = try await refit(in: home)
            #expect(
                run.code == 0 && run.output.contains("in use is better"),
                "\(run.output)\(run.errors)")
            #expect(try files(in: home) == before)
        }
    }

    @Test func tooFewCoveredDaysAreRefusedWithTheNumberNeeded() async throws {
        try await withHome { home in
            let missing = try await refit(in: home)
            #expect(
                missing.code == 66 && missing.errors.contains("no such store"), "\(missing.errors)")
            // The records pause from April 2025 to 23 January 2026: of the newest fortnight nine days are covered.
            try await ingest(until: "2026-02-01", in: home)
            let text = Fixtures.trainingData("coverage.json")
            let cut = try String(contentsOf: text, encoding: .utf8).replacingOccurrences(
                of: "\"to\": \"2026-03-01T00:00:00\"", with: "\"to\": \"2026-02-01T00:00:00\"")
            let other = home.path + "/holes.sqlite"
            let coverage = try write(cut, "coverage.json", in: home)
            let stored = try await CommandRun(
                ["ingest", home.path + "/records.csv", "--coverage", coverage, "--store", other],
                home: home)
            #expect(stored.code == 0, "\(stored.errors)")
            let run = try await refit(["--store", other], in: home)
            #expect(run.code == 65, "\(run.output)\(run.errors)")
            #expect(
                run.errors.contains("2026-01-18 to 2026-01-31, 8 are covered; 10 are needed"),
                "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: home.path + "/models"))
        }
    }

    @Test func aModelThatHasSeenTheDaysIsNoMatch() async throws {
        try await withHome { home in
            try await ingest(until: "2026-03", in: home)
            let folder = home.appendingPathComponent("models")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: Fixtures.model("bridgecast.int8.bcm"),
                to: folder.appendingPathComponent("city.int8.bcm"))
            let run = try await refit(in: home)
            #expect(run.code == 65 && run.errors.contains("was fitted to days"), "\(run.errors)")
        }
    }

    @Test func whatCannotBeWrittenLeavesTheModelInUse() async throws {
        try await withHome { home in
            try await ingest(until: "2026-03", in: home)
            try useRandomModel(in: home)
            // In the way of the folder for the validation model.
            try Data().write(to: home.appendingPathComponent("models/validation"))
            let before = try files(in: home)
            let run = try await refit(in: home)
            #expect(
                run.code == 74 && run.errors.contains("validation"), "\(run.output)\(run.errors)")
            #expect(try files(in: home) == before)
        }
    }

    @Test func theRuleComparesByDay() {
        func estimate(_ value: Double, _ low: Double, _ high: Double) throws -> Estimate {
            let text = "{\"value\": \(value), \"low\": \(low), \"high\": \(high)}"
            return try JSONDecoder().decode(Estimate.self, from: Data(text.utf8))
        }
        #expect(throws: Never.self) {
            let equal = try estimate(0, 0, 0)
            let worse = try estimate(-0.001, -0.01, 0.008)
            let surelyWorse = try estimate(-0.01, -0.02, -0.001)
            #expect(RefitReport.isNotWorse(stopped: equal, raised: equal))
            #expect(!RefitReport.isNotWorse(stopped: worse, raised: equal))
            #expect(RefitReport.isNotWorse(stopped: equal, raised: worse))
            #expect(!RefitReport.isNotWorse(stopped: equal, raised: surelyWorse))
        }
    }

    @Test func invalidOptionsAreRefused() async throws {
        for (arguments, text) in [
            (["--model", "m.bcm"], "NAME.int8.bcm"), (["--model", ".int8.bcm"], "NAME.int8.bcm"),
            (["--model", "m.int8.bcm", "--days", "1"], "--days"),
            (["--model", "m.int8.bcm", "--min-covered-days", "15"], "--min-covered-days"),
            ([], "--model"),
        ] {
            let run = try await run(["refit"] + arguments)
            #expect(run.code == 64 && run.errors.contains(text), "\(arguments): \(run.errors)")
        }
    }
}
