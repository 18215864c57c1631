// How requests to feeds are repeated within one call.
public import BridgecastSupport

/// How often and when a request is repeated: with full jitter, and not before the time that the feed asks for.
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

    /// What follows a failed attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - random: Uniform in 0 ..< 1.
    public func result(
        after error: FeedError, attempt: Int, random: Double
    ) -> RecoveryResult {
        let backoff = Backoff(
            firstSeconds: firstSeconds, maxSeconds: maxSeconds, randomShare: 1)
        return RecoveryPolicy(
            backoff, maxFailures: attempts, maxRestSeconds: maxRestSeconds, endsAtLongRest: true
        ).result(after: error, failures: max(attempt, 1), random: random)
    }
}
