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
    public static let clockToleranceMinutes = Freshness.clockToleranceMinutes
    /// The same as a rule.
    package static let freshness = Freshness(limitMinutes: stalenessMinutes)

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
    ///     one has not ended is up since its start, and one that has been watched for an hour is down otherwise.
    ///   - openings: Recent openings, in any order; those that were under way in the last six hours count.
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
        }
        if case .raised(let since?) = state {
            for opening in openings where opening.end.map({ $0 > since }) ?? false {
                throw .contradicts(bridge, .raised(since: since), opening)
            }
        }
        let open = openings.filter { $0.end == nil }
        guard open.count <= 1 else { throw .twoWithoutEnd(bridge) }
        if let open = open.first, let state, state != .raised(since: open.start),
            state != .raised(since: nil)
        {
            throw .contradicts(bridge, state, open)
        }
        self.openings.removeAll { $0.bridge == bridge }
        self.openings += openings.map { Opening(bridge: bridge, start: $0.start, end: $0.end) }
        states[bridge] = state
        self.observedSince[bridge] = observedSince
    }

    /// Whether the snapshot may speak for an issue time.
    public func isFresh(at issueTime: Timestamp) -> Bool {
        asOf.map { Self.freshness.holds($0, at: issueTime) } ?? true
    }
}
