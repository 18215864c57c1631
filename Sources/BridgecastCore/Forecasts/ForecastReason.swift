/// Finds the reasons that move a forecast.
///
/// Each kind of reason was kept because the records support it. The figures: all shipped records, issue times every 5
/// minutes; how often the span was up at the arrival, as a multiple of how often it is up at such times ("x 1.0" is
/// no difference; in brackets 95 %, days drawn again). Unless stated otherwise: span lowered, arrivals up to 30
/// minutes ahead.
public struct ForecastReason: Sendable {
    let situation: Situation
    let climatology: Climatology

    /// Boats are a reason for arrivals at most this much before or after them.
    private static let convoyWindowMinutes = 12.0
    /// The present state of the span is a reason for arrivals at most this far ahead.
    private static let presentMinutes = 30.0
    /// A span that came down at most this long ago may go up again: openings come in series.
    ///
    /// x 1.4 (1.3 .. 1.5) from 10 to 30 minutes ahead, against x 1.1 (1.0 .. 1.1) later than that, up to six hours.
    private static let seriesMinutes = 20.0
    /// Further reasons, which are weaker, are left out.
    private static let maxCount = 3

    /// Creates reasons for forecasts of one issue time.
    public init(situation: Situation, climatology: Climatology) {
        self.situation = situation
        self.climatology = climatology
    }

    /// The reasons for the forecast at a bridge for an arrival, one to three: its own state, boats, rules, the day.
    ///
    /// None of them contradicts the forecast. If nothing explains a forecast that is far from climatology, the only
    /// reason says so.
    /// - Parameters:
    ///   - forecast: How its chance compares with climatology.
    ///   - climatology: The climatological probability of being stopped for that arrival and traffic, 0...1.
    public func reasons(
        for bridge: BridgeIndex, arrival: Timestamp, forecast: ClimatologyComparison,
        climatology probability: Double
    ) -> [Reason] {
        var reasons: [Reason] = []
        let lead = arrival.minutes(since: situation.issueTime)
        if forecast.isBelow, let now = down(bridge, arrival, climatology: probability) {
            reasons.append(now)
        }
        // A span that is up is a reason for as long as it decides the forecast.
        let decides =
            situation[bridge].state.isRaised && forecast == .farAbove && lead <= Self.dayMinutes
        if lead <= Self.presentMinutes || decides {
            if let own = ownState(bridge) { reasons.append(own) }
            if let long = raisedLong(bridge) { reasons.append(long) }
        }
        reasons += convoys(bridge, arrival)
        if let rule = rule(bridge, arrival) { reasons.append(rule) }
        reasons += lately(bridge, leadMinutes: lead)
        if forecast.isBelow, lead <= Self.presentMinutes, let long = downLong(bridge),
            // A quiet day implies it.
            !reasons.contains(where: { $0.code == .quietDay })
        {
            reasons.append(long)
        }
        reasons = reasons.filter(forecast.admits)
        if reasons.isEmpty {
            reasons.append(unexplained(bridge, forecast: forecast, climatology: probability))
        }
        return Array(reasons.prefix(Self.maxCount))
    }

    /// The text of each of the reasons.
    public func phrases(
        for bridge: BridgeIndex, arrival: Timestamp, forecast: ClimatologyComparison,
        climatology: Double
    ) -> [String] {
        reasons(for: bridge, arrival: arrival, forecast: forecast, climatology: climatology)
            .map(\.text)
    }

    /// The state and last opening of a bridge, for the parts of an explanation.
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

    /// A sentence that a bridge is up now, and how long it may stay up; nil if it is not known to be up.
    package func stillUp(_ bridge: BridgeIndex) -> String? {
        guard case .raised(let since) = situation[bridge].state else { return nil }
        let name = BridgeCatalogue[bridge].name
        let elapsed = since.map { max(0, situation.issueTime.minutes(since: $0)) }
        let known = context(of: bridge)
        let half = known.minutesLeft(elapsed: elapsed ?? 0, share: 0.5)
        let nineTenths = known.minutesLeft(elapsed: elapsed ?? 0, share: 0.9)
        let openings = elapsed.map { "openings that have lasted \(minutes($0))" } ?? "openings"
        return "\(name) is up; of its \(openings) half are over after \(minutes(half))"
            + (elapsed == nil ? "" : " more") + ", nine in ten after \(minutes(nineTenths))"
    }

