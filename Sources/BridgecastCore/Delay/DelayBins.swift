// The ordered bins of delay that every forecast is a distribution over.

/// The bins of delay: none, then up to 1, 2, 3, 4, 5, 6, 8, 10, 15 and 30 minutes, then more.
public enum DelayBins {
    /// Lower edges of bins 1 and up in minutes; bin 0 is "no delay" and has no width.
    public static let edgesMinutes: [Double] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 30]
    /// How many bins there are, 12.
    public static let count = edgesMinutes.count + 1
    /// Where the open last bin is taken to end, for expectations and quantiles: 60 minutes.
    public static let longestMinutes = 60.0
    /// Bin limits in seconds: bin k > 0 spans `limitsSeconds[k - 1]` to `limitsSeconds[k]`.
    static let limitsSeconds: [Double] = (edgesMinutes + [longestMinutes]).map { $0 * 60 }

    /// The bin of a delay in seconds; a negative delay counts as none.
    public static func bin(ofSeconds seconds: Double) -> Int {
        guard seconds > 0 else { return 0 }
        return limitsSeconds.dropLast().lastIndex { seconds > $0 }.map { $0 + 1 } ?? 0
    }
}
