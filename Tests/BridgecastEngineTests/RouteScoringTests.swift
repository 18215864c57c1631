// The time that a route takes, against trips simulated from the same model and against published quantiles.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RouteScoringTests: ScoresRoutes {
    private var trips: [Route] {
        [
            route("one", [travel(6, 1.5), .crossing(fremont), travel(9, 2)]),
            route(
                "two",
                [
                    travel(6, 1.5), .crossing(ballard), travel(9, 2), .crossing(fremont),
                    travel(4, 1),
                ]),
            route("near and raised", [travel(1.5, 0.9), .crossing(ballard), travel(11, 3)]),
            route(
                "usual spreads, four bridges",
                [
                    .travel(Route.Travel(minutes: 8)), .crossing(Fixtures.bridge("Montlake")),
                    .travel(Route.Travel(minutes: 5)), .crossing(Fixtures.bridge("University")),
                    .travel(Route.Travel(minutes: 12)), .crossing(Fixtures.bridge("South Park")),
                    .travel(Route.Travel(minutes: 3)), .crossing(Fixtures.bridge("1st Ave South")),
                    .travel(Route.Travel(minutes: 7)),
                ]),
            route("bike", [travel(12, 2), .crossing(ballard), travel(14, 3)], mode: .bike),
        ]
    }

    @Test(arguments: 0..<5) func agreesWithAMillionSimulatedTrips(_ number: Int) throws {
        let route = trips[number]
        let departure = Self.issueTime.adding(minutes: 5)
        let minutes = route.meanTravelMinutes + 3
        let sample = SimulatedTrips(route, Self.table, startMinutes: 5, count: 1_000_000)
        for set in InstructionSet.available {
            var scorer = RouteScorer(instructionSet: set)
            try scorer.rank(
                try RouteSet([route]), with: Self.table, leaving: departure,
                arriveBy: departure.adding(minutes: minutes))
            expect(scorer.figures[0], toAgreeWith: sample, deadlineMinutes: minutes, "\(set)")
        }
    }

    /// Four standard errors of the simulation are allowed, and some for the grid of a minute.
    private func expect(
        _ figures: RouteFigures, toAgreeWith sample: SimulatedTrips, deadlineMinutes: Double,
        _ set: String
    ) {
        let mean = figures.expectedMinutes * 60
        #expect(abs(mean - sample.mean) < 4 * sample.spread / sample.rootOfCount + 0.5, "\(set)")
        for (level, minutes) in [
            (0.5, figures.p50Minutes), (0.8, figures.p80Minutes), (0.9, figures.p90Minutes),
            (0.95, figures.p95Minutes),
        ] {
            let error = 4 * (level * (1 - level)).squareRoot() / sample.rootOfCount
            let low = sample.quantile(level - error) - 1
            let high = sample.quantile(level + error) + 1
            let value = minutes * 60
            #expect(low...high ~= value, "P\(level): \(value) not in \(low)...\(high), \(set)")
        }
        func agrees(_ told: Double, _ simulated: Double) -> Bool {
            let error = (simulated * (1 - simulated)).squareRoot() / sample.rootOfCount
            return abs(told - simulated) < 4 * error + 5e-4
        }
        #expect(agrees(figures.probabilityStopped, sample.stoppedShare), "\(set)")
        let share = sample.share { $0 <= deadlineMinutes * 60 }
        #expect(agrees(figures.probabilityOnTime ?? -1, share), "\(set)")
        let delay = figures.expectedDelayMinutes * 60
        #expect(abs(delay - sample.meanDelay) < 1.5, "\(set)")
    }

    @Test func aStretchHasTheQuantilesOfItsGammaDistribution() throws {
        // Chi-square with 20 degrees of freedom, as tables print it, is a gamma with mean 20 and
        // variance 40.
        let time = try score(
            route("chi", [travel(20, 40.0.squareRoot())]), leaving: Self.issueTime
        )
        for (told, table) in [
            (time.expectedMinutes, 20), (time.p50Minutes, 19.337), (time.p80Minutes, 25.038),
            (time.p90Minutes, 28.412), (time.p95Minutes, 31.410),
        ] {
            #expect(abs(told - table) < 0.01)
        }
        // Two degrees of freedom: exponential, as wide as a stretch may be.
        let wide = try score(
            route("wide", [travel(20, 20)]), leaving: Self.issueTime
        )
        #expect(abs(wide.expectedMinutes - 20) < 0.3)
        #expect(abs(wide.p90Minutes - 20 * log(10.0)) < 0.5)
        // Narrower than a cell, and of no spread at all.
        let narrow = try score(
            route("narrow", [travel(18.4, 0.5)]), leaving: Self.issueTime
        )
        #expect(abs(narrow.expectedMinutes - 18.4) < 1e-4 && abs(narrow.p90Minutes - 19.04) < 0.02)
        let certain = try score(
            route("certain", [travel(7.3, 0)]), leaving: Self.issueTime,
            arriveBy: Self.issueTime.adding(minutes: 7))
        #expect(abs(certain.p95Minutes - 7.3) < 1e-4)
        #expect(certain.probabilityOnTime == 0)
    }

    @Test func stretchesOfAnyLengthAndSpreadKeepTheirMean() throws {
        for seed: UInt64 in 0..<400 {
            var random = SeededGenerator(seed: seed)
            let mean = exp(Double.random(in: -4...6, using: &random))
            let spread = mean * Double.random(in: 0...1, using: &random)
            let score = try score(
                route("any", [travel(mean, spread), .crossing(fremont)]), leaving: Self.issueTime)
            let told = score.expectedMinutes - score.expectedDelayMinutes
            #expect(
                abs(told - mean) < 0.02 + 0.01 * spread,
                "seed \(seed): mean \(mean), spread \(spread)")
            let quantiles = [
                score.p50Minutes, score.p80Minutes, score.p90Minutes, score.p95Minutes,
            ]
            let isInOrder = quantiles == quantiles.sorted()
            #expect(isInOrder, "seed \(seed): mean \(mean), spread \(spread)")
        }
    }

    /// Stretches shorter than a cell of the grid: less than half a minute, and a little more.
    @Test(arguments: [0.1, 0.3, 0.45, 0.7, 1.2]) func shortStretchesKeepTheirMean(
        _ minutes: Double
    ) throws {
        for spread in [0, 0.05, minutes / 2] {
            let score = try score(
                route("short", [travel(minutes, spread)]), leaving: Self.issueTime)
            #expect(abs(score.expectedMinutes - minutes) < 1 / 60.0, "spread \(spread)")
            #expect(score.p50Minutes < minutes + 0.5)
        }
    }

    @Test(arguments: InstructionSet.available)
    func everyInstructionSetSaysTheSame(_ instructionSet: InstructionSet) throws {
        let set = try RouteSet(RandomRoutes.routes(500))
        func figures(_ instructionSet: InstructionSet) throws -> [RouteFigures] {
            var scorer = RouteScorer(instructionSet: instructionSet)
            try scorer.rank(
                set, with: Self.table, leaving: Self.issueTime,
                arriveBy: Self.issueTime.adding(minutes: 30))
            return scorer.figures
        }
        for (a, b) in zip(try figures(.scalar), try figures(instructionSet)) {
            #expect(abs(a.expectedMinutes - b.expectedMinutes) < 1e-3)
            #expect(abs(a.p95Minutes - b.p95Minutes) < 2e-3)
            #expect(abs(a[.probabilityLate] - b[.probabilityLate]) < 1e-4)
            #expect(abs(a.probabilityStopped - b.probabilityStopped) < 1e-4)
        }
    }
}
