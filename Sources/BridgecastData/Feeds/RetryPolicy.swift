/// Exponential backoff with full jitter that respects `Retry-After`.
///
/// The wait before attempt n + 1 is uniform in 0 ... min(`maxSeconds`, `firstSeconds` x 2^(n-1)),
/// which spreads clients that failed together (Brooker, "Exponential Backoff And Jitter", 2015). A
/// feed that states a time is not asked before it.
public struct RetryPolicy: Sendable {
    /// Total requests, including the first.
    public var attempts: Int
    /// Maximum wait after the first failure, seconds.
    public var firstSeconds: Double
    /// Maximum wait after any failure, seconds.
    public var maxSeconds: Double
    /// A feed that asks for a longer wait than this is not asked again, seconds.
    public var maxRestSeconds: Double

    /// Creates a policy.
    public init(
        attempts: Int = 6, firstSeconds: Double = 0.5, maxSeconds: Double = 30,
        maxRestSeconds: Double = 600
    ) {
        self.attempts = attempts
        self.firstSeconds = firstSeconds
        self.maxSeconds = maxSeconds
        self.maxRestSeconds = maxRestSeconds
    }

    /// A single request.
    public static let once = RetryPolicy(attempts: 1)

    /// Seconds to wait after a failure; nil to give up.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - random: Uniform in 0 ..< 1.
    public func wait(after error: FeedError, attempt: Int, random: Double) -> Double? {
        guard error.isTransient, attempt < attempts else { return nil }
        let random = (0..<1).contains(random) ? random : 0
        let maxWait = min(maxSeconds, firstSeconds * Double(1 << min(max(attempt, 1) - 1, 30)))
        guard let rest = error.retryAfterSeconds else { return random * maxWait }
        return rest <= maxRestSeconds ? rest + random * firstSeconds : nil
    }
}
