// `evaluate --skill`: the file that the service shows, and its figures beside those of the report.
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct EvaluateSkillTests: RunsCommands {
    @Test func theFileOfSkillSaysWhatTheReportSaysWithAnIntervalForEach() async throws {
        try await withHome { home in
            let file = home.appendingPathComponent("skill.json")
            let run = try await CommandRun(
                [
                    "evaluate", "--model", Fixtures.model("validation/bridgecast.int8.bcm").path,
                    "--from", "2026-02-20", "--to", "2026-02-21", "--format", "json", "--skill",
                    file.path,
                ], home: home)
            #expect(run.code == 0, "\(run.errors)")
            let skill = try object(try Data(contentsOf: file))
            let output = try object(Data(run.output.utf8))
            let report = try #require(output["report"] as? [String: Any])
            let total = try #require(skill["total"] as? [String: Any])
            let expected = try #require(report["total"] as? [String: Any])
            #expect(total["cases"] as? Int == expected["rows"] as? Int)
            let blocked = try #require(
                (expected["blocked"] as? [String: [String: Any]])?["model"])
            try expect(total["auc"], blocked["auc"])
            try expect(total["calibration_error"], blocked["calibration_error"])
            #expect((skill["by_lead"] as? [Any])?.count == 8)
            try expectReliability(ofBridgesAddsUpIn: skill)
            let routes = try #require(skill["routes"] as? [String: Any])
            #expect((routes["policies"] as? [Any])?.count == 4)
            let model = try #require(skill["evaluated_model"] as? [String: Any])
            #expect(model["name"] as? String == "bridgecast" && model["seed"] as? String == "1")
        }
    }

    /// Each bridge has the ranges of the whole, and their cases add up both ways.
    private func expectReliability(ofBridgesAddsUpIn skill: [String: Any]) throws {
        func cases(_ group: [String: Any]) throws -> [Int] {
            let bands = try #require(group["reliability"] as? [[String: Any]])
            for band in bands where band["cases"] as? Int == 0 {
                #expect(band["said"] is NSNull && band["happened"] is NSNull)
            }
            return bands.compactMap { $0["cases"] as? Int }
        }
        let all = try cases(skill)
        #expect(all.count == 5)
        var sums = Array(repeating: 0, count: all.count)
        for bridge in try #require(skill["by_bridge"] as? [[String: Any]]) {
            let own = try cases(bridge)
            #expect(own.reduce(0, +) == bridge["cases"] as? Int && own.count == 5)
            sums = zip(sums, own).map { $0 + $1 }
        }
        #expect(sums == all && all.reduce(0, +) > 0)
    }

    private func object(_ data: Data) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The figure of an estimate is the report's, to the decimals it is written with.
    private func expect(_ estimate: Any?, _ figure: Any?) throws {
        let value = try #require((estimate as? [String: Double])?["value"])
        let expected = try #require(figure as? Double)
        #expect(abs(value - expected) < 1e-5)
    }
}
