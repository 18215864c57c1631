// Why a forecast is what it is, in words a driver understands.

/// Puts what moves a forecast into words.
public struct ForecastReason: Sendable {
    private let situation: Situation
    private let climatology: Climatology

    /// Boats arrive at most so much later or earlier than expected to be worth a word.
    private static let convoyWindowMinutes = 12.0
    /// What the span does now is worth a word for arrivals at most so far ahead.
    private static let memorableMinutes = 30.0

    /// Creates reasons for forecasts of one issue time.
    public init(situation: Situation, climatology: Climatology) {
        self.situation = situation
        self.climatology = climatology
    }

    /// The reasons for the forecast at a bridge for an arrival, the weightiest first; never empty.
    public func phrases(for bridge: BridgeIndex, arrival: Timestamp) -> [String] {
        var phrases: [String] = []
        let lead = arrival.minutes(since: situation.issueTime)
        if lead <= Self.memorableMinutes, let own = ownState(bridge) { phrases.append(own) }
        phrases += convoy(bridge, arrival)
        if let rule = rule(bridge, arrival) { phrases.append(rule) }
        if phrases.isEmpty { phrases.append(usual(bridge, arrival)) }
        return phrases
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
        let half = climatology.minutesLeft(bridge, elapsed: elapsed ?? 0, share: 0.5)
        let most = climatology.minutesLeft(bridge, elapsed: elapsed ?? 0, share: 0.9)
        let openings = elapsed.map { "openings that have lasted \(minutes($0))" } ?? "openings"
        return "\(name) is up; of its \(openings) half are over after \(minutes(half))"
            + (elapsed == nil ? "" : " more") + ", nine in ten after \(minutes(most))"
    }

    private func ownState(_ bridge: BridgeIndex) -> String? {
        let name = BridgeCatalogue[bridge].name
        let known = situation[bridge]
        if case .raised(let since) = known.state {
            guard let since else { return "\(name) is raised now" }
            return
                "\(name) has been raised for \(minutes(situation.issueTime.minutes(since: since)))"
        }
        guard let last = known.recent.lazy.compactMap(\.end).first else { return nil }
        let ago = situation.issueTime.minutes(since: last)
        return ago <= 20 ? "\(name) was lowered \(minutes(ago)) ago" : nil
    }

    private func convoy(_ bridge: BridgeIndex, _ arrival: Timestamp) -> [String] {
        [-1, 1].compactMap { place in
            guard let neighbour = NeighbourContext.bridge(atPlace: place, from: bridge),
                let opening = situation[neighbour].recent.first
            else { return nil }
            let transit = NeighbourContext.transitMinutes(bridge, neighbour)
            let late = arrival.minutes(since: opening.start) - transit
            let ago = situation.issueTime.minutes(since: opening.start)
            guard abs(late) <= Self.convoyWindowMinutes else { return nil }
            let low = minutesText(transit * 0.8)
            let high = minutesText(transit * 1.7)
            return "\(BridgeCatalogue[neighbour].name) went up \(minutes(ago)) ago; boats usually "
                + "reach \(BridgeCatalogue[bridge].name) in \(low) to \(high)"
        }
    }

    private func rule(_ bridge: BridgeIndex, _ arrival: Timestamp) -> String? {
        let status = BridgeCatalogue[bridge].rules.status(at: SeattleTime.civil(at: arrival))
        if let left = status.minutesUntilWindowEnds {
            let end = TimeText.clock(arrival.adding(minutes: left))
            return "closed to smaller boats until \(end)"
        }
        if let since = status.minutesSinceWindowEnded, since <= 30 {
            let end = TimeText.clock(arrival.adding(minutes: -since))
            return "boats that waited may go from \(end) on"
        }
        return status.isHalfHourOnly ? "opens only on the hour and half-hour now" : nil
    }

    private func usual(_ bridge: BridgeIndex, _ arrival: Timestamp) -> String {
        let probability = climatology.openProbability(
            of: bridge, at: SeattleTime.civil(at: arrival))
        let perMille = Int((probability * 1000).rounded())
        let share = perMille >= 10 ? "\((perMille + 5) / 10) in 100" : "\(max(perMille, 1)) in 1000"
        let known = situation[bridge].state == .unknown ? "; its state now is not known" : ""
        return "usual for the hour: up \(share) times\(known)"
    }

    private func minutes(_ value: Double) -> String { "\(minutesText(value)) min" }

    private func minutesText(_ value: Double) -> String { String(Int(value.rounded())) }
}