    /// The sentence of ``stillUp(_:)`` if, by the lengths of openings alone, a delay is likelier than none; else nil.
    /// - Parameters:
    ///   - leadMinutes: To the arrival.
    ///   - density: Degree of saturation of the approach then, 0 ..< 1.
    package func certainty(
        of bridge: BridgeIndex, leadMinutes: Double, density: Double
    ) -> String? {
        let known = context(of: bridge)
        guard let elapsed = known.raisedMinutes, let sentence = stillUp(bridge) else { return nil }
        let total = elapsed + leadMinutes
        let delays = known.delaysOutlast(served: (1 - density) * total, elapsed: elapsed)
        guard delays[0] >= 0.5 else { return nil }
        let isDown = known.probabilityOutlasts(total: total, elapsed: elapsed) < 0.5
        return sentence + (isDown ? "; its queue takes longer" : "")
    }

    /// What forecasts know of a bridge, including the law of its lengths.
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

    /// Reasons from the neighbours' openings; first those whose boats pass several bridges.
    private func convoys(_ bridge: BridgeIndex, _ arrival: Timestamp) -> [Reason] {
        let sides = [-1, 1].map { convoy(bridge, arrival, offset: $0) }
        return (sides.filter { $0.count > 1 } + sides.filter { $0.count <= 1 }).flatMap { $0 }
    }

    private func convoy(_ bridge: BridgeIndex, _ arrival: Timestamp, offset: Int) -> [Reason] {
        guard
            let neighbour = NeighbourContext.bridge(
                atOffset: offset, from: bridge, in: situation),
            let opening = situation[neighbour].recent.first
        else { return [] }
        let transit = NeighbourContext.transitMinutes(bridge, neighbour)
        let late = arrival.minutes(since: opening.start) - transit
        guard abs(late) <= Self.convoyWindowMinutes else {
            return often(bridge, neighbour: neighbour, arrival).map { [$0] } ?? []
        }
        let convoy = Reason.convoy(
            Reason.Convoy(
                neighbour: neighbour, bridge: bridge,
                minutesAgo: whole(situation.issueTime.minutes(since: opening.start)),
                minMinutes: whole(transit * 0.8), maxMinutes: whole(transit * 1.7)))
        return [convoy] + (inOrder(bridge, arrival, offset: offset).map { [$0] } ?? [])
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

    private func unexplained(
        _ bridge: BridgeIndex, forecast: ClimatologyComparison, climatology probability: Double
    ) -> Reason {
        switch forecast {
        case .farBelow: .belowClimatology(bridge, probability: probability)
        case .farAbove: .aboveClimatology(bridge, probability: probability)
        case .below, .same, .above:
            situation[bridge].state == .unknown
                ? .stateUnknown(bridge, probability: probability)
                : .nearClimatology(bridge, probability: probability)
        }
    }

    private func minutes(_ value: Double) -> String { "\(whole(value)) min" }

    func whole(_ value: Double) -> Int { Int(value.rounded()) }
}

// MARK: - The openings of the last hours

extension ForecastReason {
    /// An opening is long if it has lasted longer than this share of openings of the bridge, by the model's law of
    /// lengths and the evidence of the last ones.
    ///
    /// Of spans up so long 47 in 100 (36 .. 55) were still up 5 minutes later, against 15 (11 .. 18) of those up
    /// longer than three quarters of such openings but not so long: a stuck span stays up. From 90 to 95 in 100 it
    /// was 23.
    private static let longRaisedShare = 0.95
    /// The last openings are long if they lasted this many times the mean on average.
    ///
    /// x 2.2 (1.6 .. 2.8), against x 1.3 (1.2 .. 1.4) where they were at most 1.3 times as long: of two or three
    /// openings of the last six hours, the newest of which ended within the hour. Later it made no difference.
    private static let longOpeningsRatio = 1.5
    private static let longOpeningsMinutes = 60.0
    /// A day is busy or quiet if it differs from climatology by this many openings and by one of these factors.
    ///
    /// Busy: x 1.6 (1.5 .. 1.8) and quiet: x 0.6 (0.5 .. 0.7) both 30 and 60 minutes ahead, against x 0.9 on other
    /// days. After 20:00 a busy day made no difference: x 1.1 (0.8 .. 1.4).
    private static let minDifference = 2.0
    private static let busyRatio = 1.5
    private static let quietRatio = 0.5
    private static let busyUntilSecond = 20 * 3600
    private static let dayMinutes = 60.0
    /// A neighbour opens often if it went up twice in this many minutes.
    ///
    /// About when its newest boat should arrive, more openings added nothing: x 2.5 (2.3 .. 2.7) against
    /// x 2.9 (2.7 .. 3.0). At other times they did: two x 1.3 (1.1 .. 1.5), three x 1.6 (1.1 .. 2.1), one x 1.1.
    private static let oftenMinutes = 40.0
    /// Boats pass the next bridge but one before the next by these multiples of the mean transit time between them.
    ///
    /// x 5.2 (4.9 .. 5.5), against x 2.4 (2.2 .. 2.6) if only the next bridge went up; not if they may have come
    /// from the bridge itself.
    private static let passageParts = 0.4...1.8

