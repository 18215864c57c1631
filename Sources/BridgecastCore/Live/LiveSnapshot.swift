// Bridge states read live: what a feed or a file says about now, laid over the records.

/// What a live source says about the bridges at one moment.
public struct LiveSnapshot: Sendable, Equatable {
    /// When it was true; nil if the source does not say.
    public var asOf: Timestamp?
    /// States by bridge; bridges the source does not know are absent.
    public var states: [BridgeIndex: SpanState]
    /// Recent openings the source has seen, ends included where they are over.
    public var openings: [Opening]
    /// Since when the source has seen every opening of a bridge; absent if that is unknown.
    public var observedSince: [BridgeIndex: Timestamp]

    /// A reading older than this is stale and not used, minutes.
    public static let stalenessMinutes = 5.0
    /// Clocks may differ by so much; what is later than that was not known at the issue time, minutes.
    public static let clockToleranceMinutes = 1.0

    /// Creates a snapshot.
    public init(
        asOf: Timestamp?, states: [BridgeIndex: SpanState], openings: [Opening] = [],
        observedSince: [BridgeIndex: Timestamp] = [:]
    ) {
        self.asOf = asOf
        self.states = states
        self.openings = openings
        self.observedSince = observedSince
    }

    /// Whether the snapshot may speak for an issue time.
    public func isFresh(at issueTime: Timestamp) -> Bool {
        guard let asOf else { return true }
        let age = issueTime.minutes(since: asOf)
        return age >= -Self.clockToleranceMinutes && age <= Self.stalenessMinutes
    }
}

extension Situation {
    /// The situation with a fresh snapshot laid over it; a stale one changes nothing.
    public func applying(_ live: LiveSnapshot) -> Situation {
        guard live.isFresh(at: issueTime) else { return self }
        var result = self
        for (bridge, state) in live.states {
            result[bridge].apply(state, live, of: bridge, at: issueTime)
        }
        return result
    }
}

extension BridgeSituation {
    fileprivate mutating func apply(
        _ state: SpanState, _ live: LiveSnapshot, of bridge: BridgeIndex, at issueTime: Timestamp
    ) {
        // A start that lies ahead is a clock that runs ahead: the span has been up for no time.
        if case .raised(let since?) = state {
            self.state = .raised(since: min(since, issueTime))
        } else {
            self.state = state
        }
        let seen = live.openings.filter { $0.bridge == bridge && $0.start <= issueTime }
            .map { opening in
                let isOver = opening.end.map { $0 <= issueTime } ?? false
                return KnownOpening(start: opening.start, end: isOver ? opening.end : nil)
            }
        let starts = Set(seen.map(\.start))
        recent = seen + recent.filter { !starts.contains($0.start) }
        if case .raised(let since?) = self.state, !recent.contains(where: { $0.start == since }) {
            recent.append(KnownOpening(start: since, end: nil))
        }
        if state == .lowered { recent.removeAll { $0.end == nil } }
        recent.sort { $0.start > $1.start }
        let least = SituationReader.leastObservationSeconds
        guard let since = live.observedSince[bridge], since.adding(seconds: least) <= issueTime
        else {
            return
        }
        observedSince = min(since, observedSince ?? since)
        let midnight = SeattleTime.startOfDay(SeattleTime.civil(at: issueTime).date)
        let dayStart = max(midnight, observedSince ?? since)
        openingsToday = max(openingsToday, recent.count { $0.start >= dayStart })
    }
}
