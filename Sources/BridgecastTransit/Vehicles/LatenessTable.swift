// The typical lateness of routes, predictions from it where the feed has none, and their errors.
internal import BridgecastCore

/// The typical lateness of a route.
public struct TypicalLateness: Sendable, Hashable {
    /// Mean, seconds; negative if early.
    public let meanSeconds: Double
    /// Standard deviation, seconds.
    public let spreadSeconds: Double
    /// Number of observations, at most ``RunningMoments/memory`` of which count.
    let observations: Int
}

/// Lateness by route and hour, learned online.
///
/// Limited to ``maxCells`` pairs of route and hour; beyond them only changes of lateness are learned, for all routes
/// together.
public struct LatenessTable: Sendable {
    static let maxCells = 20_000
    static let minObservations = 5

    /// Upper bounds of the lead times for which changes of lateness are kept apart, seconds.
    private static let leadTimeBounds = [300.0, 600, 1200, 2400, .infinity]

    /// By route and hour; boards look here for every run without a prediction.
    private var cells: [Int: RunningMoments] = [:]
    /// By route and hour, then by lead time.
    private var changes: [Int: [RunningMoments]] = [:]
    private var allChanges = Self.noChanges

    private static let noChanges = [RunningMoments](
        repeating: RunningMoments(), count: leadTimeBounds.count)

    package init() {}

    /// The typical lateness of a route at an hour of the service day, 0...23; nil if there are fewer than
    /// ``minObservations``.
    public func typical(_ route: RouteIndex, hour: Int) -> TypicalLateness? {
        guard let moments = cells[Self.key(route, hour)], moments.count >= Self.minObservations
        else { return nil }
        return TypicalLateness(
            meanSeconds: moments.mean, spreadSeconds: moments.variance.squareRoot(),
            observations: moments.count)
    }

    /// Adds an observed lateness of a run.
    package mutating func learn(lateness: Double, of route: RouteIndex, hour: Int) {
        let key = Self.key(route, hour)
        guard cells.count < Self.maxCells || cells[key] != nil else { return }
        cells[key, default: RunningMoments()].add(lateness)
    }

    /// Adds an observed change of the lateness of a run over some seconds.
    package mutating func learn(change: Double, in seconds: Double, of route: RouteIndex, hour: Int)
    {
        let lead = Self.leadTimeIndex(seconds)
        allChanges[lead].add(change)
        let key = Self.key(route, hour)
        guard changes.count < Self.maxCells || changes[key] != nil else { return }
        changes[key, default: Self.noChanges][lead].add(change)
    }

    /// The expected change of lateness within some seconds, and its standard deviation.
    ///
    /// Observations of a route at an hour are weighted with those of all routes, and these with a prior: mean 0, standard
    /// deviation 30 s and a tenth of the lead time.
    package func change(
        in seconds: Double, of route: RouteIndex, hour: Int
    ) -> (mean: Double, spread: Double) { changes(of: route, hour: hour).change(in: seconds) }

    /// The same for all stops of a run, with one lookup.
    func changes(of route: RouteIndex, hour: Int) -> Changes {
        Changes(own: changes[Self.key(route, hour)], all: allChanges)
    }

    struct Changes {
        /// By lead time; nil without observations.
        let own: [RunningMoments]?
        let all: [RunningMoments]

        /// As ``LatenessTable/change(in:of:hour:)``.
        func change(in seconds: Double) -> (mean: Double, spread: Double) {
            let lead = LatenessTable.leadTimeIndex(seconds)
            let prior = 30 + 0.1 * max(0, seconds)
            let all = all[lead].blended(
                withMean: 0, variance: prior * prior, weight: LatenessTable.weight)
            let both = (own?[lead] ?? RunningMoments()).blended(
                withMean: all.mean, variance: all.variance, weight: LatenessTable.weight)
            return (both.mean, both.variance.squareRoot())
        }
    }

    /// The weight of the prior in observations.
    private static let weight = 20.0

    private static func key(_ route: RouteIndex, _ hour: Int) -> Int {
        route.position * 24 + ((hour % 24) + 24) % 24
    }

    private static func leadTimeIndex(_ seconds: Double) -> Int {
        leadTimeBounds.firstIndex { seconds < $0 } ?? leadTimeBounds.count - 1
    }
}

/// Running mean and variance; beyond ``memory`` values the older ones fade exponentially.
struct RunningMoments: Sendable {
    static let memory = 500

    private(set) var count = 0
    private(set) var mean = 0.0
    private(set) var variance = 0.0

