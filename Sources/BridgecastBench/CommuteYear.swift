// What learning from one's own journeys is worth: simulated people commute for a year over the bridges as they were.
package import BridgecastCore
package import BridgecastEngine
internal import BridgecastJourneys
package import BridgecastRoads
internal import BridgecastRouting
internal import BridgecastTraining
private import Foundation

/// A simulated person: how they travel in truth.
package struct SimulatedCommuter: Sendable {
    /// What to call them.
    package let name: String
    /// Their time on the road over the network's; before and from the middle of the year on.
    let factors: (early: Double, late: Double)
    /// Their spread over the network's.
    var spread = 1.0
    /// They travel every so many working days.
    var everyDays = 1
    /// Whether they take the second route of the ranking every other day.
    var changesRoutes = false

    /// Those that are simulated.
    package static let all = [
        SimulatedCommuter(name: "as forecast", factors: (1, 1)),
        SimulatedCommuter(name: "15 % slower", factors: (1.15, 1.15)),
        SimulatedCommuter(name: "10 % quicker", factors: (0.9, 0.9)),
        SimulatedCommuter(
            name: "second route every other day", factors: (1, 1), changesRoutes: true),
        SimulatedCommuter(
            name: "15 % slower, every fourth week", factors: (1.15, 1.15), everyDays: 20),
        SimulatedCommuter(name: "as forecast, half the spread", factors: (1, 1), spread: 0.5),
        SimulatedCommuter(name: "as forecast, spread x 1.5", factors: (1, 1), spread: 1.5),
        SimulatedCommuter(name: "15 % slower until midyear", factors: (1.15, 1)),
    ]
}

