// The chance that one route beats another, against simulated openings, against the margins and against itself.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastEngine
@testable import BridgecastRouting

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
        _ bridge: BridgeIndex, _ id: String, before: (Double, Double), after: (Double, Double)
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
        _ computed: RouteComparison, _ faster: Double, _ tie: Double, within error: Double,
        name: String = ""
    ) {
        #expect(abs(computed.probabilityFaster - faster) < error, "\(name): \(computed), \(faster)")
        #expect(abs(computed.probabilityTie - tie) < error, "\(name): \(computed), \(tie)")
    }

    @Test(arguments: [0.2, 1.0, 3.0, 8.0])
    func routesOverOneBridgeCompareAsAtSimulatedOpenings(_ apart: Double) throws {
        let bridge = SimulatedOpenings(density: density, meanPauseMinutes: 15)
        let delay = bridge.delay
        let table = try ForecastTable(issueTime: Self.issueTime, leadsMinutes: [0, 300]) {
            _, _, _ in
            delay
        }
        let first = over(fremont, "first", before: (6, 1.2), after: (9, 1.5))
        let later = over(fremont, "later", before: (6 + apart, 1.2), after: (8, 1.5))
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
        let alone = try compare(
            [first, over(ballard, "other", before: (6 + apart, 1.2), after: (8, 1.5))], table)
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
            let computed = try compare(
                [
                    over(fremont, "own", before: (2, 0.9), after: (10, 1.5)),
                    over(fremont, "other", before: (before, 0.9), after: (after, 1.5)),
                ], table)
            // The bins of a forecast are wide for long delays: they blur who waits for the same end.
            expect(computed, race.faster, race.tie, within: 0.02, name: "\(before)")
        }
    }

    @Test func routesThatShareNothingCompareByTheirMargins() throws {
        let routes = [
            over(fremont, "a", before: (6, 1.5), after: (9, 2)),
            over(ballard, "b", before: (1.5, 0.9), after: (13, 3)),
            route("c", [travel(17, 2.6)]),
            route(
                "d",
                [
                    travel(5, 1.4), .crossing(Fixtures.bridge("Montlake")), travel(4, 1.3),
                    .crossing(Fixtures.bridge("South Park")), travel(7, 1.8),
                ]),
        ]
        let times = try Self.table.travelTimes(of: routes, leaving: Self.issueTime)
        let computed = try Self.table.comparisons(of: routes, leaving: Self.issueTime)
        #expect(computed.map { $0.route + $0.other } == ["ab", "ac", "ad", "bc", "bd", "cd"])
        try #require(computed.count == 6)
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
                expect(computed[next], sum(-0.5), sum(0.5) - sum(-0.5), within: 0.005)
                next += 1
            }
        }
    }

    @Test func comparisonsAreTheSameFromBothSides() throws {
        let routes = [
            over(ballard, "a", before: (2, 0.9), after: (12, 2)),
            over(ballard, "b", before: (4, 1.3), after: (9, 2)),
            over(fremont, "c", before: (5, 1.5), after: (9, 2)),
        ]
        let computed = try Self.table.comparisons(of: routes, leaving: Self.issueTime)
        let back = try Self.table.comparisons(of: routes.reversed(), leaving: Self.issueTime)
        for pair in computed {
            let other = try #require(
                back.first { $0.route == pair.other && $0.other == pair.route })
            expect(other.reversed, pair.probabilityFaster, pair.probabilityTie, within: 0.005)
            let sum = pair.probabilityFaster + pair.probabilityTie + pair.probabilitySlower
            #expect(abs(sum - 1) < 1e-6 && pair.reversed.reversed.route == pair.route)
        }
        // The same question has the same answer, to the last digit.
        #expect(try Self.table.comparisons(of: routes, leaving: Self.issueTime) == computed)
    }

    @Test func aRouteTiesWithItself() throws {
        let route = over(ballard, "a", before: (2, 0.9), after: (12, 2))
        let computed = try compare([route, route])
        #expect(computed.probabilityTie == 1 && computed.probabilityFaster == 0)
        // Another driver of the same way does not.
        var other = route
        other.id = "b"
        let apart = try compare([route, other])
        #expect(apart.probabilityTie < 0.5)
        #expect(abs(apart.probabilityFaster - apart.probabilitySlower) < 0.01)
    }

    @Test func aSharedBridgeMakesOvertakingRarer() throws {
        // A minute ahead at a raised bridge; what follows is the same for both.
        let own = over(ballard, "own", before: (2, 0.3), after: (10, 0.5))
        let shared = try compare([
            own, over(ballard, "other", before: (3.5, 0.3), after: (10, 0.5)),
        ])
        // As raised, but another bridge.
        let table = try ForecastTable(issueTime: Self.issueTime, leadsMinutes: [0, 300]) {
            _, _, _ in
            DelayDistribution([0.4, 0.05, 0.05, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0, 0])
        }
        let one = try compare(
            [own, over(ballard, "other", before: (3.5, 0.3), after: (10, 0.5))], table)
        let two = try compare(
            [own, over(fremont, "other", before: (3.5, 0.3), after: (10, 0.5))], table)
        #expect(one.probabilityFaster + one.probabilityTie > 0.85)
        #expect(one.probabilitySlower < two.probabilitySlower - 0.1)
        #expect(shared.probabilitySlower < 0.2)
    }

    @Test func noMoreThanEightRoutesAreCompared() throws {
        let routes = RandomRoutes.routes(30).filter { $0.mode == .car }
        let computed = try Self.table.comparisons(of: routes, leaving: Self.issueTime)
        #expect(computed.count == 28)
        #expect(try Self.table.comparisons(of: [routes[0]], leaving: Self.issueTime).isEmpty)
        let ranking = try Self.table.rank(routes, leaving: Self.issueTime)
        #expect(try Self.table.comparisons(of: ranking).first?.route == ranking[0].route.id)
    }
}

