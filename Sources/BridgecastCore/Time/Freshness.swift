// How old a reading may be and still count as what is the case now: states of bridges, measured traffic.

/// The span of time through which a reading counts.
package struct Freshness: Sendable {
    /// A reading older than this is stale, minutes.
    package let limitMinutes: Double

    /// Clocks may differ by so much; what is later than that was not known at the time, minutes.
    package static let clockToleranceMinutes = 1.0

    /// Sets the age up to which a reading counts, minutes.
    package init(limitMinutes: Double) { self.limitMinutes = limitMinutes }

    /// Whether a reading may speak for a moment: neither too old nor from after it.
    package func holds(_ readAt: Timestamp, at moment: Timestamp) -> Bool {
        moment.minutes(since: readAt) >= -Self.clockToleranceMinutes
            && !isStale(readAt, at: moment)
    }

    /// Whether a reading is too old at a moment.
    package func isStale(_ readAt: Timestamp, at moment: Timestamp) -> Bool {
        moment.minutes(since: readAt) > limitMinutes
    }

    /// The first full second at which a reading is too old.
    package func end(of readAt: Timestamp) -> Timestamp {
        readAt.adding(minutes: limitMinutes).adding(seconds: 1)
    }
}
