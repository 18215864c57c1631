// Turns readings without times into states with times.

/// Follows the bridges through the readings of a feed that has no times of its own.
///
/// - A transition is stamped with the time of the first reading that shows it; with readings every
///   20 seconds it happened within the 20 seconds before.
/// - More than ``gapSeconds`` without a reading is a gap: what is raised after it is raised since an
///   unknown time, and an opening that was under way before it has no known end.
/// - A feed in which no bridge moves for ``frozenSeconds`` is frozen: every state is unknown, and
///   observation counts only up to the last movement.
/// - A clock that was set is a gap too: the caller reports it to ``clockWasSet(to:)``. Without a report, readings of more
///   than ``gapSeconds`` before the last are one, and by less time stops until they have caught up, so that times never
///   run backwards.
public struct BridgeTracker: Sendable, Equatable {
    /// Readings farther apart than this leave a gap.
    public static let gapSeconds: Int64 = 60
    /// No movement at any bridge for this long: the feed is frozen.
    public static let frozenSeconds: Int64 = 12 * 3600
    /// How long openings are kept in a snapshot.
    private static let recentSeconds: Int64 = 6 * 3600

    /// When the last reading was received; nil before the first.
    public private(set) var lastReadingAt: Timestamp?
    /// When any bridge was last seen to move, or observation began.
    public private(set) var lastMovementAt: Timestamp?
    /// Whether the feed is frozen.
    public private(set) var isFrozen = false

    private var periods: [BridgeIndex: ObservedPeriod] = [:]
    private var raised: [BridgeIndex: ObservedOpening] = [:]
    private var recent: [ObservedOpening] = []

    /// What a reading changed, for the store.
    public struct Step: Sendable, Equatable {
        /// Changes of state, in the order of the bridges.
        public var changes: [BridgeChange] = []
        /// Openings that began or ended.
        public var openings: [ObservedOpening] = []
        /// Every bridge's current period.
        public var periods: [ObservedPeriod] = []
        /// Stored periods must be cut at this time; nil if none has to be.
        public var cut: Timestamp?
    }

    /// Creates a tracker that knows nothing.
    public init() {}

    /// Creates a tracker that resumes where an earlier one ended.
    ///
    /// - Parameters:
    ///   - periods: The last period of each bridge.
    ///   - recent: Openings of the last hours, those under way included.
    public init(resuming periods: [ObservedPeriod], recent: [ObservedOpening]) {
        // A period or opening that ends before it starts is invalid.
        let periods = periods.filter { $0.start <= $0.end }
        let recent = recent.filter { $0.start <= $0.end ?? $0.start }
        for period in periods { self.periods[period.bridge] = period }
        self.recent = recent
        for opening in recent where opening.end == nil {
            if let period = self.periods[opening.bridge], opening.start <= period.end {
                raised[opening.bridge] = opening
            }
        }
        lastReadingAt = periods.map(\.end).max()
        lastMovementAt =
            (recent.flatMap { [$0.start, $0.end ?? $0.start] } + periods.map(\.start)).max()
    }

    /// Applies a reading.
    public mutating func apply(_ reading: BridgeReading) -> Step {
        var step = Step()
        var now = reading.receivedAt
        let before = self
        if let last = lastReadingAt {
            if now < last, last.secondsSinceEpoch - now.secondsSinceEpoch <= Self.gapSeconds {
                now = last
            } else if now < last {
                step.cut = now
                forget(now)
            } else if now.secondsSinceEpoch - last.secondsSinceEpoch > Self.gapSeconds {
                forget(now)
            }
        }
        for bridge in BridgeIndex.all {
            apply(reading.isRaised[bridge], to: bridge, at: now, &step)
        }
        lastReadingAt = now
        if !step.openings.isEmpty || lastMovementAt == nil { thaw(now) }
        if let moved = lastMovementAt,
            now.secondsSinceEpoch - moved.secondsSinceEpoch >= Self.frozenSeconds
        {
            isFrozen = true
            step.cut = min(step.cut ?? moved, moved)
            for bridge in BridgeIndex.all { periods[bridge]?.start = now }
        }
        step.periods = isFrozen ? [] : BridgeIndex.all.compactMap { periods[$0] }
        recent.removeAll {
            ($0.end ?? $0.start) < now.adding(seconds: -Self.recentSeconds) && $0.end != nil
        }
        step.changes = changes(since: before, at: now)
        return step
    }

