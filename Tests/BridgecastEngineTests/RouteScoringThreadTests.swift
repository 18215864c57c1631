// Routes scored by several threads, in sets of any company and after any other set: the same bits.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Testing

@Suite struct RouteScoringThreadTests: ScoresRoutes {
    /// Figures in the order of the set, and the order.
    private func ranked(
        _ routes: [Route], by scorer: inout RouteScorer
    ) throws -> ([RouteFigures], [Int]) {
        try scorer.rank(
            try RouteSet(routes), with: Self.table, leaving: Self.issueTime,
            arriveBy: Self.issueTime.adding(minutes: 25))
        return (scorer.figures, scorer.order)
    }

    /// Routes that begin alike and then part, several times over, in an order that mixes them.
    private func forks(_ count: Int) -> [Route] {
        let ways = RandomRoutes.routes(12)
        var random = SeededGenerator(seed: 3)
        return (0..<count).map { number in
            let shared = ways[Int.random(in: 0..<12, using: &random)].steps
            let kept = shared.prefix(Int.random(in: 0...shared.count, using: &random))
            let own = RandomRoutes.routes(40)[number % 40].steps
            return route("\(number)", Array(kept) + own, mode: number % 4 == 0 ? .bike : .car)
        }
    }

    @Test(arguments: InstructionSet.available)
    func threadsDivideRoutesWithoutChangingThem(_ set: InstructionSet) throws {
        let most = 2 * RouteScorer.leastRoutesToDivide + 37
        for routes in [RandomRoutes.routes(most), forks(most)] {
            var alone = RouteScorer(instructionSet: set)
            let expected = try ranked(routes, by: &alone)
            for threads in [2, 3] {
                var scorer = RouteScorer(instructionSet: set, threads: threads)
                for count in [most, 5, RouteScorer.leastRoutesToDivide, most] {
                    let (figures, order) = try ranked(Array(routes.prefix(count)), by: &scorer)
                    #expect(figures == Array(expected.0.prefix(count)), "\(threads) threads")
                    if count == most { #expect(order == expected.1, "\(threads) threads") }
                }
            }
        }
    }

    @Test func aRouteScoresTheSameInAnyCompany() throws {
        var routes = RandomRoutes.routes(300)
        // Stretches too long to be kept, and one that makes every distribution of the set wide.
        routes.append(route("long", [travel(900, 60), .crossing(ballard), travel(400, 300)]))
        routes += forks(300)
        var together = RouteScorer()
        let (figures, _) = try ranked(routes, by: &together)
        var used = RouteScorer()
        for (index, route) in routes.enumerated() {
            var fresh = RouteScorer()
            #expect(try ranked([route], by: &fresh).0[0] == figures[index], "\(route.id)")
            #expect(try ranked([route], by: &used).0[0] == figures[index], "\(route.id)")
        }
    }

    @Test func aCopyOfAUsedScorerScoresTheSame() throws {
        let routes = RandomRoutes.routes(700)
        var scorer = RouteScorer(threads: 2)
        let expected = try ranked(routes, by: &scorer).0
        let copies = (0..<8).map { _ in scorer }
        for copy in copies {
            var copy = copy
            #expect(try ranked(routes, by: &copy).0 == expected)
        }
        #expect(try ranked(routes, by: &scorer).0 == expected)
    }

    @Test func copiesOfAScorerMayRankAtTheSameTime() async throws {
        let routes = RandomRoutes.routes(2_000)
        var scorer = RouteScorer(threads: 3)
        let expected = try ranked(routes, by: &scorer).0
        let shared = scorer
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var scorer = shared
                    for _ in 0..<10 {
                        guard try ranked(routes, by: &scorer).0 == expected else { return false }
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func delaysOfManyCrossingsAddUpWithoutALimitOfTheirSum() throws {
        // Thirty crossings: the mean is that of the stretches and of every crossing's own delay.
        let steps = (0..<30).flatMap { _ in [travel(4, 1), .crossing(ballard)] } + [travel(4, 1)]
        let score = try score(route("many", steps))
        let delays = score.crossings.reduce(0) { $0 + $1.expectedDelayMinutes }
        #expect(abs(score.expectedMinutes - 31 * 4 - delays) < 0.05)
        #expect(
            score.p50Minutes < score.p95Minutes && score.expectedMinutes > score.p50Minutes - 30)
        let stopped = score.crossings.reduce(1) { $0 * (1 - $1.probabilityDelayed) }
        #expect(abs(score.probabilityStopped - (1 - stopped)) < 0.01)
    }
}
