// What following a forecast is worth to a driver: regret against hindsight on past days. And whether neighbouring
// bridges depend on each other on such trips.
package import BridgecastCore
package import BridgecastEngine
package import BridgecastRoads
internal import BridgecastRouting
package import BridgecastTraining

/// Replays trips through Seattle's network on past days.
///
/// Trips go between all places for which the choice matters: without delays the quickest way crosses a
/// drawbridge that has records, and one over other drawbridges or none takes at most `closeMinutes`
/// longer. Departures are every 20 minutes from 6:00 to 22:00. Stretches take their expected time; delays
/// are those that the records imply at the profile's traffic, bridge after bridge.
package struct RouteBacktest: Sendable {
    /// Default of `closeMinutes`.
    package static let defaultCloseMinutes = 4.0
    /// Time between departures, minutes.
    package static let departureMinutes = 20.0
    private static let hours = 6..<22

    private let history: OpeningHistory
    private let model: LoadedModel
    private let network: RoadNetwork
    private let interval: Range<Timestamp>
    private let closeMinutes: Double
    private let covered: Set<BridgeIndex>

    /// - Parameters:
    ///   - history: Records up to the end of the interval and from before.
    ///   - interval: Departures; should be later than what the model was fitted to.
    ///   - closeMinutes: How much longer than the quickest route another may be for the choice to matter.
    package init(
        history: OpeningHistory, model: LoadedModel, network: RoadNetwork,
        interval: Range<Timestamp>, closeMinutes: Double = defaultCloseMinutes
    ) {
        self.closeMinutes = closeMinutes
        self.history = history
        self.model = model
        self.network = network
        self.interval = interval
        covered = Set(
            BridgeIndex.all.filter { bridge in
                history.coverage.contains(interval.lowerBound, of: bridge)
            })
    }

    /// Runs it, trips divided among two threads.
    ///
    /// - Parameters:
    ///   - maxPairs: Trips are thinned out evenly to this many pairs of places.
    ///   - progress: Called with the share of trips that are done, 0...1, now and then.
    /// - Returns: nil if no departure is covered by the records.
    package func run(
        maxPairs: Int = 150, progress: (Double) -> Void = { _ in }
    ) async throws -> RouteBacktestReport? {
        let departures = ProtocolClock.issueTimes(in: interval).filter { time in
            let civil = SeattleTime.civil(at: time)
            return Self.hours.contains(civil.hour) && civil.minute % Int(Self.departureMinutes) == 0
        }
        guard let first = departures.first else { return nil }
        let trips = BacktestTrips(network, covered: covered, closeMinutes: closeMinutes).trips(
            at: first, maxCount: maxPairs)
        let inference = TrafficInference(model)
        let forecasts = try await forecasts(at: departures, by: inference)
        let tallies = try await withThrowingTaskGroup(of: (Int, BacktestTally).self) { group in
            var tallies: [Int: BacktestTally] = [:]
            func take(_ result: (Int, BacktestTally)) {
                tallies[result.0] = result.1
                progress(Double(tallies.count) / Double(trips.count))
            }
            for (number, trip) in trips.enumerated() {
                if number >= Self.threads, let result = try await group.next() { take(result) }
                group.addTask { (number, try self.tally(of: trip, forecasts)) }
            }
            while let result = try await group.next() { take(result) }
            return tallies
        }
        var tally = BacktestTally()
        for number in trips.indices { if let part = tallies[number] { tally.add(part) } }
        let dependence = try await BridgeDependence(
            history: history, inference: inference, departures: departures)
        return tally.report(pairs: trips.count, dependence)
    }

    private static let threads = 2

    /// What is forecast at a departure, and what climatology says.
    private struct Forecasts: Sendable {
        let departure: Timestamp
        let live: ForecastTable
        let climatological: ForecastTable
    }

    private func forecasts(
        at departures: [Timestamp], by inference: TrafficInference
    ) async throws -> [Forecasts] {
        let reader = SituationReader(history)
        var forecasts: [Forecasts] = []
        for departure in departures {
            forecasts.append(
                Forecasts(
                    departure: departure,
                    live: try await table(in: reader.situation(at: departure), by: inference),
                    climatological: try await table(in: .unknown(at: departure), by: inference)))
        }
        return forecasts
    }

    /// One trip at all departures.
    private func tally(of trip: Trip, _ forecasts: [Forecasts]) throws -> BacktestTally {
        var planned = TripCandidates(trip, by: RoutePlanner(network))
        var tally = BacktestTally()
        for forecast in forecasts {
            try Task.checkCancellation()
            let departure = forecast.departure
            let candidates = try planned.leaving(departure, with: forecast.live)
                .map(\.route).filter { $0.crossings.allSatisfy(covered.contains) }
            guard let outcomes = outcomes(of: candidates, leaving: departure),
                let best = outcomes.map(\.minutes).min()
            else { continue }
            let chosen = try choices(
                among: candidates, live: forecast.live, climatological: forecast.climatological)
            tally.add(
                chosen.mapValues { outcomes[$0] }, best: best,
                day: SeattleTime.civil(at: departure).date.dayNumber)
        }
        return tally
    }

    private func table(
        in situation: Situation, by inference: TrafficInference
    ) async throws -> ForecastTable {
        try await inference.table(in: situation, reaching: Self.reachMinutes, modes: [.car])
    }

    /// How far forecasts reach: twice the longest trip with the longest delays.
    private static let reachMinutes = 300.0

    /// The index of the route that each policy takes.
    private func choices(
        among routes: [Route], live: ForecastTable, climatological: ForecastTable
    ) throws -> [RoutePolicy: Int] {
        func quickest(_ indices: [Int]) -> Int? {
            indices.min { routes[$0].meanTravelMinutes < routes[$1].meanTravelMinutes }
        }
        let all = Array(routes.indices)
        guard let shortest = quickest(all) else { return [:] }
        return [
            .bridgecast: try choice(among: routes, with: live) ?? shortest,
            .climatology: try choice(among: routes, with: climatological) ?? shortest,
            .shortest: shortest,
            .fixedBridge: quickest(all.filter { routes[$0].crossings.isEmpty }) ?? shortest,
        ]
    }

    /// The route that a forecast expects to be the quickest when leaving at once.
    private func choice(among routes: [Route], with table: ForecastTable) throws -> Int? {
        let best = try table.rank(
            routes, leaving: table.issueTime, weights: RouteWeights([.expectedMinutes: 1]))[0]
        return routes.firstIndex { $0.id == best.route.id }
    }

    /// The outcome of every route; nil if the records do not cover a crossing of one.
    private func outcomes(of routes: [Route], leaving departure: Timestamp) -> [TripOutcome]? {
        let known = routes.compactMap { outcome(of: $0, leaving: departure) }
        return known.count == routes.count ? known : nil
    }

    private func outcome(of route: Route, leaving departure: Timestamp) -> TripOutcome? {
        var minutes = 0.0
        var delay = 0.0
        for step in route.steps {
            switch step {
            case .travel(let travel): minutes += travel.meanMinutes
            case .crossing(let bridge):
                let arrival = departure.adding(minutes: minutes)
                guard history.coverage.contains(arrival, of: bridge) else { return nil }
                let wait =
                    history.delaySeconds(
                        arrivingAt: arrival, of: bridge,
                        density: route.mode.queues
                            ? TrafficProfile.density(of: bridge, at: arrival) : 0) / 60
                minutes += wait
                delay += wait
            }
        }
        return TripOutcome(route: route.id, minutes: minutes, isStopped: delay > 0)
    }
}

