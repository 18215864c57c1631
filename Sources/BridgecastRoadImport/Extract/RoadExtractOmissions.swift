// What an extract's file holds and the extract does not; part of RoadExtract, told by the import.

/// How much of a file was left out, by reason.
public struct RoadExtractOmissions: Sendable, Equatable {
    /// Elements whose number was there before: the first counts.
    public var duplicates = 0
    /// Elements that an editor has marked as deleted.
    public var deleted = 0
    /// Turn restrictions that lead over a way in place of a node.
    public var restrictionsOverWays = 0
    /// Turn restrictions without a kind that is known, or without one way from, one node and one way to.
    public var unknownRestrictions = 0
    /// Relations that are no turn restrictions.
    public var otherRelations = 0
}
