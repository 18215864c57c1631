// Commands with broken, hostile or odd input: exit codes and messages.
import BridgecastCLI
@testable import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct HostileInputTests {
    private static let escape = "\u{1B}[2J"

    private func write(_ text: String, _ name: String, in home: URL) throws -> String {
        let url = home.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    private func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" || $0 == "\t" }
    }

    // MARK: terminals

    @Test func inputCannotMoveTheCursor() async throws {
        try await withHome { home in
            let records = try write(
                "entityid,opendatetime,closedatetime\n\(Self.escape),2026-02-20T12:00:00,\n"
                    + "3,2026-02-20T12:00:00,\(Self.escape)\n", "\u{1B}records.csv", in: home)
            let routes = try write(
                #"{"routes": [{"id": "\u001b[2J", "name": "a\u001b[2J\u009b31m\u202e", "origin": "x\u001b[2J", "destination": "y", "steps": [{"minutes": 6}]}]}"#,
                "r.json", in: home)
            for arguments in [
                ["ingest", records], ["ingest", records, "--format", "json"],
                ["predict", "--routes", routes], ["predict", "--routes", routes, "--explain"],
                ["predict", "--routes", routes, "--format", "csv"],
                ["predict", "--routes", routes, "--format", "json"],
                ["predict", "--only", Self.escape], ["predict", "--\(Self.escape)"],
                ["predict", "--at", Self.escape], [Self.escape], ["bridge", Self.escape],
                ["predict", "--from", Self.escape, "--to", "Ballard"],
                ["history", "export", "--store", home.path + "/\(Self.escape)"],
                ["inspect", Self.escape], ["predict", "--format", Self.escape],
            ] {
                let run = try await CommandRun(arguments, home: home)
                #expect(isVisible(run.output), "\(arguments)")
                #expect(isVisible(run.errors), "\(arguments)")
            }
            // JSON keeps what it was given, by its own rule.
            let json = try await CommandRun(
                ["predict", "--routes", routes, "--format", "json"], home: home)
            let document = try #require(
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            let group = (document["groups"] as? [[String: Any]])?.first
            let route = (group?["routes"] as? [[String: Any]])?.first
            #expect(route?["name"] as? String == "a\u{1B}[2J\u{9B}31m\u{202E}")
            #expect(group?["origin"] as? String == "x\u{1B}[2J")
        }
    }

    @Test func longArgumentsAreNotEchoedWhole() async throws {
        try await withHome { home in
            let long = String(repeating: "x", count: 120_000)
            for arguments in [
                [long], ["predict", "--\(long)"], ["predict", "--only", long],
                ["predict", "--at", long],
                ["predict", "--format", long], ["predict", "--weights", long], ["ingest", long],
                ["predict", "--from", long, "--to", "Ballard"], ["predict", "--traffic", long],
            ] {
                let run = try await CommandRun(arguments, home: home)
                #expect(run.code != 0 && run.errors.count < 5_000, "\(arguments[0].prefix(20))")
            }
        }
    }

    // MARK: what is known, and from where

    @Test func oneStoredRowDoesNotHideTheShippedRecords() async throws {
        try await withHome { home in
            let row = try write(
                "entityid,opendatetime,closedatetime\n3,2026-02-20T09:00:00,2026-02-20T09:04:00\n",
                "one.csv", in: home)
            #expect(try await CommandRun(["ingest", row], home: home).code == 0)
            let run = try await CommandRun(
                ["--at", "2026-02-20T13:00", "--only", "fremont-slu"], home: home)
            #expect(run.output.contains("the state of 6 of 7 bridges is known"))
            let later = try await CommandRun(["--only", "fremont-slu"], home: home)
            #expect(later.errors.contains("history.sqlite and the shipped ones) end 2026-03-01"))
        }
    }

    @Test func withoutAHomeAStoreHasToBeNamed() async throws {
        try await withHome { home in
            let row = try write(
                "entityid,opendatetime,closedatetime\n3,2026-02-20T09:00:00,2026-02-20T09:04:00\n",
                "one.csv", in: home)
            for nowhere in [[:], ["HOME": ""], ["HOME": "relative"]] {
                let changes = nowhere.merging(["XDG_DATA_HOME": ""]) { $1 }
                let predict = try await CommandRun(
                    ["--at", "2026-02-20T13:00", "--only", "fremont-slu"], home: home,
                    environment: changes)
                #expect(predict.code == 0, "\(predict.errors)")
                for arguments in [["ingest", row], ["doctor"], ["history", "export"]] {
                    let run = try await CommandRun(arguments, home: home, environment: changes)
                    #expect(run.code == 64 && run.errors.contains("--store"), "\(run.errors)")
                }
            }
        }
    }

    @Test func aRaisedSpanIsExplainedInText() async throws {
        try await withHome { home in
            let live = try write(
                """
                {"asOf": "2026-02-20T17:30", "observedSince": "2026-02-20T12:00",
                 "bridges": [{"bridge": "Ballard", "state": "raised", "since": "2026-02-20T17:28"}]}
                """, "live.json", in: home)
            let trip = [
                "--from", "Ballard", "--to", "Interbay", "--at", "2026-02-20T17:30", "--live", live,
                "--explain",
            ]
            let text = try await CommandRun(trip, home: home).output
            #expect(
                text.contains(
                    "Ballard is up; of its openings that have lasted 2 min half are over after"))
            #expect(!text.contains("factors of the odds"))
            let shown = try #require(text.firstMatch(of: /Ballard 17:3[0-9], ([0-9.]+ %)/))
            #expect(text.contains("now \(shown.1); Ballard is up"))
        }
    }

    // MARK: limits

    @Test(
        arguments: [
            (["predict", "--at", "0001-01-01T00:00"], 64, "before 2001"),
            (["bridge", "Fremont", "--at", "1970-01-01T00:00Z"], 64, "before 2001"),
            (
                [
                    "depart", "--from", "Ballard", "--to", "Fremont", "--arrive-by",
                    "0001-01-01T09:00",
                ], 64, "cannot be met"
            ),
            (
                ["replay", "--from", "2031-01-01", "--to", "2031-01-02"], 65,
                "they are between 2015-"
            ),
            (["predct"], 64, "is it predict?"),
            (["snyc"], 64, "is it sync?"),
            (["eval", "--model", "x"], 64, "is it evaluate?"),
            (["histroy", "exprot"], 64, "is it history?"),
            (["history", "exprot"], 64, "is it history export?"),
            (
                ["roads", "nonsense"], 64,
                "there is no command 'roads nonsense'; there are import, "
            ),
            (["help", "nonsense"], 64, "no command 'nonsense'; there are predict, "),
            (["predict", "--nonsense"], 64, "unknown option '--nonsense'"),
            (["predict", "--format", "xml"], 64, "the value 'xml' is invalid"),
            (["predict", "--from", "Ballard"], 64, "--from and --to need each other"),
            // Nothing is known of the bridges now, which is not what is wrong.
            (
                [
                    "predict", "--from", "Ballard", "--to", "Downtown", "--arrive-by",
                    "2026-02-20T18:00",
                ], 64, "is before the departure"
            ),
            (["watch", "--bridges-url", ""], 64, "--bridges-url: '' is not an address"),
            (["watch", "--bridges-url", "ftp://x/y"], 64, "--bridges-url"),
            (["watch", "--travel-times-url", "nonsense"], 64, "--travel-times-url"),
            (["watch", "--travel-time", "1=Fremont"], 64, "needs --travel-times-url"),
            (["watch", "--no-store", "--store", "/tmp/x"], 64, "contradict"),
            (["replay", "--bridges-url", "http://"], 64, "--bridges-url"),
            (["sync", "--page-rows", "0"], 64, "--page-rows"),
            (["watch", "--metrics-file", "/nowhere/m"], 74, "/nowhere/m"),
            (["watch", "--log-file", "/nowhere/l"], 74, "/nowhere/l"),
            (["evaluate", "--report", "/proc/nowhere"], 74, "/proc/nowhere"),
            (["features", "export", "/proc/nowhere"], 74, "/proc/nowhere"),
        ] as [([String], Int32, String)])
    func impossibleInputIsRefusedAtOnce(_ example: ([String], Int32, String)) async throws {
        try await withHome { home in
            let run = try await CommandRun(example.0, home: home)
            #expect(
                run.code == example.1 && run.errors.contains(example.2), "\(run.code) \(run.errors)"
            )
            #expect(run.output.isEmpty)
            // One style, and nothing about the state of the bridges before it.
            #expect(run.errors.contains("bridgecast: error: "), "\(run.errors)")
            #expect(!run.errors.contains("Error: ") && !run.errors.contains("state is known"))
        }
    }

    @Test func aRouteOfNoLengthTakesNoTime() async throws {
        try await withHome { home in
            let routes = try write(
                #"{"routes": [{"id": "a", "name": "a", "origin": "x", "destination": "x", "steps": [{"minutes": 0}]}]}"#,
                "r.json", in: home)
            let run = try await CommandRun(
                ["--routes", routes, "--format", "csv", "--at", "2026-02-20T13:00"], home: home)
            #expect(run.output.contains(",0.00,0.00,0.0000,0.0,"), "\(run.output)")
        }
    }

    @Test func filesOfRecordsAreReplayedToo() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                [
                    "replay", "--records", Fixtures.trainingData("openings-2025-2026.csv").path,
                    "--from", "2026-02-20T17:55", "--to", "2026-02-20T18:05", "--speed", "max",
                    "--format", "lines",
                ], home: home)
            #expect(run.code == 0 && run.output.contains("Ballard raised 18:00"), "\(run.errors)")
            #expect(run.output.hasPrefix("bridge            state"))
        }
    }
}
