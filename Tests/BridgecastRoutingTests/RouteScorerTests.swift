// The time that a route takes, against trips simulated from the same model and against published quantiles.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastEngine
@testable import BridgecastRouting

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
        func agrees(_ computed: Double, _ simulated: Double) -> Bool {
            let error = (simulated * (1 - simulated)).squareRoot() / sample.rootOfCount
            return abs(computed - simulated) < 4 * error + 5e-4
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
        for (computed, table) in [
            (time.expectedMinutes, 20), (time.p50Minutes, 19.337), (time.p80Minutes, 25.038),
            (time.p90Minutes, 28.412), (time.p95Minutes, 31.410),
        ] {
            #expect(abs(computed - table) < 0.01)
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
            let computed = score.expectedMinutes - score.expectedDelayMinutes
            #expect(
                abs(computed - mean) < 0.02 + 0.01 * spread,
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
    func everyInstructionSetGivesTheSame(_ instructionSet: InstructionSet) throws {
        let set = try RouteSet(RandomRoutes.routes(500))
        func figures(_ instructionSet: InstructionSet) throws -> [RouteFigures] {
            var scorer = RouteScorer(instructionSet: instructionSet)
            try scorer.rank(
                set, with: Self.table, leaving: Self.issueTime,
                arriveBy: Self.issueTime.adding(minutes: 30))
            return scorer.figures
        }
        let expected = try figures(.scalar)
        let found = try figures(instructionSet)
        #expect(found.count == expected.count && !found.isEmpty)
        for (a, b) in zip(expected, found) {
            #expect(abs(a.expectedMinutes - b.expectedMinutes) < 1e-3)
            #expect(abs(a.p95Minutes - b.p95Minutes) < 2e-3)
            #expect(abs(a[.probabilityLate] - b[.probabilityLate]) < 1e-4)
            #expect(abs(a.probabilityStopped - b.probabilityStopped) < 1e-4)
        }
    }
}

@Suite struct RouteScoringCrossingTests: ScoresRoutes {
    @Test func crossingsAreLookedUpWhenTheEarlierLegsArrive() throws {
        let route = route("late", [travel(30, 1), .crossing(fremont)])
        let crossing = try #require(
            try score(route, leaving: Self.issueTime.adding(minutes: 10)).crossings.first)
        #expect(abs(crossing.leadMinutes - 40) < 0.1)
        #expect(crossing.arrival == Self.issueTime.adding(minutes: crossing.leadMinutes))
        let expected = try Self.table.delay(at: fremont, leadMinutes: 40, mode: .car)
        #expect(abs(crossing.probabilityDelayed - expected.probabilityDelayed) < 0.001)
    }

    @Test func bikesDoNotQueue() throws {
        let steps = [travel(5, 1), .crossing(fremont)]
        let car = try score(route("car", steps), leaving: Self.issueTime)
        let bike = try score(route("bike", steps, mode: .bike), leaving: Self.issueTime)
        #expect(abs(bike.probabilityStopped - car.probabilityStopped / 2) < 1e-5)
        #expect(car.idlingCO2Grams > 0 && bike.idlingCO2Grams == 0)
    }

    @Test func routesOfNothingOrOnlyABridgeAreScored() throws {
        let none = try score(route("none", []), leaving: Self.issueTime)
        #expect(none.expectedMinutes == 0 && none.probabilityStopped == 0)
        let bridge = try score(
            route("bridge", [.crossing(fremont)]), leaving: Self.issueTime)
        let delay = try Self.table.delay(at: fremont, leadMinutes: 0, mode: .car)
        #expect(abs(bridge.expectedMinutes * 60 - delay.expectedSeconds) < 1)
        #expect(abs(bridge.probabilityStopped - delay.probabilityDelayed) < 1e-5)
    }

    @Test func theTableInterpolatesBetweenLeads() throws {
        let at = { (lead: Double) in
            try Self.table.delay(at: fremont, leadMinutes: lead, mode: .car).probabilityDelayed
        }
        #expect(abs(try at(12.5) - (try at(10) + at(15)) / 2) < 1e-9)
    }

    @Test func weightsOfCellsIntegrateCubicsOverEveryBinExactly() {
        let edges = DelayBins.edgesMinutes + [DelayBins.longestMinutes]
        for bin in 1..<DelayBins.count {
            let (low, high) = (edges[bin - 1], edges[bin])
            for power in 0...3 {
                let sum = DelayAtoms.shares.filter { $0.bin == bin }.reduce(0.0) {
                    $0 + Double($1.weight) * pow(Double(DelayAtoms.minutes[$1.atom]), Double(power))
                }
                let next = Double(power + 1)
                let exact = (pow(high, next) - pow(low, next)) / (next * (high - low))
                #expect(abs(sum - exact) < 1e-5 * max(1, exact), "bin \(bin), power \(power)")
            }
        }
    }
}