    /// That the span has been up for unusually long.
    func raisedLong(_ bridge: BridgeIndex) -> Reason? {
        guard case .raised(.some(let since)) = situation[bridge].state else { return nil }
        let minutes = situation.issueTime.minutes(since: since)
        let share = 1 - context(of: bridge).probabilityOutlasts(total: minutes, elapsed: 0)
        guard share >= Self.longRaisedShare else { return nil }
        return .raisedLong(bridge, minutes: whole(minutes), shorterShare: share)
    }

    /// Reasons of a lowered span from the bridge's own openings of the day: their lengths, then their number.
    func lately(_ bridge: BridgeIndex, leadMinutes: Double) -> [Reason] {
        guard situation[bridge].state == .lowered else { return [] }
        var reasons: [Reason] = []
        if leadMinutes <= Self.presentMinutes, let long = longOpenings(bridge) {
            reasons.append(long)
        }
        if leadMinutes <= Self.dayMinutes, let day = day(bridge) { reasons.append(day) }
        return reasons
    }

    /// That boats come from beyond the neighbour, passing one bridge after another.
    func inOrder(_ bridge: BridgeIndex, _ arrival: Timestamp, offset: Int) -> Reason? {
        guard situation[bridge].state == .lowered,
            arrival.minutes(since: situation.issueTime) <= Self.presentMinutes,
            let neighbour = NeighbourContext.bridge(
                atOffset: offset, from: bridge, in: situation),
            let beyond = NeighbourContext.bridge(
                atOffset: 2 * offset, from: bridge, in: situation),
            let newest = situation[neighbour].recent.first,
            passed(bridge, before: newest, at: neighbour) == nil,
            let first = passed(beyond, before: newest, at: neighbour)
        else { return nil }
        return .convoyInOrder(
            bridge, beyond: beyond,
            minutesAgo: whole(situation.issueTime.minutes(since: first.start)))
    }

    /// That a neighbour has gone up several times, if its newest boat is not expected about the arrival.
    func often(_ bridge: BridgeIndex, neighbour: BridgeIndex, _ arrival: Timestamp) -> Reason? {
        guard situation[bridge].state == .lowered,
            arrival.minutes(since: situation.issueTime) <= Self.presentMinutes
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
        let typical = climatology.meanOpeningMinutes(bridge)
        guard mean >= typical * Self.longOpeningsRatio, whole(mean) > whole(typical) else {
            return nil
        }
        return .longOpenings(bridge, lastMinutes: whole(mean), typicalMinutes: whole(typical))
    }

