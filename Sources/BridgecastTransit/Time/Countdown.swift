// The time that is left until a departure, as boards write it.
public import BridgecastCore

/// Writes countdowns.
public enum Countdown {
    /// `m:ss` below an hour, `h:mm:ss` from there on, `now` at the moment and after it; seconds are cut, not rounded.
    public static func text(seconds: Int) -> String {
        guard seconds > 0 else { return "now" }
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        guard minutes >= 60 else { return "\(minutes):\(twoDigits(rest))" }
        return "\(minutes / 60):\(twoDigits(minutes % 60)):\(twoDigits(rest))"
    }

    /// The time from a moment to another.
    public static func text(from now: Timestamp, to moment: Timestamp) -> String {
        let (seconds, overflow) = moment.secondsSinceEpoch
            .subtractingReportingOverflow(now.secondsSinceEpoch)
        // Further apart than 64 bits can say: past if the moment is before 1970, else never.
        guard !overflow else { return text(seconds: moment.secondsSinceEpoch < 0 ? 0 : .max) }
        return text(seconds: Int(seconds))
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
