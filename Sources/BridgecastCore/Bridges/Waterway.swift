// The channels that the bridges cross.

/// A channel whose bridges the same vessels pass one after another.
public enum Waterway: String, Sendable, Codable {
    /// Lake Washington Ship Canal, from the locks to Union Bay.
    case shipCanal = "Lake Washington Ship Canal"
    /// Duwamish Waterway, upstream from Elliott Bay.
    case duwamish = "Duwamish Waterway"
}
