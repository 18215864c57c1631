// When one wants to be there, as somebody types it.
package import BridgecastCore

/// Reads times to arrive by.
package enum DeadlineText {
    /// A moment, or the next time that Seattle's clocks show `HH:MM`.
    ///
    /// - Parameters:
    ///   - text: As ``TimeText/parse(_:)`` takes it, or hours and minutes.
    ///   - earliest: The next time is after this.
    /// - Throws: ``TimeTextError``.
    package static func deadline(
        _ text: String, after earliest: Timestamp
    ) throws(TimeTextError) -> Timestamp {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0..<24).contains(hour), (0..<60).contains(minute)
        else { return try TimeText.parse(text) }
        let today = SeattleTime.civil(at: earliest).date
        // A clock that is set forward shows every time again on the day after.
        for day in 0...2 {
            let civil = CivilDateTime(
                date: today.adding(days: day), secondOfDay: (hour * 60 + minute) * 60)
            let next = SeattleTime.resolve(civil).candidates.first { $0 > earliest }
            if let next { return next }
        }
        throw .nonexistent(text)
    }
}