@Suite struct RouteScoringSetTests: ScoresRoutes {
    @Test func theLongestRouteThereCanBeIsTaken() throws {
        let longest = RouteSet.maxMinutes
        let set = try RouteSet([route("whole", [travel(longest, 0)])])
        #expect(set.reachMinutes == 0)
        _ = try RouteSet([
            route("parts", [travel(longest / 2, 0), .crossing(fremont), travel(longest / 2, 0)])
        ])
        #expect(throws: RouteSetError.self) {
            try RouteSet([route("more", [travel(longest, 0), .crossing(fremont), travel(1, 0)])])
        }
    }

    @Test func stretchesInARowAreOne() throws {
        let parts = try score(
            route("parts", [travel(4, 0.9), travel(6, 1.2), .crossing(fremont)]),
            leaving: Self.issueTime)
        let whole = try score(
            route("whole", [travel(10, 1.5), .crossing(fremont)]), leaving: Self.issueTime)
        #expect(parts.figures == whole.figures)
    }

    @Test(arguments: [
        (Double.nan, 1.0), (5, .nan), (-1, 0), (5, -0.1), (.infinity, 1), (5, .infinity),
        (2_000, 1),
    ])
    func aStretchThatIsNoDurationIsRefused(_ stretch: (Double, Double)) {
        #expect(throws: RouteSetError.self) {
            try RouteSet([route("bad", [.crossing(fremont), travel(stretch.0, stretch.1)])])
        }
    }
}

/// Delays that are known, so that what scoring makes of them can be checked.
enum KnownDelays {
    static let issueTime = Fixtures.timestamp("2026-02-20T12:00")

    /// Delays that differ by bridge and grow with the lead; Ballard is raised now.
    static let table: ForecastTable = {
        // It reaches as far as the longest route there can be.
        let history = RandomModel.climatology.history(on: SeattleTime.civil(at: issueTime).date)
        do {
            return try ForecastTable(
                issueTime: issueTime,
                leadsMinutes: ForecastTable.leads(upTo: 2 * RouteSet.maxMinutes + 100),
                history: Dictionary(uniqueKeysWithValues: zip(BridgeIndex.all, history)),
                delay: delay)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func delay(
        _ bridge: BridgeIndex, _ lead: Double, _ mode: Route.Mode
    ) -> DelayDistribution {
        let raised = bridge == .ballard ? exp(-lead / 4) * 0.8 : 0
        let growth = min(lead, 120) / 400
        let chance = Float(0.05 + 0.03 * Double(bridge.rawValue) + growth + raised)
        let parts: [Float] = [2, 3, 4, 5, 4, 3, 3, 2, 1, 0.5, 0.1]
        let sum = parts.reduce(0, +)
        let queueing = DelayDistribution([1 - chance] + parts.map { $0 / sum * chance })
        return mode.queues ? queueing : queueing.mixed(with: .none, weight: 0.5)
    }
}

/// A suite that scores routes with ``KnownDelays``.
protocol ScoresRoutes {}

extension ScoresRoutes {
    static var issueTime: Timestamp { KnownDelays.issueTime }
    static var table: ForecastTable { KnownDelays.table }
    var ballard: BridgeIndex { Fixtures.bridge("Ballard") }
    var fremont: BridgeIndex { Fixtures.bridge("Fremont") }

    func score(
        _ route: Route, leaving departure: Timestamp = Self.issueTime,
        arriveBy deadline: Timestamp? = nil
    ) throws -> RouteScore {
        try Self.table.rank([route], leaving: departure, arriveBy: deadline)[0]
    }

    func route(_ id: String, _ steps: [Route.Step], mode: Route.Mode = .car) -> Route {
        Route(id: id, name: id, origin: "a", destination: "b", mode: mode, steps: steps)
    }

    func travel(_ mean: Double, _ spread: Double) -> Route.Step {
        .travel(Route.Travel(meanMinutes: mean, spreadMinutes: spread))
    }
}

/// Routes with up to four crossings, the same in every run.
enum RandomRoutes {
    static func routes(_ count: Int) -> [Route] {
        var random = SeededGenerator(seed: 11)
        return (0..<count).map { number in
            let crossings = Int.random(in: 0...4, using: &random)
            let steps = (0..<2 * crossings + 1).map { place -> Route.Step in
                if place % 2 == 1 {
                    return .crossing(
                        BridgeIndex.all.randomElement(using: &random) ?? BridgeIndex.all[0])
                }
                return .travel(Route.Travel(minutes: Double.random(in: 0.5...15, using: &random)))
            }
            return Route(
                id: "\(number)", name: "", origin: "a", destination: "b",
                mode: number % 3 == 0 ? .bike : .car, steps: steps)
        }
    }
}
