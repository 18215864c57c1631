// The baseline by which the state goes on as it usually does.
package import BridgecastCore

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
