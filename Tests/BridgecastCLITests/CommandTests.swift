// The command as a user runs it: output, exit codes, and what it leaves on disk.
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import FoundationXML
import Testing

/// A run of the built command.
struct CommandRun {
    let code: Int32
    let output: String
    let errors: String

    /// Runs `bridgecast` with a home of its own, so that no user's store is touched.
    init(_ arguments: [String], home: URL, executable: String? = nil) throws {
        let process = Process()
        process.executableURL = try executable.map { URL(fileURLWithPath: $0) } ?? Self.binary()
        process.arguments = arguments
        process.environment = [
            "HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path,
            "OPENBLAS_NUM_THREADS": "1", "TERM": "xterm",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Reads one pipe on another thread: a full pipe would block the command.
        let reader = DataReader(errors.fileHandleForReading)
        self.output = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.errors = String(decoding: reader.wait(), as: UTF8.self)
        process.waitUntilExit()
        code = process.terminationStatus
    }

    /// The build beside the tests.
    static func binary() throws -> URL {
        let builds = [".build/test/release", ".build/release", ".build/debug"]
        let found = builds.map { Fixtures.checkout.appendingPathComponent($0 + "/bridgecast") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw CocoaError(.fileNoSuchFile) }
        return found
    }
}

/// Reads a pipe to its end on a thread of its own.
private final class DataReader: @unchecked Sendable {
    // Guard: `data` is written before the semaphore is signalled and read after it is awaited.
    private var data = Data()
    private let done = DispatchSemaphore(value: 0)

    init(_ handle: FileHandle) {
        Thread.detachNewThread { [self] in
            data = handle.readDataToEndOfFile()
            done.signal()
        }
    }

    func wait() -> Data {
        done.wait()
        return data
    }
}

@Suite struct CommandTests {
    /// Runs a test with an empty home.
    private func withHome(_ body: (URL) throws -> Void) throws {
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        try body(home)
    }

