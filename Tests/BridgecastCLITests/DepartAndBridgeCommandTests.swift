import Foundation
import Testing

@Suite struct DepartAndBridgeCommandTests: RunsCommands {
    @Test func departRecommendsATimeToLeave() async throws {
        let arguments = [
            "depart", "--from", "Fremont", "--to", "Downtown", "--at", "2026-02-20T07:30",
            "--arrive-by", "09:00", "--confidence", "0.9",
        ]
        let table = try await run(arguments)
        #expect(table.code == 0, "\(table.errors)")
        #expect(table.output.contains("Leave 07:30") && table.output.contains("Leave 07:40"))
        #expect(
            table.output.contains("leave by")
                && ["▇", "█"].contains { table.output.contains("on time  \($0)") })
        let document = try document(try await run(arguments + ["--format", "json"]))
        let latest = try #require(document["latest"] as? [[String: Any]])
        #expect(latest.allSatisfy { $0["probability_on_time"] as? Double ?? 0 >= 0.9 })
        let points = try #require(document["points"] as? [[String: Any]])
        #expect(
            points.count == 18
                && (points[0]["departure"] as? String)?.hasPrefix("2026-02-20T07:30") == true)
        #expect((document["arrive_by"] as? String)?.hasPrefix("2026-02-20T09:00") == true)
        for (wrong, message) in [
            (["--arrive-by", "2026-02-20T07:33"], "cannot be met"),
            (["--confidence", "1.2"], "--confidence"),
            (["--arrive-by", "25:00"], "not a time"),
        ] {
            let run = try await run(arguments + wrong)
            #expect(run.code == 64 && run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test func aBridgeShowsItsHoursRulesAndClearance() async throws {
        let high = try await run([
            "bridge", "fremont", "--at", "2026-02-20T17:40", "--vessel-height", "45",
        ])
        #expect(high.code == 0, "\(high.errors)")
        for words in [
            "30.0 ft", "07:00 to 09:00 and 16:00 to 18:00", "needs an opening (15 ft too high)",
            "until 18:00", "1 h notice",
        ] {
            #expect(high.output.contains(words), "\(words)")
        }
        // The two chances are of the same thing, as in JSON.
        #expect(high.output.contains(/arrive +stopped +usually +delay +P95/), "\(high.output)")
        let ten = try #require(high.output.firstMatch(of: /18:00 +([0-9.]+) % +([0-9.]+) %/))
        let entry = try #require(
            (try document(
                try await run([
                    "bridge", "fremont", "--at", "2026-02-20T17:40", "--format", "json",
                ]))["outlook"] as? [[String: Any]])?.first {
                    ($0["valid_time"] as? String)?.contains("18:00") == true
                })
        let usual = try #require(entry["climatology_probability_stopped"] as? Double)
        #expect(abs((Double(ten.2) ?? -1) / 100 - usual) < 0.006, "\(ten.output) \(usual)")
        let low = try await run([
            "bridge", "Fremont", "--at", "2026-02-22T12:00", "--vessel-height", "8m",
        ])
        #expect(
            low.output.contains("passes under it") && low.output.contains("no closed hours today"))
        let document = try document(
            try await run([
                "bridge", "6", "--at", "2026-02-20T12:00", "--format", "json", "--vessel-height",
                "60ft",
            ]))
        #expect(
            document["state"] as? String == "unknown"
                && document["vessel_needs_opening"] as? Bool == true)
        // Every five minutes for two hours, then every quarter of an hour.
        let outlook = try #require(document["outlook"] as? [[String: Any]])
        #expect(outlook.count == 29)
        // The bridge has no sensor; for an hour its neighbours' states tell something of it.
        #expect(outlook.last?["basis"] as? String == "calendar")
        #expect(
            outlook.allSatisfy {
                (0...1).contains($0["climatology_probability_stopped"] as? Double ?? -1)
            })
        #expect((document["delay_quantiles_s"] as? [Double])?.count == 20)
        #expect(document["generated_at"] is String && document["sources"] is [Any])
        for wrong in [
            ["bridge", "Tower"], ["bridge", "Fremont", "--vessel-height", "tall"],
            ["bridge", "Fremont", "--hours", "99"], ["bridge"],
        ] {
            #expect(try await run(wrong).code == 64)
        }
    }
}
