// How often the live states are requested, and how failures and raised bridges change that.
internal import Bridgecast
internal import BridgecastData

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
        let backoff = min(
            max(regular, Self.maxBackoffSeconds), regular << Int64(min(max(0, failures - 1), 20)))
        let rest = Int64((restSeconds ?? 0).rounded(.up))
        return max(failures > 0 ? backoff : regular, rest)
    }
}

/// Failures of a feed in a row, and the pause that it asked for.
struct FeedHealth: Sendable, Equatable {
    /// Failures since the last answer.
    private(set) var failures = 0
    private var restSeconds: Double?

    mutating func answered() { self = FeedHealth() }

    mutating func failed(_ error: FeedError) {
        failures += 1
        restSeconds = error.retryAfterSeconds
    }

    /// Seconds to the next request; nil if it has to be requested by hand.
    func nextSeconds(_ interval: RefreshInterval, isAnyRaised: Bool = false) -> Int64? {
        interval.nextSeconds(failures: failures, restSeconds: restSeconds, isAnyRaised: isAnyRaised)
    }

    /// What happens after an error: a retry, or the user has to do something.
    func recovery(from error: FeedError, _ interval: RefreshInterval) -> RefreshRecovery {
        switch error {
        case .status(_, let code, _) where [401, 403, 404].contains(code):
            .userActionRequired("\(error)")
        default: recovery(interval)
        }
    }

    /// What happens next, whatever has failed.
    func recovery(_ interval: RefreshInterval) -> RefreshRecovery {
        nextSeconds(interval).map { .retryScheduled(after: Double($0)) }
            ?? .userActionRequired("refresh manually")
    }
}