// MARK: - Results

/// What the backtest found.
package struct RouteBacktestReport: Encodable, Sendable {
    /// Trips over all departures.
    package let trips: Int
    /// Pairs of places that trips go between, the same at every departure.
    package let pairs: Int
    /// Civil days with at least one trip.
    package let days: Int
    /// Mean duration of the route that was the quickest in hindsight, minutes a trip.
    package let hindsightMinutes: Double
    /// Figures of every policy, in the order of its cases.
    package let policies: [PolicyFigures]
    /// Share of regret that Bridgecast saves, compared with each of the other policies.
    package let saved: [RoutePolicy: Estimate]
    /// Share of trips on which Bridgecast and climatology take different routes.
    package let differs: Double
    /// Mean minutes by which Bridgecast's route was quicker on those trips; < 0 if slower, 0 if there are none.
    package let gainWhereDifferent: Double
    /// How neighbouring bridges depend on each other beyond the forecast, at the same departures.
    package let dependence: BridgeDependence
}

/// How a driver chooses a route.
package enum RoutePolicy: String, CaseIterable, Sendable, Encodable, CodingKeyRepresentable {
    /// The route that the model's forecast, made at departure, expects to be the quickest.
    case bridgecast
    /// The same by climatology alone, without live state.
    case climatology
    /// The route that is quickest without any delay.
    case shortest
    /// The quickest route without a drawbridge, where there is one.
    case fixedBridge = "fixed_bridge"
}

/// Figures of one policy; minutes a trip.
package struct PolicyFigures: Encodable, Sendable {
    /// How the driver chose.
    package let policy: RoutePolicy
    /// Mean duration of a trip with its delays, minutes.
    package let meanMinutes: Double
    /// By how much longer trips took than the best route in hindsight.
    package let regretMinutes: Estimate
    /// Share of trips that were stopped.
    package let stopped: Double
}

