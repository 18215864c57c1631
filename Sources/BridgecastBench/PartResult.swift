// What a part of a forecast took.

/// One part of a forecast and what it took.
public struct PartResult: Sendable, Encodable {
    /// What was done.
    public let part: String
    /// Things done in a call: rows, routes.
    public let count: Int
    /// Median, 90th and 99th percentile of a call, microseconds.
    public let p50: Double, p90: Double, p99: Double
    /// By how much the process grew, kB, where that was looked at.
    public let residentKB: Int?

    init(_ part: String, count: Int, _ timings: [UInt64], residentKB: Int? = nil) {
        self.residentKB = residentKB
        self.part = part
        self.count = count
        let sorted = timings.sorted()
        p50 = percentile(0.5, of: sorted)
        p90 = percentile(0.9, of: sorted)
        p99 = percentile(0.99, of: sorted)
    }
}
