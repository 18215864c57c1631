// The settings of `serve`: sources, refusals, and the output of `--check`.
import ArgumentParser
import BridgecastAlerts
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastServerCLI

@Suite struct ServeCommandTests {
    private static let replay = ["--replay", "2026-02-20", "--no-network"]

    private func check(
        _ arguments: [String] = [], environment: [String: String] = [:], isReplay: Bool = true,
        home: URL
    ) async throws -> CommandRun {
        var all = ["HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path]
        all.merge(environment) { $1 }
        return try await CommandRun(
            ["serve", "--check"] + (isReplay ? Self.replay : []) + arguments, home: home,
            environment: all)
    }

    /// The cells of a setting's row: value and source.
    private func row(_ name: String, in run: CommandRun) -> String? {
        run.output.split(separator: "\n").first { $0.hasPrefix(name + " ") }.map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        }
    }

    @Test func optionsOverrideTheEnvironmentAndThatTheFile() async throws {
        try await withHome { home in
            let file = try write(
                #"{"http": {"port": 9001, "max_rows": 11, "request_burst": 7.5, "host": "localhost"}}"#,
                "serve.json", in: home)
            let environment = [
                "BRIDGECAST_CONFIG": file, "BRIDGECAST_HTTP_PORT": "9002",
                "BRIDGECAST_HTTP_MAX_ROWS": "12",
            ]
            let run = try await check(["--port", "9003"], environment: environment, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(row("http.port", in: run) == "9003 --port")
            #expect(row("http.max_rows", in: run) == "12 environment BRIDGECAST_HTTP_MAX_ROWS")
            #expect(row("http.request_burst", in: run) == "7.5 \(file): http.request_burst")
            #expect(row("http.host", in: run) == "localhost \(file): http.host")
            #expect(row("http.max_streams", in: run) == "4096 default")
            #expect(run.output.contains("everything is in order"))
        }
    }

    @Test func invalidSettingsAreRefusedWithTheirSource() async throws {
        try await withHome { home in
            func file(_ text: String) throws -> String { try write(text, "bad.json", in: home) }
            let cases: [([String], [String: String], String?, Int32, String)] = [
                (
                    ["--port", "70000"], [:], nil, 64,
                    "--port: '70000' is not a whole number from 0"
                ),
                (
                    ["--request-burst", "nan"], [:], nil, 64,
                    "--request-burst: 'nan' is not a number"
                ),
                (
                    [], ["BRIDGECAST_HTTP_PORT": "x"], nil, 64,
                    "environment BRIDGECAST_HTTP_PORT: 'x'"
                ),
                ([], ["BRIDGECAST_HTTP_PROT": "1"], nil, 64, "is it BRIDGECAST_HTTP_PORT?"),
                (
                    [], [:], #"{"http": {"port": "x"}}"#, 65,
                    "bad.json: http.port: 'x' is not a whole"
                ),
                ([], [:], #"{"http": {"max_row": 1}}"#, 65, "is it http.max_rows?"),
                ([], [:], #"{"https": {}}"#, 65, "unknown part 'https'"),
                ([], [:], "[1]", 65, "must be a JSON object"),
                ([], [:], #"{"http": {"port": [[1]]}}"#, 65, "bad.json"),
                (["--config", "/nowhere/x"], [:], nil, 66, "there is no such file"),
                (["--admin-port", "1"], [:], nil, 64, "--admin-port needs --admin-token-file"),
                (["--bridges-url", "http://x"], [:], nil, 64, "contradict each other"),
                (["--traffic-file", "t.csv"], [:], nil, 64, "contradict each other"),
                (
                    ["--free-flow-mph", "30"], [:], nil, 64,
                    "--free-flow-mph needs --travel-times-url"
                ),
                (["--model", "/nowhere/m"], [:], nil, 66, "there is no such file"),
                (["--trusted-header", "X-Real-IP"], [:], nil, 64, "needs --trusted-proxies"),
            ]
            for (arguments, environment, text, code, words) in cases {
                let config = try text.map { ["--config", try file($0)] } ?? []
                let run = try await check(
                    arguments + config, environment: environment, home: home)
                #expect(run.code == code, "\(arguments) \(text ?? ""): \(run.errors)")
                #expect(run.errors.contains(words), "\(arguments) \(text ?? ""): \(run.errors)")
            }
        }
    }

    @Test func aSecretIsShownOnlyAsSet() async throws {
        try await withHome { home in
            let url = "https://example.org/times?AccessCode=geheim"
            var environment = [
                "BRIDGECAST_SERVE_TRAVEL_TIMES_URL": url,
                "BRIDGECAST_SERVE_TRAVEL_TIME": "1=Fremont",
            ]
            let run = try await check(environment: environment, isReplay: false, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(row("serve.travel_times_url", in: run)?.hasPrefix("set environment") == true)
            environment["BRIDGECAST_SERVE_TRAVEL_TIMES_URL"] = "ftp://geheim"
            let bad = try await check(environment: environment, isReplay: false, home: home)
            #expect(bad.code == 64 && !(run.output + bad.output + bad.errors).contains("geheim"))
        }
    }

    @Test func aTokenThatCouldBeGuessedIsRefused() async throws {
        try await withHome { home in
            let short = try write("short\n", "token", in: home)
            let run = try await check(
                ["--admin-port", "9100", "--admin-token-file", short], home: home)
            #expect(
                run.code == 65 && run.errors.contains("at least 16 characters"), "\(run.errors)")
            let long = try write("0123456789abcdef\n", "token", in: home)
            let good = try await check(
                ["--admin-port", "9100", "--admin-token-file", long], home: home)
            #expect(good.code == 0 && good.output.contains("administration: 127.0.0.1:9100"))
            #expect(!good.output.contains("0123456789abcdef"))
        }
    }

    /// Before a service starts, not with the first request of a person.
    @Test func peopleKeysAndAlertsAreChecked() async throws {
        try await withHome { home in
            let folder = home.appendingPathComponent("people")
            let missing = try await check(["--people", folder.path], home: home)
            #expect(missing.code == 66 && missing.errors.contains("there are no people yet"))
            let people = try PeopleStore(folder, .writing)
            for name in ["Ann", "Bob"] { _ = try people.add(name, now: .now) }
            for person in try people.people() { try people.openJournal(of: person).close() }
            let good = try await check(["--people", folder.path], home: home)
            #expect(good.code == 0, "\(good.errors)")
            #expect(good.output.contains("people: \(folder.path), people: 2, journals: 2\n"))
            let key = home.path + "/key"
            let noKey = try await check(
                ["--people", folder.path, "--people-key", key], home: home)
            #expect(noKey.code == 66 && noKey.errors.contains("there is no such key"))
            _ = try people.encryptJournals(with: StoreKey.make(at: URL(fileURLWithPath: key)))
            let without = try await check(["--people", folder.path], home: home)
            #expect(without.code == 66 && without.errors.contains("with --people-key"))
            let encrypted = ["--people", folder.path, "--people-key", key]
            #expect(try await check(encrypted, home: home).code == 0)
            // The journals of two people, one as the other's.
            let files = try people.people().map(people.journal)
            let contents = try files.map { try Data(contentsOf: $0) }
            for (file, content) in zip(files, contents.reversed()) { try content.write(to: file) }
            let swapped = try await check(encrypted, home: home)
            #expect(swapped.code == 65 && swapped.errors.contains("is not the file of this name"))
        }
    }

    @Test func theFileOfAlertsAndTheUsersKeyAreChecked() async throws {
        try await withHome { home in
            let alerts = home.appendingPathComponent("alerts.sqlite")
            try AlertStore(alerts, .writing).close()
            let good = try await check(["--alerts", alerts.path], home: home)
            #expect(good.code == 0 && good.output.contains("alerts.sqlite, rules: 0"))
            let noKey = try await check(
                ["--alerts", alerts.path],
                environment: ["BRIDGECAST_JOURNAL_KEY_FILE": "/nowhere/key"], home: home)
            #expect(noKey.code == 66 && noKey.errors.contains("/nowhere/key"))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o400], ofItemAtPath: alerts.path)
            let readOnly = try await check(["--alerts", alerts.path], home: home)
            #expect(readOnly.code == 74 && readOnly.errors.contains("cannot be written"))
        }
    }

    @Test func everySettingHasAnOption() throws {
        let settings = try ServeOptions.parse([]).all
        #expect(settings.count == 52)
        for setting in settings {
            let text = setting.isSwitch ? "true" : "1"
            let arguments = setting.isSwitch ? [setting.option] : [setting.option, text]
            let given = try ServeOptions.parse(arguments).all.filter { $0.given != nil }
            #expect(given.map(\.key) == [setting.key] && given.map(\.given) == [text])
        }
    }

    /// Names in the environment are made by the library from the keys.
    @Test func everySettingIsReadFromItsVariable() throws {
        let options = try ServeOptions.parse([])
        for setting in options.all where !setting.isSwitch {
            #expect(throws: (any Error).self, "\(setting.variable)") {
                let value = String(repeating: "x", count: 5000)
                _ = try ServePlan(
                    options: options, environment: [setting.variable: value], file: nil)
            }
        }
    }

    @Test func settingsOfTheServiceReachIt() throws {
        let plan = try ServePlan(
            options: .parse(["--port", "1", "--max-rows", "2", "--header-seconds", "3.5"]),
            environment: ["BRIDGECAST_HTTP_TRUSTED_HEADER": "X-Real-IP"],
            file: write(
                #"{"http": {"trusted_proxies": ["::1", "10.0.0.0/8"]}}"#, "serve.json",
                in: FileManager.default.temporaryDirectory))
        let service = "\(plan.service)"
        for value in [
            "port: 1,", "adminPort: nil", "maxRows: 2,", "headerSeconds: 3.5",
            #"trustedHeader: Optional("X-Real-IP")"#, #"trustedProxies: ["::1", "10.0.0.0/8"]"#,
        ] {
            #expect(service.contains(value), "\(value) in \(service)")
        }
    }

    @Test func theDocumentationHasTheSettings() throws {
        let page = try String(
            contentsOf: Fixtures.checkout.appendingPathComponent(
                "Sources/Bridgecast/Bridgecast.docc/Service.md"), encoding: .utf8)
        for setting in try ServeOptions.parse([]).all {
            #expect(page.contains(setting.documentation + "\n"))
        }
    }

    @Test func thePageIsTheCheckoutsByDefault() async throws {
        try await withHome { home in
            let usual = try await check(home: home)
            #expect(usual.output.contains(/page: index.html and [1-9]\d* more files/))
            #expect(try await check(["--no-page"], home: home).output.contains("page: none"))
            let folder = home.appendingPathComponent("page")
            let missing = try await check(["--page", folder.path], home: home)
            #expect(missing.code == 66 && missing.errors.contains("no index.html"))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            _ = try write("<!doctype html>", "index.html", in: folder)
            let named = try await check(["--page", folder.path], home: home)
            #expect(named.output.contains("page: index.html and 0 more files"))
            let both = try await check(["--page", folder.path, "--no-page"], home: home)
            #expect(both.code == 64 && both.errors.contains("contradict"))
        }
    }

    @Test func theExampleOfTheServiceIsAccepted() async throws {
        try await withHome { home in
            let path = Fixtures.checkout.appendingPathComponent("tools/service/serve.json").path
            let run = try await CommandRun(
                ["serve", "--check", "--no-network", "--config", path], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("http.trusted_header"))
        }
    }
}

@Suite struct ServeTransitTests {
    private func check(
        _ arguments: [String], isReplay: Bool = true
    ) async throws -> CommandRun {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let words = arguments.map { $0.replacing("FEED", with: folder.path) }
        var run: CommandRun?
        try await withHome { home in
            run = try await CommandRun(
                ["serve", "--check", "--no-network"] + (isReplay ? ["--replay", "2026-02-20"] : [])
                    + words,
                home: home,
                environment: ["HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path])
        }
        return try #require(run)
    }

    @Test func aTimetableIsReadAndShown() async throws {
        let run = try await check(["--transit", "FEED"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("5 stops, runs from 2026-01-01 to 2026-12-31"))
        #expect(run.output.contains("no realtime feeds"))
        #expect(try await check([]).output.contains("transit: none"))
    }

    @Test func aReplayOfTheMadeDayPlaysTheShippedRecording() async throws {
        for period in ["2018-01-04", "2018-01-04T14:30/2018-01-04T16:00"] {
            let run = try await check(["--replay", period], isReplay: false)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("transit: sound-transit-montlake.zip, "))
            #expect(run.output.contains("vehicle_positions of "))
            #expect(run.output.contains(".pb.gz (made)"))
        }
        let other = try await check(["--replay", "2018-01-05"], isReplay: false)
        #expect(other.output.contains("no realtime feeds"))
    }

    @Test func aKeyInAnAddressIsNotShown() async throws {
        let run = try await check(
            [
                "--transit", "FEED", "--transit-updates",
                "https://user:w0rd@feeds.example.org/tu.pb?api_key=hidden",
            ], isReplay: false)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("trip_updates of https://feeds.example.org/tu.pb"))
        for secret in ["hidden", "w0rd"] {
            #expect(!(run.output + run.errors).contains(secret), "\(secret)")
        }
    }

    @Test(arguments: [
        (["--transit", "nowhere.zip"], Int32(66), "nowhere.zip"),
        (["--transit-updates", "x"], 64, "needs --transit"),
        (["--transit", "FEED", "--transit-interval", "5"], 64, "from 20 to 3600"),
        (["--transit", "FEED", "--transit-vehicles", "nowhere"], 66, "nowhere"),
        (["--transit", "FEED", "--transit-alerts", "https://example.org"], 64, "no network"),
        (["--transit", "FEED", "--transit-updates", "FEED"], 65, "not a realtime feed"),
    ]) func invalidTransitSettingsAreRefused(_ example: ([String], Int32, String)) async throws {
        let run = try await check(example.0)
        #expect(run.code == example.1, "\(run.errors)")
        #expect(run.errors.contains(example.2), "\(run.errors)")
    }
}