    /// That the day is busy or quiet, if all of it was observed.
    private func day(_ bridge: BridgeIndex) -> Reason? {
        let now = SeattleTime.civil(at: situation.issueTime)
        guard let since = situation[bridge].observedSince, since <= SeattleTime.startOfDay(now.date)
        else { return nil }
        let typical = Double(
            climatology.expectedOpenings(
                bridge, on: DayType(now.date), from: CivilDateTime(date: now.date, secondOfDay: 0),
                to: now))
        let openings = situation[bridge].openingsToday
        let difference = Double(openings) - typical
        let ratio = (Double(openings) + 1) / (typical + 1)
        if difference >= Self.minDifference, ratio >= Self.busyRatio,
            now.secondOfDay < Self.busyUntilSecond
        {
            return .busyDay(bridge, openings: openings, typicalOpenings: whole(typical))
        }
        guard -difference >= Self.minDifference, ratio <= Self.quietRatio else { return nil }
        return .quietDay(bridge, openings: openings, typicalOpenings: whole(typical))
    }
}

// MARK: - Spans that are down

extension ForecastReason {
    /// A span that has come down rarely goes up again within this many minutes.
    ///
    /// Of arrivals 5 minutes ahead x 0.6 (0.5 .. 0.7), against x 1.2 (1.1 .. 1.3) where the span came down earlier,
    /// within 20 minutes of the issue time. From 9 to 12 minutes after it came down it was x 1.2 (1.0 .. 1.3):
    /// openings come in series.
    private static let restMinutes = 8.0
    /// That a span is down now is a reason for arrivals at most this many mean lengths of its openings ahead.
    ///
    /// Up to half a length x 0.3 (0.3 .. 0.3), then x 0.7 (0.7 .. 0.8), from one length on x 1.0 (0.9 .. 1.0).
    private static let presentLengths = 1.0
    /// Hours that a situation covers.
    ///
    /// Where the span went up in none of them x 0.7 (0.65 .. 0.75), else x 1.1 (1.1 .. 1.2), from 10 to 30 minutes
    /// ahead.
    private static let coveredHours = Int(SituationReader.recentSeconds / 3600)

    /// That the span has just come down, or is down now; only for forecasts below climatology.
    func down(
        _ bridge: BridgeIndex, _ arrival: Timestamp, climatology probability: Double
    ) -> Reason? {
        let known = situation[bridge]
        guard known.state == .lowered else { return nil }
        if let last = known.recent.first?.end, arrival.minutes(since: last) <= Self.restMinutes {
            return .downLately(bridge, minutesAgo: whole(situation.issueTime.minutes(since: last)))
        }
        let lead = arrival.minutes(since: situation.issueTime)
        guard lead <= Self.presentLengths * climatology.meanOpeningMinutes(bridge) else {
            return nil
        }
        return .downNow(bridge, probability: probability)
    }

    /// That the span has not gone up for hours, all of which were observed.
    func downLong(_ bridge: BridgeIndex) -> Reason? {
        let known = situation[bridge]
        let minutes = Double(Self.coveredHours) * 60
        guard known.state == .lowered, known.recent.isEmpty, let since = known.observedSince,
            situation.issueTime.minutes(since: since) >= minutes
        else { return nil }
        return .downLong(bridge, hours: Self.coveredHours)
    }
}

// MARK: - Comparison with climatology

/// How a forecast chance of being stopped compares with climatology at the same time.
public enum ClimatologyComparison: Int, Sendable, CaseIterable {
    /// So far below that another reason than the hour is needed: climatology is more than 1.5 times the chance.
    case farBelow
    /// Below, but near climatology.
    case below
    /// No visible difference: within a tenth, or within 0.005.
    case same
    /// Above, but near climatology.
    case above
    /// So far above that another reason than the hour is needed: the chance is more than 1.5 times climatology.
    case farAbove

    private static let sameFactor = 1.1
    private static let sameDifference = 0.005
    private static let farFactor = 1.5

    /// Compares two chances, 0...1; ``same`` where one of them is not a number.
    ///
    /// - Parameters:
    ///   - chance: The forecast.
    ///   - climatology: The same by climatology, for the same arrival and traffic.
    public init(chance: Double, climatology: Double) {
        let less = min(chance, climatology)
        let more = max(chance, climatology)
        let isBelow = chance < climatology
        if !(more - less > Self.sameDifference && more > less * Self.sameFactor) {
            self = .same
        } else if more > less * Self.farFactor {
            self = isBelow ? .farBelow : .farAbove
        } else {
            self = isBelow ? .below : .above
        }
    }

    /// Whether the forecast is visibly below climatology.
    public var isBelow: Bool { self == .farBelow || self == .below }
    /// Whether the forecast is visibly above climatology.
    public var isAbove: Bool { self == .farAbove || self == .above }

    func admits(_ reason: Reason) -> Bool {
        switch reason.tendency {
        case .more: !isBelow
        case .less: !isAbove
        case .near: self != .farBelow && self != .farAbove
        case .either: true
        }
    }
}