    /// Forgets what was observed by a clock that has been set since: nothing observed before joins what comes after.
    ///
    /// - Returns: What the store has to cut: coverage after the new time, if the clock was set back.
    public mutating func clockWasSet(to now: Timestamp) -> Step {
        var step = Step()
        if let lastReadingAt, now < lastReadingAt { step.cut = now }
        forget(now)
        lastReadingAt = nil
        return step
    }

    /// The state of a bridge in the last reading, whatever its age.
    public func state(of bridge: BridgeIndex) -> SpanState {
        guard !isFrozen, periods[bridge] != nil else { return .unknown }
        guard let opening = raised[bridge] else { return .lowered }
        return .raised(since: opening.startIsKnown ? opening.start : nil)
    }

    /// All that is known, as one step: to store what may have been lost between a reading and the store.
    package var wholeStep: Step {
        var step = Step()
        step.openings = recent.filter { $0.end != nil } + BridgeIndex.all.compactMap { raised[$0] }
        step.periods = isFrozen ? [] : BridgeIndex.all.compactMap { periods[$0] }
        return step
    }

    /// The changes of state since an earlier tracker, in the order of the bridges.
    ///
    /// - Parameter now: When this one was read.
    package func changes(since before: BridgeTracker, at now: Timestamp) -> [BridgeChange] {
        BridgeIndex.all.compactMap { bridge in
            let states = (before: before.state(of: bridge), after: state(of: bridge))
            guard states.before != states.after else { return nil }
            return BridgeChange(
                bridge: bridge, at: now, before: states.before, after: states.after)
        }
    }

    /// Everything known now, for a forecast; nil before the first reading and while the feed is frozen.
    public var snapshot: LiveSnapshot? {
        guard let lastReadingAt, !isFrozen else { return nil }
        var states: [BridgeIndex: SpanState] = [:]
        var observedSince: [BridgeIndex: Timestamp] = [:]
        for (bridge, period) in periods {
            states[bridge] = state(of: bridge)
            observedSince[bridge] = period.start
        }
        return LiveSnapshot(
            asOf: lastReadingAt, states: states,
            openings: recent.filter(\.startIsKnown).map {
                Opening(bridge: $0.bridge, start: $0.start, end: $0.end)
            }, observedSince: observedSince)
    }

    private mutating func apply(
        _ isRaised: Bool?, to bridge: BridgeIndex, at now: Timestamp, _ step: inout Step
    ) {
        guard let isRaised else {
            // The feed no longer has it: an opening under way has no known end.
            periods[bridge] = nil
            raised[bridge] = nil
            recent.removeAll { $0.bridge == bridge && $0.end == nil }
            return
        }
        let wasObserved = periods[bridge] != nil
        if isRaised, raised[bridge] == nil {
            let opening = ObservedOpening(
                bridge: bridge, start: now, startIsKnown: wasObserved, end: nil)
            raised[bridge] = opening
            recent.append(opening)
            step.openings.append(opening)
        } else if !isRaised, var opening = raised.removeValue(forKey: bridge) {
            opening.end = now
            recent.removeAll { $0.bridge == bridge && $0.start == opening.start }
            recent.append(opening)
            step.openings.append(opening)
            // Observed from its end on; its start is not known.
            if !opening.startIsKnown { periods[bridge]?.start = now }
        }
        if wasObserved {
            periods[bridge]?.end = now
        } else {
            periods[bridge] = ObservedPeriod(bridge: bridge, start: now, end: now)
        }
    }

