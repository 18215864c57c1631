// The tags of a way that say where bikes have room on it; part of WayTags.
internal import BridgecastRoads

/// `cycleway`, its sides and what is said of them.
struct CyclewayTags {
    /// Where cars may go: both ways, with the way's line, or against it.
    enum Travel {
        case both, along, against

        /// - Parameter oneway: As the tag says it.
        init(_ oneway: String) {
            switch oneway {
            case "yes", "true", "1": self = .along
            case "-1", "reverse": self = .against
            default: self = .both
            }
        }
    }

    /// What the tags say of one side of the road.
    private struct Side {
        var marked = BikeRoom.none
        /// Against the cars of a one-way street.
        var isOpposite = false
        /// Drawn as a way of its own.
        var isApart = false
        /// Posts or a kerb stand between it and the cars.
        var isProtected = false
        /// Its own `oneway`: `no`, `yes` or `-1`.
        var oneway: String?

        var room: BikeRoom { marked == .lane && isProtected ? .track : marked }
        var isLaneOrTrack: Bool { marked == .lane || marked == .track }
    }

    /// Values by what stands behind `cycleway` in their keys: "", ":left", ":both:oneway".
    private var values: [String: String] = [:]
    /// Signs call it a route for bikes.
    private(set) var isSignedRoute = false

    /// Keeps what a tag says of bikes; other tags are passed over.
    mutating func read(_ key: String, _ value: String) {
        if key == "lcn" {
            isSignedRoute = value == "yes"
        } else if key == "cycleway" || key.hasPrefix("cycleway:") {
            values[String(key.dropFirst("cycleway".count))] = value
        }
    }

    private var left: Side { side(":left", towardsCars: ":right") }
    private var right: Side { side(":right", towardsCars: ":left") }

    private func side(_ name: String, towardsCars inner: String) -> Side {
        // What is said of one side is said against what is said of both.
        func value(_ what: String) -> String? {
            values[name + what] ?? values[":both" + what] ?? values[what]
        }
        var side = Side()
        let kind = value("") ?? ""
        side.isOpposite = kind.hasPrefix("opposite")
        let room = kind.dropFirst(side.isOpposite ? "opposite_".count : 0)
        side.isApart = room == "separate"
        side.marked = Self.room(room)
        side.oneway = value(":oneway")
        side.isProtected = [inner, ":both", ""].contains { place in
            value(":separation" + place).map(Self.barriers.contains) ?? false
        }
        return side
    }

    /// What keeps cars out; paint does not.
    private static let barriers: Set<String> = [
        "bollard", "flex_post", "vertical_panel", "jersey_barrier", "kerb", "separation_kerb",
        "fence", "guard_rail", "planter", "hedge", "grass_verge", "tree_row", "parking_lane",
        "structure", "studs", "bump",
    ]

    /// A lane that buses share counts as sharrows.
    private static func room(_ value: Substring) -> BikeRoom {
        switch value {
        case "track", "separate": .track
        case "lane", "shoulder": .lane
        case "shared_lane", "share_busway", "shared": .sharrows
        default: .none
        }
    }

    private static func stronger(_ one: BikeRoom, _ other: BikeRoom) -> BikeRoom {
        one.rawValue > other.rawValue ? one : other
    }

    /// Whether a lane of a one-way street leads against the cars.
    func leadsAgainst(_ travel: Travel) -> Bool {
        travel != .both
            && [left, right].contains { side in
                side.isOpposite || side.isLaneOrTrack && side.oneway == "no"
                    || side.isLaneOrTrack && side.oneway == (travel == .along ? "-1" : "yes")
            }
    }

    /// Room along the way's line and against it; bikes ride on the right.
    ///
    /// - Parameter isOpenAgainst: Whether a one-way street is open to bikes against the cars.
    func rooms(travel: Travel, isOpenAgainst: Bool) -> (forward: BikeRoom, backward: BikeRoom) {
        var result = (forward: BikeRoom.none, backward: BikeRoom.none)
        for (side, isLeft) in [(left, true), (right, false)] {
            let other = isLeft ? right : left
            let leads = Self.directions(
                side, isLeft: isLeft, other: other, travel, isOpenAgainst: isOpenAgainst)
            if leads.forward { result.forward = Self.stronger(result.forward, side.room) }
            if leads.backward { result.backward = Self.stronger(result.backward, side.room) }
        }
        return result
    }

    private static func directions(
        _ side: Side, isLeft: Bool, other: Side, _ travel: Travel, isOpenAgainst: Bool
    ) -> (forward: Bool, backward: Bool) {
        switch side.oneway {
        case "no": return (true, true)
        case "yes": return (true, false)
        case "-1": return (false, true)
        default: break
        }
        guard travel != .both else {
            // A track that is drawn apart on one side only leads both ways as a rule.
            let isTwoWay = side.isApart && !other.isLaneOrTrack
            return (!isLeft || isTwoWay, isLeft || isTwoWay)
        }
        let isOnWrongSide = isLeft == (travel == .along) && side.isLaneOrTrack
        let isAgainst = side.isOpposite || isOpenAgainst && isOnWrongSide
        let isWith = !isAgainst || !side.isOpposite && side.marked == .track
        return travel == .along ? (isWith, isAgainst) : (isAgainst, isWith)
    }
}
