// How messages are put together, how often they are repeated, and what is reported of them.
public import BridgecastSupport

/// How messages are put together and repeated.
public struct DispatchPolicy: Sendable {
    /// Alerts for a person that become due within this time are sent together, seconds.
    public var batchSeconds = 3.0
    /// Alerts in a message at most.
    public var maxBatch = 20
    /// Alerts that wait for a person at most; the oldest are dropped then.
    public var maxWaiting = 64
    /// How often an alert is sent at most.
    public var maxAttempts = 12
    /// The wait after the first failure, seconds; it doubles with each one.
    public var firstWaitSeconds = 5.0
    /// The longest wait, seconds, unless the receiver asks for more.
    public var maxWaitSeconds = 900.0
    /// The longest wait that a receiver may ask for, seconds.
    public var maxRetryAfterSeconds = 86_400.0
    /// Messages under way at most.
    public var maxConcurrent = 128
    /// Messages under way at most to people who did not get the last one.
    public var maxConcurrentFailing = 32

    /// Outcomes that wait for a disk that cannot be written at most.
    var maxUnwritten = 10_000

    /// The defaults.
    public init() {}

    /// What follows a failure; half of each wait is random.
    var recovery: RecoveryPolicy {
        RecoveryPolicy(
            Backoff(
                firstSeconds: firstWaitSeconds, maxSeconds: maxWaitSeconds, randomShare: 0.5),
            maxFailures: maxAttempts, maxRestSeconds: maxRetryAfterSeconds)
    }

    /// How long to wait after a number of failures in a row.
    ///
    /// - Parameters:
    ///   - retryAfterSeconds: What the receiver asked for; nil if it did not.
    ///   - random: 0..<1: half of the wait is random, so that many do not come back at once.
    func waitSeconds(
        failures: Int, retryAfterSeconds: Double?, random: Double
    ) -> Double {
        recovery.waitSeconds(
            failures: failures, restSeconds: retryAfterSeconds ?? 0, random: random)
    }
}

/// What a dispatcher did, for logs and metrics.
public enum DispatchReport: Sendable {
    /// An alert has a status.
    case settled(Alert, AlertStatus, detail: String?)
    /// An attempt failed, with what follows.
    case failed(DeliveryFailure, RecoveryResult)
    /// A message arrived at a person who did not get the one before.
    case recovered
    /// The ledger could not be written.
    case storeFailed(String)
}
