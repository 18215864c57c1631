// The forecasts that a model has to beat: what they are asked, and the set of them.
// Belongs here: forecasts to compare with, simple on purpose; not: the recipe that ships.
package import BridgecastCore

/// What a baseline is asked: a bridge and an arrival, and what was known when it was asked.
package struct BaselineQuery: Sendable {
    let bridge: BridgeIndex
    let leadMinutes: Double
    /// Civil time of the arrival.
    let validCivil: CivilDateTime
    let situation: Situation
}

/// A forecast of "blocked" that is made from records before a period and the state at issue time.
package protocol Baseline: Sendable {
    /// P(blocked) at the arrival, 0 < p < 1.
    func probabilityBlocked(_ query: BaselineQuery) -> Float
}

/// Share of covered minutes in which each bridge was up, whatever the time.
package struct BaseRate: Baseline {
    private let share: [Float]

    /// Counts the records; half an opening-minute in a hundred minutes stands for no records.
    package init(_ history: OpeningHistory) {
        share = BridgeIndex.all.map { bridge in
            let open = history.openMinutes(of: bridge)
            return Float((open + 0.5) / (history.coverage.minutes(of: bridge) + 100))
        }
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        share[query.bridge.rawValue]
    }
}

/// The climatology that every skill is measured against; fixed, so that figures compare.
///
/// For each bridge and day type the share of covered minutes that were blocked at each minute of the day,
/// smoothed circularly by a Gaussian of 15 minutes' standard deviation, with 0.02 blocked in 1 besides.
package struct ClimatologyBaseline: Baseline {
    let climatology: Climatology

    package init(_ history: OpeningHistory) {
        climatology = Climatology(ClimatologyCounts(history), slotsPerDay: 1440)
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        climatology.openProbability(of: query.bridge, at: query.validCivil)
    }
}

/// The state goes on as it usually does: how often a bridge that is up, or down, is up so much later.
package struct Persistence: Baseline {
    /// By bridge, lead and state: down, up.
    private let frequency: [[[Float]]]
    private let baseRate: BaseRate

    /// Counts pairs of moments five minutes apart in the records.
    package init(_ history: OpeningHistory) {
        baseRate = BaseRate(history)
        frequency = BridgeIndex.all.map { bridge in
            EvaluationProtocol.leadsMinutes.map { Self.frequencies(history, bridge, $0) }
        }
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        let lead = EvaluationProtocol.leadsMinutes.lastIndex { $0 <= query.leadMinutes } ?? 0
        switch query.situation[query.bridge].state {
        case .unknown: return baseRate.probabilityBlocked(query)
        case .lowered: return frequency[query.bridge.rawValue][lead][0]
        case .raised: return frequency[query.bridge.rawValue][lead][1]
        }
    }

    /// Drawn towards 2 % by one moment's worth.
    private static func frequencies(
        _ history: OpeningHistory, _ bridge: BridgeIndex, _ leadMinutes: Double
    ) -> [Float] {
        var (count, blocked) = ([1.0, 1.0], [0.02, 0.02])
        for period in history.coverage.periods[bridge.rawValue] {
            for moment in ProtocolClock.issueTimes(in: period) {
                let later = moment.adding(minutes: leadMinutes)
                guard later < period.upperBound else { break }
                let state = history.isBlocked(at: moment, of: bridge) ? 1 : 0
                count[state] += 1
                blocked[state] += history.isBlocked(at: later, of: bridge) ? 1 : 0
            }
        }
        return zip(blocked, count).map { Float($0 / $1) }
    }
}

extension OpeningHistory {
    /// Minutes of a bridge's openings within coverage.
    func openMinutes(of bridge: BridgeIndex) -> Double {
        coverage.periods[bridge.rawValue].reduce(0) { sum, period in
            openings(of: bridge, overlapping: period).reduce(sum) { sum, opening in
                guard let end = opening.end else { return sum }
                let part = (opening.start..<end).clamped(to: period)
                return sum + part.upperBound.minutes(since: part.lowerBound)
            }
        }
    }
}
