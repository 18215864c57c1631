// Reasons from the openings of the last hours: long ones, a busy or quiet day, boats from bridge to bridge.
//
// Each was kept because the records bear it out. All shipped records, issue times every 5 minutes: how often the
// span was then up, over how often it usually is at such times ("x 1.0" is as usual; in brackets 95 %, days drawn
// again). Where nothing else is said: span lowered, arrivals up to 30 minutes ahead.

extension ForecastReason {
    /// Longer than this share of openings like it is long: of the bridge, by the model's law of lengths and what is
    /// known of the last ones.
    ///
    /// Of spans up so long 47 in 100 (36 .. 55) were still up 5 minutes later, against 15 (11 .. 18) of those up longer
    /// than three quarters of such openings but not so long: what is stuck stays. From 90 to 95 in 100 it was 23.
    private static let longRaisedShare = 0.95
    /// The last openings are long if they lasted so many times the usual on average.
    ///
    /// x 2.2 (1.6 .. 2.8), against x 1.3 (1.2 .. 1.4) where they were at most 1.3 times as long: of two or three
    /// openings of the last six hours, the newest of which ended within the hour. Later it made no difference.
    private static let longOpeningsRatio = 1.5
    private static let longOpeningsMinutes = 60.0
    /// A day is busy or quiet if it differs from the usual by so many openings, and by these factors.
    ///
    /// Busy: x 1.6 (1.5 .. 1.8) and quiet: x 0.6 (0.5 .. 0.7) both 30 and 60 minutes ahead, against x 0.9 on other
    /// days. After 20:00 a busy day made no difference: x 1.1 (0.8 .. 1.4).
    private static let (leastDifference, busyRatio, quietRatio) = (2.0, 1.5, 0.5)
    private static let busyUntilSecond = 20 * 3600
    static let dayMinutes = 60.0
    /// A neighbour opens often if it went up twice in so many minutes.
    ///
    /// About when its newest boat should come, more openings added nothing to the one: x 2.5 (2.3 .. 2.7) against
    /// x 2.9 (2.7 .. 3.0). At other times they did: two x 1.3 (1.1 .. 1.5), three x 1.6 (1.1 .. 2.1), one x 1.1.
    private static let oftenMinutes = 40.0
    /// Boats pass the next bridge but one before the next by these parts of the usual time between them.
    ///
    /// x 5.2 (4.9 .. 5.5), against x 2.4 (2.2 .. 2.6) if only the next bridge went up; not if they may have come
    /// from the bridge itself.
    private static let passageParts = 0.4...1.8

    /// That the span is up for unusually long.
    func raisedLong(_ bridge: BridgeIndex) -> Reason? {
        guard case .raised(.some(let since)) = situation[bridge].state else { return nil }
        let minutes = situation.issueTime.minutes(since: since)
        let share = 1 - context(of: bridge).probabilityOutlasts(total: minutes, elapsed: 0)
        guard share >= Self.longRaisedShare else { return nil }
        return .raisedLong(bridge, minutes: whole(minutes), shorterShare: share)
    }

    /// What the bridge's own openings of the day say of a lowered span: their lengths, then their number.
    func lately(_ bridge: BridgeIndex, leadMinutes: Double) -> [Reason] {
        guard situation[bridge].state == .lowered else { return [] }
        var reasons: [Reason] = []
        if leadMinutes <= Self.memorableMinutes, let long = longOpenings(bridge) {
            reasons.append(long)
        }
        if leadMinutes <= Self.dayMinutes, let day = day(bridge) { reasons.append(day) }
        return reasons
    }

    /// That boats come from beyond the neighbour, past one bridge after another.
    func inOrder(_ bridge: BridgeIndex, _ arrival: Timestamp, place: Int) -> Reason? {
        guard situation[bridge].state == .lowered,
            arrival.minutes(since: situation.issueTime) <= Self.memorableMinutes,
            let neighbour = NeighbourContext.bridge(atPlace: place, from: bridge),
            let beyond = NeighbourContext.bridge(atPlace: 2 * place, from: bridge),
            let newest = situation[neighbour].recent.first,
            passed(bridge, before: newest, at: neighbour) == nil,
            let first = passed(beyond, before: newest, at: neighbour)
        else { return nil }
        return .convoyInOrder(
            bridge, beyond: beyond,
            minutesAgo: whole(situation.issueTime.minutes(since: first.start)))
    }

    /// That a neighbour has gone up several times, where its newest boat does not come about the arrival.
    func often(
        _ bridge: BridgeIndex, _ neighbour: BridgeIndex, _ arrival: Timestamp
    ) -> Reason? {
        guard situation[bridge].state == .lowered,
            arrival.minutes(since: situation.issueTime) <= Self.memorableMinutes
        else { return nil }
        let openings = situation[neighbour].recent.prefix {
            situation.issueTime.minutes(since: $0.start) <= Self.oftenMinutes
        }
        guard openings.count >= 2, let first = openings.last else { return nil }
        return .neighbourOften(
            bridge, neighbour: neighbour, openings: openings.count,
            minutes: whole(situation.issueTime.minutes(since: first.start)))
    }

    /// The opening of a bridge by which the boat of a later one next to it may have passed.
    private func passed(
        _ bridge: BridgeIndex, before opening: KnownOpening, at neighbour: BridgeIndex
    ) -> KnownOpening? {
        let transit = NeighbourContext.transitMinutes(bridge, neighbour)
        return situation[bridge].recent.first {
            Self.passageParts.contains(opening.start.minutes(since: $0.start) / transit)
        }
    }

    private func longOpenings(_ bridge: BridgeIndex) -> Reason? {
        let ended = situation[bridge].recent.filter { $0.end != nil }.prefix(3)
        guard ended.count >= 2, let newest = ended.first?.end,
            situation.issueTime.minutes(since: newest) <= Self.longOpeningsMinutes
        else { return nil }
        let lengths = ended.compactMap { opening in
            opening.end.map { $0.minutes(since: opening.start) }
        }
        let mean = lengths.reduce(0, +) / Double(lengths.count)
        let usual = climatology.meanOpeningMinutes(bridge)
        guard mean >= usual * Self.longOpeningsRatio, whole(mean) > whole(usual) else { return nil }
        return .longOpenings(bridge, lastMinutes: whole(mean), usualMinutes: whole(usual))
    }

    /// The day against others, if the whole of it was seen.
    private func day(_ bridge: BridgeIndex) -> Reason? {
        let now = SeattleTime.civil(at: situation.issueTime)
        guard let since = situation[bridge].observedSince,
            since <= SeattleTime.startOfDay(now.date)
        else { return nil }
        let usual = Double(
            climatology.expectedOpenings(
                bridge, on: DayType(now.date), from: CivilDateTime(date: now.date, secondOfDay: 0),
                to: now))
        let openings = situation[bridge].openingsToday
        let difference = Double(openings) - usual
        let ratio = (Double(openings) + 1) / (usual + 1)
        if difference >= Self.leastDifference, ratio >= Self.busyRatio,
            now.secondOfDay < Self.busyUntilSecond
        {
            return .busyDay(bridge, openings: openings, usualOpenings: whole(usual))
        }
        guard -difference >= Self.leastDifference, ratio <= Self.quietRatio else { return nil }
        return .quietDay(bridge, openings: openings, usualOpenings: whole(usual))
    }
}
