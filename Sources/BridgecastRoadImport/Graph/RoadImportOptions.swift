// What whoever imports roads can choose.

/// Choices of an import.
public struct RoadImportOptions: Sendable {
    /// The network's name, such as "Seattle".
    public var name = "Seattle"
    /// Whether an extract will do that lacks drawbridges.
    public var withoutBridges = false
    /// Trails, sidewalks of bridges and places that the extract does not have; nil for none.
    public var additions: RoadAdditions?

    /// The usual choices.
    public init() {}
}
