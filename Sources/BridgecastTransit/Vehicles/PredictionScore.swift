// How good predictions were, against what happened; kept by VehicleTracker, carried by snapshots, shown as metrics.

/// Errors of predictions, summed up.
public struct PredictionScore: Sendable, Hashable {
    /// How many predictions were scored.
    public private(set) var count = 0
    private var sum = 0.0
    private var absolute = 0.0
    private var squares = 0.0

    /// Nothing scored yet.
    public init() {}

    /// Adds a prediction that was so many seconds off: positive where the vehicle came later than predicted.
    ///
    /// What is not a number is left out.
    public mutating func add(errorSeconds error: Double) {
        guard error.isFinite else { return }
        count += 1
        sum += error
        absolute += abs(error)
        squares += error * error
    }

    /// Mean absolute error, seconds; nil before anything is scored.
    public var meanAbsoluteSeconds: Double? { count > 0 ? absolute / Double(count) : nil }
    /// Mean error, seconds: positive where vehicles came later than predicted; nil before anything is scored.
    public var meanSeconds: Double? { count > 0 ? sum / Double(count) : nil }
    /// Root of the mean square error, seconds; nil before anything is scored.
    public var rootMeanSquareSeconds: Double? {
        count > 0 ? (squares / Double(count)).squareRoot() : nil
    }
}

/// How good our own predictions were, beside the timetable at the same moments.
public struct PredictionScores: Sendable, Hashable {
    /// Lateness as it was 5 to 30 minutes before, with what was learned of its changes until then.
    public internal(set) var own = PredictionScore()
    /// The timetable.
    public internal(set) var timetable = PredictionScore()
}
