// What a program that watches the live feed would have known at times of the records.
package import BridgecastCore

/// Situations of the records as `bridgecast watch` would have had them.
///
/// The feed has the bridges with a sensor alone, is read every 20 seconds, and has no past: what was before the first
/// reading is unknown, and so is when a span went up that the first reading has raised. Times are those of the first
/// reading that shows a change. Openings between two readings are missed. Where the records cover less than the time
/// that was observed, the feed counts as read from the beginning of their coverage on.
package struct LiveObservation: Sendable {
    /// Seconds between two readings, as `watch` reads the feed.
    package static let readingSeconds: Int64 = 20

    private let history: OpeningHistory
    private let observation: Coverage

    package init(_ history: OpeningHistory) {
        self.history = history
        observation = history.observation
    }

    /// What is known at an issue time, after readings for some minutes; O(openings seen + log n) per bridge.
    ///
    /// The newest reading is 0 to 19 seconds old, by the minute.
    package func situation(at issueTime: Timestamp, observedMinutes: Double) -> Situation {
        let age = issueTime.secondsSinceEpoch / 60 * 7 % Self.readingSeconds
        let newest = issueTime.adding(seconds: -age)
        let readings = Int64((observedMinutes * 60 / Double(Self.readingSeconds)).rounded(.up))
        let first = newest.adding(seconds: -readings * Self.readingSeconds)
        var snapshot = LiveSnapshot(asOf: newest)
        for bridge in BridgeIndex.all where BridgeCatalogue[bridge].hasLiveSensor {
            guard let period = observation.period(containing: newest, of: bridge) else {
                continue
            }
            let start = max(first, reading(notBefore: period.lowerBound, newest: newest))
            observe(bridge, from: start, to: newest, in: &snapshot)
        }
        return Situation.unknown(at: issueTime).applying(snapshot)
    }

    /// The first reading that is not before a time.
    private func reading(notBefore time: Timestamp, newest: Timestamp) -> Timestamp {
        let seconds = newest.secondsSinceEpoch - time.secondsSinceEpoch
        return newest.adding(seconds: -(seconds / Self.readingSeconds * Self.readingSeconds))
    }

    private func observe(
        _ bridge: BridgeIndex, from first: Timestamp, to newest: Timestamp,
        in snapshot: inout LiveSnapshot
    ) {
        snapshot.states[bridge] = .lowered
        snapshot.observedSince[bridge] = first
        let window = first..<newest.adding(seconds: 1)
        for raised in history.openings(of: bridge, overlapping: window).flatMap(\.raisedPeriods) {
            let start = max(first, reading(notBefore: raised.lowerBound, newest: newest))
            let end = reading(notBefore: raised.upperBound, newest: newest)
            // Between two readings, or before the first or after the newest.
            guard start < raised.upperBound, start <= newest, end > first else { continue }
            let isSeenFromStart = raised.lowerBound > first
            let isUnderWay = end > newest
            // An opening that is recorded from the edge of a job on is listed when it is over.
            let isStartKnown =
                isSeenFromStart
                && (!isUnderWay || history.isStartKnown(raised.lowerBound, of: bridge))
            if isUnderWay {
                snapshot.states[bridge] = .raised(since: isStartKnown ? start : nil)
            } else if !isSeenFromStart {
                snapshot.observedSince[bridge] = end
            }
            if isStartKnown {
                snapshot.openings.append(
                    Opening(bridge: bridge, start: start, end: isUnderWay ? nil : end))
            }
        }
    }
}

extension Opening {
    /// When the span was up: the opening without its seams.
    fileprivate var raisedPeriods: [Range<Timestamp>] {
        var periods: [Range<Timestamp>] = []
        var start = self.start
        for seam in seams where seam.lowerBound > start {
            periods.append(start..<seam.lowerBound)
            start = seam.upperBound
        }
        if let end, start < end { periods.append(start..<end) }
        return periods
    }
}
