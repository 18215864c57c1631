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
                    .crossing(try #require(BridgeCatalogue.index(named: "Fremont"))),
                    .travel(Route.Travel(meanMinutes: 8, spreadMinutes: 1)),
                ]),
            Route(
                id: "aurora", name: "Over Aurora Bridge", origin: "Home", destination: "Work",
                mode: .car, steps: [.travel(Route.Travel(meanMinutes: 10.5, spreadMinutes: 1))]),
        ]
        let now = Fixtures.moment("2026-02-20T12:00")
        let fremont = try #require(BridgeCatalogue.index(named: "Fremont"))
        func best(_ state: SpanState) async throws -> String? {
            let live = LiveSnapshot(asOf: now, states: [fremont: state])
            // The README's lines.
            let inference = try TrafficInference(
                contentsOf: Fixtures.model("bridgecast.int8.bcm"))
            let situation = Situation.unknown(at: now).applying(live)
            let table = try await inference.table(
                in: situation, reaching: 90, traffic: TrafficDensity())
            let scoring = RouteScoring(
                forecasts: table, climatology: inference.model.climatology, issueTime: now)
            let ranked = try scoring.rank(routes, leaving: now)
            return ranked.first?.route.id
        }
        #expect(try await best(.lowered) == "fremont")
        #expect(try await best(.raised(since: now.adding(minutes: -1))) == "aurora")
    }
}
