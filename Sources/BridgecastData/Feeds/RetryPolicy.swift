// How often and how fast a feed is asked again; kept by who asks.

/// Exponential backoff with full jitter, bowing to `Retry-After`.
///
/// The wait before attempt n + 1 is uniform in 0 ... min(`longestSeconds`, `firstSeconds` x 2^(n-1)),
/// which spreads clients that failed together (Brooker, "Exponential Backoff And Jitter", 2015); a
/// feed that names a time is not asked before.
public struct RetryPolicy: Sendable {
    /// Requests in all, the first included.
    public var attempts: Int
    /// The longest wait after the first failure, seconds.
    public var firstSeconds: Double
    /// The longest wait after any, seconds.
    public var longestSeconds: Double
    /// A feed that asks for more rest than this is given up instead, seconds.
    public var mostRestSeconds: Double

    /// Creates a policy.
    public init(
        attempts: Int = 6, firstSeconds: Double = 0.5, longestSeconds: Double = 30,
        mostRestSeconds: Double = 600
    ) {
        (self.attempts, self.firstSeconds) = (attempts, firstSeconds)
        (self.longestSeconds, self.mostRestSeconds) = (longestSeconds, mostRestSeconds)
    }

    /// Ask once.
    public static let once = RetryPolicy(attempts: 1)

    /// Seconds to wait after a failure; nil to give up.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - attempt: Which attempt failed, from 1.
    ///   - random: Uniform in 0 ..< 1.
    public func wait(after error: FeedError, attempt: Int, random: Double) -> Double? {
        guard error.isTransient, attempt < attempts else { return nil }
        let random = (0..<1).contains(random) ? random : 0
        let longest = min(longestSeconds, firstSeconds * Double(1 << min(max(attempt, 1) - 1, 30)))
        guard let rest = error.retryAfterSeconds else { return random * longest }
        return rest <= mostRestSeconds ? rest + random * firstSeconds : nil
    }
}