/// Commutes a year of working days, and scores every forecast with and without the journeys before it.
///
/// On each working day at about 8:00 the model forecasts the routes from what was known of the bridges. The person takes
/// the first route; stretches are gamma distributed around the network's means times the person's factor, and delays are
/// those that the records of openings imply. Of the journeys 4 % are abandoned, 3 % are ended half an hour to four hours
/// late in the journal, and for 70 % it is known whether they were stopped. A forecast is scored by what really happened,
/// also where the journal is wrong; it is learned only from journeys that the journal had ended before.
package struct CommuteYear: Sendable {
    private let history: OpeningHistory
    private let inference: TrafficInference
    private let network: RoadNetwork
    private let interval: Range<Timestamp>
    /// Where they live and work.
    package static let origin = "Ballard", destination = "Downtown"
    /// Years that each person is simulated, with other random numbers.
    package static let years = 40
    private static let abandonedShare = 0.04
    private static let forgottenShare = 0.03
    private static let knownStopShare = 0.7

    /// - Parameters:
    ///   - history: Records up to the end of the interval and from before.
    ///   - interval: A year, say.
    package init(
        history: OpeningHistory, model: LoadedModel, network: RoadNetwork,
        interval: Range<Timestamp>
    ) {
        self.history = history
        self.network = network
        self.interval = interval
        inference = TrafficInference(model)
    }

    /// A working day's departure with its forecasts.
    private struct Day {
        let departure: Timestamp
        /// The first two of the ranking.
        let routes: [Route]
        let forecast: JourneyForecast
        let table: ForecastTable
        let plain: TravelTimeDistribution
        let plainQuantiles: [Double]
    }

    /// Runs it.
    ///
    /// - Returns: Empty if no departure is covered by the records.
    package func run() async throws -> [LearningResult] {
        let days = try await days()
        guard !days.isEmpty else { return [] }
        return try SimulatedCommuter.all.compactMap { person in
            let years = try (0..<Self.years).map { try year(of: person, days, seed: UInt64($0)) }
                .filter { $0.journeys > 0 }
            return years.isEmpty ? nil : LearningResult(person, years)
        }
    }

    private func days() async throws -> [Day] {
        let trip = try network.trip(from: Self.origin, to: Self.destination)
        let planner = RoutePlanner(network)
        let reader = SituationReader(history)
        var random = SeededRandom(seed: 8)
        var days: [Day] = []
        var date = SeattleTime.civil(at: interval.lowerBound).date
        while SeattleTime.startOfDay(date) < interval.upperBound {
            let departure = SeattleTime.startOfDay(date).adding(
                minutes: (8 * 60 - 15 + 30 * random.uniform()).rounded())
            if DayType(date) == .weekday, isCovered(departure) {
                days.append(
                    try await day(
                        leaving: departure, trip, by: planner,
                        knowing: reader.situation(at: departure)))
            }
            date = date.adding(days: 1)
        }
        return days
    }

    private func day(
        leaving departure: Timestamp, _ trip: Trip, by planner: RoutePlanner,
        knowing situation: Situation
    ) async throws -> Day {
        let ranking = try await inference.rank(
            trip, by: planner, leaving: departure, in: situation
        ).ranking
        let table = try await inference.table(
            in: situation, reaching: Self.reachMinutes, modes: [.car])
        let plain = try table.travelTimes(of: [ranking[0].route], leaving: departure)[0]
        return Day(
            departure: departure, routes: ranking.prefix(2).map(\.route),
            forecast: JourneyForecast(ranking[0]), table: table, plain: plain,
            plainQuantiles: plain.quantilesMinutes)
    }

    /// How far forecasts reach: several times the trip, with the longest delays.
    private static let reachMinutes = 240.0

    private func isCovered(_ departure: Timestamp) -> Bool {
        ["Ballard", "Fremont"].allSatisfy { name in
            BridgeCatalogue.index(named: name).map { bridge in
                history.coverage.contains(departure, of: bridge)
                    && history.coverage.contains(departure.adding(minutes: 60), of: bridge)
            } ?? false
        }
    }

    // MARK: A year

    private func year(
        of person: SimulatedCommuter, _ days: [Day], seed: UInt64
    ) throws -> LearningScores {
        var random = SeededRandom(seed: seed &* 7_919 &+ 17)
        var journeys: [Journey] = []
        var scores = LearningScores()
        for (number, day) in days.enumerated() where number % person.everyDays == 0 {
            let isLate = number >= days.count / 2
            let takesSecond = person.changesRoutes && number % 2 == 1 && day.routes.count > 1
            let actual = travel(
                day.routes[takesSecond ? 1 : 0], leaving: day.departure,
                factor: isLate ? person.factors.late : person.factors.early,
                spread: person.spread, &random)
            let isAbandoned = random.uniform() < Self.abandonedShare
            if !isAbandoned {
                let pace = LearnedPace(of: journeys, on: Self.route, endedBy: day.departure)
                try scores.add(
                    actual.minutes, plain: day.plain, day.plainQuantiles,
                    learned: day.table.travelTimes(
                        of: [pace.adjusting(day.routes[0])], leaving: day.departure)[0])
            }
            journeys.append(
                journey(actual, of: day, number: number, isAbandoned: isAbandoned, &random))
        }
        return scores
    }

    private static let route = Journey.identity(from: origin, to: destination, mode: .car)

    /// What the person enters in the journal.
    private func journey(
        _ actual: (minutes: Double, isStopped: Bool), of day: Day, number: Int,
        isAbandoned: Bool, _ random: inout SeededRandom
    ) -> Journey {
        let forgotten =
            random.uniform() < Self.forgottenShare ? 30 + 210 * random.uniform() : 0
        let isKnown = random.uniform() < Self.knownStopShare
        return Journey(
            id: "\(number)", route: Self.route, name: "\(Self.origin) -> \(Self.destination)",
            mode: .car, plannedDeparture: day.departure,
            plannedArrival: day.departure.adding(minutes: day.forecast.expectedSeconds / 60),
            actualDeparture: day.departure,
            actualArrival: isAbandoned
                ? nil : day.departure.adding(minutes: actual.minutes + forgotten),
            isAbandoned: isAbandoned, wasStopped: isKnown ? actual.isStopped : nil,
            forecast: day.forecast, createdAt: day.departure)
    }

    /// A trip as it goes in truth.
    private func travel(
        _ route: Route, leaving departure: Timestamp, factor: Double, spread: Double,
        _ random: inout SeededRandom
    ) -> (minutes: Double, isStopped: Bool) {
        var minutes = 0.0
        var isStopped = false
        for step in route.steps {
            switch step {
            case .travel(let travel):
                minutes += random.gamma(
                    mean: travel.meanMinutes * factor,
                    spread: travel.spreadMinutes * factor * spread)
            case .crossing(let bridge):
                let arrival = departure.adding(minutes: minutes)
                let delay =
                    history.delaySeconds(
                        arrivingAt: arrival, of: bridge,
                        density: TrafficProfile.density(of: bridge, at: arrival)) / 60
                minutes += delay
                if delay > 0 { isStopped = true }
            }
        }
        return (minutes, isStopped)
    }
}

