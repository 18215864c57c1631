// The commands as a user runs them: output, exit codes, and what they leave on disk.
import ArgumentParser
@testable import BridgecastCLI
import BridgecastEngine
import BridgecastTraining
import BridgecastServerCLI
import BridgecastTestSupport
import Foundation
import FoundationXML
import Testing

@Suite struct CommandTests {
    private func write(_ text: String, _ name: String, in home: URL) throws -> String {
        let url = home.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    // MARK: predict

    @Test func withoutArgumentsItRanksTheShippedCommutes() async throws {
        try await withHome { home in
            let run = try await CommandRun(process: [], home: home)
            #expect(run.code == 0)
            #expect(run.output.contains("Ballard, NW Market St -> Downtown, 3rd Ave and Pike St"))
            for bridge in ["Aurora", "I-5 Ship Canal", "West Seattle High"] {
                #expect(run.output.contains(bridge))
            }
            // The records end before the present: that has to be said.
            #expect(run.errors.contains("The forecast is climatology"))
            #expect(!FileManager.default.fileExists(atPath: home.path + "/.local"))
        }
    }

    @Test func aRaisedBridgeChangesTheRankingAndIsNamed() async throws {
        try await withHome { home in
            let live = try write(
                "{\"bridges\":[{\"bridge\":\"Fremont\",\"state\":\"raised\",\"since\":\"2026-02-20T12:00\"}]}",
                "live.json", in: home)
            let arguments = [
                "--at", "2026-02-20T12:01", "--only", "fremont-slu", "--format", "json",
            ]
            let calm = try document(try await CommandRun(arguments, home: home))
            let raised = try document(
                try await CommandRun(arguments + ["--live", live], home: home))
            #expect(calm.groups[0].routes[0].id == "fremont-slu-fremont-bridge")
            let chance = { (d: Document) in
                d.groups[0].routes.flatMap(\.crossings).map(\.probabilityStopped).max() ?? 0
            }
            #expect(chance(raised) > 0.7 && chance(calm) < 0.5)
            let reasons = raised.groups[0].routes.flatMap(\.crossings).flatMap(\.reasons)
            #expect(reasons.contains { $0.contains("Fremont has been raised for 1 min") })
            #expect(raised.issueTime == "2026-02-20T12:01:00-08:00")
        }
    }

    @Test func jsonCarriesEverythingAForecastNeeds() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                ["--at", "2026-02-20T18:05", "--format", "json"], home: home)
            let document = try document(run)
            #expect(document.groups.count >= 8)
            for group in document.groups {
                #expect((2...4).contains(group.routes.count))
                #expect(group.routes.map(\.rank) == Array(1...group.routes.count))
                let scores = group.routes.map(\.score)
                #expect(scores == scores.sorted())
                for crossing in group.routes.flatMap(\.crossings) {
                    #expect((0...1).contains(crossing.probabilityStopped))
                    #expect(abs(crossing.delayBins.reduce(0, +) - 1) < 1e-6)
                    #expect(["HIGH", "MEDIUM", "LOW"].contains(crossing.confidence))
                    #expect(!crossing.reasons.isEmpty && crossing.leadTimeS >= 0)
                }
            }
        }
    }

    @Test func csvHasOneLinePerRoute() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                ["--at", "2026-02-20T18:05", "--only", "ballard-downtown-", "--format", "csv"],
                home: home)
            let lines = run.output.split(separator: "\n")
            #expect(run.code == 0 && lines.first?.hasPrefix("origin,destination,mode,rank") == true)
            #expect(lines.count == 7)
        }
    }

    @Test(arguments: [
        (["--at", "2025-11-02T01:30"], "happened twice"),
        (["--at", "2026-03-08T02:30"], "never happened"),
        (["--at", "tomorrow"], "is not a time"), (["--traffic", "1.5"], "0 ..< 1"),
        (["--traffic", "Aurora=0.5"], "unknown bridge"), (["--weights", "fun=1"], "--weights"),
        (["--only", "nowhere"], "--only"), (["--format", "yaml"], "yaml"),
        (["--at", "2099-01-01T00:00"], "366 days"),
        (["--nonsense"], "Unknown option"),
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

    // MARK: ingest

    @Test func ingestReportsAndPredictUsesTheStore() async throws {
        try await withHome { home in
            let coverage = Fixtures.trainingData("coverage.json").path
            let file = Fixtures.trainingData("openings-2025-2026.csv").path
            let run = try await CommandRun(["ingest", file, "--coverage", coverage], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("3245  rows read in all"))
            let store = home.path + "/.local/share/bridgecast/history.sqlite"
            #expect(FileManager.default.fileExists(atPath: store))
            let again = try await CommandRun(["ingest", file, "--format", "json"], home: home)
            #expect(again.output.contains("\"already_stored\" : 3245"))
            let predicted = try await CommandRun(
                ["--at", "2026-02-20T18:05", "--only", "fremont-slu"], home: home)
            #expect(predicted.output.contains("the state of 6 of 7 bridges is known"))
        }
    }

    @Test func aRefusedFileCostsTheOthersNothing() async throws {
        try await withHome { home in
            let good = Fixtures.trainingData("openings-2025-2026.csv").path
            let bad = try write("not records at all\n1\n", "bad.csv", in: home)
            let store = home.path + "/.local/share/bridgecast/history.sqlite"
            let useless = try write(
                "entityid,opendatetime,closedatetime\n99,2026-02-20T12:00:00,\n", "useless.csv",
                in: home)
            let alone = try await CommandRun(["ingest", bad, useless], home: home)
            #expect(alone.code == 65)
            #expect(alone.output.contains("1  rejected: unknown bridge"))
            #expect(alone.errors.contains("useless.csv: none of its 1 rows is usable"))
            #expect(!FileManager.default.fileExists(atPath: store))
            let run = try await CommandRun(
                ["ingest", bad, home.path + "/none.csv", good], home: home)
            // The code is that of the first refusal.
            #expect(run.code == 65 && run.output.contains("3245  rows read in all"))
            #expect(run.errors.contains("bad.csv") && run.errors.contains("none.csv"))
            #expect(run.errors.contains("1 of 3 files stored"))
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            #expect(try await CommandRun(["ingest", good, bad], home: home).code == 65)
            #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
            #expect(
                try await CommandRun(["ingest", home.path + "/none.csv"], home: home).code == 66)
        }
    }

    // MARK: evaluate, train, inspect

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
            _ = try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.appendingPathComponent("scores.json")))
        }
    }

    @Test func evaluateRefitsAtCutDatesAndWithoutABridge() async throws {
        try await withHome { home in
            for (arguments, problem) in [
                (["--refit-at", "2010-01-01"], "no covered records before"),
                (["--leave-out", "Golden Gate"], "unknown bridge 'Golden Gate'"),
                (["--refit-at", "yesterday"], "yesterday"),
                (["--refit-at", "2026-02-15", "--refit-days", "0"], "--refit-days"),
            ] {
                let run = try await CommandRun(["evaluate"] + arguments, home: home)
                #expect(run.code == 64 || run.code == 65, "\(arguments): \(run.code)")
                #expect(run.errors.contains(problem), "\(arguments): \(run.errors)")
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
                let usual = try #require(explanation["climatology_probability_delayed"] as? Double)
                let found = try #require(explanation["probability_delayed"] as? Double)
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
                #expect(abs(sum - odds) < 1e-6)
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

    @Test func trainWritesModelsThatInspectReads() async throws {
        try await withHome { home in
            let arguments = [
                "train", "--output", home.path + "/out", "--name", "small", "--teachers", "1",
                "--trees", "5", "--boosting-passes", "1", "--epochs", "1",
                "--minutes-between-issue-times", "240", "--hidden", "16,8",
            ]
            let run = try await CommandRun(arguments, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("teacher 1 done"))
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

    @Test func helpNamesEveryCommand() async throws {
        try await withHome { home in
            let run = try await CommandRun(["--help"], home: home)
            #expect(run.code == 0 && run.errors.isEmpty)
            let commands = BridgecastCommand.configuration.subcommands.compactMap {
                $0.configuration.commandName
            }
            #expect(commands.count == 14)
            for command in commands {
                #expect(run.output.contains("\n  \(command) "), "\(command)")
                for words in [[command, "--help"], ["help", command]] {
                    let own = try await CommandRun(words, home: home)
                    #expect(own.code == 0 && own.errors.isEmpty, "\(words)")
                    #expect(own.output.contains("USAGE: bridgecast \(command) "), "\(words)")
                }
            }
        }
    }

    /// What needs the network is the same in the list of commands, in the other program and in the script.
    @Test func theProgramsAgreeOnWhatNeedsTheNetwork() async throws {
        try await withHome { home in
            let names = { (root: any ParsableCommand.Type) in
                root.configuration.subcommands.map { $0.configuration.commandName ?? "" }
            }
            #expect(names(BridgecastCommand.self) == names(ServerCommand.self))
            let script = try String(
                contentsOf: Fixtures.checkout.appendingPathComponent("tools/bridgecast"),
                encoding: .utf8)
            for command in NetworkCommand.allCases.map(\.rawValue) {
                #expect(
                    script.contains("\"\(command) \"*") && script.contains("\"help \(command)\""))
                let run = try await CommandRun(
                    [command, "--seconds", "3"], of: BridgecastCommand.self, home: home)
                #expect(run.wordsOfServer == ["bridgecast-server", command, "--seconds", "3"])
            }
            let words = ["replay", "--bridges-url", "http://127.0.0.1:1/", "--speed", "9"]
            let run = try await CommandRun(words, of: BridgecastCommand.self, home: home)
            #expect(run.code == 0 && run.wordsOfServer == ["bridgecast-server"] + words)
        }
    }

    @Test(arguments: NetworkCommand.allCases)
    func whatTalksToANetworkIsAnotherProgramUnderTheSameName(_ command: NetworkCommand) async throws
    {
        try await withHome { home in
            for arguments in [[command.rawValue, "--help"], ["help", command.rawValue]] {
                let run = try await CommandRun(process: arguments, home: home)
                #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
                #expect(run.output.contains("USAGE: bridgecast \(command) "))
                #expect(run.output.contains(command.abstract.prefix(40)))
            }
            // Alone in a folder, and not on the path.
            let alone = home.appendingPathComponent("bridgecast")
            try FileManager.default.copyItem(at: try CommandRun.binary(), to: alone)
            let run = try await CommandRun(
                process: [command.rawValue], home: home, executable: alone.path)
            #expect(run.code == 69 && run.output.isEmpty)
            #expect(run.errors.contains("bridgecast-server") && run.errors.contains("--product"))
        }
    }

    @Test(arguments: [
        ["--help"], ["--at", "2026-02-20T12:00", "--only", "Ballard", "--format", "json"],
        ["replay", "--speed", "max", "--format", "lines"],
        ["replay", "--speed", "max", "--format", "ndjson"],
        ["inspect", Fixtures.model("bridgecast.int8.bcm").path],
    ])
    func outputThatCannotBeWrittenIsAFailure(_ arguments: [String]) async throws {
        try await withHome { home in
            let words = arguments.map { "'\($0)'" }.joined(separator: " ")
            let run = try await CommandRun(
                process: ["-c", "'\(try CommandRun.binary().path)' \(words) > /dev/full"],
                home: home,
                executable: "/bin/sh")
            #expect(run.code == 74, "\(run.errors)")
            #expect(run.errors.contains("standard output cannot be written: No space left"))
        }
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

    // MARK: JSON of predict

    private struct Document: Decodable {
        struct Crossing: Decodable {
            struct Delay: Decodable { let mean: Double }

            let bridge: String
            let delayS: Delay
            let probabilityStopped: Double
            let delayBins: [Double]
            let confidence: String
            let reasons: [String]
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
