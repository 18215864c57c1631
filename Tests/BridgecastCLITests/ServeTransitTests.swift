// What `serve --check` says of a timetable and its realtime feeds, and what it refuses.
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastServerCLI

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

    @Test func aTimetableIsReadAndToldOf() async throws {
        let run = try await check(["--transit", "FEED"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("5 stops, runs from 2026-01-01 to 2026-12-31"))
        #expect(run.output.contains("no realtime feeds"))
        #expect(try await check([]).output.contains("transit: none"))
    }

    @Test func aKeyInAnAddressIsNotShown() async throws {
        let run = try await check(
            [
                "--transit", "FEED", "--transit-updates",
                "https://user:word@feeds.example.org/tu.pb?api_key=hidden",
            ], isReplay: false)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("trip_updates of https://feeds.example.org/tu.pb"))
        for secret in ["hidden", "word"] {
            #expect(!(run.output + run.errors).contains(secret), "\(secret)")
        }
    }

    @Test(arguments: [
        (["--transit", "nowhere.zip"], Int32(66), "nowhere.zip"),
        (["--transit-updates", "x"], 64, "needs --transit"),
        (["--transit", "FEED", "--transit-interval", "5"], 64, "from 20 to 3600"),
        (["--transit", "FEED", "--transit-vehicles", "nowhere"], 66, "nowhere"),
        (["--transit", "FEED", "--transit-alerts", "https://example.org"], 64, "no network"),
        (["--transit", "FEED", "--transit-updates", "FEED"], 65, "no realtime feed"),
    ]) func whatCannotBeServedIsRefused(_ example: ([String], Int32, String)) async throws {
        let run = try await check(example.0)
        #expect(run.code == example.1, "\(run.errors)")
        #expect(run.errors.contains(example.2), "\(run.errors)")
    }
}
