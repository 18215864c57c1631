// The chance that one route beats another, against simulated openings, against the margins and against itself.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RouteComparisonTests: ScoresRoutes {
    private let density = 0.3

    private var traffic: TrafficDensity {
        var traffic = TrafficDensity()
        for bridge in BridgeIndex.all where !traffic.set(density, for: bridge) {
            Issue.record("\(density) is a density")
        }
        return traffic
    }

    private func over(
        _ bridge: BridgeIndex, _ id: String, _ before: (Double, Double), _ after: (Double, Double)
    ) -> Route {
        route(id, [travel(before.0, before.1), .crossing(bridge), travel(after.0, after.1)])
    }

    private func compare(
        _ routes: [Route], _ table: ForecastTable = Self.table
    ) throws -> RouteComparison {
        try #require(
            try table.comparisons(of: routes, leaving: table.issueTime, traffic: traffic).first)
    }

    private func expect(
        _ told: RouteComparison, _ faster: Double, _ tie: Double, within error: Double,
        _ name: String = ""
    ) {
        #expect(abs(told.probabilityFaster - faster) < error, "\(name): \(told), \(faster)")
        #expect(abs(told.probabilityTie - tie) < error, "\(name): \(told), \(tie)")
    }

    @Test(arguments: [0.2, 1.0, 3.0, 8.0])
    func routesOverOneBridgeCompareAsAtSimulatedOpenings(_ apart: Double) throws {
        let bridge = SimulatedOpenings(density: density, meanPauseMinutes: 15)
        let delay = bridge.delay
        let table = try ForecastTable(issueTime: Self.issueTime, leadsMinutes: [0, 300]) {
            _, _, _ in
            delay
        }
        let first = over(fremont, "first", (6, 1.2), (9, 1.5))
        let later = over(fremont, "later", (6 + apart, 1.2), (8, 1.5))
        let race = SimulatedRace(120_000) { random in
            let openings = bridge.openings(&random)
            func minutes(_ before: Double, _ after: Double) -> Double {
                let arrival = random.gamma(before, 1.2)
                return arrival + bridge.delay(at: arrival, openings) + random.gamma(after, 1.5)
            }
            return (minutes(6, 9), minutes(6 + apart, 8))
        }
        expect(try compare([first, later], table), race.faster, race.tie, within: 0.012)
        // From the margins alone the answer is another one, unless the opening is over by then.
        guard apart < 5 else { return }
        let alone = try compare([first, over(ballard, "other", (6 + apart, 1.2), (8, 1.5))], table)
        #expect(abs(alone.probabilityTie - race.tie) > 0.012)
    }

    @Test func routesOverARaisedBridgeWaitForTheSameEnd() throws {
        // It has just gone up, and comes down after an exponential time.
        let mean = 6.0
        let table = try ForecastTable(
            issueTime: Self.issueTime, leadsMinutes: Array(stride(from: 0, through: 200, by: 1))
        ) { _, lead, _ in
            func above(_ delay: Double) -> Double { exp(-(delay + 0.7 * lead) / mean) }
            let edges = DelayBins.edgesMinutes + [1e9]
            let shares = (1..<DelayBins.count).map { above(edges[$0 - 1]) - above(edges[$0]) }
            return DelayDistribution(([1 - above(0)] + shares).map(Float.init))
        }
        for (before, after) in [(3.0, 9.0), (6, 7), (1, 12)] {
            let race = SimulatedRace(300_000) { random in
                let length = -mean * log(random.uniform())
                func minutes(_ before: Double, _ after: Double) -> Double {
                    let arrival = random.gamma(before, 0.9)
                    return arrival + max(0, length - 0.7 * arrival) + random.gamma(after, 1.5)
                }
                return (minutes(2, 10), minutes(before, after))
            }
            let told = try compare(
                [
                    over(fremont, "own", (2, 0.9), (10, 1.5)),
                    over(fremont, "other", (before, 0.9), (after, 1.5)),
                ], table)
            // The bins of a forecast are wide for long delays: they blur who waits for the same end.
            expect(told, race.faster, race.tie, within: 0.02, "\(before)")
        }
    }

    @Test func routesThatShareNothingCompareByTheirMargins() throws {
        let routes = [
            over(fremont, "a", (6, 1.5), (9, 2)), over(ballard, "b", (1.5, 0.9), (13, 3)),
            route("c", [travel(17, 2.6)]),
            route(
                "d",
                [
                    travel(5, 1.4), .crossing(Fixtures.bridge("Montlake")), travel(4, 1.3),
                    .crossing(Fixtures.bridge("South Park")), travel(7, 1.8),
                ]),
        ]
        let times = try Self.table.travelTimes(of: routes, leaving: Self.issueTime)
        let told = try Self.table.comparisons(of: routes, leaving: Self.issueTime)
        #expect(told.map { $0.route + $0.other } == ["ab", "ac", "ad", "bc", "bd", "cd"])
        try #require(told.count == 6)
        var next = 0
        for own in times.indices {
            for other in own + 1..<times.count {
                func sum(_ tieMinutes: Double) -> Double {
                    times[other].probabilities.enumerated().reduce(0) { sum, cell in
                        let minutes = times[other].startMinutes + Double(cell.offset)
                        return sum + cell.element
                            * times[own].cumulative(atMinutes: minutes + tieMinutes)
                    }
                }
                expect(told[next], sum(-0.5), sum(0.5) - sum(-0.5), within: 0.005)
                next += 1
            }
        }
    }

    @Test func comparisonsAreTheSameFromBothSides() throws {
        let routes = [
            over(ballard, "a", (2, 0.9), (12, 2)), over(ballard, "b", (4, 1.3), (9, 2)),
            over(fremont, "c", (5, 1.5), (9, 2)),
        ]
        let told = try Self.table.comparisons(of: routes, leaving: Self.issueTime)
        let back = try Self.table.comparisons(of: routes.reversed(), leaving: Self.issueTime)
        for pair in told {
            let other = try #require(
                back.first { $0.route == pair.other && $0.other == pair.route })
            expect(other.reversed, pair.probabilityFaster, pair.probabilityTie, within: 0.005)
            let sum = pair.probabilityFaster + pair.probabilityTie + pair.probabilitySlower
            #expect(abs(sum - 1) < 1e-6 && pair.reversed.reversed.route == pair.route)
        }
        // The same question has the same answer, to the last digit.
        #expect(try Self.table.comparisons(of: routes, leaving: Self.issueTime) == told)
    }

    @Test func aRouteTiesWithItself() throws {
        let route = over(ballard, "a", (2, 0.9), (12, 2))
        let told = try compare([route, route])
        #expect(told.probabilityTie == 1 && told.probabilityFaster == 0)
        // Another driver of the same way does not.
        var other = route
        other.id = "b"
        let apart = try compare([route, other])
        #expect(apart.probabilityTie < 0.5)
        #expect(abs(apart.probabilityFaster - apart.probabilitySlower) < 0.01)
    }

    @Test func whoSharesABridgeIsLessOftenOvertakenThere() throws {
        // A minute ahead at a raised bridge; what follows is the same for both.
        let own = over(ballard, "own", (2, 0.3), (10, 0.5))
        let shared = try compare([own, over(ballard, "other", (3.5, 0.3), (10, 0.5))])
        // As raised, but another bridge.
        let table = try ForecastTable(issueTime: Self.issueTime, leadsMinutes: [0, 300]) {
            _, _, _ in
            DelayDistribution([0.4, 0.05, 0.05, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0, 0])
        }
        let one = try compare([own, over(ballard, "other", (3.5, 0.3), (10, 0.5))], table)
        let two = try compare([own, over(fremont, "other", (3.5, 0.3), (10, 0.5))], table)
        #expect(one.probabilityFaster + one.probabilityTie > 0.85)
        #expect(one.probabilitySlower < two.probabilitySlower - 0.1)
        #expect(shared.probabilitySlower < 0.2)
    }

    @Test func noMoreThanEightRoutesAreCompared() throws {
        let routes = RandomRoutes.routes(30).filter { $0.mode == .car }
        let told = try Self.table.comparisons(of: routes, leaving: Self.issueTime)
        #expect(told.count == 28)
        #expect(try Self.table.comparisons(of: [routes[0]], leaving: Self.issueTime).isEmpty)
        let ranking = try Self.table.rank(routes, leaving: Self.issueTime)
        #expect(try Self.table.comparisons(of: ranking).first?.route == ranking[0].route.id)
    }
}
