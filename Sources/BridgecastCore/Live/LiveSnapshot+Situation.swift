// How what is known live is laid over what the records say: states, openings of several witnesses, watching.

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
        let watchedSince = live.observedSince[bridge].flatMap {
            $0.adding(seconds: SituationReader.leastObservationSeconds) <= issueTime ? $0 : nil
        }
        var seen = live.openings(of: bridge, at: issueTime)
        let underWay = seen.last.flatMap { $0.end == nil ? $0.start : nil }
        if let stated = live.states[bridge] {
            state = stated.known(since: underWay ?? raisedSince, at: issueTime)
        } else if let underWay {
            state = .raised(since: underWay)
        } else if let watchedSince, !isRaised(before: watchedSince) {
            state = .lowered
        }
        if let raisedSince {
            seen = (seen + [KnownOpening(start: raisedSince, end: nil)]).joined()
        }
        recent = seen + recent.filter { known in !seen.contains { $0.isSame(as: known) } }
        if state == .lowered {
            // What was under way is over by now.
            recent = recent.map { KnownOpening(start: $0.start, end: $0.end ?? issueTime) }
        }
        recent.sort { $0.start > $1.start }
        if let watchedSince {
            let since = min(watchedSince, observedSince ?? watchedSince)
            observedSince = since
            let midnight = SeattleTime.startOfDay(SeattleTime.civil(at: issueTime).date)
            openingsToday = max(
                openingsToday, recent.count { $0.start >= max(midnight, since) })
        }
        let oldest = issueTime.adding(seconds: -SituationReader.recentSeconds)
        recent.removeAll { $0.end.map { $0 <= oldest } ?? false }
    }

    /// Since when it is up, if that is known.
    private var raisedSince: Timestamp? {
        guard case .raised(let since) = state else { return nil }
        return since
    }

    /// Whether it is known to be up since before a moment: watching from then on need not have seen it go up.
    private func isRaised(before moment: Timestamp) -> Bool {
        guard case .raised(let since) = state else { return false }
        return since.map { $0 < moment } ?? true
    }
}

extension SpanState {
    /// The state with what else is known of since when it is up; a start that lies ahead is a clock that runs
    /// ahead: the span has been up for no time.
    fileprivate func known(since other: Timestamp?, at issueTime: Timestamp) -> SpanState {
        guard case .raised(let since) = self else { return self }
        return .raised(since: (since ?? other).map { min($0, issueTime) })
    }
}

extension LiveSnapshot {
    /// The openings of a bridge as they look at a moment, in order.
    fileprivate func openings(of bridge: BridgeIndex, at issueTime: Timestamp) -> [KnownOpening] {
        // What is under way and began a moment ahead comes from a clock that runs ahead.
        let latest = issueTime.adding(minutes: Self.clockToleranceMinutes)
        return openings.filter { opening in
            opening.bridge == bridge
                && opening.start <= (opening.end == nil ? latest : issueTime)
        }.map { opening in
            KnownOpening(
                start: min(opening.start, issueTime),
                end: opening.end.flatMap { $0 <= issueTime ? $0 : nil })
        }.joined()
    }
}

extension KnownOpening {
    /// Whether two witnesses mean the same opening: they overlap, whatever seconds their clocks are apart.
    fileprivate func isSame(as other: KnownOpening) -> Bool {
        start == other.start || start < other.end ?? .latest && other.start < end ?? .latest
    }
}

extension [KnownOpening] {
    /// In order, repetitions and overlaps made one; O(n log n).
    ///
    /// Of the same opening with an end and without one the end is known. What has no end and is not the last was
    /// not under way for ever: its end was missed, and the next one counts.
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
