// `evaluate`: scores of periods, reports, refits and routes, and its refusals.
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import FoundationXML
import Testing
@testable import BridgecastCLI

@Suite struct EvaluateCommandTests: RunsCommands {
    @Test func evaluateScoresAnUnseenPeriodFromItsFilesAlone() async throws {
        try await withHome { home in
            let bridges = [2, 3, 21, 4, 1, 29]
            let (records, coverage) = try files(of: "2026-02-2", bridges: bridges, in: home)
            let (past, pastCoverage) = try files(of: "2026-02-1", bridges: bridges, in: home)
            let run = try await CommandRun(
                [
                    "evaluate", "--model", Fixtures.model("validation/bridgecast.int8.bcm").path,
                    "--records", records, "--coverage", coverage, "--records", past,
                    "--coverage", pastCoverage, "--from", "2026-02-21", "--to", "2026-02-22",
                    "--format", "json",
                ], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(!run.errors.contains("shipped records"))
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            let report = try #require(object["report"] as? [String: Any])
            #expect((report["by_lead"] as? [Any])?.count == 9)
            #expect((report["by_bridge"] as? [Any])?.count == 6)
            #expect(report["is_in_sample"] as? Bool == false)
            let byConfidence = try #require(report["by_confidence"] as? [[String: Any]])
            #expect(
                byConfidence.map { $0["confidence"] as? String } == ["HIGH", "MEDIUM", "MEDIUM"])
            #expect(byConfidence.last?["knowledge"] as? String == "state_hidden")
            #expect(byConfidence[0]["rows"] as? Int == byConfidence[2]["rows"] as? Int)
            let scores = try #require(report["total"] as? [String: Any])
            #expect(
                (byConfidence[0]["rows"] as? Int ?? 0) + (byConfidence[1]["rows"] as? Int ?? 0)
                    == scores["rows"] as? Int)
            #expect(report["to"] as? String == "2026-02-23T00:00:00-08:00")
        }
    }

    /// The files hold no past: the shipped records are added for it, and the model has seen the period.
    @Test func evaluateWritesAReportThatAPersonCanRead() async throws {
        try await withHome { home in
            let folder = home.appendingPathComponent("report")
            let (records, coverage) = try files(of: "2026-02-2", bridges: [2, 3], in: home)
            let run = try await CommandRun(
                [
                    "evaluate", "--records", records, "--coverage", coverage, "--from",
                    "2026-02-20", "--to", "2026-02-21", "--report", folder.path,
                ], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("the shipped records are added for that time"))
            #expect(run.output.contains("NOT A TEST"))
            for name in [
                "reliability", "skill-by-lead", "skill-by-bridge", "skill-by-hour", "sharpness",
            ] {
                let svg = try Data(contentsOf: folder.appendingPathComponent("\(name).svg"))
                let parser = XMLParser(data: svg)
                #expect(parser.parse(), "\(name): \(String(describing: parser.parserError))")
            }
            let page = try String(
                contentsOf: folder.appendingPathComponent("report.html"), encoding: .utf8)
            #expect(page.contains("<svg") && page.contains("How good is the forecast?"))
            let text = try String(
                contentsOf: folder.appendingPathComponent("report.txt"), encoding: .utf8)
            #expect(text == run.output)
            #expect(text.contains("bridgelocks rule") && text.contains("logistic regression"))
            let card = try String(
                contentsOf: folder.appendingPathComponent("card.md"), encoding: .utf8)
            #expect(card.contains("## Where it fails") && card.contains("| 30 min |"))
            for document in [text, page, card] {
                #expect(
                    document.contains("confidence")
                        && document.contains("HIGH's rows, state hidden"))
            }
            _ = try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.appendingPathComponent("scores.json")))
        }
    }

    @Test func leavingOutABridgeThatIsUnknownOrHasNoRecordsIsRefused() async throws {
        let unknown = try await run(["evaluate", "--leave-out", "Golden Gate"])
        #expect(unknown.code == 64, "\(unknown.errors)")
        #expect(unknown.errors.contains("unknown bridge 'Golden Gate'"))
        for format in ["table", "json"] {
            let empty = try await run([
                "evaluate", "--leave-out", "Fremont", "--from", "2025-08-01", "--to", "2025-08-02",
                "--format", format,
            ])
            #expect(empty.code == 65 && empty.output.isEmpty, "\(empty.errors)")
            #expect(
                empty.errors.contains(
                    "no covered records of Fremont from 2025-08-01 to 2025-08-02"))
        }
    }

    @Test func evaluateRefusesPeriodsItCannotScore() async throws {
        try await withHome { home in
            let empty = try await CommandRun(
                ["evaluate", "--from", "2025-08-01", "--to", "2025-08-02"], home: home)
            #expect(empty.code == 65 && empty.errors.contains("no covered records from"))
            let early = try await CommandRun(
                ["evaluate", "--from", "2015-08-25", "--to", "2015-08-26"], home: home)
            #expect(early.code == 65 && early.errors.contains("no covered records before"))
            let reversed = try await CommandRun(
                ["evaluate", "--from", "2026-02-20", "--to", "2026-02-10"], home: home)
            #expect(reversed.code == 64)
        }
    }

    @Test func routesAreScoredOnPastDays() async throws {
        let run = try await run([
            "evaluate", "--routes", "--from", "2026-02-20T14:00", "--to", "2026-02-20T21:00",
            "--model",
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

    /// Files of the records of ten days and of their coverage, alone.
    ///
    /// - Parameter days: What their dates begin with, such as `2026-02-1`; the last ends on the 22nd.
    private func files(
        of days: String, bridges: [Int], in home: URL
    ) throws -> (records: String, coverage: String) {
        let all = try String(
            contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
        let lines = all.split(whereSeparator: \.isNewline).filter {
            $0.contains("\"" + days) || $0.hasPrefix("\"entitytype")
        }
        let ids = bridges.map { "\"\($0)\"" }.joined(separator: ",")
        let end = days == "2026-02-2" ? "2026-02-23" : "2026-02-20"
        let period =
            "{\"from\":\"\(days)0T00:00:00\",\"to\":\"\(end)T00:00:00\",\"bridges\":[\(ids)]}"
        return (
            try write(lines.joined(separator: "\n"), days + ".csv", in: home),
            try write("{\"periods\":[\(period)]}", days + ".json", in: home)
        )
    }
}

@Suite struct EvaluateSkillTests: RunsCommands {
    @Test func theFileOfSkillHasTheReportsFiguresWithIntervals() async throws {
        try await withHome { home in
            let file = home.appendingPathComponent("skill.json")
            let run = try await CommandRun(
                [
                    "evaluate", "--model", Fixtures.model("validation/bridgecast.int8.bcm").path,
                    "--from", "2026-02-20T14:00", "--to", "2026-02-20T21:00", "--format", "json",
                    "--skill", file.path,
                ], home: home)
            #expect(run.code == 0, "\(run.errors)")
            let skill = try object(try Data(contentsOf: file))
            let output = try object(Data(run.output.utf8))
            let report = try #require(output["report"] as? [String: Any])
            let total = try #require(skill["total"] as? [String: Any])
            let expected = try #require(report["total"] as? [String: Any])
            #expect(total["cases"] as? Int == expected["rows"] as? Int)
            for event in ["raised", "stopped"] {
                let found = try #require(total[event] as? [String: Any])
                let scores = try #require(expected[event] as? [String: Any])
                let model = try #require((scores["scores"] as? [String: [String: Any]])?["model"])
                try expect(found["auc"], model["auc"])
                try expect(found["calibration_error"], model["calibration_error"])
            }
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
                #expect(
                    band["forecast_probability"] is NSNull && band["observed_frequency"] is NSNull)
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

@Suite struct ColdStartTextTests {
    private static let bridge = """
        {"bridge": "Fremont", "rows": 4608, "blockedRate": 0.05, "meanForecast": 0.12,
         "skillOverOwnRate": {"value": 0.25, "low": 0.1, "high": 0.4},
         "skillOverOwnRateByLead": {"2": 0.5}, "skillOverOwnClimatology": -0.125,
         "confidence": "LOW", "stages": [
          {"fromDay": 0, "toDay": 1, "days": 1, "rows": 2304, "blockedRate": 0.04,
           "meanForecast": 0.11, "skillOverOwnRate": {"value": 0.2, "low": 0.2, "high": 0.2}},
          {"fromDay": 3, "toDay": 7, "days": 4, "rows": 9216, "blockedRate": 0.06,
           "meanForecast": 0.07, "skillOverOwnRate": {"value": 0.3, "low": 0.15, "high": 0.45}},
          {"fromDay": 14, "days": 9, "rows": 20736, "blockedRate": 0.08,
           "meanForecast": 0.09, "skillOverOwnRate": {"value": 0.35, "low": 0.3, "high": 0.375}}]}
        """

    /// The lines of a text with single blanks.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.split(separator: " ").joined(separator: " ")
        }
    }

    @Test func aBridgeHasALineForEachStageAndIntervalsFromEnoughDays() throws {
        let bridge = try JSONDecoder().decode(ColdBridge.self, from: Data(Self.bridge.utf8))
        let alone = lines(ColdStartText.text([bridge], together: [], leads: ["2", "30"]))
        // There is nothing at 30 minutes.
        #expect(alone.contains("Fremont 5.0 % 12 % 0.250 0.100 .. 0.400 0.500 - -0.125 LOW"))
        // A day has no interval; four have.
        #expect(alone.contains("Fremont 0 to 1 4.0 % 11 % 0.200 -"))
        #expect(alone.contains("Fremont 3 to 7 6.0 % 7.0 % 0.300 0.150 .. 0.450"))
        // The last goes on to the end of the period.
        #expect(alone.last == "Fremont 14 on 8.0 % 9.0 % 0.350 0.300 .. 0.375")
        #expect(!alone.contains { $0.hasPrefix("all ") })
        let together = lines(
            ColdStartText.text([bridge], together: [bridge.stages[1]], leads: ["2", "30"]))
        #expect(together.last == "all 3 to 7 6.0 % 7.0 % 0.300 0.150 .. 0.450")
    }
}
