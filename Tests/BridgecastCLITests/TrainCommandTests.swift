// `train` writes the same models every time, and `inspect` reads them.
import ArgumentParser
@testable import BridgecastCLI
import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

@Suite struct TrainCommandTests {
    /// The plan with options, and the default one.
    private func plans(
        _ options: [String]
    ) throws -> (changed: TrainingPlan, usual: TrainingPlan) {
        let cut = Fixtures.timestamp("2025-01-28T00:00")
        let usual = TrainingPlan(
            history: Fixtures.shippedHistory, validationFrom: cut, validationTo: cut)
        var changed = usual
        try TrainingOptions.parse(options).apply(to: &changed)
        return (changed, usual)
    }

    @Test func thePlanHasDefaults() throws {
        let (changed, usual) = try plans([])
        #expect(changed.namedSettings == usual.namedSettings && changed.seed == usual.seed)
        #expect(try plans(["--teachers", "3"]).changed.namedSettings["teachers"] == "3")
    }

    @Test func withoutTreesThePlanNamesNoOtherTeachers() throws {
        let (changed, usual) = try plans(["--teachers", "0", "--network-teachers", "2"])
        let settings = changed.namedSettings
        for name in ["teachers", "networkTeachers", "networkShare", "additiveShare"] {
            #expect(settings[name].flatMap(Double.init) == 0, "\(name)")
            #expect(usual.namedSettings[name].flatMap(Double.init) != 0, "\(name)")
        }
    }

    @Test func trainWritesModelsThatInspectReads() async throws {
        try await withHome { home in
            let arguments = [
                "train", "--output", home.path + "/out", "--name", "small", "--teachers", "1",
                "--trees", "5", "--boosting-passes", "1", "--epochs", "1",
                "--minutes-between-issue-times", "240", "--hidden", "16,8",
            ]
            let run = try await CommandRun(arguments, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("trees 1 done"))
            #expect(run.errors.contains("epoch 1 of 1"))
            let model = home.path + "/out/small.int8.bcm"
            let first = try Data(contentsOf: URL(fileURLWithPath: model))
            #expect(try await CommandRun(arguments + ["--quiet"], home: home).errors.isEmpty)
            #expect(try Data(contentsOf: URL(fileURLWithPath: model)) == first)
            let manifest = try #require(
                JSONSerialization.jsonObject(
                    with: Data(contentsOf: home.appendingPathComponent("out/small.manifest.json")))
                    as? [String: Any])
            let files = try #require(manifest["files"] as? [[String: Any]])
            #expect(files.count == 3 && files.allSatisfy { $0["weights_sha256"] is String })
            #expect(files[0]["sha256"] as? String == ModelFile.digest(of: [UInt8](first)))
            let inspected = try await CommandRun(["inspect", model, "--features"], home: home)
            #expect(inspected.output.contains("small, weights int8"))
            #expect(inspected.output.contains("convoy.seaward1.pending"))
            #expect(inspected.output.contains("openings-2025-2026.csv sha256"))
        }
    }
}
