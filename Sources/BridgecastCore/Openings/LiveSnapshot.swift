// Bridge states read live from a feed or a file, and how they update a situation from the records.
public import BridgecastSupport

/// What a live source reports about the bridges at one time.
public struct LiveSnapshot: Sendable, Equatable {
    /// When it was true; nil if the source does not report that.
    public var asOf: Timestamp?
    /// States by bridge; where one is absent it follows from openings and observation.
    public var states: [BridgeIndex: SpanState]
    /// Recent openings the source has seen, ends included where they are over.
    public var openings: [Opening]
    /// Since when the source has seen every opening of a bridge; absent if that is unknown.
    public var observedSince: [BridgeIndex: Timestamp]

    /// A reading older than this is stale and not used, minutes.
    public static let stalenessMinutes = 5.0
    /// A reading may be this much later than the issue time, because clocks differ; minutes.
    public static let clockToleranceMinutes = Freshness.clockToleranceMinutes
    /// Both limits, as a `Freshness`.
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

    /// Sets the state of a bridge, in place of anything set before.
    ///
    /// - Parameters:
    ///   - state: Up, down or unknown. Nil derives it from the openings: a span whose last one has not ended is up
    ///     since its start, and one that has been observed for an hour is down otherwise.
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
            if let asOf, !Self.isPlausible(since: since, at: asOf) {
                throw .since(bridge, since, asOf: asOf)
            }
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

    /// A longer time that a span has been up is refused, days: repairs are known as such.
    private static let maxRaisedDays = 7.0

    private static func isPlausible(since: Timestamp, at asOf: Timestamp) -> Bool {
        let minutes = asOf.minutes(since: since)
        return minutes >= -clockToleranceMinutes && minutes <= maxRaisedDays * 1440
    }

    /// Whether the snapshot counts at an issue time.
    public func isFresh(at issueTime: Timestamp) -> Bool {
        asOf.map { Self.freshness.holds($0, at: issueTime) } ?? true
    }

    /// The openings of a bridge as they look at a time, in order.
    fileprivate func openings(of bridge: BridgeIndex, at issueTime: Timestamp) -> [KnownOpening] {
        // An opening under way that begins slightly in the future comes from a clock that is fast.
        let latest = issueTime.adding(minutes: Self.clockToleranceMinutes)
        return openings.filter { opening in
            opening.bridge == bridge && opening.start <= (opening.end == nil ? latest : issueTime)
        }.map { opening in
            KnownOpening(
                start: min(opening.start, issueTime),
                end: opening.end.flatMap { $0 <= issueTime ? $0 : nil })
        }.joined()
    }
}

/// Why a snapshot cannot have some values for a bridge.
public enum LiveSnapshotError: Failure, Equatable {
    /// An opening ends before it starts.
    case endsBeforeItStarts(BridgeIndex, KnownOpening)
    /// A span is up since a time that has not come when the snapshot was made, or is more than a week before it.
    case since(BridgeIndex, Timestamp, asOf: Timestamp)
    /// Two openings have no end.
    case twoWithoutEnd(BridgeIndex)
    /// An opening contradicts the state: it has no end although the span is down, or ends after it went up.
    case contradicts(BridgeIndex, SpanState, KnownOpening)

    /// Always ``FailureKind/usage``.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .endsBeforeItStarts(let bridge, let opening):
            "the opening of \(bridge) at \(TimeText.rfc3339(opening.start)) ends "
                + "before it starts"
        case .since(let bridge, let since, let asOf):
            "\(bridge) is given as up since \(TimeText.rfc3339(since)), which is "
                + (since > asOf ? "after" : "more than a week before")
                + " the snapshot's time, \(TimeText.rfc3339(asOf)); leave the time out if it is not known"
        case .twoWithoutEnd(let bridge):
            "two openings of \(bridge) have no end: only the last can be under way"
        case .contradicts(let bridge, let state, let opening):
            "\(bridge) is \(state), but its opening at \(TimeText.rfc3339(opening.start)) "
                + (opening.end == nil ? "has no end" : "ends later")
                + ": mend one of them, or leave the state out"
        }
    }
}

// MARK: - Updating a situation