    /// Forgets what a gap makes unknown: everything but openings that are over.
    private mutating func forget(_ now: Timestamp) {
        periods = [:]
        raised = [:]
        recent.removeAll { $0.end == nil || $0.start > now }
        lastMovementAt = nil
        isFrozen = false
    }

    private mutating func thaw(_ now: Timestamp) {
        lastMovementAt = now
        guard isFrozen else { return }
        isFrozen = false
        for bridge in BridgeIndex.all {
            periods[bridge]?.start = now
            if raised[bridge]?.start != now { raised[bridge]?.startIsKnown = false }
        }
    }
}

// MARK: - Coding

extension BridgeTracker: Codable {
    private enum CodingKeys: CodingKey {
        case lastReadingAt, lastMovementAt, isFrozen, periods, raised, recent
    }

    /// Reads what ``encode(to:)`` writes; periods and openings that end before they start are left out.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let recent = try container.decode([ObservedOpening].self, forKey: .recent)
        self.init(
            resuming: try container.decode([ObservedPeriod].self, forKey: .periods), recent: recent)
        raised = [:]
        for opening in try container.decode([ObservedOpening].self, forKey: .raised) {
            raised[opening.bridge] = opening
        }
        lastReadingAt = try container.decodeIfPresent(Timestamp.self, forKey: .lastReadingAt)
        lastMovementAt = try container.decodeIfPresent(Timestamp.self, forKey: .lastMovementAt)
        isFrozen = try container.decode(Bool.self, forKey: .isFrozen)
    }

    /// Writes everything that the next reading is compared with.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(lastReadingAt, forKey: .lastReadingAt)
        try container.encodeIfPresent(lastMovementAt, forKey: .lastMovementAt)
        try container.encode(isFrozen, forKey: .isFrozen)
        try container.encode(BridgeIndex.all.compactMap { periods[$0] }, forKey: .periods)
        try container.encode(BridgeIndex.all.compactMap { raised[$0] }, forKey: .raised)
        try container.encode(recent, forKey: .recent)
    }
}

// MARK: - Readings and observations

/// One reply of a live feed: whether each bridge is raised, and when we received it.
public struct BridgeReading: Sendable, Equatable {
    /// When it was received.
    public var receivedAt: Timestamp
    /// By bridge; absent where the feed does not have it.
    public var isRaised: [BridgeIndex: Bool]

    /// Creates a reading.
    public init(receivedAt: Timestamp, isRaised: [BridgeIndex: Bool]) {
        self.receivedAt = receivedAt
        self.isRaised = isRaised
    }
}

/// A change that a reading showed.
public struct BridgeChange: Sendable, Equatable, Codable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// The reading's time.
    public var at: Timestamp
    /// The state known before.
    public var before: SpanState
    /// The state known now.
    public var after: SpanState

    /// Creates a change.
    public init(bridge: BridgeIndex, at: Timestamp, before: SpanState, after: SpanState) {
        self.bridge = bridge
        self.at = at
        self.before = before
        self.after = after
    }
}

/// A period in which a bridge was observed without a gap.
public struct ObservedPeriod: Sendable, Equatable, Codable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// The first reading.
    public var start: Timestamp
    /// The last reading.
    public var end: Timestamp

    /// Creates a period.
    public init(bridge: BridgeIndex, start: Timestamp, end: Timestamp) {
        self.bridge = bridge
        self.start = start
        self.end = end
    }
}

/// An opening as seen in readings.
public struct ObservedOpening: Sendable, Equatable, Codable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// The first reading that had it raised.
    public var start: Timestamp
    /// Whether a reading just before had it lowered; if not, it may have been up for longer.
    public var startIsKnown: Bool
    /// The first reading that had it lowered again; nil while it is up or if no reading showed that.
    public var end: Timestamp?

    /// Creates an observed opening.
    public init(bridge: BridgeIndex, start: Timestamp, startIsKnown: Bool, end: Timestamp?) {
        self.bridge = bridge
        self.start = start
        self.startIsKnown = startIsKnown
        self.end = end
    }
}
