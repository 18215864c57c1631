// Why a part of an extract is not on the map; counted by the report.

/// Why something was left out.
public enum DropReason: Int, Sendable, CaseIterable {
    /// Not a road of a kind that is imported.
    case otherKind
    /// A driveway, a parking aisle or another service road.
    case service
    /// Being built, planned or given up.
    case notInUse
    /// Private, or closed to all.
    case closed
    /// A way without two points.
    case onePoint
    /// A node that the extract does not hold.
    case missingNode
    /// The same node twice in a row, or two nodes in one place.
    case zeroLength
    /// Further from one node to the next than any road.
    case farApart
    /// Cannot be reached, or not be left, by car.
    case unconnectedByCar
    /// Cannot be reached by bike.
    case unconnectedByBike
    /// Cannot be reached on foot.
    case unconnectedOnFoot
    /// A turn restriction whose way or node is not on the map.
    case looseRestriction
    /// A turn restriction that holds at some hours only, or not for cars.
    case otherRestriction

    /// For people: what there was so many of.
    var words: String {
        switch self {
        case .otherKind: "ways of other kinds (highway=...)"
        case .service: "driveways, parking aisles and other service roads"
        case .notInUse: "roads being built, planned or given up"
        case .closed: "private or closed roads"
        case .onePoint: "ways of fewer than two points"
        case .missingNode: "nodes of ways that the extract does not hold"
        case .zeroLength: "pieces of no length"
        case .farApart: "gaps of more than 20 km from one node to the next"
        case .unconnectedByCar: "pieces closed to cars: no way there, or none back"
        case .unconnectedByBike: "pieces closed to bikes: no way there, or none back"
        case .unconnectedOnFoot: "pieces closed to people on foot: no way there"
        case .looseRestriction: "turn restrictions off the map"
        case .otherRestriction: "turn restrictions at some hours only, or not for cars"
        }
    }
}
