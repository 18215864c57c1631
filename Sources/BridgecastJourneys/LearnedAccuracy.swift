// What learning from one's own journeys was worth: each forecast of a route with and without the journeys before it.
public import BridgecastCore

/// How good the forecasts of a route were, and how good they would have been with what had been learned by then.
///
/// Each journey is scored by what was known at its start: the pace is learned from the journeys that had ended. A
/// journal keeps the expected time and the P90 of a forecast, so these are scored; the learned P90 is as far from the
/// learned expected time as the forecast's own is from its, times the ratio of their spreads on the road.
public struct LearnedAccuracy: Sendable, Equatable {
    /// The figures of one kind of forecast.
    public struct Figures: Sendable, Equatable {
        /// The mean magnitude of travel time minus expected time, minutes.
        public fileprivate(set) var meanAbsoluteErrorMinutes = 0.0
        /// The share of journeys that took no longer than the P90; 0.9 is right.
        public fileprivate(set) var p90Coverage = 0.0
        /// The mean pinball loss of the P90, minutes: 0.9 of each minute above it, 0.1 of each below (Koenker and
        /// Bassett, "Regression quantiles", Econometrica 46, 1978).
        public fileprivate(set) var p90LossMinutes = 0.0

        fileprivate mutating func add(_ travel: Double, expected: Double, p90: Double) {
            meanAbsoluteErrorMinutes += abs(travel - expected) / 60
            p90Coverage += travel <= p90 ? 1 : 0
            p90LossMinutes += max(0.9 * (travel - p90), 0.1 * (p90 - travel)) / 60
        }

        fileprivate mutating func divide(by count: Int) {
            meanAbsoluteErrorMinutes /= Double(count)
            p90Coverage /= Double(count)
            p90LossMinutes /= Double(count)
        }
    }

    /// See ``Journey/route``.
    public let route: String
    /// The name of its last journey.
    public let name: String
    /// Journeys that were scored.
    public let journeys: Int
    /// Journeys that took more than ``maxRatio`` times their expected time and were not scored: their end was entered late.
    public let leftOut: Int
    /// The forecasts as they were.
    public let forecast: Figures
    /// The forecasts with what had been learned.
    public let learned: Figures
    /// What is learned from all of them.
    public let pace: LearnedPace
    /// The change of the expected time on the road of the last journey by ``pace``: 0.15 is 15 % longer.
    public let change: Double

    /// See ``leftOut``.
    public static let maxRatio = 3.0

    /// Scores the routes of journeys, the one with the most first; those without a forecast that arrived have none.
    ///
    /// - Parameters:
    ///   - first: Journeys that began earlier teach, and are not scored; nil for none.
    ///   - now: Journeys that ended later do not count.
    /// - Complexity: O(n log n).
    public static func ofRoutes(
        _ journeys: [Journey], from first: Timestamp? = nil, now: Timestamp
    ) -> [LearnedAccuracy] {
        Dictionary(grouping: journeys, by: \.route).values
            .compactMap {
                LearnedAccuracy($0.sorted { $0.start < $1.start }, from: first, now: now)
            }
            .sorted { ($1.journeys, $0.name, $0.route) < ($0.journeys, $1.name, $1.route) }
    }

    /// - Parameter journeys: Of one route, in order of their start.
    private init?(_ journeys: [Journey], from first: Timestamp?, now: Timestamp) {
        let paces = PaceHistory(of: journeys, endedBy: now)
        var count = 0
        var leftOut = 0
        var plain = Figures()
        var adjusted = Figures()
        for journey in journeys where first.map({ journey.start >= $0 }) ?? true {
            guard let travel = journey.travelSeconds, let end = journey.actualArrival, end <= now,
                let forecast = journey.forecast
            else { continue }
            guard Double(travel) <= Self.maxRatio * forecast.expectedSeconds else {
                leftOut += 1
                continue
            }
            count += 1
            let own = paces.pace(at: journey.start).adjusting(forecast)
            plain.add(
                Double(travel), expected: forecast.expectedSeconds, p90: forecast.p90Seconds)
            adjusted.add(Double(travel), expected: own.expectedSeconds, p90: own.p90Seconds)
        }
        guard count > 0, let last = journeys.last else { return nil }
        plain.divide(by: count)
        adjusted.divide(by: count)
        route = last.route
        name = last.name
        self.journeys = count
        self.leftOut = leftOut
        forecast = plain
        learned = adjusted
        let pace = paces.pace(at: now)
        self.pace = pace
        let latest = journeys.last { $0.forecast != nil }?.forecast
        change = latest.map { pace.change(ofMinutes: $0.roadSeconds / 60) } ?? 0
    }
}

/// What the journeys on a route had taught at each time.
private struct PaceHistory {
    private let ends: [(end: Timestamp, logRatio: Double)]

    init(of journeys: [Journey], endedBy now: Timestamp) {
        ends = journeys.compactMap { journey in
            guard let end = journey.actualArrival, end <= now,
                let ratio = LearnedPace.logRatio(of: journey)
            else { return nil }
            return (end, ratio)
        }.sorted { $0.end < $1.end }
    }

    /// - Complexity: O(log n)
    func pace(at time: Timestamp) -> LearnedPace {
        let known = ends.prefix(ends.partitioningIndex { $0.end > time })
        return LearnedPace(logRatios: known.suffix(LearnedPace.maxJourneys).map(\.logRatio))
    }
}

extension JourneyForecast {
    /// The expected time on the road, without the delay at drawbridges as far as that was kept, seconds.
    public var roadSeconds: Double { max(0, expectedSeconds - (expectedDelaySeconds ?? 0)) }
}

extension Journey {
    /// Plans the arrival by the forecast as this person travels; the forecast stays, for it is what is learned from.
    public mutating func plan(by pace: LearnedPace) {
        guard let forecast else { return }
        plannedArrival = start.adding(minutes: pace.adjusting(forecast).expectedSeconds / 60)
    }
}

extension LearnedPace {
    /// A kept forecast as this person travels.
    public func adjusting(_ forecast: JourneyForecast) -> JourneyForecast {
        let road = forecast.roadSeconds
        guard journeys > 0, road > 0 else { return forecast }
        let spread = (Route.Travel.varianceMinutesPerMinute * road / 60).squareRoot() * 60
        let time = time(mean: road, spread: spread)
        var adjusted = forecast
        adjusted.expectedSeconds += time.mean - road
        adjusted.p90Seconds =
            adjusted.expectedSeconds
            + (forecast.p90Seconds - forecast.expectedSeconds) * time.spread / spread
        return adjusted
    }
}
