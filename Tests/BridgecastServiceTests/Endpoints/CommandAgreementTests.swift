// The command line and the service answer the same question by the same document.
import BridgecastCLI
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import BridgecastService

@Suite struct CommandAgreementTests {
    /// What a command prints with `--format json`, run in this process with an empty home.
    private func command(_ arguments: [String]) async throws -> [String: Any] {
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        let printed = Mutex("")
        let console = Console(
            environment: ["HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path],
            output: { text in printed.withLock { $0 += text } }, errors: { _ in },
            become: { _, _, _ in })
        let code = await Console.$current.withValue(console) {
            await CommandLineProgram.run(
                BridgecastCommand.self, arguments + ["--format", "json"])
        }
        #expect(code == 0)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(printed.withLock(\.self).utf8))
                as? [String: Any])
    }

    /// A document without what tells when and from where it was asked.
    private func bare(_ document: [String: Any]) -> NSDictionary {
        let apart = ["generated_at", "sources", "warnings", "route_source"]
        return document.filter { !apart.contains($0.key) } as NSDictionary
    }

    @Test func predictSaysWhatRoutesSays() async throws {
        let said = try await command([
            "predict", "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02",
            "--arrive-by", "18:40", "--weights", "expected=1,late=20", "--explain",
        ])
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            "/api/v1/routes",
            "from=Ballard&to=Downtown&arrive_by=18:40&weights=expected%3D1,late%3D20"
                + "&explain=true&directions=true", from: state)
        #expect(bare(said) == bare(try answer.object()))
        #expect(said.keys.sorted() == (try answer.object()).keys.sorted())
    }

    /// An hour after it the service says what the commands say of that time: nothing later is known to it.
    @Test func predictOfATimeThatIsOverSaysWhatRoutesSaysOfIt() async throws {
        let state = try await ServiceFixture.state(at: Fixtures.moment("2026-02-20T19:02"))
        let said = try await command([
            "predict", "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02",
        ])
        let answer = try await ServiceFixture.answer(
            "/api/v1/routes",
            "from=Ballard&to=Downtown&directions=true&issue_time=2026-02-20T18:02", from: state)
        #expect(bare(said) == bare(try answer.object()))
        let best = try await command([
            "depart", "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02",
        ])
        let departures = try await ServiceFixture.answer(
            "/api/v1/depart", "from=Ballard&to=Downtown&issue_time=2026-02-20T18:02", from: state)
        #expect(bare(best) == bare(try departures.object()))
    }

    @Test func predictOfAFileSaysWhatRankSays() async throws {
        let file = Fixtures.checkout.appendingPathComponent(
            "Sources/BridgecastCLI/Resources/seattle-commutes.json")
        let said = try await command([
            "predict", "--routes", file.path, "--at", "2026-02-20T18:02",
        ])
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            "/api/v1/routes/rank", "detail=full", method: .post,
            body: Array(try Data(contentsOf: file)), from: state)
        #expect(bare(said) == bare(try answer.object()))
    }

    @Test func departSaysWhatDepartSays() async throws {
        let said = try await command([
            "depart", "--from", "Fremont", "--to", "Capitol Hill", "--mode", "bike", "--at",
            "2026-02-20T18:02", "--arrive-by", "19:15", "--confidence", "0.8",
        ])
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            "/api/v1/depart",
            "from=Fremont&to=Capitol+Hill&mode=bike&arrive_by=19:15&confidence=0.8", from: state)
        #expect(bare(said) == bare(try answer.object()))
    }
}
