// `origins score`: models that were fitted elsewhere, and which of them are refused.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

@Suite struct OriginsScoreTests: RunsCommands {
    /// Puts a random model beside others; it says that it was fitted to the records before 2026-02-15.
    private func put(
        _ format: WeightFormat, _ name: String, seed: UInt64 = 7, fittedBefore: String? = nil,
        in home: URL
    ) throws {
        var draft = RandomModel.draft(hidden: [32, 16], seed: seed)
        if let fittedBefore {
            draft.provenance.fittedBefore = Fixtures.moment(fittedBefore)
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

    @Test func aModelThatHasSeenTheScoredDaysIsRefusedBeforeAnyIsScored() async throws {
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

    @Test func whatIsThereStaysUnlessItWasScoredOnOtherRecords() async throws {
        try await withHome { home in
            try put(.int8, "2026-02-16", in: home)
            let arguments = ["--origin", "2026-02-16"]
            #expect(try await score(arguments, home: home).code == 0)
            let second = try await score(arguments, home: home)
            #expect(second.code == 0 && second.output.isEmpty, "\(second.errors)")
            #expect(second.errors.contains("1 of 1 origins are there already"))
            let merged = try await score(arguments + ["--merge-gap", "20"], home: home)
            #expect(merged.code == 65, "\(merged.errors)")
            #expect(merged.errors.contains("was made otherwise: records and coverage"))
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
