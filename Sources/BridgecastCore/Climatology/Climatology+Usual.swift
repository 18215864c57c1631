// The usual chance of a delay: what stands beside every forecast of an answer.
private import Foundation

extension Climatology {
    /// P(delay) of an arrival by history alone, 0 < p < 1; compares with ``DelayDistribution/probabilityDelayed`` of a
    /// forecast for the same moment and density.
    ///
    /// - Parameter density: Degree of saturation of the approach at the arrival, 0 ..< 1.
    package func usualProbabilityDelayed(
        at bridge: BridgeIndex, arrival: Timestamp, density: Double
    ) -> Double {
        let blocked = openProbability(of: bridge, at: SeattleTime.civil(at: arrival))
        return -expm1(log1p(-Double(blocked)) / (1 - density))
    }
}
