// A turn that may not, or must, be made; part of RoadExtract.

/// A rule for who comes from one way and goes on to another over a node.
public struct TurnRestriction: Sendable, Equatable {
    /// What the rule says, as OpenStreetMap spells it.
    public enum Kind: String, Sendable, CaseIterable {
        case noLeftTurn = "no_left_turn"
        case noRightTurn = "no_right_turn"
        case noStraightOn = "no_straight_on"
        case noUTurn = "no_u_turn"
        case noEntry = "no_entry"
        case noExit = "no_exit"
        case onlyLeftTurn = "only_left_turn"
        case onlyRightTurn = "only_right_turn"
        case onlyStraightOn = "only_straight_on"
        case onlyUTurn = "only_u_turn"

        /// Whether this turn is the only one allowed, rather than not allowed.
        public var isOnly: Bool {
            switch self {
            case .onlyLeftTurn, .onlyRightTurn, .onlyStraightOn, .onlyUTurn: true
            case .noLeftTurn, .noRightTurn, .noStraightOn, .noUTurn, .noEntry, .noExit: false
            }
        }
    }

    /// Its relation's number in OpenStreetMap; a rule for several ways stands there once for each.
    public let id: Int64
    /// The way that one comes from.
    public let from: Int64
    /// The node at which one turns.
    public let via: Int64
    /// The way that one goes on to.
    public let to: Int64
    /// What the rule says.
    public let kind: Kind
    /// All that is said of it: for whom it does not hold (`except`), and when.
    public let tags: RoadTags
}
