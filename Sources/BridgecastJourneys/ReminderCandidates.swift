// The ways of a reminder's trip, packed once: when to leave is found again with each forecast, without the roads.
public import BridgecastCore
public import BridgecastRouting

/// The candidate routes of a reminder for one deadline, as a person travels them.
///
/// The times between drawbridges are kept as distributions over whole minutes. With a new forecast the delays at bridges
/// are looked up at each minute of arrival, as ``RouteScorer`` does; both agree to about a percent of the probability of
/// being in time. The roads' speeds are those of the departure for which the candidates were made: make them again for
/// each deadline.
public struct ReminderCandidates: Sendable {
    /// The reminder's id.
    public let reminder: String
    /// When to be there.
    public let deadline: Timestamp
    /// The wanted probability of being there by then.
    public let confidence: Double
    /// The routes, adjusted to the person's pace.
    public let routes: [Route]
    private let packed: [PackedRoute]

    /// Packs routes.
    ///
    /// - Parameter routes: Of one trip; what ``LearnedPace/adjusting(_:)`` makes of those of a ranking.
    /// - Throws: ``RankingError`` for a stretch that is no duration.
    public init(
        _ routes: [Route], for reminder: Reminder, deadline: Timestamp
    ) throws(RankingError) {
        self.reminder = reminder.id
        self.deadline = deadline
        self.routes = routes
        confidence = reminder.confidence
        packed = try routes.map { route throws(RankingError) in
            try PackedRoute(route, confidence: Float(reminder.confidence))
        }
    }

    /// A bridge, with whether the traveller waits in the queue.
    struct Crossing: Hashable {
        let bridge: BridgeIndex
        let queues: Bool

        var number: Int { bridge.rawValue * 2 + (queues ? 1 : 0) }
    }

    /// The bridges of all routes.
    var crossings: Set<Crossing> { Set(packed.flatMap(\.crossings)) }

    /// The longest that leaving may be before the deadline, minutes: beyond that no reminder is of use.
    public static let maxMinutes = 360

    /// The latest departure, on a whole minute, by which a route arrives in time with the wanted probability.
    ///
    /// - Parameter forecasts: For the mode of the routes; it begins ``maxMinutes`` before the deadline or at its issue
    ///   time, and reaches the deadline.
    /// - Returns: Without a departure if none from the issue time on is likely enough.
    public func leaveBy(with forecasts: ForecastTable) -> LeaveBy {
        leaveBy(
            DelayCurves(
                forecasts, of: crossings, from: deadline.adding(minutes: -Double(Self.maxMinutes)),
                to: deadline))
    }

    func leaveBy(_ curves: DelayCurves) -> LeaveBy {
        var leaveBy = LeaveBy(reminder: reminder, deadline: deadline, departure: nil)
        let left = Int(deadline.minutes(since: curves.start).rounded(.down))
        guard let shortest = packed.map(\.minSlack).min(), left >= shortest else { return leaveBy }
        for slack in shortest...max(shortest, min(left, Self.maxMinutes)) {
            var best: (route: Int, probability: Float)?
            for (index, route) in packed.enumerated() where route.minSlack <= slack {
                let probability = route.probabilityOnTime(
                    slack: slack, departure: left - slack, curves)
                if Double(probability) >= confidence, probability > best?.probability ?? 0 {
                    best = (index, probability)
                }
            }
            guard let best else { continue }
            leaveBy.departure = curves.start.adding(seconds: Int64(left - slack) * 60)
            leaveBy.way = routes[best.route].name
            leaveBy.probabilityOnTime = Double(min(best.probability, 1))
            return leaveBy
        }
        return leaveBy
    }
}

/// A route as stretches with crossings between them.
private struct PackedRoute: Sendable {
    /// One more than there are crossings.
    let stretches: [Stretch]
    let crossings: [ReminderCandidates.Crossing]
    /// Fewer minutes to the deadline are too few even without a delay at any bridge.
    let minSlack: Int

    init(_ route: Route, confidence: Float) throws(RankingError) {
        var means = [0.0]
        var variances = [0.0]
        var crossings: [ReminderCandidates.Crossing] = []
        for step in route.steps {
            switch step {
            case .travel(let travel):
                means[means.count - 1] += travel.meanMinutes
                variances[variances.count - 1] += travel.spreadMinutes * travel.spreadMinutes
            case .crossing(let bridge):
                crossings.append(.init(bridge: bridge, queues: route.mode.queues))
                means.append(0)
                variances.append(0)
            }
        }
        stretches = try zip(means, variances).map { mean, variance throws(RankingError) in
            try Stretch(mean: mean, spread: variance.squareRoot(), of: route)
        }
        self.crossings = crossings
        let whole = stretches.dropFirst().reduce(stretches[0]) { $0.followed(by: $1) }
        minSlack = whole.minutes(notExceededWith: confidence)
    }