// MARK: - Trips and their sums

/// What a trip by one route took.
private struct TripOutcome {
    let route: String
    let minutes: Double
    let isStopped: Bool
}

/// Trips of a network for which the choice of a route matters.
private struct BacktestTrips {
    private let network: RoadNetwork
    private let covered: Set<BridgeIndex>
    private let closeMinutes: Double

    /// - Parameter covered: Bridges that have records.
    init(_ network: RoadNetwork, covered: Set<BridgeIndex>, closeMinutes: Double) {
        self.network = network
        self.covered = covered
        self.closeMinutes = closeMinutes
    }

    /// At most `maxCount` trips from all over the city.
    func trips(at time: Timestamp, maxCount: Int) -> [Trip] {
        let anchors = network.places.filter { $0.kind != .stop }.compactMap {
            try? network.anchor($0, for: .car)
        }
        let pairs = anchors.count * anchors.count
        var trips: [Trip] = []
        var pair = 0
        for _ in 0..<pairs where trips.count < maxCount {
            // A prime step visits all pairs, with successive ones far apart.
            pair = (pair + Self.stride) % max(1, pairs)
            let trip = Trip(
                from: anchors[pair / anchors.count], to: anchors[pair % anchors.count], mode: .car)
            if trip.origin != trip.destination, matters(trip, at: time) { trips.append(trip) }
        }
        return trips
    }

    private static let stride = 1_000_003

    private func matters(_ trip: Trip, at time: Timestamp) -> Bool {
        let paths = network.paths(
            from: trip.origin, to: trip.destination, mode: .car, leaving: time
        ) {
            $0.minutes + closeMinutes
        }
        let bridges = paths.map { path in
            path.crossings.compactMap { network.crossings[$0].bridge }
        }.filter { $0.allSatisfy(covered.contains) }
        return bridges.first?.isEmpty == false && Set(bridges).count > 1
    }
}

private struct BacktestTally: Sendable {
    private var trips = 0
    private var hindsight = 0.0
    private var minutes: [RoutePolicy: Double] = [:]
    private var stopped: [RoutePolicy: Int] = [:]
    private var regretByDay: [RoutePolicy: [Int: Double]] = [:]
    private var tripsByDay: [Int: Double] = [:]
    private var different = 0
    private var gain = 0.0

    mutating func add(_ results: [RoutePolicy: TripOutcome], best: Double, day: Int) {
        trips += 1
        hindsight += best
        tripsByDay[day, default: 0] += 1
        for (policy, outcome) in results {
            minutes[policy, default: 0] += outcome.minutes
            stopped[policy, default: 0] += outcome.isStopped ? 1 : 0
            regretByDay[policy, default: [:]][day, default: 0] += outcome.minutes - best
        }
        if let ours = results[.bridgecast], let theirs = results[.climatology],
            ours.route != theirs.route
        {
            different += 1
            gain += theirs.minutes - ours.minutes
        }
    }

    mutating func add(_ other: BacktestTally) {
        trips += other.trips
        hindsight += other.hindsight
        minutes.merge(other.minutes, uniquingKeysWith: +)
        stopped.merge(other.stopped, uniquingKeysWith: +)
        regretByDay.merge(other.regretByDay) { $0.merging($1, uniquingKeysWith: +) }
        tripsByDay.merge(other.tripsByDay, uniquingKeysWith: +)
        different += other.different
        gain += other.gain
    }

    func report(pairs: Int, _ dependence: BridgeDependence) -> RouteBacktestReport? {
        guard trips > 0 else { return nil }
        let days = tripsByDay.keys.sorted()
        let counts = days.map { tripsByDay[$0] ?? 0 }
        func regret(_ policy: RoutePolicy) -> [Double] {
            days.map { regretByDay[policy]?[$0] ?? 0 }
        }
        let ours = regret(.bridgecast)
        var saved: [RoutePolicy: Estimate] = [:]
        for policy in RoutePolicy.allCases where policy != .bridgecast {
            saved[policy] = DayBlockBootstrap.ratioSkill(model: ours, reference: regret(policy))
        }
        return RouteBacktestReport(
            trips: trips, pairs: pairs, days: days.count,
            hindsightMinutes: hindsight / Double(trips),
            policies: RoutePolicy.allCases.map { policy in
                PolicyFigures(
                    policy: policy, meanMinutes: (minutes[policy] ?? 0) / Double(trips),
                    regretMinutes: DayBlockBootstrap.ratio(regret(policy), over: counts),
                    stopped: Double(stopped[policy] ?? 0) / Double(trips))
            }, saved: saved, differs: Double(different) / Double(trips),
            gainWhereDifferent: different == 0 ? 0 : gain / Double(different),
            dependence: dependence)
    }
}

