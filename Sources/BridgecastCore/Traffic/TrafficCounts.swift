// Published counts of a bridge's road traffic, which the profile by hour meets.

/// Published sums of a bridge's weekday traffic, both directions together.
///
/// Source: SDOT traffic flow counts (AWDT 2018; peaks and busiest eight hours as shares of the 2012
/// AAWDT count; South Park, which was not counted then, by the city-wide medians 0.0745 and 0.086).
public struct TrafficCounts: Sendable, Equatable {
    /// Vehicles per weekday.
    public let vehiclesPerWeekday: Double
    /// Share of the day in the busiest morning hour.
    public let morningPeakShare: Double
    /// Share of the day in the busiest evening hour.
    public let eveningPeakShare: Double
    /// Share of the day in its eight busiest hours, taken as consecutive.
    public let busiestEightHourShare: Double
    /// Lanes in each direction.
    public let lanesEachWay: Int
}