extension Situation {
    /// The situation updated by a fresh snapshot; a stale one changes nothing.
    ///
    /// Every bridge in the snapshot is updated: its state, its openings, and since when it has been observed.
    public func applying(_ live: LiveSnapshot) -> Situation {
        guard live.isFresh(at: issueTime) else { return self }
        var result = self
        let reported = Set(live.states.keys).union(live.observedSince.keys)
            .union(live.openings.map(\.bridge))
        for bridge in reported { result[bridge].apply(live, of: bridge, at: issueTime) }
        return result
    }
}

extension BridgeSituation {
    fileprivate mutating func apply(
        _ live: LiveSnapshot, of bridge: BridgeIndex, at issueTime: Timestamp
    ) {
        let observedSinceLive = live.observedSince[bridge].flatMap {
            $0.adding(seconds: SituationReader.minObservationSeconds) <= issueTime ? $0 : nil
        }
        var seen = live.openings(of: bridge, at: issueTime)
        let underWay = seen.last.flatMap { $0.end == nil ? $0.start : nil }
        if let stated = live.states[bridge] {
            state = stated.known(since: underWay ?? raisedSince, at: issueTime)
        } else if let underWay {
            state = .raised(since: underWay)
        } else if let observedSinceLive, !isRaised(before: observedSinceLive) {
            state = .lowered
        }
        if let raisedSince {
            seen = (seen + [KnownOpening(start: raisedSince, end: nil)]).joined()
        }
        recent = seen + recent.filter { known in !seen.contains { $0.isSame(as: known) } }
        if state == .lowered {
            // An opening that was under way is over by now.
            recent = recent.map { KnownOpening(start: $0.start, end: $0.end ?? issueTime) }
        }
        recent.sort { $0.start > $1.start }
        if let observedSinceLive {
            let since = min(observedSinceLive, observedSince ?? observedSinceLive)
            observedSince = since
            let midnight = SeattleTime.startOfDay(SeattleTime.civil(at: issueTime).date)
            openingsToday = max(openingsToday, recent.count { $0.start >= max(midnight, since) })
        }
        let oldest = issueTime.adding(seconds: -SituationReader.recentSeconds)
        recent.removeAll { $0.end.map { $0 <= oldest } ?? false }
    }

    /// Since when it is up, if that is known.
    var raisedSince: Timestamp? {
        guard case .raised(let since) = state else { return nil }
        return since
    }

    /// Whether it is known to be up since before a time, so that observation from then on may not have seen it go up.
    private func isRaised(before time: Timestamp) -> Bool {
        guard case .raised(let since) = state else { return false }
        return since.map { $0 < time } ?? true
    }
}

extension SpanState {
    /// The state, raised since another start if it has none.
    ///
    /// A start in the future comes from a clock that is fast: then the span is raised since the issue time.
    fileprivate func known(since other: Timestamp?, at issueTime: Timestamp) -> SpanState {
        guard case .raised(let since) = self else { return self }
        return .raised(since: (since ?? other).map { min($0, issueTime) })
    }
}

extension KnownOpening {
    /// Whether two sources report the same opening: they overlap, however far apart their clocks are.
    fileprivate func isSame(as other: KnownOpening) -> Bool {
        start == other.start || start < other.end ?? .latest && other.start < end ?? .latest
    }
}

extension [KnownOpening] {
    /// In order, with repetitions and overlaps joined; O(n log n).
    ///
    /// If the same opening is given with an end and without one, the end counts. Of an opening without an end before
    /// another one the end was missed; the next one counts.
    fileprivate func joined() -> [KnownOpening] {
        var result: [KnownOpening] = []
        for opening in sorted(by: { ($0.start, $0.end ?? .latest) < ($1.start, $1.end ?? .latest) })
        {
            guard let last = result.last, last.isSame(as: opening) else {
                result.append(opening)
                continue
            }
            result[result.count - 1] =
                switch (last.end, opening.end) {
                case (let end?, let other?):
                    KnownOpening(start: last.start, end: Swift.max(end, other))
                case (_?, nil): last.start == opening.start ? last : opening
                case (nil, _?): opening
                case (nil, nil): last
                }
        }
        return result
    }
}
