// A bin of a reliability diagram.

/// One bin of a reliability diagram.
package struct ReliabilityBin: Sendable, Codable, Equatable {
    /// Rows in the bin.
    package let rows: Int
    /// Mean forecast probability.
    package let meanForecast: Double
    /// Share of rows in which the event happened.
    package let frequency: Double
}
