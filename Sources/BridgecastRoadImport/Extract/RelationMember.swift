// A member of a relation, in any form of file; used by the readers and by RoadExtractBuilder.

/// What a relation names, and as what.
struct RelationMember: Equatable {
    let kind: RoadElement.Kind
    let id: Int64
    let role: String
}