@Suite struct JointTripsTests: ScoresRoutes {
    /// Two bridges in both orders, one of them twice, and one of them alone.
    private var sharing: [Route] {
        [
            route(
                "north",
                [
                    travel(2, 0.9), .crossing(ballard), travel(5, 1.4), .crossing(fremont),
                    travel(6, 1.6),
                ]),
            route(
                "south",
                [
                    travel(4, 1.3), .crossing(fremont), travel(3, 1.1), .crossing(ballard),
                    travel(7, 1.7),
                ]),
            route("one", [travel(6, 1.6), .crossing(ballard), travel(8, 1.8)]),
            route("only", [.crossing(ballard)]),
        ]
    }

    @Test func everyRouteKeepsItsOwnDistribution() throws {
        let set = try RouteSet(sharing)
        let trips = JointTrips(
            set, with: Self.table, startMinutes: 0,
            density: Array(repeating: 0.4, count: set.tables.count))
        let times = try Self.table.travelTimes(of: sharing, leaving: Self.issueTime)
        for (number, time) in times.enumerated() where sharing[number].steps.count > 1 {
            let start = number * LatticePoints.count
            let drawn = trips.total[start..<start + LatticePoints.count].sorted()
            for level in stride(from: 0.05, through: 0.95, by: 0.05) {
                let minutes = time.quantileMinutes(level)
                let share =
                    Double(drawn.count { Double($0) <= minutes })
                    / Double(LatticePoints.count)
                #expect(abs(share - level) < 0.025, "\(sharing[number].id), P\(level): \(share)")
            }
        }
    }