    private func write(_ text: String, _ name: String, in home: URL) throws -> String {
        let url = home.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    // MARK: predict

    @Test func withoutArgumentsItRanksTheShippedCommutes() throws {
        try withHome { home in
            let run = try CommandRun([], home: home)
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

    @Test func aRaisedBridgeChangesTheRankingAndIsNamed() throws {
        try withHome { home in
            let live = try write(
                "{\"bridges\":[{\"bridge\":\"Fremont\",\"state\":\"raised\",\"since\":\"2026-02-20T12:00\"}]}",
                "live.json", in: home)
            let arguments = [
                "--at", "2026-02-20T12:01", "--only", "fremont-slu", "--format", "json",
            ]
            let calm = try document(CommandRun(arguments, home: home))
            let raised = try document(CommandRun(arguments + ["--live", live], home: home))
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

    @Test func jsonCarriesEverythingAForecastNeeds() throws {
        try withHome { home in
            let run = try CommandRun(
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

    @Test func csvHasOneLinePerRoute() throws {
        try withHome { home in
            let run = try CommandRun(
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
    ]) func wrongArgumentsAreUsageErrors(_ example: ([String], String)) throws {
        try withHome { home in
            let run = try CommandRun(["predict"] + example.0, home: home)
            #expect(run.code == 64, "\(run.errors)")
            #expect(run.errors.contains(example.1), "\(run.errors)")
            #expect(run.output.isEmpty)
        }
    }

    @Test func badFilesHaveTheirOwnMessagesAndCodes() throws {
        try withHome { home in
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
                let run = try CommandRun(["predict"] + arguments, home: home)
                #expect(run.code == Int32(code), "\(arguments): \(run.errors)")
                #expect(run.errors.contains(message), "\(arguments): \(run.errors)")
                #expect(run.output.isEmpty)
            }
        }
    }

    // MARK: ingest

    @Test func ingestReportsAndPredictUsesTheStore() throws {
        try withHome { home in
            let coverage = Fixtures.trainingData("coverage.json").path
            let file = Fixtures.trainingData("openings-2025-2026.csv").path
            let run = try CommandRun(["ingest", file, "--coverage", coverage], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("3245  rows read in all"))
            let store = home.path + "/.local/share/bridgecast/history.sqlite"
            #expect(FileManager.default.fileExists(atPath: store))
            let again = try CommandRun(["ingest", file, "--format", "json"], home: home)
            #expect(again.output.contains("\"already_stored\" : 3245"))
            let predicted = try CommandRun(
                ["--at", "2026-02-20T18:05", "--only", "fremont-slu"], home: home)
            #expect(predicted.output.contains("the state of 6 of 7 bridges is known"))
        }
    }

    @Test func aRefusedFileLeavesTheStoreAsItWas() throws {
        try withHome { home in
            let good = Fixtures.trainingData("openings-2025-2026.csv").path
            let bad = try write("not records at all\n1\n", "bad.csv", in: home)
            let store = home.path + "/.local/share/bridgecast/history.sqlite"
            let run = try CommandRun(["ingest", good, bad], home: home)
            #expect(run.code == 65 && run.errors.contains("bad.csv"))
            #expect(!FileManager.default.fileExists(atPath: store))
            #expect(try CommandRun(["ingest", good], home: home).code == 0)
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            #expect(try CommandRun(["ingest", good, bad], home: home).code == 65)
            #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
            #expect(try CommandRun(["ingest", home.path + "/none.csv"], home: home).code == 66)
        }
    }

    // MARK: evaluate, train, inspect

    @Test func evaluateScoresAnUnseenPeriodFromItsFilesAlone() throws {
        try withHome { home in
            let (records, coverage) = try lateFebruary(bridges: [2, 3, 21, 4, 1, 29], in: home)
            let run = try CommandRun(
                [
                    "evaluate", "--model", Fixtures.model("validation/bridgecast.int8.bcm").path,
                    "--records", records, "--coverage", coverage,
                    "--records", Fixtures.trainingData("openings-2025-2026.csv").path,
                    "--coverage", Fixtures.trainingData("coverage.json").path,
                    "--from", "2026-02-21", "--to", "2026-02-22", "--format", "json",
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

    @Test func evaluateWritesAReportThatAPersonCanRead() throws {
        try withHome { home in
            let folder = home.appendingPathComponent("report")
            let run = try CommandRun(
                [
                    "evaluate", "--model", Fixtures.model("validation/bridgecast.int8.bcm").path,
                    "--from", "2026-02-18", "--to", "2026-02-19", "--report", folder.path,
                ], home: home)
            #expect(run.code == 0, "\(run.errors)")
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

    @Test func evaluateRefitsAtCutDatesAndWithoutABridge() throws {
        try withHome { home in
            for (arguments, problem) in [
                (["--refit-at", "2010-01-01"], "no covered records before"),
                (["--leave-out", "Golden Gate"], "unknown bridge 'Golden Gate'"),
                (["--refit-at", "yesterday"], "yesterday"),
                (["--refit-at", "2026-02-15", "--refit-days", "0"], "--refit-days"),
            ] {
                let run = try CommandRun(["evaluate"] + arguments, home: home)
                #expect(run.code == 64 || run.code == 65, "\(arguments): \(run.code)")
                #expect(run.errors.contains(problem), "\(arguments): \(run.errors)")
            }
        }
    }

    @Test func predictExplainsWhatMovedTheChance() throws {
        try withHome { home in
            let arguments = ["--at", "2026-02-20T18:02", "--only", "Ballard"]
            let plain = try CommandRun(["predict"] + arguments, home: home)
            let run = try CommandRun(["predict", "--explain"] + arguments, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("factors of the odds:"))
            #expect(run.output.contains("time and rules") && !plain.output.contains("factors"))
            let document = try CommandRun(
                ["predict", "--explain", "--format", "json"] + arguments, home: home)
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any])
            let groups = try #require(object["groups"] as? [[String: Any]])
            let routes = groups.flatMap { $0["routes"] as? [[String: Any]] ?? [] }
            let crossings = routes.flatMap { $0["crossings"] as? [[String: Any]] ?? [] }
            #expect(!crossings.isEmpty)
            for crossing in crossings {
                let explanation = try #require(crossing["explanation"] as? [String: Any])
                let usual = try #require(explanation["climatology_probability_delayed"] as? Double)
                let found = try #require(explanation["probability_delayed"] as? Double)
                let parts = try #require(explanation["parts"] as? [[String: Any]])
                let sum = parts.reduce(0) { $0 + ($1["log_odds"] as? Double ?? .nan) }
                let odds = log(found / (1 - found)) - log(usual / (1 - usual))
                #expect(abs(sum - odds) < 1e-6)
            }
        }
    }

    @Test func trafficIsTakenFromMeasurementsToo() throws {
        try withHome { home in
            let base = ["predict", "--at", "2026-02-20T12:00", "--only", "Ballard"]
            for text in ["Ballard=95s/60s", "Ballard=2400vph", "Ballard=0.4"] {
                let run = try CommandRun(base + ["--traffic", text], home: home)
                #expect(run.code == 0, "\(text): \(run.errors)")
            }
            for text in [
                "Ballard=95s/0s", "Ballard=95/60", "Ballard=-3vph", "Ballard=1.2", "x=1s/1s",
            ] {
                let run = try CommandRun(base + ["--traffic", text], home: home)
                #expect(run.code == 64 && run.errors.contains("--traffic"), "\(text)")
            }
        }
    }

    @Test func evaluateAddsTheShippedRecordsWhereTheFilesHoldNoPast() throws {
        try withHome { home in
            let (records, coverage) = try lateFebruary(bridges: [2, 3], in: home)
            let run = try CommandRun(
                [
                    "evaluate", "--records", records, "--coverage", coverage, "--from",
                    "2026-02-20", "--to", "2026-02-21",
                ], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("the shipped records are added for that time"))
            #expect(run.output.contains("NOT A TEST"))
        }
    }

    @Test func evaluateRefusesPeriodsItCannotScore() throws {
        try withHome { home in
            let empty = try CommandRun(
                ["evaluate", "--from", "2025-08-01", "--to", "2025-08-02"], home: home)
            #expect(empty.code == 65 && empty.errors.contains("no covered records from"))
            let early = try CommandRun(
                ["evaluate", "--from", "2016-01-01", "--to", "2016-01-02"], home: home)
            #expect(early.code == 65 && early.errors.contains("no covered records before"))
            let reversed = try CommandRun(
                ["evaluate", "--from", "2026-02-20", "--to", "2026-02-10"], home: home)
            #expect(reversed.code == 64)
        }
    }

    @Test func trainWritesModelsThatInspectReads() throws {
        try withHome { home in
            let arguments = [
                "train", "--output", home.path + "/out", "--name", "small", "--teachers", "1",
                "--trees", "5", "--boosting-passes", "1", "--epochs", "1",
                "--minutes-between-issue-times", "240", "--hidden", "16,8",
            ]
            let run = try CommandRun(arguments, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("teacher 1 done"))
            #expect(run.errors.contains("epoch 1 of 1"))
            let model = home.path + "/out/small.int8.bcm"
            let first = try Data(contentsOf: URL(fileURLWithPath: model))
            #expect(try CommandRun(arguments + ["--quiet"], home: home).errors.isEmpty)
            #expect(try Data(contentsOf: URL(fileURLWithPath: model)) == first)
            let manifest = try #require(
                JSONSerialization.jsonObject(
                    with: Data(contentsOf: home.appendingPathComponent("out/small.manifest.json")))
                    as? [String: Any])
            let files = try #require(manifest["files"] as? [[String: Any]])
            #expect(files.count == 3 && files.allSatisfy { $0["weights_sha256"] is String })
            #expect(files[0]["sha256"] as? String == ModelFile.digest(of: [UInt8](first)))
            let inspected = try CommandRun(["inspect", model, "--features"], home: home)
            #expect(inspected.output.contains("small, weights int8"))
            #expect(inspected.output.contains("convoy.seaward1.pending"))
            #expect(inspected.output.contains("openings-2025-2026.csv sha256"))
        }
    }

    @Test func helpNamesEveryCommand() throws {
        try withHome { home in
            let run = try CommandRun(["--help"], home: home)
            #expect(run.code == 0)
            for command in ["predict", "ingest", "evaluate", "train", "inspect"] {
                #expect(run.output.contains("  \(command) "))
            }
        }
    }

    /// Files of the records of 20 February 2026 on and of their coverage to the 22nd, alone.
    private func lateFebruary(
        bridges: [Int], in home: URL
    ) throws -> (records: String, coverage: String) {
        let all = try String(
            contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
        let lines = all.split(separator: "\n").filter {
            $0.contains("\"2026-02-2") || $0.hasPrefix("\"entitytype")
        }
        let ids = bridges.map { "\"\($0)\"" }.joined(separator: ",")
        let period =
            "{\"from\":\"2026-02-20T00:00:00\",\"to\":\"2026-02-23T00:00:00\","
            + "\"bridges\":[\(ids)]}"
        return (
            try write(lines.joined(separator: "\n"), "late.csv", in: home),
            try write("{\"periods\":[\(period)]}", "late.json", in: home)
        )
    }

    // MARK: JSON of predict

    private struct Document: Decodable {
        struct Crossing: Decodable {
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
