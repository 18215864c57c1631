// What following a forecast is worth to a driver: regret against hindsight on past days.
package import BridgecastCore
package import BridgecastEngine
package import BridgecastRoads

/// Replays trips through Seattle's network on past days.
///
/// Trips go between all places for which the choice matters: without delays the quickest way crosses a
/// drawbridge that has records, and one over other drawbridges or none takes at most `closeMinutes`
/// longer. Departures are every 20 minutes from 6:00 to 22:00. Stretches take their expected time; delays
/// are those that the records imply at the profile's traffic, bridge after bridge.
package struct RouteBacktest: Sendable {
    /// Ways this much longer than the quickest are close enough to it for the choice to matter, minutes.
    package static let usualCloseMinutes = 4.0
    /// Time between departures, minutes.
    package static let departureMinutes = 20.0
    private static let firstHour = 6, lastHour = 22

    private let history: OpeningHistory
    private let model: LoadedModel
    private let network: RoadNetwork
    private let interval: Range<Timestamp>
    private let closeMinutes: Double
    private let covered: Set<BridgeIndex>

    /// - Parameters:
    ///   - history: Records up to the end of the interval and from before.
    ///   - interval: Departures; should be later than what the model was fitted to.
    ///   - closeMinutes: How much longer than the quickest way another may be for the choice to matter.
    package init(
        history: OpeningHistory, model: LoadedModel, network: RoadNetwork,
        interval: Range<Timestamp>, closeMinutes: Double = usualCloseMinutes
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

    /// Runs it; about a minute for two weeks.
    ///
    /// - Parameter mostPairs: Trips are thinned out evenly to so many pairs of places.
    /// - Returns: nil if no departure is covered by the records.
    package func run(mostPairs: Int = 150) async throws -> RouteBacktestReport? {
        let departures = ProtocolClock.issueTimes(in: interval).filter { moment in
            let civil = SeattleTime.civil(at: moment)
            return (Self.firstHour..<Self.lastHour).contains(civil.hour)
                && civil.minute % Int(Self.departureMinutes) == 0
        }
        guard let first = departures.first else { return nil }
        let pairs = BacktestTrips(network, covered, closeMinutes: closeMinutes).trips(
            at: first, most: mostPairs)
        let reader = SituationReader(history)
        let inference = TrafficInference(model)
        let planner = RoutePlanner(network)
        var tally = BacktestTally()
        for departure in departures {
            let situations = [reader.situation(at: departure), .unknown(at: departure)]
            var tables: [ForecastTable] = []
            for situation in situations {
                tables.append(
                    try await inference.table(
                        in: situation, reaching: Self.longestMinutes, modes: [.car]))
            }
            let day = SeattleTime.civil(at: departure).date.dayNumber
            for trip in pairs {
                let candidates = try planner.candidates(
                    trip, leaving: departure, with: tables[0]
                ).map(\.route).filter { $0.crossings.allSatisfy(covered.contains) }
                guard let outcomes = outcomes(of: candidates, departure),
                    let best = outcomes.map(\.minutes).min()
                else { continue }
                let chosen = try choices(among: candidates, now: tables[0], usual: tables[1])
                tally.add(chosen.mapValues { outcomes[$0] }, best: best, day: day)
            }
        }
        let dependence = try await BridgeDependence(
            history: history, inference: inference, departures: departures)
        return tally.report(pairs: pairs.count, dependence)
    }

    /// Forecasts reach so far: for twice the longest trip, met by the longest delays.
    private static let longestMinutes = 300.0

    /// Which of some routes each policy takes: their indices.
    private func choices(
        among routes: [Route], now: ForecastTable, usual: ForecastTable
    ) throws -> [RoutePolicy: Int] {
        func quickest(_ indices: [Int]) -> Int? {
            indices.min { routes[$0].meanTravelMinutes < routes[$1].meanTravelMinutes }
        }
        let all = Array(routes.indices)
        guard let shortest = quickest(all) else { return [:] }
        return [
            .bridgecast: try choice(among: routes, with: now) ?? shortest,
            .climatology: try choice(among: routes, with: usual) ?? shortest,
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

    /// How every route went; nil if the records do not cover a crossing of one.
    private func outcomes(of routes: [Route], _ departure: Timestamp) -> [TripOutcome]? {
        let known = routes.compactMap { outcome($0, departure) }
        return known.count == routes.count ? known : nil
    }

    /// How long a route took, or nil if the records do not cover a crossing.
    private func outcome(_ route: Route, _ departure: Timestamp) -> TripOutcome? {
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
