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
        // A start a moment ahead comes from a clock that runs ahead.
        let latest = issueTime.adding(minutes: LiveSnapshot.clockToleranceMinutes)
        let seen = live.openings.filter { $0.bridge == bridge && $0.start <= latest }
            .map { opening in
                let isOver = opening.end.map { $0 <= issueTime } ?? false
                return KnownOpening(
                    start: min(opening.start, issueTime), end: isOver ? opening.end : nil)
            }.joined()
        let least = SituationReader.leastObservationSeconds
        let watchedSince = live.observedSince[bridge].flatMap {
            $0.adding(seconds: least) <= issueTime ? $0 : nil
        }
        if let stated = live.states[bridge] {
            state = stated
        } else if let newest = seen.max(by: { $0.start < $1.start }), newest.end == nil {
            state = .raised(since: newest.start)
        } else if let watchedSince, !isRaised(before: watchedSince) {
            state = .lowered
        }
        // A start that lies ahead is a clock that runs ahead: the span has been up for no time.
        if case .raised(let since?) = state { state = .raised(since: min(since, issueTime)) }
        recent = seen + recent.filter { known in !seen.contains { $0.isSame(as: known) } }
        if case .raised(let since?) = state, !recent.contains(where: { $0.start == since }) {
            recent.append(KnownOpening(start: since, end: nil))
        }
        if state == .lowered { recent.removeAll { $0.end == nil } }
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

    /// Whether it is known to be up since before a moment: watching from then on need not have seen it go up.
    private func isRaised(before moment: Timestamp) -> Bool {
        guard case .raised(let since) = state else { return false }
        return since.map { $0 < moment } ?? true
    }
}

extension KnownOpening {
    /// Whether two witnesses mean the same opening: they overlap, whatever seconds their clocks are apart.
    fileprivate func isSame(as other: KnownOpening) -> Bool {
        start <= other.end ?? .latest && other.start <= end ?? .latest
    }
}

extension [KnownOpening] {
    /// In order, repetitions and overlaps made one; O(n log n).
    ///
    /// What has no end and is not the last was not under way for ever: its end was missed, and the next one counts.
    fileprivate func joined() -> [KnownOpening] {
        var result: [KnownOpening] = []
        for opening in sorted(by: { $0.start < $1.start }) {
            guard let last = result.last, opening.start <= last.end ?? .latest else {
                result.append(opening)
                continue
            }
            result[result.count - 1] =
                if let end = last.end {
                    KnownOpening(start: last.start, end: opening.end.map { Swift.max(end, $0) })
                } else {
                    opening.end == nil ? last : opening
                }
        }
        return result
    }
}
