// Reasons why a span that is down stays down: it is down now, has just come down, or has not gone up for hours.
//
// Figures as in ForecastReason+Lately.swift.

extension ForecastReason {
    /// A span that has come down seldom goes up again before so many minutes.
    ///
    /// Of arrivals 5 minutes ahead x 0.6 (0.5 .. 0.7), against x 1.2 (1.1 .. 1.3) where the span came down earlier,
    /// within 20 minutes of the issue time. From 9 to 12 minutes after it came down it was x 1.2 (1.0 .. 1.3): openings
    /// come in series.
    private static let restMinutes = 8.0
    /// That a span is down now counts for arrivals so many mean lengths of its openings ahead, or fewer.
    ///
    /// Up to half a length x 0.3 (0.3 .. 0.3), then x 0.7 (0.7 .. 0.8), from one length on x 1.0 (0.9 .. 1.0).
    private static let seenLengths = 1.0
    /// Hours that a situation looks back.
    ///
    /// Where the span went up in none of them x 0.7 (0.65 .. 0.75), else x 1.1 (1.1 .. 1.2), from 10 to 30 minutes
    /// ahead.
    private static let rememberedHours = Int(SituationReader.recentSeconds / 3600)

    /// That the span has just come down, or is down now; for forecasts below the usual only.
    func down(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Reason? {
        let known = situation[bridge]
        guard known.state == .lowered else { return nil }
        if let last = known.recent.first?.end,
            arrival.minutes(since: last) <= Self.restMinutes
        {
            return .downLately(bridge, minutesAgo: whole(situation.issueTime.minutes(since: last)))
        }
        let lead = arrival.minutes(since: situation.issueTime)
        guard lead <= Self.seenLengths * climatology.meanOpeningMinutes(bridge) else { return nil }
        return .downNow(bridge, probability: usualProbability(bridge, arrival))
    }

    /// That the span has not gone up for hours, all of which were seen.
    func downLong(_ bridge: BridgeIndex) -> Reason? {
        let known = situation[bridge]
        let minutes = Double(Self.rememberedHours) * 60
        guard known.state == .lowered, known.recent.isEmpty, let since = known.observedSince,
            situation.issueTime.minutes(since: since) >= minutes
        else { return nil }
        return .downLong(bridge, hours: Self.rememberedHours)
    }
}