// MARK: - Dependence of neighbouring bridges

/// How often neighbouring bridges stop one trip both, against what independence given the forecast implies.
///
/// A trip that reaches the first bridge in 10 minutes and its neighbour 10 minutes later, at every departure
/// of the backtest, in both directions. Scoring multiplies the chances of different bridges; this measures
/// the error of that.
package struct BridgeDependence: Encodable, Sendable {
    /// Pairs of bridges times departures.
    package let cases: Int
    /// Share of cases in which the trip was stopped at both bridges.
    package let bothStopped: Estimate
    /// Mean product of both bridges' chances, 0...1: `bothStopped` if they were independent.
    package let bothStoppedIfIndependent: Double
    /// Share of cases in which the trip was stopped at one of the two or both.
    package let anyStopped: Double
    /// Mean of 1 - (1 - a)(1 - b) over both bridges' chances, 0...1: `anyStopped` if they were independent.
    package let anyStoppedIfIndependent: Double
    /// Correlation of the residuals (stopped - chance) at both bridges.
    package let residualCorrelation: Estimate

    private static let firstLead = 10.0
    private static let secondLead = 20.0

    init(history: OpeningHistory, inference: TrafficInference, departures: [Timestamp]) async throws
    {
        let reader = SituationReader(history)
        var sums: [Int: DaySums] = [:]
        for departure in departures {
            let table = try await inference.table(
                in: reader.situation(at: departure), reaching: Self.secondLead, modes: [.car])
            let day = SeattleTime.civil(at: departure).date.dayNumber
            for (first, second) in Self.neighbours {
                func residual(_ bridge: BridgeIndex, _ lead: Double) -> Residual? {
                    Residual(
                        bridge, lead: lead, departure: departure, table: table, history: history)
                }
                guard let a = residual(first, Self.firstLead),
                    let b = residual(second, Self.secondLead)
                else { continue }
                sums[day, default: DaySums()].add(a, b)
            }
        }
        let days = sums.keys.sorted().compactMap { sums[$0] }
        let total = days.reduce(into: DaySums()) { $0.add($1) }
        let count = max(1, total.count)
        cases = Int(total.count)
        bothStopped = DayBlockBootstrap.ratio(days.map(\.both), over: days.map(\.count))
        bothStoppedIfIndependent = total.bothExpected / count
        anyStopped = total.any / count
        anyStoppedIfIndependent = total.anyExpected / count
        residualCorrelation = DayBlockBootstrap.ratio(
            days.map(\.product), over: days.map { ($0.squareA * $0.squareB).squareRoot() })
    }

    private static let neighbours: [(BridgeIndex, BridgeIndex)] = [Waterway.shipCanal, .duwamish]
        .flatMap { waterway -> [(BridgeIndex, BridgeIndex)] in
            let line = BridgeCatalogue.along(waterway)
            return zip(line, line.dropFirst()).flatMap { [($0, $1), ($1, $0)] }
        }

    /// What happened at a bridge, and the forecast chance of it.
    private struct Residual {
        let chance: Double
        let isStopped: Bool
        var value: Double { (isStopped ? 1 : 0) - chance }

        /// nil unless the records cover the departure and the arrival.
        init?(
            _ bridge: BridgeIndex, lead: Double, departure: Timestamp, table: ForecastTable,
            history: OpeningHistory
        ) {
            let arrival = departure.adding(minutes: lead)
            guard history.coverage.contains(departure, of: bridge),
                history.coverage.contains(arrival, of: bridge)
            else { return nil }
            let delay = history.delaySeconds(
                arrivingAt: arrival, of: bridge,
                density: TrafficProfile.density(of: bridge, at: arrival))
            chance =
                table.delayWithin(at: bridge, leadMinutes: lead, queues: true).probabilityDelayed
            isStopped = delay > 0
        }
    }

    private struct DaySums {
        var count = 0.0
        var both = 0.0
        var bothExpected = 0.0
        var any = 0.0
        var anyExpected = 0.0
        var product = 0.0
        var squareA = 0.0
        var squareB = 0.0

        mutating func add(_ a: Residual, _ b: Residual) {
            count += 1
            both += a.isStopped && b.isStopped ? 1 : 0
            bothExpected += a.chance * b.chance
            any += a.isStopped || b.isStopped ? 1 : 0
            anyExpected += 1 - (1 - a.chance) * (1 - b.chance)
            product += a.value * b.value
            squareA += a.value * a.value
            squareB += b.value * b.value
        }

        mutating func add(_ other: DaySums) {
            count += other.count
            both += other.both
            bothExpected += other.bothExpected
            any += other.any
            anyExpected += other.anyExpected
        }
    }
}
