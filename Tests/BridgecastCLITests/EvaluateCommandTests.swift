// `evaluate`: scores of periods, reports, refits and routes, and the periods that it cannot score.
import BridgecastTestSupport
import Foundation
import FoundationXML
import Testing

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
                ["evaluate", "--from", "2016-01-01", "--to", "2016-01-02"], home: home)
            #expect(early.code == 65 && early.errors.contains("no covered records before"))
            let reversed = try await CommandRun(
                ["evaluate", "--from", "2026-02-20", "--to", "2026-02-10"], home: home)
            #expect(reversed.code == 64)
        }
    }

    @Test func routesAreScoredOnPastDays() async throws {
        let run = try await run([
            "evaluate", "--routes", "--from", "2026-02-20", "--to", "2026-02-20", "--model",
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
