// What a person's own journeys say of the time on the road: a conjugate model of the ratio to the network's forecast.
public import BridgecastCore
import Foundation

/// How much slower or faster a person is than the network's forecast of one route, from their own journeys.
///
/// For each journey y = ln(actual / forecast) + s²/2, where both times are without drawbridges, as far as that is known,
/// and s² is the forecast's own variance of the logarithm: y is 0 on average for one who travels as forecast. The y are
/// taken as normal with unknown mean and variance; their prior is normal-inverse-gamma, centred on 0 and on the network's
/// variance. So the posterior has a closed form, and the next y is Student's t (Gelman and others, "Bayesian Data
/// Analysis", 3rd edition 2013, section 3.3; Murphy, "Conjugate Bayesian analysis of the Gaussian distribution", 2007).
///
/// Without journeys the forecast stays exactly what it was.
public struct LearnedPace: Sendable, Equatable {
    /// How many journeys it rests on.
    public let journeys: Int
    /// How many were left out because they took more than ``maxRatio`` times what is common for this person, or less
    /// than the inverse of it: the end was not entered in time.
    public let outliers: Int
    /// The mean of y, and the sum of its squared deviations.
    let meanLogRatio, squares: Double

    /// How many journeys that went as forecast the prior of the mean counts as.
    ///
    /// In a normal model it is the variance between the journeys of one person divided by that between persons. The
    /// network takes 3 minutes as the standard deviation of a trip of 20, 15 %. That persons differ by 4 or 5 % is an
    /// assumption, on the cautious side: one who travels as forecast should not notice that something is learned.
    /// `bridgecast evaluate --learned` shows what it costs them, and what it gives to others.
    public static let priorJourneys = 12.0
    /// How many journeys the prior of the variance counts as, its degrees of freedom: a variance takes more journeys to
    /// learn than a mean.
    public static let priorDegrees = 16
    /// Only so many of the latest journeys count, so that old habits are forgotten.
    public static let maxJourneys = 100
    /// See ``outliers``.
    public static let maxRatio = 2.0
    /// Where it is not known whether a journey was stopped, it counts if that was no more likely than this.
    public static let maxUnknownStop = 0.2

    /// Nothing is known of this person.
    public static let none = LearnedPace(logRatios: [])

    /// Learns from the journeys on one route.
    ///
    /// - Parameters:
    ///   - journeys: In any order; only those on the route that arrived with a forecast count. One that is known to have
    ///     been stopped does not, since its delay is not known apart.
    ///   - route: See ``Journey/route``.
    ///   - issueTime: Journeys that ended later do not count.
    /// - Complexity: O(n log n).
    public init(
        of journeys: some Sequence<Journey>, on route: String, endedBy issueTime: Timestamp
    ) {
        let ended = journeys.compactMap { journey -> (end: Timestamp, logRatio: Double)? in
            guard journey.route == route, let end = journey.actualArrival, end <= issueTime,
                let ratio = Self.logRatio(of: journey)
            else { return nil }
            return (end, ratio)
        }
        self.init(
            logRatios: ended.sorted { $0.end < $1.end }.suffix(Self.maxJourneys).map(\.logRatio))
    }

    /// - Parameter logRatios: y of each journey.
    package init(logRatios: [Double]) {
        let centre = Self.robustCentre(of: logRatios)
        let kept = logRatios.filter { abs($0 - centre) <= log(Self.maxRatio) }
        let mean = kept.isEmpty ? 0 : kept.reduce(0, +) / Double(kept.count)
        journeys = kept.count
        outliers = logRatios.count - kept.count
        meanLogRatio = mean
        squares = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }

    /// y of a journey; nil if it says nothing of the road.
    static func logRatio(of journey: Journey) -> Double? {
        guard !journey.isAbandoned, journey.wasStopped != true, let forecast = journey.forecast,
            let travel = journey.travelSeconds, travel > 0
        else { return nil }
        let road = forecast.roadSeconds
        // Without knowing of a stop the delay is in the time, and so it is in what it is compared with.
        let isRoadAlone = journey.wasStopped == false
        guard isRoadAlone || forecast.probabilityStopped <= maxUnknownStop, road > 0 else {
            return nil
        }
        let expected = isRoadAlone ? road : forecast.expectedSeconds
        return log(Double(travel) / expected) + networkVariance(minutes: road / 60) / 2
    }

