// How often what is shown is brought up to date, and how that bends to what happens.

/// How often the live states are asked for.
public enum RefreshInterval: Sendable, Equatable {
    /// Only when somebody asks.
    case manual
    /// Every so many minutes.
    case minutes(Int)
    /// As often as the feed may be asked.
    case live

    /// The choices of minutes.
    public static let choices = [1, 2, 5, 10, 15]
    /// The feed is asked at most this often, seconds, however many watch it.
    public static let leastSeconds: Int64 = 20
    /// While it fails it is asked at least this often, unless the interval is longer, seconds.
    private static let longestBackoffSeconds: Int64 = 120

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

    /// Seconds to the next request; nil if somebody has to ask for it.
    ///
    /// - Each failure in a row but the first doubles it, up to two minutes; a feed that asks for rest
    ///   gets it.
    /// - While a bridge is raised an interval of minutes is cut to one minute, because that is when
    ///   things change.
    ///
    /// - Parameters:
    ///   - failures: Failures in a row.
    ///   - restSeconds: What the feed asked for.
    ///   - isAnyRaised: Whether a bridge is known to be raised.
    public func nextSeconds(
        failures: Int, restSeconds: Double?, isAnyRaised: Bool
    ) -> Int64? {
        let usual: Int64
        switch self {
        case .manual: return nil
        case .live: usual = Self.leastSeconds
        case .minutes(let minutes): usual = Int64(isAnyRaised ? 1 : minutes) * 60
        }
        let backoff = min(
            max(usual, Self.longestBackoffSeconds), usual << Int64(min(max(0, failures - 1), 20)))
        let rest = Int64((restSeconds ?? 0).rounded(.up))
        return max(failures > 0 ? backoff : usual, rest)
    }
}