    /// Whatever two forecasts say, the later arrival's delay is distributed as its own forecast says.
    @Test func theLaterArrivalKeepsItsForecast() throws {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<40 {
            let forecasts = (0..<2).map { _ in
                DelayDistribution(
                    (0..<DelayBins.count).map { _ in Float.random(in: 0...1, using: &random) })
            }
            let table = try ForecastTable(
                issueTime: Self.issueTime, leadsMinutes: [0, 10, 300]
            ) { _, lead, _ in lead < 10 ? forecasts[0] : forecasts[1] }
            let delays = CrossingDelays(
                [RouteSet.DelayKey(bridge: fremont, queues: true)], from: table, startMinutes: 0,
                lastMinute: 60, density: [Double.random(in: 0..<0.9, using: &random)])
            let arrival = Float.random(in: 0...30, using: &random)
            var drawn: [Double] = []
            for earlier in 0..<200 {
                let delay = delays.delay(at: 0, of: 0, (Float(earlier) + 0.5) / 200)
                for later in 0..<50 {
                    drawn.append(
                        Double(
                            delays.delay(
                                at: arrival, of: 0,
                                after: CrossingDelays.Arrival(minutes: 0, delay: delay),
                                (Float(later) + 0.5) / 50)))
                }
            }
            let own = try table.delay(at: fremont, leadMinutes: Double(arrival), mode: .car)
            for edge in [0.0] + DelayBins.edgesMinutes.dropFirst() {
                let share = Double(drawn.count { $0 <= edge }) / Double(drawn.count)
                #expect(abs(share - own.cumulative(atSeconds: edge * 60)) < 0.02, "\(edge) min")
            }
        }
    }

    @Test func arrivalsAtTheSameTimeWaitAsLong() throws {
        let delays = CrossingDelays(
            [RouteSet.DelayKey(bridge: ballard, queues: true)], from: Self.table, startMinutes: 0,
            lastMinute: 60, density: [0.3])
        for place in 0..<100 {
            let chance = (Float(place) + 0.5) / 100
            let earlier = CrossingDelays.Arrival(
                minutes: 3, delay: delays.delay(at: 3, of: 0, chance))
            for later in [Float(0.1), 0.5, 0.9] {
                let delay = delays.delay(at: 3, of: 0, after: earlier, later)
                #expect(abs(delay - earlier.delay) < 1e-3)
            }
        }
    }

    @Test func thePointsAreEvenInEveryDimension() {
        for dimension in [0, 1, 5, 40, 63, 64, 200] {
            let generator = LatticePoints.generator(dimension)
            let shares = Set(
                (0..<LatticePoints.count).map {
                    LatticePoints.share(ofPoint: $0, generator)
                })
            #expect(shares.count == LatticePoints.count)
        }
        let normal = LatticePoints.normal
        #expect(normal == normal.sorted() && normal.count == LatticePoints.count)
        // The quantile of 0.97509765625, from tables.
        #expect(abs(normal[998] - 1.9617) < 1e-3)
    }
}

/// Trips drawn at random from the model that scoring sums over.
struct SimulatedTrips {
    private let seconds: [Double]
    let stoppedShare: Double
    let mean: Double
    let spread: Double
    let meanDelay: Double
    /// The square root of the number of trips.
    let rootOfCount: Double

    init(_ route: Route, _ table: ForecastTable, startMinutes: Double, count: Int) {
        var random = FastRandom()
        var stopped = 0
        var delays = 0.0
        var trips: [Double] = []
        trips.reserveCapacity(count)
        for _ in 0..<count {
            var time = 0.0
            var wasStopped = false
            for step in route.steps {
                switch step {
                case .travel(let travel):
                    time += random.gamma(travel.meanMinutes, travel.spreadMinutes) * 60
                case .crossing(let bridge):
                    let wait = table.delayWithin(
                        at: bridge, leadMinutes: startMinutes + time / 60, queues: route.mode.queues
                    ).quantileSeconds(random.uniform())
                    if wait > 0 { wasStopped = true }
                    time += wait
                    delays += wait
                }
            }
            trips.append(time)
            if wasStopped { stopped += 1 }
        }
        trips.sort()
        seconds = trips
        let mean = trips.reduce(0, +) / Double(count)
        self.mean = mean
        spread = (trips.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)).squareRoot()
        stoppedShare = Double(stopped) / Double(count)
        meanDelay = delays / Double(count)
        rootOfCount = Double(count).squareRoot()
    }

    func quantile(_ level: Double) -> Double { seconds[Int(level * Double(seconds.count))] }

    func share(_ condition: (Double) -> Bool) -> Double {
        Double(seconds.count(where: condition)) / Double(seconds.count)
    }
}

