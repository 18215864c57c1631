// At which traffic delays are scored.

/// The traffic for which a delay is forecast and scored.
package enum DelayTraffic: String, Sendable, CaseIterable, Codable {
    /// The degree of saturation of the bridge's profile at the arrival.
    case profile
    /// No queue: a bicycle that filters to the front.
    case rho0 = "0"
    /// A degree of saturation of 0.3.
    case rho30 = "0.3"
    /// A degree of saturation of 0.6.
    case rho60 = "0.6"
    /// A degree of saturation of 0.85.
    case rho85 = "0.85"

    /// The degree of saturation, given the profile's.
    func density(profile: Double) -> Double { self == .profile ? profile : Double(rawValue) ?? 0 }
}
