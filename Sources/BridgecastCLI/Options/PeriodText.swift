// The ends of a period as they are typed: a date alone means the whole day in Seattle.
package import BridgecastCore

/// Reads the ends of a period.
package enum PeriodText {
    /// The start of a period: a date is its midnight.
    package static func start(_ text: String) throws -> Timestamp {
        if let date = TimeText.parseDate(text) { return SeattleTime.startOfDay(date) }
        return try TimeText.parse(text)
    }

    /// The end of a period, exclusive: a date is the end of that day.
    package static func end(_ text: String) throws -> Timestamp {
        if let date = TimeText.parseDate(text) {
            return SeattleTime.startOfDay(date.adding(days: 1))
        }
        return try TimeText.parse(text)
    }
}
