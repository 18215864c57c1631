// The order of a ranking: by score and weights, with ties, and of packed routes as of their own.
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastEngine
@testable import BridgecastRouting

@Suite struct RouteScoringOrderTests: ScoresRoutes {
    @Test func aPackedSetIsRankedAsItsRoutesAre() throws {
        let routes = RandomRoutes.routes(200)
        let ranked = try Self.table.rank(routes, leaving: Self.issueTime)
        var scorer = RouteScorer()
        let set = try RouteSet(routes)
        for _ in 0..<2 {  // memory of the first turn is used again
            try scorer.rank(
                set, with: Self.table, leaving: Self.issueTime)
            #expect(scorer.order.map { routes[$0].id } == ranked.map(\.route.id))
            let means = scorer.order.map { scorer.figures[$0].expectedMinutes }
            let isSame = zip(means, ranked).allSatisfy { abs($0 - $1.expectedMinutes) < 1e-5 }
            #expect(isSame)
        }
        #expect(ranked.map(\.score) == ranked.map(\.score).sorted())
        for score in ranked {
            let crossings = score.crossings.reduce(0) { $0 + $1.expectedDelayMinutes }
            #expect(abs(crossings - score.expectedDelayMinutes) < 1e-4)
            #expect(score.crossings.map(\.bridge) == score.route.crossings)
        }
    }

    @Test func theOrderFollowsTheWeights() throws {
        let quick = route(
            "quick but risky", [travel(10, 1), .crossing(Fixtures.bridge("1st Ave South"))])
        let safe = route("slow but safe", [travel(12, 1)])
        func best(_ weights: [RouteCriterion: Double], by minutes: Double? = nil) throws -> String {
            let ranked = try Self.table.rank(
                [safe, quick], leaving: Self.issueTime,
                arriveBy: minutes.map { Self.issueTime.adding(minutes: $0) },
                weights: RouteWeights(weights))
            let difference = ranked[1].differences(from: ranked[0], weights: RouteWeights(weights))
                .reduce(0) { $0 + $1.minutes }
            #expect(abs(difference - (ranked[1].score - ranked[0].score)) < 1e-4)
            return ranked[0].route.id
        }
        #expect(try best([.expectedMinutes: 1]) == "quick but risky")
        #expect(try best([.p50Minutes: 1]) == "quick but risky")
        for criterion in [
            RouteCriterion.p90Minutes, .p95Minutes, .probabilityStopped, .openingsPerDay,
            .idleMinutes,
        ] {
            #expect(try best([criterion: 1]) == "slow but safe", "\(criterion)")
        }
        #expect(try best([.probabilityLate: 1], by: 15) == "slow but safe")
        #expect(try best([.probabilityLate: 1], by: 11) == "quick but risky")
    }

    @Test func equalScoresAreOrderedByTimeThenByTheSet() throws {
        // Only being stopped counts, and no route is.
        let minutes = [9.0, 4, 6, 4, 30, 6]
        let set = try RouteSet(minutes.enumerated().map { route("\($0)", [travel($1, 1)]) })
        var scorer = RouteScorer()
        try scorer.rank(
            set, with: Self.table, leaving: Self.issueTime,
            weights: RouteWeights([.probabilityStopped: 1]))
        #expect(scorer.order == [1, 3, 2, 5, 0, 4])
    }

    @Test(arguments: [0, 1, 2, 1_000]) func ordersAreThoseOfTheFigures(_ count: Int) throws {
        var random = SeededGenerator(seed: 8)
        let routes = (0..<count).map { number in
            let minutes = Double(Int.random(in: 1...30, using: &random))
            let steps =
                [travel(minutes, 1)] + (Bool.random(using: &random) ? [.crossing(ballard)] : [])
            return route("\(number)", steps)
        }
        var scorer = RouteScorer()
        for weights in [RouteWeights([.probabilityStopped: 1]), .standard] {
            try scorer.rank(
                try RouteSet(routes), with: Self.table, leaving: Self.issueTime, weights: weights)
            let keys = scorer.figures.map { (Float($0.score), Float($0.expectedMinutes)) }
            let expected = (0..<count).sorted {
                (keys[$0].0, keys[$0].1, $0) < (keys[$1].0, keys[$1].1, $1)
            }
            #expect(scorer.order == expected)
        }
    }

    @Test func weightsThatCannotRankAreRefused() {
        #expect(throws: RouteWeightsError.allZero) {
            try RouteWeights([.expectedMinutes: 0]).validate(hasDeadline: false)
        }
        #expect(throws: RouteWeightsError.lateWithoutDeadline) {
            try RouteWeights([.expectedMinutes: 1, .probabilityLate: 5]).validate(
                hasDeadline: false)
        }
        for weight in [-1, .infinity] {
            #expect(throws: RouteWeightsError.notAWeight(.p90Minutes, weight)) {
                try RouteWeights([.p90Minutes: weight]).validate(hasDeadline: true)
            }
        }
        #expect(throws: RouteWeightsError.self) {
            try RouteWeights([.p90Minutes: .nan]).validate(hasDeadline: true)
        }
        #expect(throws: Never.self) {
            try RouteWeights([.probabilityLate: 5]).validate(hasDeadline: true)
        }
    }
}

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
        let most = 2 * RouteScorer.minRoutesToDivide + 37
        for routes in [RandomRoutes.routes(most), forks(most)] {
            var alone = RouteScorer(instructionSet: set)
            let expected = try ranked(routes, by: &alone)
            for threads in [2, 3] {
                var scorer = RouteScorer(instructionSet: set, threads: threads)
                for count in [most, 5, RouteScorer.minRoutesToDivide, most] {
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
        #expect(abs(score.expectedMinutes - 31 * 4 - delays) < 1e-3)
        #expect(
            score.p50Minutes < score.p95Minutes && score.expectedMinutes > score.p50Minutes - 30)
        let stopped = score.crossings.reduce(1) { $0 * (1 - $1.probabilityDelayed) }
        #expect(abs(score.probabilityStopped - (1 - stopped)) < 0.01)
    }
}
