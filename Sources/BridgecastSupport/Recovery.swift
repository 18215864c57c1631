// What follows a failure: the result, and the one policy that decides it for feeds, alerts and stores.

/// What follows a failure.
public enum RecoveryResult: Sendable, Hashable {
    /// The work is done after all: a later attempt succeeded, or something else took over.
    case recovered
    /// It is tried again after this many seconds.
    case retryScheduled(after: Double)
    /// Trying again would not help: a person has to do what the message says.
    case userActionRequired(message: String)
    /// It cannot be repaired while the program runs; the message says why.
    case criticalFailure(message: String)

    /// Its name in logs, metrics and documents.
    public var name: String {
        switch self {
        case .recovered: "recovered"
        case .retryScheduled: "retry_scheduled"
        case .userActionRequired: "user_action_required"
        case .criticalFailure: "critical_failure"
        }
    }

    /// Seconds to the next attempt; nil if none is scheduled.
    public var retrySeconds: Double? {
        guard case .retryScheduled(let seconds) = self else { return nil }
        return seconds
    }
}

/// Exponential backoff (Brooker, "Exponential Backoff And Jitter", 2015).
public struct Backoff: Sendable, Hashable {
    /// The wait after the first failure, seconds; it doubles with each further one.
    public var firstSeconds: Double
    /// The maximum wait, seconds.
    public var maxSeconds: Double
    /// The share of each wait that is random, 0...1: clients that failed together do not come back together.
    public var randomShare: Double

    /// Creates a backoff.
    public init(firstSeconds: Double, maxSeconds: Double, randomShare: Double = 0) {
        self.firstSeconds = firstSeconds
        self.maxSeconds = maxSeconds
        self.randomShare = randomShare
    }

    /// The wait after a number of failures in a row, seconds; 0 after none.
    ///
    /// - Parameter random: 0..<1; 0 gives the shortest wait.
    public func seconds(failures: Int, random: Double = 0) -> Double {
        guard failures > 0 else { return 0 }
        let random = (0...1).contains(random) ? random : 0
        let doubled = firstSeconds * Double(1 << min(failures - 1, 30))
        return min(doubled, maxSeconds) * (1 - randomShare * (1 - random))
    }
}

/// Decides what follows a failure.
///
/// 1. A failure that something else made good is ``RecoveryResult/recovered``.
/// 2. One of Bridgecast itself is a ``RecoveryResult/criticalFailure(message:)``.
/// 3. One that is not transient, and one too many, is a ``RecoveryResult/userActionRequired(message:)``.
/// 4. Any other is tried again, by the backoff, and not before the time that the other side asked for.
public struct RecoveryPolicy: Sendable, Hashable {
    /// The waits between attempts.
    public var backoff: Backoff
    /// The number of failures in a row that are one too many; nil if it never gives up.
    public var maxFailures: Int?
    /// The longest pause that the other side may ask for, seconds.
    public var maxRestSeconds: Double
    /// Whether a longer pause is one failure too many; otherwise it is shortened to the longest.
    public var endsAtLongRest: Bool

    /// Creates a policy.
    public init(
        _ backoff: Backoff, maxFailures: Int? = nil, maxRestSeconds: Double = 3_600,
        endsAtLongRest: Bool = false
    ) {
        self.backoff = backoff
        self.maxFailures = maxFailures
        self.maxRestSeconds = maxRestSeconds
        self.endsAtLongRest = endsAtLongRest
    }

    /// What follows a failure.
    ///
    /// - Parameters:
    ///   - failures: Failures in a row with this one, from 1.
    ///   - random: 0..<1, for the wait.
    public func result(
        after failure: any Failure, failures: Int, random: Double = 0
    ) -> RecoveryResult {
        if failure.isMadeGood { return .recovered }
        if failure.kind == .software { return .criticalFailure(message: "\(failure)") }
        let rest = failure.retryAfterSeconds ?? 0
        guard failure.isTransient, maxFailures.map({ failures < $0 }) ?? true,
            rest <= maxRestSeconds || !endsAtLongRest
        else { return .userActionRequired(message: "\(failure)") }
        return .retryScheduled(
            after: waitSeconds(failures: failures, restSeconds: rest, random: random))
    }

    /// The wait before the next attempt, seconds.
    ///
    /// - Parameter restSeconds: The pause that the other side asked for; 0 for none.
    public func waitSeconds(failures: Int, restSeconds: Double, random: Double = 0) -> Double {
        let wait = backoff.seconds(failures: failures, random: random)
        guard restSeconds > 0 else { return wait }
        // Those that were asked to wait for the same time are spread as well.
        let spread = backoff.firstSeconds * backoff.randomShare * random
        return max(wait, min(restSeconds, maxRestSeconds) + spread)
    }
}
