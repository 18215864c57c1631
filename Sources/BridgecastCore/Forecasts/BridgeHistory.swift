// What the past says of a bridge, beside its forecasts.

/// What the past says of a bridge, whatever is known of it now.
public struct BridgeHistory: Sendable, Hashable, Codable {
    /// Openings a day, on days like that of the table's first lead.
    public var openingsPerDay: Double
    /// Days of records behind every forecast of the bridge.
    public var coveredDays: Double

    /// No records.
    public static let none = BridgeHistory(openingsPerDay: 0, coveredDays: 0)

    /// Creates a history.
    public init(openingsPerDay: Double, coveredDays: Double) {
        (self.openingsPerDay, self.coveredDays) = (openingsPerDay, coveredDays)
    }
}
