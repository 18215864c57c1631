// Why a forecast is what it is: reasons with codes and values, and in words a driver understands.

/// Tells what moves a forecast, as values and in words.
public struct ForecastReason: Sendable {
    let situation: Situation
    let climatology: Climatology

    /// Boats arrive at most so much later or earlier than expected to be worth a word.
    private static let convoyWindowMinutes = 12.0
    /// What the span does now is worth a word for arrivals at most so far ahead.
    static let memorableMinutes = 30.0
    /// A bridge that came down at most so long ago may go up again: openings come in series.
    ///
    /// x 1.4 (1.3 .. 1.5) from 10 to 30 minutes ahead, against x 1.1 (1.0 .. 1.1) later than that, up to six hours.
    private static let seriesMinutes = 20.0
    /// More reasons than these are not told: the lightest are left out.
    private static let most = 3

    /// Creates reasons for forecasts of one issue time.
    public init(situation: Situation, climatology: Climatology) {
        self.situation = situation
        self.climatology = climatology
    }

    /// The reasons for the forecast at a bridge for an arrival, one to three: its own state, boats, rules, the day.
    ///
    /// None of them points the other way than the forecast. Where nothing explains a forecast that is far from the
    /// usual, that is said.
    /// - Parameter forecast: How its chance stands to the usual.
    public func reasons(
        for bridge: BridgeIndex, arrival: Timestamp, forecast: UsualComparison
    ) -> [Reason] {
        var reasons: [Reason] = []
        let lead = arrival.minutes(since: situation.issueTime)
        if forecast.isBelow, let now = down(bridge, arrival) { reasons.append(now) }
        // A span that is up is told as long as it decides.
        let decides =
            situation[bridge].state.isRaised && forecast == .farAbove && lead <= Self.dayMinutes
        if lead <= Self.memorableMinutes || decides {
            if let own = ownState(bridge) { reasons.append(own) }
            if let long = raisedLong(bridge) { reasons.append(long) }
        }
        reasons += convoys(bridge, arrival)
        if let rule = rule(bridge, arrival) { reasons.append(rule) }
        reasons += lately(bridge, leadMinutes: lead)
        if forecast.isBelow, lead <= Self.memorableMinutes, let long = downLong(bridge),
            // A quiet day says it already.
            !reasons.contains(where: { $0.code == .quietDay })
        {
            reasons.append(long)
        }
        reasons = reasons.filter(forecast.admits)
        if reasons.isEmpty { reasons.append(unexplained(bridge, arrival, forecast)) }
        return Array(reasons.prefix(Self.most))
    }

    /// The same in words.
    public func phrases(
        for bridge: BridgeIndex, arrival: Timestamp, forecast: UsualComparison
    ) -> [String] {
        reasons(for: bridge, arrival: arrival, forecast: forecast).map(\.text)
    }

    /// What is known of a bridge, in words; for the parts of an explanation.
    public func knowledge(of bridge: BridgeIndex) -> String {
        let known = situation[bridge]
        if case .raised(let since) = known.state {
            guard let since else { return "raised now" }
            return "raised for \(minutes(situation.issueTime.minutes(since: since)))"
        }
        guard known.observedSince != nil || !known.recent.isEmpty else {
            return known.state == .lowered ? "lowered now, its past not known" : "not known"
        }
        guard let last = known.recent.first else { return "no opening in six hours" }
        let ago = minutes(situation.issueTime.minutes(since: last.start))
        guard let end = last.end else { return "raised \(ago) ago" }
        return "raised \(ago) ago for \(minutes(end.minutes(since: last.start)))"
    }

    /// That a bridge is up now and how long it usually stays so; nil if it is not known to be up.
    package func stillUp(_ bridge: BridgeIndex) -> String? {
        guard case .raised(let since) = situation[bridge].state else { return nil }
        let name = BridgeCatalogue[bridge].name
        let elapsed = since.map { max(0, situation.issueTime.minutes(since: $0)) }
        let known = context(of: bridge)
        let half = known.minutesLeft(elapsed: elapsed ?? 0, share: 0.5)
        let most = known.minutesLeft(elapsed: elapsed ?? 0, share: 0.9)
        let openings = elapsed.map { "openings that have lasted \(minutes($0))" } ?? "openings"
        return "\(name) is up; of its \(openings) half are over after \(minutes(half))"
            + (elapsed == nil ? "" : " more") + ", nine in ten after \(minutes(most))"
    }

