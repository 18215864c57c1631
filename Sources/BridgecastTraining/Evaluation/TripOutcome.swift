// How a trip of the backtest went by one route.

/// How a trip went by one route.
struct TripOutcome {
    let route: String
    let minutes: Double
    let isStopped: Bool
}
