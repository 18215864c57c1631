import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing

/// `favourite forecast`, `remind` and `stats --learned`, on a commute of two weeks that takes longer than forecast.
@Suite struct ReminderCommandTests: RunsCommands {
    /// A journal with a favourite commute and nine journeys of 24 minutes on it, each begun at 8:05.
    ///
    /// The person has agreed that something is learned from them.
    private func commute(in home: URL) async throws {
        try await run(["settings", "set", "--keep-history"], home)
        try await run(
            ["favourite", "add", "commute", "--from", "Ballard", "--to", "Downtown"], home)
        for day in [9, 10, 11, 12, 13, 17, 18, 19, 20] {
            let date = "2026-02-\(day < 10 ? "0" : "")\(day)"
            try await run(["journey", "start", "commute", "--at", "\(date)T08:05"], home)
            try await run(["journey", "stop", "--at", "\(date)T08:29", "--no-stopped"], home)
        }
    }

    @discardableResult
    private func run(_ arguments: [String], _ home: URL) async throws -> CommandRun {
        let run = try await CommandRun(arguments, home: home)
        #expect(run.code == 0, "\(arguments): \(run.errors)")
        return run
    }

    private func routes(_ run: CommandRun, _ list: String) throws -> [[String: Any]] {
        try #require(try document(run)[list] as? [[String: Any]])
    }

