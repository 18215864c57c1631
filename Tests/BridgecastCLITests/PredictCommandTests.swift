import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct PredictCommandTests {
    @Test func withoutArgumentsItShowsBridgesAndCommutesOnOneScreen() async throws {
        try await withHome { home in
            let run = try await CommandRun(process: [], home: home)
            #expect(run.code == 0)
            let lines = run.output.trimmingCharacters(in: .newlines)
                .split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 30, "\(run.output)")
            func line(_ texts: String...) throws -> Int {
                try #require(
                    lines.firstIndex { line in texts.allSatisfy { line.contains($0) } },
                    "\(texts) in \(run.output)")
            }
            // Bridges first.
            let commutes = try line("from", "best route", "next best")
            for bridge in BridgeCatalogue.seattle {
                #expect(try line("  \(bridge.name) ", "unknown") < commutes)
            }
            _ = try line("West Seattle", "SoDo (bike)", "Lower Spokane St Bridge")
            // The records end before the present: that has to be said.
            #expect(run.errors.contains("The forecast is climatology"))
            #expect(!FileManager.default.fileExists(atPath: home.path + "/.local"))
        }
    }

    /// At night hardly any bridge matters, so the hour is given.
    @Test func commutesOverDrawbridgesComeBeforeThoseWithout() async throws {
        try await withHome { home in
            let run = try await CommandRun(["predict", "--at", "2026-02-20T17:05"], home: home)
            let lines = run.output.split(separator: "\n")
            let over = lines.firstIndex { $0.contains("White Center") && $0.contains("1st Ave S") }
            let without = lines.firstIndex {
                $0.contains("West Seattle  ") && $0.contains("West Seattle Bridge")
            }
            #expect(try #require(over) < #require(without), "\(run.output)")
        }
    }

    @Test func aDeadlineShowsTheChanceOfBeingOnTimeForEveryCommute() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                ["predict", "--at", "2026-02-20T18:05", "--arrive-by", "19:00"], home: home)
            let headers = run.output.split(separator: "\n").filter { $0.contains("on time") }
            #expect(run.code == 0 && headers.count == 12, "\(run.output)")
            #expect(run.output.contains("to be there by Fri 2026-02-20 19:00 PST"))
        }
    }

    /// A time of day that has just passed is tomorrow's, at which everybody is in time.
    @Test func aDeadlineThatHasJustPassedIsNotTomorrows() async throws {
        try await withHome { home in
            for command in ["predict", "depart"] {
                let trip = [
                    command, "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02",
                ]
                let passed = try await CommandRun(trip + ["--arrive-by", "18:00"], home: home)
                #expect(passed.code == 64 && passed.output.isEmpty)
                #expect(passed.errors.contains("24 hours after"), "\(passed.errors)")
                #expect(passed.errors.contains("2026-02-21T18:00"))
            }
            let planned = try await CommandRun(
                [
                    "depart", "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T20:00",
                    "--arrive-by", "9:00",
                ], home: home)
            #expect(planned.code == 0, "\(planned.errors)")
            #expect(planned.output.contains("there by Sat 2026-02-21 09:00 PST"))
        }
    }

    @Test func aRaisedBridgeChangesTheRankingAndIsNamed() async throws {
        try await withHome { home in
            let live = try write(
                "{\"bridges\":[{\"bridge\":\"Ballard\",\"state\":\"raised\",\"since\":\"2026-02-20T12:00\"}]}",
                "live.json", in: home)
            let arguments = [
                "--at", "2026-02-20T12:01", "--only", "ballard-downtown", "--format", "json",
            ]
            let calm = try document(try await CommandRun(arguments, home: home))
            let raised = try document(
                try await CommandRun(arguments + ["--live", live], home: home))
            #expect(calm.groups[0].routes[0].crossings.map(\.bridge) == ["Ballard"])
            #expect(raised.groups[0].routes[0].crossings.isEmpty)
            let chance = { (d: Document) in
                d.groups[0].routes.flatMap(\.crossings).map(\.probabilityStopped).max() ?? 0
            }
            #expect(chance(raised) > 0.7 && chance(calm) < 0.5)
            let reasons = raised.groups[0].routes.flatMap(\.crossings).flatMap(\.reasons)
            #expect(
                reasons.contains {
                    $0.code == "raised_for" && $0.text == "Ballard has been raised for 1 min"
                })
            #expect(raised.issueTime == "2026-02-20T12:01:00-08:00")
        }
    }

    @Test func jsonCarriesEverythingAForecastNeeds() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                ["--at", "2026-02-20T18:05", "--format", "json"], home: home)
            let document = try document(run)
            #expect(document.groups.count == 12)
            let crossed = Set(
                document.groups.flatMap(\.routes).flatMap(\.crossings).map(\.bridge))
            #expect(crossed.count == BridgeCatalogue.count)
            for group in document.groups {
                #expect((1...4).contains(group.routes.count))
                #expect(group.routes.map(\.rank) == Array(1...group.routes.count))
                let scores = group.routes.map(\.score)
                #expect(scores == scores.sorted())
                for crossing in group.routes.flatMap(\.crossings) {
                    #expect((0...1).contains(crossing.probabilityStopped))
                    #expect(abs(crossing.delayBins.reduce(0, +) - 1) < 1e-4)
                    #expect(["HIGH", "MEDIUM", "LOW"].contains(crossing.confidence))
                    #expect(!crossing.reasons.isEmpty && crossing.leadTimeS >= 0)
                }
            }
        }
    }

    @Test func csvHasOneLinePerRoute() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                ["--at", "2026-02-20T18:05", "--only", "ballard-downtown", "--format", "csv"],
                home: home)
            let lines = run.output.split(separator: "\n")
            #expect(run.code == 0 && lines.first?.hasPrefix("origin,destination,mode,rank") == true)
            let rows = lines.dropFirst().map { $0.split(separator: ",").prefix(4) }
            for mode in ["car", "bike"] {
                let ranks = rows.filter { $0[2] == mode }.map { String($0[3]) }
                #expect(ranks.count > 1 && ranks == (1...ranks.count).map(String.init))
            }
        }
    }

    @Test func predictExplainsWhatMovedTheChance() async throws {
        try await withHome { home in
            let arguments = ["--at", "2026-02-20T18:02", "--only", "Ballard"]
            let plain = try await CommandRun(["predict"] + arguments, home: home)
            let run = try await CommandRun(["predict", "--explain"] + arguments, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("factors of the odds:"))
            #expect(run.output.contains("time and rules") && !plain.output.contains("factors"))
            let document = try await CommandRun(
                ["predict", "--explain", "--format", "json"] + arguments, home: home)
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any])
            let groups = try #require(object["groups"] as? [[String: Any]])
            let routes = groups.flatMap { $0["routes"] as? [[String: Any]] ?? [] }
            let crossings = routes.flatMap { $0["crossings"] as? [[String: Any]] ?? [] }
            var isInWords = 0
            for crossing in crossings {
                let explanation = try #require(crossing["explanation"] as? [String: Any])
                let usual = try #require(explanation["climatology_probability_stopped"] as? Double)
                let found = try #require(explanation["probability_stopped"] as? Double)
                let parts = try #require(explanation["parts"] as? [[String: Any]])
                // The table's figure and the explanation's are one.
                #expect(crossing["probability_stopped"] as? Double == found)
                if explanation["certainty"] is String {
                    isInWords += 1
                    #expect(parts.isEmpty && found > 0.9)
                    continue
                }
                #expect(parts.contains { $0["cause"] as? String == "arrival" })
                let sum = parts.reduce(0) { $0 + ($1["log_odds"] as? Double ?? .nan) }
                let odds = log(found / (1 - found)) - log(usual / (1 - usual))
                // Chances have five decimals.
                #expect(abs(sum - odds) < 1e-5 * (1 / found + 1 / usual + 10))
            }
            // Ballard is up; what is ahead of the others is a matter of chance.
            #expect(isInWords > 0 && crossings.count > isInWords)
        }
    }

    @Test func trafficIsTakenFromMeasurementsToo() async throws {
        try await withHome { home in
            let base = ["predict", "--at", "2026-02-20T12:00", "--only", "Ballard"]
            /// Seconds that are lost at Ballard Bridge on average.
            func delay(_ options: [String]) async throws -> Double {
                let run = try await CommandRun(base + ["--format", "json"] + options, home: home)
                let crossings = try document(run).groups.flatMap(\.routes).flatMap(\.crossings)
                return try #require(crossings.first { $0.bridge == "Ballard" }).delayS.mean
            }
            // 95 s where 60 are free flow: (0.583 / 0.15)^(1/4) = 1.40, cut at 0.95; 2,400 of 7,600 an hour.
            let byDensity = try await delay(["--traffic", "Ballard=0.95"])
            #expect(try await delay(["--traffic", "Ballard=95s/60s"]) == byDensity)
            let byVolume = try await delay(["--traffic", "Ballard=2400vph"])
            #expect(byVolume > 1 && byVolume < byDensity)
            #expect(try await delay(["--traffic", "Ballard=0.0"]) < byVolume)
            #expect(try await delay(["--traffic", "Fremont=0.95"]) == (try await delay([])))
            for text in [
                "Ballard=95s/0s", "Ballard=95/60", "Ballard=-3vph", "Ballard=1.2", "x=1s/1s",
            ] {
                let run = try await CommandRun(base + ["--traffic", text], home: home)
                #expect(run.code == 64 && run.errors.contains("--traffic"), "\(text)")
            }
        }
    }

    private struct Document: Decodable {
        struct Crossing: Decodable {
            struct Delay: Decodable { let mean: Double }

            struct Reason: Decodable {
                let code: String
                let text: String
            }

            let bridge: String
            let delayS: Delay
            let probabilityStopped: Double
            let delayBins: [Double]
            let confidence: String
            let reasons: [Reason]
            let leadTimeS: Double
        }

        struct Entry: Decodable {
            let rank: Int
            let id: String
            let score: Double
            let crossings: [Crossing]
        }

        struct Group: Decodable { let routes: [Entry] }

        let issueTime: String
        let groups: [Group]
    }

    private func document(_ run: CommandRun) throws -> Document {
        #expect(run.code == 0, "\(run.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Document.self, from: Data(run.output.utf8))
    }
}

