public import BridgecastCore
private import Foundation

/// The parts that lead from climatology's probability of a delay to the forecast's.
///
/// In log-odds the parts add up: logit(``probability``) - logit(``climatology``) is their sum, but for
/// rounding. As factors of the odds they multiply.
public struct ForecastExplanation: Sendable, Equatable {
    /// What the forecast knows beyond climatology.
    public enum Cause: Sendable, Hashable {
        /// The calendar, the clock and the navigation rules, beyond what climatology has of them.
        case time
        /// The evidence of one bridge: its state, its last openings and how busy it has been.
        case bridge(BridgeIndex)
    }

    /// One part.
    public struct Part: Sendable, Equatable {
        /// Where it comes from.
        public let cause: Cause
        /// What it adds to the log-odds of a delay.
        public let logOdds: Double
    }

    /// P(delay) from climatology alone, 0 < p < 1.
    public let climatology: Double
    /// P(delay) of the forecast, 0 < p < 1.
    public let probability: Double
    /// The largest first.
    public let parts: [Part]
}

extension LoadedModel {
    /// Explains the forecast at a bridge for an arrival.
    ///
    /// The model forecasts with every combination of bridges of the waterway hidden, as happens when
    /// their feeds are down, and each bridge gets its Shapley value: what it adds on average over the
    /// orders in which the bridges could become known (Shapley, 1953). What is left between climatology
    /// and the forecast that knows no bridge goes to the time. Costs 2 to the power of the known
    /// bridges rows, 16 on the ship canal.
    ///
    /// - Parameters:
    ///   - leadMinutes: From the situation's issue time to the arrival, not negative.
    ///   - density: Degree of saturation of the approach at the arrival, 0 ..< 1.
    /// - Throws: ``InferenceError`` for an invalid lead or density.
    public func explanation(
        of bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        workspace: inout Workspace, units: ComputeUnits = .all
    ) throws(InferenceError) -> ForecastExplanation {
        try ForecastRequest(bridge: bridge, leadMinutes: leadMinutes, density: density)
            .check(index: 0)
        let ratio = RateRatio(bridge, in: situation, climatology)
        let waterway = BridgeCatalogue.along(BridgeCatalogue[bridge].waterway)
        let isInformed = waterway.contains { situation[$0].isInformed }
        let players = waterway.filter {
            situation[$0].isUsable && (isInformed || $0 == bridge && ratio != .one)
        }
        let builder = FeatureBuilder(climatology: climatology)
        var batch = FeatureBatch(capacity: 1 << players.count)
        for coalition in 0..<1 << players.count {
            var partial = Situation.unknown(at: situation.issueTime)
            for (index, player) in players.enumerated() where coalition >> index & 1 == 1 {
                partial[player] = situation[player]
            }
            builder.append(
                bridge, leadMinutes: leadMinutes, density: density, in: partial, to: &batch)
        }
        var output: [Float] = []
        predict(batch, into: &output, workspace: &workspace, units: units)
        let forecasts = (0..<batch.rowCount).compactMap { DelayDistribution(row: $0, of: output) }
        guard forecasts.count == batch.rowCount else { throw .notFinite(request: 0) }
        let logOdds = forecasts.map(Self.logOdds)
        let civil = SeattleTime.civil(at: situation.issueTime.adding(minutes: leadMinutes))
        let blocked = climatology.openProbability(of: bridge, at: civil)
        let pooled = climatology.delay(bridge, openProbability: blocked, density: density)
        let ownClimatology = climatology.delay(
            bridge, openProbability: ratio.scaled(blocked), density: density)
        let time = ForecastExplanation.Part(
            cause: .time, logOdds: logOdds[0] - Self.logOdds(pooled))
        // How often a bridge with little history opens moves its climatology: that is no part of what moves the forecast away from it.
        let counted = Self.logOdds(ownClimatology) - Self.logOdds(pooled)
        let parts = players.enumerated().map { index, player in
            ForecastExplanation.Part(
                cause: .bridge(player),
                logOdds: Self.shapleyValue(of: index, of: players.count, logOdds)
                    - (player == bridge ? counted : 0))
        }
        return ForecastExplanation(
            climatology: Self.probability(Self.logOdds(ownClimatology)),
            probability: Self.probability(logOdds[logOdds.count - 1]),
            parts: ([time] + parts).sorted { abs($0.logOdds) > abs($1.logOdds) })
    }

    /// Mean of what a player adds to a coalition, over all orders of `count` players.
    private static func shapleyValue(of player: Int, of count: Int, _ values: [Double]) -> Double {
        // 1 / (count x (count - 1 choose size)) for a coalition of `size` others.
        var weights = [1 / Double(count)]
        for size in 1..<max(count, 1) {
            weights.append(weights[size - 1] * Double(size) / Double(count - size))
        }
        return values.indices.filter { $0 >> player & 1 == 0 }.reduce(0) { sum, coalition in
            let gain = values[coalition | 1 << player] - values[coalition]
            return sum + weights[coalition.nonzeroBitCount] * gain
        }
    }

    private static func logOdds(_ forecast: DelayDistribution) -> Double {
        let delayed = min(max(forecast.probabilityDelayed, 1e-9), 1 - 1e-9)
        return log(delayed) - log1p(-delayed)
    }

    private static func probability(_ logOdds: Double) -> Double { 1 / (1 + exp(-logOdds)) }
}
