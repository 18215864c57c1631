// Bridge states read live: what a feed or a file says about now, laid over the records.

/// What a live source says about the bridges at one moment.
public struct LiveSnapshot: Sendable, Equatable {
    /// When it was true; nil if the source does not say.
    public var asOf: Timestamp?
    /// States by bridge; absent where the source says nothing, and then openings and watching decide.
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
        asOf: Timestamp?, states: [BridgeIndex: SpanState] = [:], openings: [Opening] = [],
        observedSince: [BridgeIndex: Timestamp] = [:]
    ) {
        self.asOf = asOf
        self.states = states
        self.openings = openings
        self.observedSince = observedSince
    }

    /// Says what is known of a bridge; what was said of it before is forgotten.
    ///
    /// - Parameters:
    ///   - state: Up, down or unknown. Where nothing is said it follows from the openings: a span whose last
    ///     one has not ended is up since its start, and one that has been watched is down otherwise.
    ///   - openings: Recent openings, in any order; those of the last six hours count.
    ///   - observedSince: Since when every opening is known; nil if that is not known.
    /// - Throws: ``LiveSnapshotError``; then nothing changes.
    public mutating func set(
        _ bridge: BridgeIndex, state: SpanState? = nil, openings: [KnownOpening] = [],
        observedSince: Timestamp? = nil
    ) throws(LiveSnapshotError) {
        for opening in openings {
            if let end = opening.end, end < opening.start {
                throw .endsBeforeItStarts(bridge, opening)
            }
            if opening.end == nil, state == .lowered { throw .loweredButOpen(bridge, opening) }
        }
        self.openings.removeAll { $0.bridge == bridge }
        self.openings += openings.map { Opening(bridge: bridge, start: $0.start, end: $0.end) }
        states[bridge] = state
        self.observedSince[bridge] = observedSince
    }

    /// Whether the snapshot may speak for an issue time.
    public func isFresh(at issueTime: Timestamp) -> Bool {
        guard let asOf else { return true }
        let age = issueTime.minutes(since: asOf)
        return age >= -Self.clockToleranceMinutes && age <= Self.stalenessMinutes
    }
}

/// Why a snapshot cannot say something of a bridge.
public enum LiveSnapshotError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An opening ends before it starts.
    case endsBeforeItStarts(BridgeIndex, KnownOpening)
    /// An opening has no end, but the span is said to be down.
    case loweredButOpen(BridgeIndex, KnownOpening)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .endsBeforeItStarts(let bridge, let opening):
            "the opening of \(BridgeCatalogue[bridge].name) at \(TimeText.rfc3339(opening.start)) ends "
                + "before it starts"
        case .loweredButOpen(let bridge, let opening):
            "\(BridgeCatalogue[bridge].name) is lowered, but its opening at "
                + "\(TimeText.rfc3339(opening.start)) has no end: give it one, or leave the state out"
        }
    }
}

extension Situation {
    /// The situation with a fresh snapshot laid over it; a stale one changes nothing.
    ///
    /// Every bridge that the snapshot says anything of is brought up to date: its state, its openings, since
    /// when it has been watched.
    public func applying(_ live: LiveSnapshot) -> Situation {
        guard live.isFresh(at: issueTime) else { return self }
        var result = self
        let told = Set(live.states.keys).union(live.observedSince.keys)
            .union(live.openings.map(\.bridge))
        for bridge in told { result[bridge].apply(live, of: bridge, at: issueTime) }
        return result
    }
}

extension BridgeSituation {
    fileprivate mutating func apply(
        _ live: LiveSnapshot, of bridge: BridgeIndex, at issueTime: Timestamp
    ) {
        let seen = live.openings.filter { $0.bridge == bridge && $0.start <= issueTime }
            .map { opening in
                let isOver = opening.end.map { $0 <= issueTime } ?? false
                return KnownOpening(start: opening.start, end: isOver ? opening.end : nil)
            }
        if let stated = live.states[bridge] {
            state = stated
        } else if let newest = seen.max(by: { $0.start < $1.start }), newest.end == nil {
            state = .raised(since: newest.start)
        } else if live.observedSince[bridge].map({ $0 <= issueTime }) ?? false {
            state = .lowered
        }
        // A start that lies ahead is a clock that runs ahead: the span has been up for no time.
        if case .raised(let since?) = state { state = .raised(since: min(since, issueTime)) }
        let starts = Set(seen.map(\.start))
        recent = seen + recent.filter { !starts.contains($0.start) }
        if case .raised(let since?) = state, !recent.contains(where: { $0.start == since }) {
            recent.append(KnownOpening(start: since, end: nil))
        }
        if state == .lowered { recent.removeAll { $0.end == nil } }
        recent.sort { $0.start > $1.start }
        let least = SituationReader.leastObservationSeconds
        guard let since = live.observedSince[bridge], since.adding(seconds: least) <= issueTime
        else { return }
        observedSince = min(since, observedSince ?? since)
        let midnight = SeattleTime.startOfDay(SeattleTime.civil(at: issueTime).date)
        let dayStart = max(midnight, observedSince ?? since)
        openingsToday = max(openingsToday, recent.count { $0.start >= dayStart })
    }
}
