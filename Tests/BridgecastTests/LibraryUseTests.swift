// The README's library example, as a route service would write it: nothing but `import Bridgecast`.
import Bridgecast
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct LibraryUseTests {
    @Test func theReadmesExampleRanksRoutes() async throws {
        let routes = [
            Route(
                id: "fremont", name: "Over Fremont Bridge", origin: "Home", destination: "Work",
                mode: .car,
                steps: [
                    .travel(Route.Travel(meanMinutes: 1, spreadMinutes: 0.2)),
                    .crossing(.fremont),
                    .travel(Route.Travel(meanMinutes: 8, spreadMinutes: 1)),
                ]),
            Route(
                id: "aurora", name: "Over Aurora Bridge", origin: "Home", destination: "Work",
                mode: .car, steps: [.travel(Route.Travel(meanMinutes: 10.5, spreadMinutes: 1))]),
        ]
        let now = Fixtures.moment("2026-02-20T12:00")
        func best(_ state: SpanState) async throws -> String? {
            // The README's lines.
            let inference = try TrafficInference(
                contentsOf: Fixtures.model("bridgecast.int8.bcm"))
            var live = LiveSnapshot(asOf: now)
            try live.set(.fremont, state: state)
            let situation = Situation.unknown(at: now).applying(live)
            let ranking = try await inference.rank(routes, leaving: now, in: situation)
            return ranking.first?.route.id
        }
        #expect(try await best(.lowered) == "fremont")
        #expect(try await best(.raised(since: now.adding(minutes: -1))) == "aurora")
    }
}