    /// - Parameters:
    ///   - slack: Minutes from the departure to the deadline.
    ///   - departure: Minutes after the start of the curves.
    func probabilityOnTime(slack: Int, departure: Int, _ curves: DelayCurves) -> Float {
        guard let last = crossings.last else { return stretches[0].cumulative(at: slack) }
        var arrivals = stretches[0]
        for (index, crossing) in crossings.dropLast().enumerated() {
            arrivals = arrivals.delayed(at: crossing, leaving: departure, curves)
                .followed(by: stretches[index + 1])
        }
        var sum: Float = 0
        for (index, share) in arrivals.shares.enumerated() {
            let minutes = arrivals.first + index
            sum +=
                share
                * curves.probability(
                    at: last, arrival: departure + minutes, left: slack - minutes,
                    before: stretches[stretches.count - 1])
        }
        return sum
    }
}

extension Stretch {
    /// The distribution that ``RouteScorer`` takes a stretch for.
    fileprivate init(
        mean: Double, spread: Double, of route: Route
    ) throws(RankingError) {
        guard mean > 0 else {
            self = .none
            return
        }
        // The grid adds a sixth of a square minute to the variance (Sheppard's correction, for triangles).
        let variance = spread * spread
        let corrected = variance > 4.0 / 6 ? (variance - 1.0 / 6).squareRoot() : spread
        var stretch = route
        stretch.steps = [.travel(Route.Travel(meanMinutes: mean, spreadMinutes: corrected))]
        let times = try ForecastTable.withoutDelays(for: route.mode)
            .travelTimes(of: [stretch], leaving: .earliestPlausible)[0]
        // Each time is shared by the whole minutes before and after it, so that the mean stays; less than one case in
        // 100,000 is left out at each end.
        var first = max(0, Int(mean - 8 * spread) - 1)
        while times.meanCumulative(inMinute: first) < 1e-5 { first += 1 }
        var shares: [Float] = []
        var before = 0.0
        while before < 1 - 1e-5 {
            let next = times.meanCumulative(inMinute: first + shares.count)
            shares.append(Float(next - before))
            before = next
        }
        let sum = shares.reduce(0, +)
        let start = first
        self.init(
            first: start, shares: shares.map { $0 / sum },
            sums: shares.indices.map {
                Float(times.cumulative(atMinutes: Double(start + $0)))
            })
    }

    /// The minutes that are not exceeded with a probability, up to the next whole one.
    fileprivate func minutes(notExceededWith probability: Float) -> Int {
        var minute = first
        while cumulative(at: minute) < probability, minute <= last { minute += 1 }
        return minute
    }

    /// The probability of at most some minutes.
    fileprivate func cumulative(at minutes: Int) -> Float {
        guard minutes >= first else { return 0 }
        return minutes <= last ? sums[minutes - first] : 1
    }

    /// What the arrivals are after the delay at a bridge.
    fileprivate func delayed(
        at crossing: ReminderCandidates.Crossing, leaving departure: Int, _ curves: DelayCurves
    ) -> Stretch {
        var sums = [Float](repeating: 0, count: shares.count + DelayCurves.longest)
        for (index, share) in shares.enumerated() {
            let delays = curves.delays(at: crossing, arrival: departure + first + index)
            for (length, chance) in delays.enumerated() { sums[index + length] += share * chance }
        }
        return Stretch(first: first, shares: sums)
    }
}

extension TravelTimeDistribution {
    /// The mean of the distribution function from a whole minute to the next.
    fileprivate func meanCumulative(inMinute minute: Int) -> Double {
        let parts = 32
        return (0..<parts).reduce(0) { sum, part in
            sum + cumulative(atMinutes: Double(minute) + (Double(part) + 0.5) / Double(parts))
        } / Double(parts)
    }
}

extension ForecastTable {
    /// A table for times on the road alone, at ``Timestamp/earliestPlausible``.
    fileprivate static func withoutDelays(
        for mode: Route.Mode
    ) throws(RankingError) -> ForecastTable {
        do {
            return try ForecastTable(
                issueTime: .earliestPlausible, leadsMinutes: [0], modes: [mode]
            ) { _, _, _ in .none }
        } catch {
            throw .table(error)
        }
    }
}