    /// Welford's method (1962) with a weight of at least 1 / ``memory``.
    mutating func add(_ value: Double) {
        count = min(count + 1, Int.max - 1)
        let weight = 1 / Double(min(count, Self.memory))
        let deviation = value - mean
        mean += weight * deviation
        variance = (1 - weight) * (variance + weight * deviation * deviation)
    }

    /// Mean and variance pooled with a prior that counts as `weight` values.
    func blended(
        withMean priorMean: Double, variance priorVariance: Double, weight: Double
    ) -> (mean: Double, variance: Double) {
        let own = Double(min(count, Self.memory))
        let both = (own * mean + weight * priorMean) / (own + weight)
        let square =
            own * (variance + (mean - both) * (mean - both)) + weight
            * (priorVariance + (priorMean - both) * (priorMean - both))
        return (both, square / (own + weight))
    }
}

// MARK: - Predictions

/// Predicts the stops of a run from the position of its vehicle: the timetable shifted by its lateness, and by the learned
/// change of that.
struct ArrivalPredictor {
    let feed: TransitFeed
    let run: RunKey
    /// The time from which its stop times count.
    let start: Timestamp
    let lateness: LatenessTable

    /// Lead time within which an early vehicle is back on time, seconds.
    private static let earlinessSeconds = 1200.0
    /// Dwell time of a late vehicle at a stop with a scheduled wait, seconds.
    private static let minDwellSeconds = 30.0

    /// Predictions by stop.
    ///
    /// - Parameters:
    ///   - since: Time of the vehicle's position, seconds since `start`.
    ///   - late: Its lateness there.
    func predictions(
        on geometry: RunGeometry, atMetres metres: Double, seconds since: Double, late: Double
    ) -> [StopPrediction] {
        let rows = feed.stopTimes.rows(of: run.trip)
        let changes = lateness.changes(
            of: feed.route(of: run.trip), hour: VehicleTracker.hour(since))
        let waits = feed.waitsToBegin(run.trip, on: geometry, atMetres: metres, seconds: since)
        var carried = late
        var reached = since
        return rows.map { row in
            let order = row - rows.lowerBound
            let plannedArrival = Double(feed.stopTimes.arrivals[row])
            let plannedDeparture = Double(feed.stopTimes.departures[row])
            if geometry.stopMetres[order] < metres - TransitFeed.atStopMetres, !waits {
                // It left there before it was seen.
                return prediction(
                    arrival: min(plannedArrival + late, since),
                    departure: min(plannedDeparture + late, since), spread: nil)
            }
            let ahead = max(0, plannedArrival + carried - since)
            let change = changes.change(in: ahead)
            let kept = carried < 0 ? max(0, 1 - ahead / Self.earlinessSeconds) : 1
            let arrival = max(reached, plannedArrival + carried * kept + change.mean)
            var departure = arrival
            if plannedDeparture > plannedArrival || order == 0 {
                // It waits for its departure here; a late one waits no longer than it must.
                let dwell = min(plannedDeparture - plannedArrival, Self.minDwellSeconds)
                departure = max(plannedDeparture, arrival + dwell)
                carried = departure - plannedDeparture - change.mean
            }
            reached = departure
            return prediction(arrival: arrival, departure: departure, spread: change.spread)
        }
    }

    private func prediction(arrival: Double, departure: Double, spread: Double?) -> StopPrediction {
        var prediction = StopPrediction()
        prediction.arrival = start.adding(seconds: Int64(arrival.rounded()))
        prediction.departure = start.adding(seconds: Int64(departure.rounded()))
        prediction.origin = .position
        prediction.spreadSeconds = spread
        return prediction
    }
}

// MARK: - Scores

/// Accumulated errors of predictions.
public struct PredictionScore: Sendable, Hashable {
    /// Number of scored predictions.
    public private(set) var count = 0
    private var sum = 0.0
    private var absolute = 0.0

    /// Nothing scored yet.
    public init() {}

    /// Adds an error: positive if the vehicle came later than predicted.
    ///
    /// Infinity and NaN are ignored.
    public mutating func add(errorSeconds error: Double) {
        guard error.isFinite else { return }
        count += 1
        sum += error
        absolute += abs(error)
    }

    /// Mean absolute error, seconds; nil without scores.
    public var meanAbsoluteSeconds: Double? { count > 0 ? absolute / Double(count) : nil }
    /// Mean error, seconds: positive if vehicles came later than predicted; nil without scores.
    public var meanSeconds: Double? { count > 0 ? sum / Double(count) : nil }
}

/// Errors of our own predictions, and of the timetable at the same times.
public struct PredictionScores: Sendable, Hashable {
    /// The lateness of 5 to 30 minutes before, with the change learned until then.
    public internal(set) var own = PredictionScore()
    /// The timetable.
    public internal(set) var timetable = PredictionScore()
}
