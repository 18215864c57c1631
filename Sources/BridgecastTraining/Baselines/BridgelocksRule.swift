// The rule of thumb of the "bridgelocks" analysis of these bridges, as a baseline.
package import BridgecastCore

/// A prior by quarter of an hour, multiplied by what the last closing and the day so far suggest.
///
/// The prior is the share of covered time in which the bridge was up, by day type and 15-minute slot.
/// It is multiplied by 0.1, 0.25, 0.5 or 0.75 where the time since the last closing is below the 10th,
/// 25th, 50th or 75th percentile of the pauses between openings, and by today's openings over those to
/// expect by now, bounded to 0.5 ... 2. While the bridge is up, the forecast is the share of openings
/// that last longer than 15 minutes.
package struct BridgelocksRule: Baseline {
    private static let slotMinutes = 15
    private static let percentiles = [0.1, 0.25, 0.5, 0.75]
    private static let factors: [Float] = [0.1, 0.25, 0.5, 0.75]
    private static let bounds: ClosedRange<Float> = 0.5...2

    /// [bridge, day type, slot].
    private let share: BridgeDayTable<Float>
    /// Minutes between a closing and the next opening at the percentiles, by bridge.
    private let pausesMinutes: [[Double]]
    private let shareOfLongOpenings: [Float]
    private let climatology: Climatology

    /// Counts the records.
    package init(_ history: OpeningHistory) {
        climatology = Climatology(ClimatologyCounts(history))
        share = Self.shares(history)
        pausesMinutes = BridgeIndex.all.map { Self.pauses(history, of: $0) }
        shareOfLongOpenings = BridgeIndex.all.map { bridge in
            let minutes = history.openings[bridge.rawValue].compactMap(\.minutes)
            return (Float(minutes.count { $0 > 15 }) + 0.02) / (Float(minutes.count) + 1)
        }
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        let own = query.situation[query.bridge]
        if own.state.isRaised { return shareOfLongOpenings[query.bridge.rawValue] }
        let civil = query.validCivil
        let slot = civil.secondOfDay / 60 / Self.slotMinutes
        var probability = share[query.bridge, DayType(civil.date), slot]
        if let closing = own.recent.lazy.compactMap(\.end).first {
            let pause = query.situation.issueTime.minutes(since: closing)
            let level = pausesMinutes[query.bridge.rawValue].firstIndex { pause < $0 }
            if let level { probability *= Self.factors[level] }
        }
        if own.observedSince != nil {
            let now = SeattleTime.civil(at: query.situation.issueTime)
            let expected = climatology.expectedOpenings(
                query.bridge, on: DayType(now.date),
                from: CivilDateTime(date: now.date, secondOfDay: 0), to: now)
            let ratio = Float(own.openingsToday) / max(expected, 0.01)
            probability *= min(max(ratio, Self.bounds.lowerBound), Self.bounds.upperBound)
        }
        return min(max(probability, 1e-4), 0.99)
    }

    private static func shares(_ history: OpeningHistory) -> BridgeDayTable<Float> {
        let slots = 1440 / slotMinutes
        var minutes = BridgeDayTable<Float>(repeating: 1, columns: slots)
        var shares = BridgeDayTable<Float>(repeating: 0.02, columns: slots)
        for bridge in BridgeIndex.all {
            for moment in history.coverage.periods[bridge.rawValue].flatMap(ProtocolClock.minutes) {
                let civil = SeattleTime.civil(at: moment)
                let (day, slot) = (DayType(civil.date), civil.secondOfDay / 60 / slotMinutes)
                minutes[bridge, day, slot] += 1
                shares[bridge, day, slot] += history.isBlocked(at: moment, of: bridge) ? 1 : 0
            }
            for day in DayType.allCases {
                for slot in 0..<slots { shares[bridge, day, slot] /= minutes[bridge, day, slot] }
            }
        }
        return shares
    }

    private static func pauses(_ history: OpeningHistory, of bridge: BridgeIndex) -> [Double] {
        let pauses = history.coverage.periods[bridge.rawValue].flatMap { period -> [Double] in
            let inside = history.openings(of: bridge, overlapping: period)
            return zip(inside, inside.dropFirst()).compactMap { last, next in
                last.end.map { next.start.minutes(since: $0) }
            }
        }.sorted()
        guard !pauses.isEmpty else { return [] }
        return percentiles.map { pauses[Int($0 * Double(pauses.count - 1))] }
    }
}
