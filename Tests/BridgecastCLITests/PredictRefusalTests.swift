// What `predict` refuses: arguments that make no sense and files that are none, each with its code and words.
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct PredictRefusalTests {
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
}
