// Live measurements of road traffic as degrees of saturation, which override the profile.
import Foundation

/// What a feed says of the traffic towards a bridge.
public enum TrafficMeasurement: Sendable, Equatable {
    /// Seconds along the approach now, and at free flow; both above 0.
    case travelTime(seconds: Double, freeFlowSeconds: Double)
    /// Vehicles an hour in the busier direction, not negative.
    case volume(vehiclesPerHour: Double)
    /// The degree of saturation itself, 0 ..< 1.
    case saturation(Double)

    /// Coefficient and exponent of the function of the Bureau of Public Roads.
    static let (bprCoefficient, bprExponent) = (0.15, 4.0)

    /// The degree of saturation of a bridge's approach; nil if a value is not finite or out of its range.
    ///
    /// It lies between 0 and ``TrafficProfile/maximumDensity``.
    /// A travel time `t` over the free-flow time `t0` gives the inverse of
    /// `t = t0 (1 + 0.15 (v/c)^4)` (Bureau of Public Roads, Traffic Assignment Manual, 1964):
    /// `v/c = ((t / t0 - 1) / 0.15)^(1/4)`; a trip faster than free flow counts as free. The function is
    /// flat at small ratios, so a few percent of noise in `t` below `t / t0 = 1.02` are half of `v/c`.
    /// A volume is divided by the capacity: lanes x 1,900 vehicles an hour.
    public func density(of bridge: BridgeIndex) -> Double? {
        switch self {
        case .travelTime(let seconds, let freeFlow):
            guard seconds > 0, freeFlow > 0, seconds.isFinite, freeFlow.isFinite else { return nil }
            let excess = max(0, seconds / freeFlow - 1)
            let ratio = pow(excess / Self.bprCoefficient, 1 / Self.bprExponent)
            return min(ratio, TrafficProfile.maximumDensity)
        case .volume(let vehiclesPerHour):
            guard vehiclesPerHour >= 0, vehiclesPerHour.isFinite else { return nil }
            let capacity = TrafficProfile.seattle[bridge.rawValue].capacityPerHour
            return min(vehiclesPerHour / capacity, TrafficProfile.maximumDensity)
        case .saturation(let density):
            guard density >= 0, density < 1 else { return nil }
            return min(density, TrafficProfile.maximumDensity)
        }
    }
}
