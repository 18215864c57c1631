// A place of the network that people know by name.

/// A place that people name.
public struct Place: Sendable, Equatable {
    /// For people.
    public let name: String
    /// Other names.
    public let aliases: [String]
    let node: Int
}
