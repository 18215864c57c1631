// How good the network is, measured by the requests of a program, and how often to request by that; the page has the same
// rules (data/network.js, data/adaptive-refresh.js).

/// How good the network is.
public enum NetworkCondition: String, Sendable, CaseIterable, Comparable {
    /// Answers come within a second.
    case good
    /// Answers take a second and more, or one in eight does not come.
    case slow
    /// Answers take three seconds and more, or three in ten do not come.
    case poor
    /// Nothing is answered.
    case offline

    /// By how much intervals between requests that can wait are longer than on a good network.
    public var intervalFactor: Double {
        switch self {
        case .good: 1
        case .slow: 1.5
        case .poor: 2
        case .offline: 4
        }
    }

    /// Whether the first is the better one.
    public static func < (one: Self, other: Self) -> Bool {
        one.intervalFactor < other.intervalFactor
    }
}

/// Measures the condition of a network by the latest requests.
///
/// It looks at the latest ``window`` requests: at the median time of those that were answered, and at the share of those
/// that were not, as if there were ``minCount`` or more. It is offline after ``offlineFailures`` failures in a row. A condition gets
/// worse at once. It gets better only when the figures are below ``easing`` times the limits, so that it does not flap.
public struct NetworkMeter: Sendable, Equatable {
    /// The number of requests that count.
    public static let window = 8
    /// The minimum number of requests that failures are a share of.
    public static let minCount = 4
    /// Failures in a row after which it is offline.
    public static let offlineFailures = 3
    /// What the limits are multiplied by for a condition to get better.
    public static let easing = 0.7

    private static let slowSeconds = 1.0
    private static let poorSeconds = 3.0
    private static let slowShare = 0.125
    private static let poorShare = 0.3

    /// The condition after the last request; good before the first.
    public private(set) var condition = NetworkCondition.good
    /// Seconds of the latest requests, the newest last; nil for one without an answer.
    private var requests: [Double?] = []

    /// Creates a meter.
    public init() {}

    /// The median time of the answers that count, seconds; nil without one.
    public var medianSeconds: Double? {
        let answered = requests.compactMap { $0 }.sorted()
        guard !answered.isEmpty else { return nil }
        let middle = answered.count / 2
        return answered.count % 2 == 1
            ? answered[middle] : (answered[middle - 1] + answered[middle]) / 2
    }

    /// The share of the requests that count that had no answer, 0...1.
    public var failureShare: Double {
        Double(requests.count { $0 == nil }) / Double(max(requests.count, Self.minCount))
    }

    /// Takes in a request.
    ///
    /// - Parameter seconds: How long its answer took, whatever its status; nil if none came.
    public mutating func record(seconds: Double?) {
        requests = (requests + [seconds]).suffix(Self.window)
        let found = measured(limits: 1)
        if found > condition {
            condition = found
        } else {
            condition = min(condition, measured(limits: Self.easing))
        }
    }

    private func measured(limits: Double) -> NetworkCondition {
        let last = requests.suffix(Self.offlineFailures)
        if last.count == Self.offlineFailures, last.allSatisfy({ $0 == nil }) { return .offline }
        let seconds = medianSeconds ?? 0
        if seconds >= Self.poorSeconds * limits || failureShare >= Self.poorShare * limits {
            return .poor
        }
        return seconds >= Self.slowSeconds * limits || failureShare >= Self.slowShare * limits
            ? .slow : .good
    }
}

/// How long to wait from one refresh to the next.
///
/// 1. What is refreshed manually is never refreshed by itself.
/// 2. Before a departure the interval is a sixth of the time that is left if that is shorter, with a minimum of
///    ``minSeconds``. It stays that short until ``lateSeconds`` after the departure, for those who are late.
/// 3. The result is multiplied by the ``NetworkCondition/intervalFactor``, up to ``maxSeconds``.
public enum AdaptiveRefresh {
    /// The shortest interval, seconds.
    public static let minSeconds = 30.0
    /// The longest interval, seconds, unless the person chose a longer one.
    public static let maxSeconds = 1_800.0
    /// How long after a departure it still counts, seconds.
    public static let lateSeconds = 120.0

    private static let partsOfTimeLeft = 6.0

    /// Seconds to the next refresh; nil if there is none.
    ///
    /// - Parameters:
    ///   - interval: The interval that the person chose, seconds, above 0; nil for manual.
    ///   - departure: Seconds to the departure, negative after it; nil without one.
    public static func seconds(
        interval: Double?, departure: Double?, condition: NetworkCondition
    ) -> Double? {
        guard let interval else { return nil }
        let soon = shortened(interval, departure: departure)
        return min(soon * condition.intervalFactor, max(interval, maxSeconds))
    }

    private static func shortened(_ interval: Double, departure: Double?) -> Double {
        guard let departure, departure >= -lateSeconds else { return interval }
        return min(interval, max(minSeconds, departure / partsOfTimeLeft))
    }
}
