// The whole travel time of a route: its quantiles are those of the ranking, and its cells those of simulated trips.
@testable import BridgecastRouting
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct TravelTimeTests: ScoresRoutes {
    private var departure: Timestamp { Self.issueTime.adding(minutes: 5) }

    private func time(of route: Route) throws -> TravelTimeDistribution {
        try #require(try Self.table.travelTimes(of: [route], leaving: departure).first)
    }

    @Test func quantilesAreThoseOfTheFigures() throws {
        let routes =
            RandomRoutes.routes(200) + [
                route("none", []), route("bridge", [.crossing(ballard)]),
                route("short", [travel(0.3, 0.1)]), route("certain", [travel(7.3, 0)]),
                route("narrow", [travel(18.4, 0.5)]), route("wide", [travel(20, 20)]),
                route("long", [travel(300, 12), .crossing(fremont), travel(200, 10)]),
            ]
        let times = try Self.table.travelTimes(of: routes, leaving: departure)
        var scorer = RouteScorer()
        try scorer.rank(try RouteSet(routes), with: Self.table, leaving: departure)
        #expect(times.count == routes.count)
        for (index, time) in times.enumerated() {
            let figures = scorer.figures[index]
            let id = routes[index].id
            for (level, minutes) in [
                (0.5, figures.p50Minutes), (0.8, figures.p80Minutes), (0.9, figures.p90Minutes),
                (0.95, figures.p95Minutes),
            ] {
                let quantile = time.quantileMinutes(level)
                #expect(
                    abs(quantile - minutes) < 1 / 60.0, "\(id), P\(level): \(quantile), \(minutes)")
            }
            #expect(abs(time.probabilities.reduce(0, +) - 1) < 1e-4, "\(id)")
            let quantiles = time.quantilesMinutes
            #expect(quantiles.count == 20 && quantiles == quantiles.sorted(), "\(id)")
        }
    }

    @Test func quantilesAreThoseOfSimulatedTrips() throws {
        let route = route("raised", [travel(2, 0.9), .crossing(ballard), travel(9, 2)])
        let time = try time(of: route)
        let sample = SimulatedTrips(route, Self.table, startMinutes: 5, count: 400_000)
        for (level, minutes) in zip(QuantileLevels.all, time.quantilesMinutes) {
            let error = 4 * (level * (1 - level)).squareRoot() / sample.rootOfCount
            let low = sample.quantile(level - error) - 1.5
            let high = sample.quantile(level + error) + 1.5
            #expect(low...high ~= minutes * 60, "P\(level)")
        }
        for minutes in [8.0, 11, 14.5, 20, 30] {
            let share = sample.share { $0 <= minutes * 60 }
            #expect(abs(time.cumulative(atMinutes: minutes) - share) < 0.004, "\(minutes) min")
        }
    }

    @Test func certainTimesHaveNoSpread() throws {
        let time = try time(of: route("certain", [travel(7.3, 0)]))
        for minutes in time.quantilesMinutes { #expect(abs(minutes - 7.3) < 1e-3) }
        #expect(time.cumulative(atMinutes: 7.2) == 0 && time.cumulative(atMinutes: 7.4) == 1)
        #expect(time.secondsPerCell < 60)
    }

    @Test func aTableThatIsTooShortIsRefused() throws {
        let table = try ForecastTable(issueTime: Self.issueTime, leadsMinutes: [0, 30]) { _, _, _ in
            .none
        }
        let far = route("far", [travel(60, 5), .crossing(fremont)])
        #expect(throws: RankingError.self) {
            try table.travelTimes(of: [far], leaving: Self.issueTime)
        }
        #expect(throws: RankingError.self) {
            try table.comparisons(of: [far, far], leaving: Self.issueTime)
        }
    }
}
