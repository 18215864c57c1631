// The ends of a period as they are typed: a date alone means the whole day in Seattle.
package import BridgecastCore

/// Reads the ends of a period.
package enum PeriodText {
    /// The start of a period: a date is its midnight.
    package static func start(_ text: String) throws -> Timestamp {
        if let date = TimeText.parseDate(text) { return SeattleTime.startOfDay(date) }
        return try TimeText.parse(text)
    }

    /// A period, whose end must lie behind its start.
    package static func interval(_ from: String, _ to: String) throws -> Range<Timestamp> {
        let (start, end) = (try start(from), try end(to))
        guard start < end else { throw CommandFailure(.usage, "--to lies before --from") }
        return start..<end
    }

    /// The end of a period, exclusive: a date is the end of that day.
    package static func end(_ text: String) throws -> Timestamp {
        if let date = TimeText.parseDate(text) {
            return SeattleTime.startOfDay(date.adding(days: 1))
        }
        return try TimeText.parse(text)
    }
}
