// How often the live states are requested, and how failures and raised bridges change that.
internal import Bridgecast
internal import BridgecastData
internal import BridgecastSupport

/// How often the live states are requested.
public enum RefreshInterval: Sendable, Equatable {
    /// Only on request.
    case manual
    /// Every given number of minutes.
    case minutes(Int)
    /// As often as the feed allows, every ``minSeconds``.
    case live

    /// The choices of minutes.
    public static let choices = [1, 2, 5, 10, 15]
    /// Seconds between two requests to the feed, at least, however many watch it.
    public static let minSeconds: Int64 = 20
    /// Longest pause between requests to a feed that fails, unless the interval is longer, seconds.
    private static let maxBackoffSeconds: Int64 = 120

    /// The interval named `live`, `manual`, or one of the minutes; nil if it is none of these.
    public init?(_ name: String) {
        switch name {
        case "live": self = .live
        case "manual": self = .manual
        default:
            guard let minutes = Int(name), Self.choices.contains(minutes) else { return nil }
            self = .minutes(minutes)
        }
    }

    /// Seconds to the next request; nil if it has to be requested by hand.
    ///
    /// - Each failure in a row but the first doubles it, up to two minutes; a longer pause that the feed asks for is
    ///   observed.
    /// - While a bridge is raised an interval of minutes is cut to one minute, because that is when things change.
    ///
    /// - Parameters:
    ///   - failures: Failures in a row.
    ///   - restSeconds: The pause that the feed asked for.
    ///   - isAnyRaised: Whether a bridge is known to be raised.
    public func nextSeconds(failures: Int, restSeconds: Double?, isAnyRaised: Bool) -> Int64? {
        let regular: Int64
        switch self {
        case .manual: return nil
        case .live: regular = Self.minSeconds
        case .minutes(let minutes): regular = Int64(isAnyRaised ? 1 : minutes) * 60
        }
        let policy = RecoveryPolicy(
            Backoff(
                firstSeconds: Double(regular),
                maxSeconds: Double(max(regular, Self.maxBackoffSeconds))))
        let wait = policy.waitSeconds(failures: max(1, failures), restSeconds: restSeconds ?? 0)
        return Int64(wait.rounded(.up))
    }
}

/// The failures of a feed in a row, the pause that it asked for, and the condition of the network.
struct FeedHealth: Sendable, Equatable {
    /// Failures since the last answer.
    private(set) var failures = 0
    private var restSeconds: Double?
    private var network = NetworkMeter()

    /// The condition of the network by the latest requests.
    var condition: NetworkCondition { network.condition }

    /// Notes an answer.
    ///
    /// - Parameter seconds: How long it took.
    /// - Returns: ``RecoveryResult/recovered`` if requests failed before; else nil.
    @discardableResult mutating func answered(seconds: Double) -> RecoveryResult? {
        network.record(seconds: seconds)
        defer {
            failures = 0
            restSeconds = nil
        }
        return failures > 0 ? .recovered : nil
    }

    /// Notes a failure.
    ///
    /// - Parameter seconds: How long the request took.
    mutating func failed(_ error: FeedError, seconds: Double) {
        network.record(seconds: error.isAnswer ? seconds : nil)
        failures += 1
        restSeconds = error.retryAfterSeconds
    }

    /// Seconds to the next request; nil if it has to be requested by hand.
    func nextSeconds(_ interval: RefreshInterval, isAnyRaised: Bool = false) -> Int64? {
        interval.nextSeconds(failures: failures, restSeconds: restSeconds, isAnyRaised: isAnyRaised)
    }

    /// What follows a failure: a retry, or a person has to do something.
    ///
    /// A feed that does not say what it should is asked again in any case: it may be mended at its end.
    func recovery(from error: any Failure, _ interval: RefreshInterval) -> RecoveryResult {
        guard let seconds = nextSeconds(interval) else {
            return .userActionRequired(message: "refresh manually")
        }
        let policy = RecoveryPolicy(
            Backoff(firstSeconds: Double(seconds), maxSeconds: Double(seconds)))
        return policy.result(after: error, failures: 1)
    }
}