    /// That a bridge is up and how long it usually stays so, where that settles an arrival; else nil.
    ///
    /// It does if, by the lengths of openings alone, a delay is likelier than none.
    /// - Parameters:
    ///   - leadMinutes: To the arrival.
    ///   - density: Degree of saturation of the approach then, 0 ..< 1.
    package func certainty(
        of bridge: BridgeIndex, leadMinutes: Double, density: Double
    ) -> String? {
        let known = context(of: bridge)
        guard let elapsed = known.raisedMinutes, let words = stillUp(bridge) else { return nil }
        let total = elapsed + leadMinutes
        let delays = known.delaysOutlast(served: (1 - density) * total, elapsed: elapsed)
        guard delays[0] >= 0.5 else { return nil }
        let isDown = known.probabilityOutlasts(total: total, elapsed: elapsed) < 0.5
        return words + (isDown ? "; its queue stands for longer" : "")
    }

    /// What is known of a bridge, with the law by which its openings last; as forecasts know it.
    func context(of bridge: BridgeIndex) -> BridgeContext {
        BridgeContext(bridge, in: IssueContext(situation, climatology))
    }

    private func ownState(_ bridge: BridgeIndex) -> Reason? {
        let known = situation[bridge]
        if case .raised(let since) = known.state {
            guard let since else { return .raised(bridge) }
            return .raisedFor(bridge, minutes: whole(situation.issueTime.minutes(since: since)))
        }
        guard let last = known.recent.lazy.compactMap(\.end).first else { return nil }
        let ago = situation.issueTime.minutes(since: last)
        return ago <= Self.seriesMinutes ? .loweredRecently(bridge, minutesAgo: whole(ago)) : nil
    }

    /// What the neighbours' openings say; first those whose boats come from bridge to bridge.
    private func convoys(_ bridge: BridgeIndex, _ arrival: Timestamp) -> [Reason] {
        let sides = [-1, 1].map { convoy(bridge, arrival, place: $0) }
        return (sides.filter { $0.count > 1 } + sides.filter { $0.count <= 1 }).flatMap { $0 }
    }

    private func convoy(_ bridge: BridgeIndex, _ arrival: Timestamp, place: Int) -> [Reason] {
        guard let neighbour = NeighbourContext.bridge(atPlace: place, from: bridge),
            let opening = situation[neighbour].recent.first
        else { return [] }
        let transit = NeighbourContext.transitMinutes(bridge, neighbour)
        let late = arrival.minutes(since: opening.start) - transit
        guard abs(late) <= Self.convoyWindowMinutes else {
            return often(bridge, neighbour, arrival).map { [$0] } ?? []
        }
        let convoy = Reason.convoy(
            Reason.Convoy(
                neighbour: neighbour, bridge: bridge,
                minutesAgo: whole(situation.issueTime.minutes(since: opening.start)),
                leastMinutes: whole(transit * 0.8), mostMinutes: whole(transit * 1.7)))
        return [convoy] + (inOrder(bridge, arrival, place: place).map { [$0] } ?? [])
    }

    private func rule(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Reason? {
        let status = BridgeCatalogue[bridge].rules.status(at: SeattleTime.civil(at: arrival))
        if let left = status.minutesUntilWindowEnds {
            return .closedWindow(bridge, until: arrival.adding(minutes: left))
        }
        if let since = status.minutesSinceWindowEnded, since <= 30 {
            return .windowEnded(bridge, from: arrival.adding(minutes: -since))
        }
        return status.isHalfHourOnly ? .halfHourOnly(bridge) : nil
    }

    /// What is said where no reason holds.
    private func unexplained(
        _ bridge: BridgeIndex, _ arrival: Timestamp, _ forecast: UsualComparison
    ) -> Reason {
        let probability = usualProbability(bridge, arrival)
        return switch forecast {
        case .farBelow: .underUsual(bridge, probability: probability)
        case .farAbove: .overUsual(bridge, probability: probability)
        case .below, .same, .above:
            situation[bridge].state == .unknown
                ? .stateUnknown(bridge, probability: probability)
                : .usual(bridge, probability: probability)
        }
    }

    /// How often the span is up at such an arrival, 0...1.
    func usualProbability(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Double {
        Double(climatology.usualProbabilityBlocked(at: bridge, arrival: arrival, in: situation))
    }

    private func minutes(_ value: Double) -> String { "\(whole(value)) min" }

    func whole(_ value: Double) -> Int { Int(value.rounded()) }
}