@Suite struct PredictRefusalTests {
    @Test(arguments: [
        (["--at", "2025-11-02T01:30"], "happened twice"),
        (["--at", "2026-03-08T02:30"], "never happened"),
        (["--at", "tomorrow"], "is not a time"), (["--traffic", "1.5"], "from 0 to below 1"),
        (["--traffic", "Aurora=0.5"], "unknown bridge"), (["--weights", "fun=1"], "--weights"),
        (["--only", "nowhere"], "--only"), (["--format", "yaml"], "yaml"),
        (["--at", "2099-01-01T00:00"], "366 days"),
        (["--nonsense"], "unknown option"),
    ]) func wrongArgumentsAreUsageErrors(_ example: ([String], String)) async throws {
        try await withHome { home in
            let run = try await CommandRun(["predict"] + example.0, home: home)
            #expect(run.code == 64, "\(run.errors)")
            #expect(run.errors.contains(example.1), "\(run.errors)")
            #expect(run.output.isEmpty)
        }
    }

    @Test func badFilesHaveTheirOwnMessagesAndCodes() async throws {
        try await withHome { home in
            let bad = try write("{\"routes\":[{\"id\":\"a\"}]}", "bad.json", in: home)
            let bytes = try Data(contentsOf: Fixtures.model("bridgecast.int8.bcm"))
            let cut = home.appendingPathComponent("cut.bcm")
            try bytes.dropLast(1000).write(to: cut)
            var newer = bytes
            newer[8] = 9
            let future = home.appendingPathComponent("newer.bcm")
            try newer.write(to: future)
            for (arguments, code, message) in [
                (["--routes", bad], 65, "routes[0].name: is missing"),
                (["--routes", home.path + "/none.json"], 66, "no such file"),
                (["--live", bad], 65, "expected GetBridgeData"),
                (["--model", cut.path], 65, "damaged"),
                (["--model", future.path], 65, "update bridgecast"),
                (["--model", bad], 65, "not a Bridgecast model"),
                (["--model", home.path + "/none.bcm"], 66, "no such file"),
                (["--history", home.path + "/none.sqlite"], 66, "no such store"),
                (["--history", bad], 65, "not a history store"),
            ] {
                let run = try await CommandRun(["predict"] + arguments, home: home)
                #expect(run.code == Int32(code), "\(arguments): \(run.errors)")
                #expect(run.errors.contains(message), "\(arguments): \(run.errors)")
                #expect(run.output.isEmpty)
            }
        }
    }
}
