// The usual chance of a delay, which stands beside every forecast of an answer, and the usual length of an opening.
private import Foundation

extension Climatology {
    /// P(delay) of an arrival by history alone, 0 < p < 1; compares with ``DelayDistribution/probabilityDelayed`` of a
    /// forecast for the same moment and density.
    ///
    /// - Parameters:
    ///   - density: Degree of saturation of the approach at the arrival, 0 ..< 1.
    ///   - situation: What has been counted of a bridge with little history; nil leaves that out.
    package func usualProbabilityDelayed(
        at bridge: BridgeIndex, arrival: Timestamp, density: Double, in situation: Situation? = nil
    ) -> Double {
        let blocked = usualProbabilityBlocked(at: bridge, arrival: arrival, in: situation)
        return -expm1(log1p(-Double(blocked)) / (1 - density))
    }

    /// Minutes that the openings of a bridge last on average, 0...60; what is beyond an hour counts as an hour.
    package func meanOpeningMinutes(_ bridge: BridgeIndex) -> Double {
        let row = bridge.rawValue * Self.survivalCount
        let survival = durationSurvival[row..<row + Self.survivalCount].map(Double.init)
        return zip(survival, survival.dropFirst()).reduce(0) { $0 + ($1.0 + $1.1) / 2 }
    }

    /// P(blocked) of an arrival by history, corrected by the bridge's own count where it has little; 0 < p < 1.
    package func usualProbabilityBlocked(
        at bridge: BridgeIndex, arrival: Timestamp, in situation: Situation?
    ) -> Float {
        rateRatio(of: bridge, in: situation)
            .scaled(openProbability(of: bridge, at: SeattleTime.civil(at: arrival)))
    }

    /// What the past says of each bridge, by ``BridgeIndex``, on days like a date, in a situation.
    package func history(on date: CivilDate, in situation: Situation) -> [BridgeHistory] {
        zip(BridgeIndex.all, history(on: date)).map { bridge, past in
            var past = past
            past.openingsPerDay *= Double(rateRatio(of: bridge, in: situation).value)
            return past
        }
    }

    private func rateRatio(of bridge: BridgeIndex, in situation: Situation?) -> RateRatio {
        situation.map { RateRatio(bridge, in: $0, self) } ?? .one
    }
}
