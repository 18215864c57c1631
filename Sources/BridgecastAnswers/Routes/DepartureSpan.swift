// Which departures are worth looking at; behind `depart` of the command and of the service.
package import BridgecastCore
package import BridgecastEngine

extension DepartureWindow {
    /// Minutes of a curve without a deadline, and at most before one.
    private static let usualMinutes = 120.0

    /// The departures worth looking at: two hours, or up to the deadline but not long before it is any use.
    ///
    /// - Parameters:
    ///   - earliest: No departure is earlier.
    ///   - quickest: Minutes of the quickest way without delays at bridges.
    ///   - confidence: Wanted probability of being there by the deadline, 0 < p < 1.
    /// - Throws: ``DeadlineError`` if even the quickest way without any delay is too late.
    package init(
        from earliest: Timestamp, arriveBy deadline: Timestamp?, quickestMinutes quickest: Double,
        confidence: Double
    ) throws(DeadlineError) {
        guard let deadline else {
            self.init(
                from: earliest, until: earliest.adding(minutes: Self.usualMinutes),
                confidence: confidence)
            return
        }
        guard deadline.minutes(since: earliest) >= quickest else {
            throw DeadlineError(
                deadline: deadline, earliest: earliest, quickestMinutes: quickest)
        }
        let useful = deadline.adding(minutes: -(Self.usualMinutes + 2 * quickest))
        self.init(
            from: max(earliest, useful), until: deadline, arriveBy: deadline,
            confidence: confidence)
    }
}

/// A time to arrive by that no departure meets.
package struct DeadlineError: Failure, Equatable {
    /// When one wants to be there, and when one leaves at the earliest.
    package let deadline, earliest: Timestamp
    /// Minutes of the quickest way without delays.
    package let quickestMinutes: Double

    /// Whose matter it is.
    package var kind: FailureKind { .usage }

    /// What cannot be, and why.
    package var description: String {
        "\(TimeText.rfc3339(deadline)) cannot be met: without any delay it takes "
            + "\(Int(quickestMinutes.rounded(.up))) minutes from \(TimeText.clock(earliest))"
    }
}
