// The order of a ranking: by score and weights, with ties, and of packed routes as of their own.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Testing

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
            #expect(abs(crossings - score.expectedDelayMinutes) < 2 / 60.0)
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

    @Test func equalScoresStandInTheOrderOfTheirTimesThenOfTheSet() throws {
        // Only being stopped counts, and nobody is.
        let minutes = [9.0, 4, 6, 4, 30, 6]
        let set = try RouteSet(minutes.enumerated().map { route("\($0)", [travel($1, 1)]) })
        var scorer = RouteScorer()
        try scorer.rank(
            set, with: Self.table, leaving: Self.issueTime,
            weights: RouteWeights([.probabilityStopped: 1]))
        #expect(scorer.order == [1, 3, 2, 5, 0, 4])
        var order: [Int] = []
        var sorter = ScoreOrder()
        var random = SeededGenerator(seed: 8)
        for count in [0, 1, 2, 1_000] {
            let scores = (0..<count).map { _ in Float(Int.random(in: 0..<300, using: &random)) / 7 }
            let ties = (0..<count).map { _ in Float(Int.random(in: 0..<3, using: &random)) }
            sorter.sort(count, into: &order) {
                scores[$0]
            } then: {
                ties[$0]
            }
            let expected = (0..<count).sorted {
                (scores[$0], ties[$0], $0) < (scores[$1], ties[$1], $1)
            }
            #expect(order == expected)
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