extension SeededRandom {
    /// Gamma distributed: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM Transactions on
    /// Mathematical Software 26 (2000), for a spread below the mean.
    fileprivate mutating func gamma(mean: Double, spread: Double) -> Double {
        guard mean > 0, spread > 0 else { return mean }
        let shape = max(1, (mean / spread) * (mean / spread))
        let d = shape - 1.0 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let normal = normal()
            let cube = 1 + c * normal
            guard cube > 0 else { continue }
            let v = cube * cube * cube
            let limit = 0.5 * normal * normal + d - d * v + d * log(v)
            if log(1 - uniform()) < limit { return d * v * mean / shape }
        }
    }
}

// MARK: - Scores

/// Sums of scores of forecasts with and without what was learned.
struct LearningScores: Sendable {
    private(set) var journeys = 0
    /// Continuous ranked probability scores, magnitudes of the error of the expected time, and journeys within the P90.
    private(set) var plain = Sums()
    private(set) var learned = Sums()

    struct Sums: Sendable {
        var crps = 0.0
        var error = 0.0
        var withinP90 = 0.0

        mutating func add(_ minutes: Double, _ quantiles: [Double], _ p90: Double) {
            crps += Self.crps(minutes, quantiles)
            error += abs(minutes - quantiles.reduce(0, +) / Double(quantiles.count))
            withinP90 += minutes <= p90 ? 1 : 0
        }

        /// Twice the mean pinball loss of the quantiles at `QuantileLevels.all` (Gneiting and Ranjan, "Comparing density
        /// forecasts using threshold- and quantile-weighted scoring rules", 2011), minutes.
        private static func crps(_ minutes: Double, _ quantiles: [Double]) -> Double {
            zip(QuantileLevels.all, quantiles).reduce(0) { sum, pair in
                let (level, quantile) = pair
                return sum + max(level * (minutes - quantile), (level - 1) * (minutes - quantile))
            } * 2 / Double(quantiles.count)
        }
    }

    mutating func add(
        _ minutes: Double, plain: TravelTimeDistribution, _ plainQuantiles: [Double],
        learned: TravelTimeDistribution
    ) {
        journeys += 1
        self.plain.add(minutes, plainQuantiles, plain.quantileMinutes(0.9))
        self.learned.add(minutes, learned.quantilesMinutes, learned.quantileMinutes(0.9))
    }
}

/// The figures of a person; times in seconds a journey.
package struct LearningResult: Sendable, Encodable {
    /// Which person.
    package let person: String
    /// Journeys a year that were scored.
    package let journeys: Double
    /// The continuous ranked probability score without and with what was learned; less is better.
    package let forecastCRPS, learnedCRPS: Double
    /// The standard deviation of ``forecastCRPS`` from year to year: the noise of one person's year.
    package let yearlyDeviation: Double
    /// The learned score over the other, less 1: -0.1 is 10 % better.
    package let change: Double
    /// The standard error of ``change``.
    package let standardError: Double
    /// The mean magnitude of the error of the expected time.
    package let forecastError, learnedError: Double
    /// The share of journeys that took no longer than the P90; 0.9 is right.
    package let forecastCoverage, learnedCoverage: Double

    init(_ person: SimulatedCommuter, _ years: [LearningScores]) {
        self.person = person.name
        let count = Double(years.reduce(0) { $0 + $1.journeys })
        journeys = count / Double(years.count)
        func mean(_ value: (LearningScores) -> Double) -> Double {
            years.reduce(0) { $0 + value($1) } / count
        }
        forecastCRPS = mean(\.plain.crps) * 60
        learnedCRPS = mean(\.learned.crps) * 60
        forecastError = mean(\.plain.error) * 60
        learnedError = mean(\.learned.error) * 60
        forecastCoverage = mean(\.plain.withinP90)
        learnedCoverage = mean(\.learned.withinP90)
        change = learnedCRPS / forecastCRPS - 1
        standardError =
            Self.deviation(of: years.map { $0.learned.crps / $0.plain.crps })
            / Double(years.count).squareRoot()
        yearlyDeviation = Self.deviation(of: years.map { $0.plain.crps / Double($0.journeys) * 60 })
    }

    private static func deviation(of values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(max(1, values.count - 1))).squareRoot()
    }
}
