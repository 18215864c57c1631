// What `serve` is set to: options before environment before file, refusals by source and name, and what --check shows.
import ArgumentParser
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastServerCLI

@Suite struct ServeCommandTests {
    private static let replay = ["--replay", "2026-02-20", "--no-network"]

    private func check(
        _ arguments: [String] = [], environment: [String: String] = [:], home: URL
    ) async throws -> CommandRun {
        var all = ["HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path]
        all.merge(environment) { $1 }
        return try await CommandRun(
            ["serve", "--check"] + Self.replay + arguments, home: home, environment: all)
    }

    /// The cells of a setting's row: value and source.
    private func row(_ name: String, in run: CommandRun) -> String? {
        run.output.split(separator: "\n").first { $0.hasPrefix(name + " ") }.map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        }
    }

    @Test func anOptionGoesBeforeTheEnvironmentAndThatBeforeTheFile() async throws {
        try await withHome { home in
            let file = try write(
                #"{"http": {"port": 9001, "most_rows": 11, "request_burst": 7.5, "host": "localhost"}}"#,
                "serve.json", in: home)
            let environment = [
                "BRIDGECAST_CONFIG": file, "BRIDGECAST_HTTP_PORT": "9002",
                "BRIDGECAST_HTTP_MOST_ROWS": "12",
            ]
            let run = try await check(["--port", "9003"], environment: environment, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(row("http.port", in: run) == "9003 --port")
            #expect(row("http.most_rows", in: run) == "12 environment BRIDGECAST_HTTP_MOST_ROWS")
            #expect(row("http.request_burst", in: run) == "7.5 \(file): http.request_burst")
            #expect(row("http.host", in: run) == "localhost \(file): http.host")
            #expect(row("http.most_streams", in: run) == "4096 usual value")
            #expect(run.output.contains("everything is in order"))
        }
    }

    @Test func whatIsNoSettingOrNoValueIsRefusedByItsSource() async throws {
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
                ([], [:], #"{"http": {"most_row": 1}}"#, 65, "is it http.most_rows?"),
                ([], [:], #"{"https": {}}"#, 65, "'https' is none of the parts"),
                ([], [:], "[1]", 65, "it is no JSON object"),
                ([], [:], #"{"http": {"port": [[1]]}}"#, 65, "bad.json"),
                (["--config", "/nowhere/x"], [:], nil, 66, "there is no such file"),
                (["--admin-port", "1"], [:], nil, 64, "--admin-port needs --admin-token-file"),
                (["--bridges-url", "http://x"], [:], nil, 64, "contradict each other"),
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
            let environment = ["BRIDGECAST_SERVE_TRAVEL_TIMES_URL": url]
            let run = try await check(environment: environment, home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(row("serve.travel_times_url", in: run)?.hasPrefix("set environment") == true)
            let bad = try await check(
                environment: ["BRIDGECAST_SERVE_TRAVEL_TIMES_URL": "ftp://geheim"], home: home)
            #expect(bad.code == 64 && !(run.output + bad.output + bad.errors).contains("geheim"))
        }
    }

    @Test func aTokenThatCouldBeGuessedIsRefused() async throws {
        try await withHome { home in
            let short = try write("short\n", "token", in: home)
            let run = try await check(
                ["--admin-port", "9100", "--admin-token-file", short], home: home)
            #expect(run.code == 65 && run.errors.contains("16 characters or more"), "\(run.errors)")
            let long = try write("0123456789abcdef\n", "token", in: home)
            let good = try await check(
                ["--admin-port", "9100", "--admin-token-file", long], home: home)
            #expect(good.code == 0 && good.output.contains("administration: 127.0.0.1:9100"))
            #expect(!good.output.contains("0123456789abcdef"))
        }
    }

    /// The table, the options and the environment are one list.
    @Test func everySettingHasAnOptionThatIsTakenOver() throws {
        for key in ServeKey.all {
            let text = key.isSwitch ? "true" : "1"
            let words = key.isSwitch ? [key.option] : [key.option, text]
            let options = try ServeOptions.parse(words)
            #expect(options.given == [key.name: text], "\(key.option)")
        }
    }

    /// Names in the environment are made by the library out of the table's.
    @Test func everySettingIsReadFromItsVariable() throws {
        for key in ServeKey.all where !key.isSwitch {
            #expect(throws: (any Error).self, "\(key.variable)") {
                let value = String(repeating: "x", count: 5000)
                _ = try ServeConfiguration(
                    options: [:], environment: [key.variable: value], file: nil)
            }
        }
    }

    @Test func thePageIsThatOfTheCheckoutUnlessAnotherOrNoneIsNamed() async throws {
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