    /// The network's variance of the logarithm of a time on the road, from its default spread.
    static func networkVariance(minutes: Double) -> Double {
        log(1 + Route.Travel.varianceMinutesPerMinute / minutes)
    }

    /// The median of the y and of ``priorJourneys`` zeros for the prior: half of the journeys may be wrong, and so may be
    /// the first.
    private static func robustCentre(of logRatios: [Double]) -> Double {
        let sorted = (logRatios + Array(repeating: 0, count: Int(priorJourneys))).sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

// MARK: - Times

/// A time on the road as learned: its logarithm is Student's t.
public struct LearnedTime: Sendable, Equatable {
    /// The median, in the unit of the forecast.
    let median: Double
    /// The scale of the logarithm; 0 for a time that is certain.
    let scale: Double
    /// Degrees of freedom.
    let degrees: Int

    /// The variance of the logarithm.
    var variance: Double { scale * scale * Double(degrees) / Double(degrees - 2) }

    /// The mean of the log-normal time of the same median and variance: that of exp(t) is infinite.
    public var mean: Double { median * exp(variance / 2) }

    /// The standard deviation of the same log-normal time.
    public var spread: Double { mean * expm1(variance).squareRoot() }

    /// The time that is not exceeded with a probability above 0 and below 1, by Student's t.
    public func quantile(_ probability: Double) -> Double {
        median * exp(scale * StudentT.quantile(probability, degrees: degrees))
    }
}

extension LearnedPace {
    /// The time on the road of a trip whose forecast is a mean and a standard deviation, in any unit.
    public func time(mean: Double, spread: Double) -> LearnedTime {
        guard mean > 0 else { return LearnedTime(median: 0, scale: 0, degrees: Self.priorDegrees) }
        let network = log1p(spread / mean * (spread / mean))
        let n = Double(journeys)
        let strength = Self.priorJourneys + n
        let centre = n * meanLogRatio / strength
        let degrees = Self.priorDegrees + journeys
        let priorDegrees = Double(Self.priorDegrees)
        // Such that the prior's own prediction has the network's variance.
        let priorVariance =
            network * (priorDegrees - 2) / priorDegrees
            * Self.priorJourneys / (Self.priorJourneys + 1)
        let sum =
            priorDegrees * priorVariance + squares
            + Self.priorJourneys * n / strength * meanLogRatio * meanLogRatio
        let variance = sum / Double(degrees) * (1 + 1 / strength)
        return LearnedTime(
            median: mean * exp(centre - network / 2), scale: variance.squareRoot(),
            degrees: degrees)
    }

    /// A route with its stretches as this person travels them, ready to be scored; its bridges stay as they are.
    ///
    /// All stretches are longer or shorter by one factor, and their spreads by another, such that the whole has the mean
    /// and the variance that are learned. With no journeys it is the same route.
    public func adjusting(_ route: Route) -> Route {
        guard journeys > 0 else { return route }
        var variance = 0.0
        for case .travel(let travel) in route.steps {
            variance += travel.spreadMinutes * travel.spreadMinutes
        }
        let mean = route.meanTravelMinutes
        guard mean > 0 else { return route }
        let time = time(mean: mean, spread: variance.squareRoot())
        let factor = time.mean / mean
        // Of a time that the network takes as certain: each stretch has its share of the variance.
        let spreadFactor = variance > 0 ? time.spread / variance.squareRoot() : 0
        var adjusted = route
        adjusted.steps = route.steps.map { step in
            guard case .travel(let travel) = step else { return step }
            let spread =
                variance > 0
                ? travel.spreadMinutes * spreadFactor
                : time.spread * (travel.meanMinutes / mean).squareRoot()
            return .travel(
                Route.Travel(meanMinutes: travel.meanMinutes * factor, spreadMinutes: spread))
        }
        return adjusted
    }

    /// By how much the expected time on the road of a trip of some minutes changes: 0.15 is 15 % longer.
    public func change(ofMinutes minutes: Double) -> Double {
        guard journeys > 0, minutes > 0 else { return 0 }
        let spread = (Route.Travel.varianceMinutesPerMinute * minutes).squareRoot()
        return time(mean: minutes, spread: spread).mean / minutes - 1
    }
}