/// SplitMix64, which is good and quick enough for a million trips, with what trips are drawn from.
struct FastRandom {
    private var state: UInt64 = 42

    mutating func uniform() -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return (Double((z ^ (z >> 31)) >> 11) + 0.5) / Double(1 << 53)
    }

    /// Marsaglia and Tsang's method.
    mutating func gamma(_ mean: Double, _ spread: Double) -> Double {
        let shape = (mean / spread) * (mean / spread)
        let d = shape - 1.0 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
            let v = pow(1 + c * x, 3)
            guard v > 0 else { continue }
            if log(uniform()) < 0.5 * x * x + d - d * v + d * log(v) { return d * v * mean / shape }
        }
    }
}

/// A bridge that opens at random: each opening lasts evenly between 3 and 7 minutes, and after its queue has gone an
/// exponential time passes until the next.
struct SimulatedOpenings {
    let density: Double
    let meanPauseMinutes: Double
    private static let (shortest, longest) = (3.0, 7.0)

    /// What an arrival at any time meets: the stationary distribution.
    var delay: DelayDistribution {
        let queue = (Self.shortest + Self.longest) / 2 / (1 - density)
        let delayed = queue / (queue + meanPauseMinutes)
        let edges = DelayBins.edgesMinutes + [DelayBins.longestMinutes]
        // The density of a delay w is that of an opening longer than w.
        func upTo(_ minutes: Double) -> Double {
            let above = min(max(minutes - Self.shortest, 0), Self.longest - Self.shortest)
            let all = Self.longest - Self.shortest
            return (min(minutes, Self.shortest) + above - above * above / (2 * all))
                / (Self.shortest + all / 2)
        }
        let shares = (1..<DelayBins.count).map { upTo(edges[$0]) - upTo(edges[$0 - 1]) }
        return DelayDistribution(([1 - delayed] + shares.map { $0 * delayed }).map(Float.init))
    }

    /// Openings of three hours around a time 0 that is like any other: begin and length, minutes.
    func openings(_ random: inout FastRandom) -> [(start: Double, length: Double)] {
        var openings: [(start: Double, length: Double)] = []
        var time = -200.0 - 40 * random.uniform()
        while time < 100 {
            time -= meanPauseMinutes * log(random.uniform())
            let length = Self.shortest + (Self.longest - Self.shortest) * random.uniform()
            openings.append((time, length))
            time += length / (1 - density)
        }
        return openings
    }

    /// The delay of an arrival at a time, minutes.
    func delay(at minutes: Double, _ openings: [(start: Double, length: Double)]) -> Double {
        openings.lazy.filter { $0.start <= minutes }.map {
            QueueingDelay.seconds(
                openingSeconds: $0.length * 60, arrivalSeconds: (minutes - $0.start) * 60,
                density: density) / 60
        }.max() ?? 0
    }
}

/// How often one route is there before another, by more than a tie.
struct SimulatedRace {
    private(set) var faster = 0.0, tie = 0.0

    /// - Parameter race: The minutes that both take in one case.
    init(_ cases: Int, _ race: (inout FastRandom) -> (Double, Double)) {
        var random = FastRandom()
        let tieMinutes = RouteComparison.tieSeconds / 60
        for _ in 0..<cases {
            let (own, other) = race(&random)
            if own < other - tieMinutes {
                faster += 1
            } else if own <= other + tieMinutes {
                tie += 1
            }
        }
        faster /= Double(cases)
        tie /= Double(cases)
    }
}
