// When a trip or a stop is refreshed next; the page has the same rule (data/adaptive-refresh.js).

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