    @Test func aFavouriteIsForecastWithWhatItsJourneysTaughtAndNoLaterOnes() async throws {
        try await withHome { home in
            try await commute(in: home)
            let evening = "2026-02-20T17:30"
            let text = try await run(["favourite", "forecast", "commute", "--at", evening], home)
            #expect(text.output.contains("Learned from 9 journeys: on the road "))
            #expect(text.output.contains("% longer."), "\(text.output)")
            let json = try await run(
                ["favourite", "forecast", "commute", "--at", evening, "--format", "json"], home)
            let first = try #require(try routes(json, "routes").first)
            let learned = try #require(first["expected_s"] as? Double)
            let plain = try #require(first["forecast_expected_s"] as? Double)
            let change = try #require(try document(json)["change"] as? Double)
            #expect(change > 0.05 && change < 0.2)
            // The delay at the bridge is not stretched.
            #expect(learned > plain * (1 + change) - 15 && learned < plain * (1 + change) + 5)
            let predicted = try document(
                try await run(
                    [
                        "predict", "--from", "Ballard", "--to", "Downtown", "--at", evening,
                        "--format", "json",
                    ], home))
            let groups = try #require(predicted["groups"] as? [[String: Any]])
            let ranked = try #require(groups.first?["routes"] as? [[String: Any]])
            let means = ranked.compactMap { ($0["travel_s"] as? [String: Any])?["mean"] as? Double }
            #expect(means.contains(plain), "\(plain), \(means)")
            // At the start of the third day only two had ended.
            let early = try await run(
                [
                    "favourite", "forecast", "commute", "--at", "2026-02-11T08:05", "--format",
                    "json",
                ], home)
            #expect(try document(early)["learned_from"] as? Int == 2)
            // The end of one was entered three hours late.
            try await run(["journey", "start", "commute", "--at", "2026-02-20T12:00"], home)
            try await run(["journey", "stop", "--at", "2026-02-20T15:00", "--no-stopped"], home)
            let forgotten = try await run(
                ["favourite", "forecast", "commute", "--at", evening], home)
            #expect(
                forgotten.output.contains("9 journeys") && forgotten.output.contains("; 1 left"))
            let none = try await run(
                ["favourite", "forecast", "commute", "--at", "2026-02-09T08:00"], home)
            #expect(none.output.contains("Nothing is learned yet"))
        }
    }

    @Test(arguments: [
        ("Nowhereville", "Downtown", "Nowhereville"), ("Ballard", "Ballard", "the same place"),
        ("47°40'05\"N 122°23'02\"W", "Downtown", "122"), ("N47.668 W122.384", "Downtown", "W122"),
        ("47,668 -122,384", "Downtown", "47,668"),
    ])
    func aFavouriteOfPlacesThatTheRoadsDoNotHaveIsRefusedAsByPredict(
        from: String, to: String, named: String
    ) async throws {
        try await withHome { home in
            let refused = try await CommandRun(
                ["favourite", "add", "x", "--from", from, "--to", to], home: home)
            let predicted = try await CommandRun(
                ["predict", "--from", from, "--to", to, "--at", "2026-02-20T17:30"], home: home)
            #expect(refused.code == predicted.code && refused.code != 0)
            #expect(refused.errors == predicted.errors && refused.errors.contains(named))
            #expect(try await run(["favourite", "list"], home).output == "No favourites.\n")
        }
    }

    /// The roads may have had a place when the favourite was added.
    @Test func aReminderThatCannotBeForecastIsALineAmongTheOthers() async throws {
        try await withHome { home in
            let url = home.appendingPathComponent(".local/share/bridgecast/journeys.sqlite")
            let store = try JourneyStore(url, .writing)
            for (name, from) in [("lost", "Nowhereville"), ("work", "Ballard")] {
                try store.add(
                    Favourite(
                        id: name, name: name,
                        target: .trip(from: from, to: "Downtown", mode: .car)))
                _ = try store.add(
                    Reminder(
                        id: name, favourite: name, minuteOfDay: 540, weekdays: .daily,
                        zone: "America/Los_Angeles"))
            }
            store.close()
            let next = ["remind", "next", "--at", "2026-02-20T20:00"]
            let text = try await run(next, home)
            #expect(text.output.contains(/\nlost, Sat .*, is not forecast: .*Nowhereville/))
            #expect(text.output.contains(/\nSat 2026-02-21 .* work +Sat/))
            let json = try routes(try await run(next + ["--format", "json"], home), "reminders")
            let lost = try #require(json.first { $0["favourite"] as? String == "lost" })
            #expect((lost["problem"] as? String)?.contains("Nowhereville") == true)
            #expect(lost["leave_by"] is NSNull && lost["deadline"] is String)
            let work = try #require(json.first { $0["favourite"] as? String == "work" })
            #expect(work["problem"] is NSNull && work["leave_by"] is String)
        }
    }

    @Test func theSameReminderAgainIsTheOneThatIsThere() async throws {
        try await withHome { home in
            try await run(["favourite", "add", "bus", "--line", "44", "--stop", "1"], home)
            let words = ["remind", "add", "bus", "--catching", "8:40", "--lead", "90s"]
            let first = try await run(words, home)
            let again = try await run(words, home)
            #expect(first.output == again.output && again.output.contains("1.5 min before"))
            #expect(again.errors.contains("is there already, and not added again"))
        }
    }

    @Test func oneWhoTakesLongerLeavesEarlier() async throws {
        try await withHome { home in
            try await commute(in: home)
            let run = try await run(
                [
                    "favourite", "forecast", "commute", "--at", "2026-02-20T20:00", "--by",
                    "2026-02-23T09:00", "--sure", "50%", "--format", "json",
                ], home)
            let best = try #require(try routes(run, "latest").first)
            let learned = try TimeText.parse(try #require(best["departure"] as? String))
            let plain = try TimeText.parse(try #require(best["forecast_departure"] as? String))
            #expect(learned < plain && plain.minutes(since: learned) <= 5)
            let start = try await self.run(
                ["journey", "start", "commute", "--at", "2026-02-20T20:00"], home)
            #expect(start.output.contains("Learned from 9 journeys"))
        }
    }

    @Test func theNextDeadlinesHaveTheirTimesToLeave() async throws {
        try await withHome { home in
            try await commute(in: home)
            try await run(["favourite", "add", "bus", "--line", "44", "--stop", "1_29240"], home)
            let added = try await run(["remind", "add", "commute", "--by", "9:00"], home)
            #expect(
                added.output.contains(
                    "commute, there by 09:00, 90 % sure, mon+tue+wed+thu+fri; 5 min before leaving")
            )
            try await run(
                ["remind", "add", "bus", "--catching", "8:40", "--walk", "6", "--days", "mon"], home
            )
            let friday = ["remind", "next", "--at", "2026-02-20T20:00", "--format", "json"]
            let next = try routes(try await run(friday, home), "reminders")
            #expect(next.map { $0["favourite"] as? String } == ["bus", "commute"])
            #expect(next[0]["leave_by"] as? String == "2026-02-23T08:34:00-08:00")
            #expect(next[0]["announce_at"] as? String == "2026-02-23T08:29:00-08:00")
            #expect(next[1]["deadline"] as? String == "2026-02-23T09:00:00-08:00")
            #expect(next[1]["learned_from"] as? Int == 9)
            // The curve of `favourite forecast` says the same, to a minute.
            let curve = try await run(
                [
                    "favourite", "forecast", "commute", "--at", "2026-02-20T20:00", "--by",
                    "2026-02-23T09:00", "--format", "json",
                ], home)
            let latest = try #require(try routes(curve, "latest").first?["departure"] as? String)
            let own = try TimeText.parse(try #require(next[1]["leave_by"] as? String))
            #expect(abs(own.minutes(since: try TimeText.parse(latest))) <= 1)
            let text = try await run(["remind", "next", "--at", "2026-02-20T20:00"], home)
            #expect(text.output.contains("line 44") && text.output.contains("% longer"))
            let late = try await run(["remind", "next", "--at", "2026-02-23T08:50"], home)
            #expect(late.output.contains("too late"), "\(late.output)")
        }
    }

    @Test func remindersAreListedSwitchedOffExportedAndRemoved() async throws {
        try await withHome { home in
            try await run(
                ["favourite", "add", "commute", "--from", "Ballard", "--to", "Downtown"], home)
            try await run(
                [
                    "remind", "add", "commute", "--by", "9am", "--days", "sat,sun", "--zone",
                    "America/Denver", "--lead", "10", "--sure", "0.8",
                ], home)
            let sure = try await run(
                ["remind", "add", "commute", "--by", "10:00", "--sure", "99.9%"], home)
            #expect(sure.output.contains("99.9 % sure"))
            try await run(["remind", "remove", String(sure.output.prefix(8))], home)
            let list = try document(try await run(["remind", "list", "--format", "json"], home))
            let reminder = try #require((list["reminders"] as? [[String: Any]])?.first)
            #expect(reminder["lead_s"] as? Int == 600 && reminder["days"] as? String == "sat+sun")
            #expect(reminder["zone"] as? String == "America/Denver")
            let id = try #require(reminder["id"] as? String)
            let off = try await run(["remind", "set", String(id.prefix(8)), "--no-on"], home)
            #expect(off.output.contains("; off"))
            let next = try await run(["remind", "next", "--at", "2026-02-20T20:00"], home)
            #expect(next.output == "No reminders are on.\n")
            let file = home.path + "/export.json"
            let export = try await run(["journey", "export", "-o", file], home)
            #expect(export.errors.contains("1 favourite and 1 reminder written"))
            let other = home.path + "/other.sqlite"
            let imported = try await run(["journey", "import", file, "--journal", other], home)
            #expect(imported.output.contains("1 favourite, 1 reminder\n"))
            let table = try await run(["remind", "list", "--journal", other], home)
            #expect(
                table.output.contains("there by 09:00, 80 % sure") && table.output.contains("off"))
            try await run(["remind", "remove", id], home)
            #expect(try await run(["remind", "list"], home).output == "No reminders.\n")
        }
    }

    @Test func mistakesHaveTheirExitCodes() async throws {
        try await withHome { home in
            let missing = try await CommandRun(["remind", "list"], home: home)
            #expect(missing.code == 66)
            try await run(
                ["favourite", "add", "commute", "--from", "Ballard", "--to", "Downtown"], home)
            try await run(["favourite", "add", "bus", "--line", "44", "--stop", "1_29240"], home)
            for arguments in [
                ["remind", "add", "commute"], ["remind", "add", "gone", "--by", "9:00"],
                ["remind", "add", "commute", "--by", "25:00"],
                ["remind", "add", "commute", "--by", "9:00", "--days", "someday"],
                ["remind", "add", "commute", "--by", "9:00", "--sure", "1.5"],
                ["remind", "add", "commute", "--by", "9:00", "--lead", "500"],
                ["remind", "add", "commute", "--by", "9:00", "--zone", "Mars/Base"],
                ["remind", "add", "commute", "--by", "9:00", "--walk", "3"],
                ["remind", "add", "commute", "--catching", "9:00"],
                ["remind", "add", "bus", "--by", "9:00"], ["remind", "remove", "x"],
                ["remind", "set", "x", "--on"], ["remind", "set", "x"],
                ["favourite", "forecast", "bus"], ["favourite", "forecast", "gone"],
                ["favourite", "forecast", "commute", "--sure", "0"],
            ] {
                let run = try await CommandRun(arguments, home: home)
                #expect(run.code == 64, "\(arguments): \(run.errors)")
                #expect(!run.errors.isEmpty)
            }
        }
    }

    @Test func whatWasLearnedIsScoredByTheJourneysBefore() async throws {
        try await withHome { home in
            try await commute(in: home)
            let text = try await run(["stats", "--learned", "--range", "all"], home)
            #expect(text.output.contains("Ballard -> Downtown") && text.output.contains("% longer"))
            let route = try #require(
                try routes(
                    try await run(
                        ["stats", "--learned", "--range", "all", "--format", "json"], home),
                    "routes"
                ).first)
            let plain = try #require(route["forecast"] as? [String: Any])
            let learned = try #require(route["learned"] as? [String: Any])
            let before = try #require(plain["mean_absolute_error_min"] as? Double)
            let after = try #require(learned["mean_absolute_error_min"] as? Double)
            #expect(after < before && route["journeys"] as? Int == 9)
            let none = try await run(["stats", "--learned", "--range", "week"], home)
            #expect(none.output.contains("No journeys with a forecast"))
        }
    }

    /// A month of simulated commutes: one who is slower gains, one who travels as forecast loses little.
    @Test func learningIsScoredOnSimulatedCommutes() async throws {
        try await withHome { home in
            let results = try JSONSerialization.jsonObject(
                with: Data(
                    try await run(
                        [
                            "evaluate", "--learned", "--from", "2016-04-01", "--to", "2016-05-31",
                            "--format", "json",
                        ], home
                    ).output.utf8))
            let people = try #require(results as? [[String: Any]])
            func change(_ name: String) throws -> Double {
                let person = try #require(people.first { $0["person"] as? String == name })
                return try #require(person["change"] as? Double)
            }
            #expect(try change("15 % slower") < -0.05)
            #expect(try change("10 % quicker") < -0.05)
            #expect(try abs(change("as forecast")) < 0.02)
        }
    }
}
