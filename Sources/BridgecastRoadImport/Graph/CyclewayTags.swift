// The tags of a way that say where bikes have room on it; part of WayTags.
internal import BridgecastRoads

/// `cycleway`, its sides and what is said of them.
struct CyclewayTags {
    /// Where cars may go: both ways, with the way's line, or against it.
    enum Travel {
        case both, along, against

        init(_ oneway: String?) {
            switch oneway {
            case "yes", "true", "1": self = .along
            case "-1", "reverse": self = .against
            default: self = .both
            }
        }
    }

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

    private var left = Side()
    private var right = Side()
    /// Signs call it a route for bikes.
    private(set) var isSignedRoute = false

    mutating func read(_ key: String, _ value: String) {
        guard key != "lcn" else {
            isSignedRoute = value == "yes"
            return
        }
        var parts = key.split(separator: ":").dropFirst()
        let side = parts.first
        if side == "left" || side == "right" || side == "both" { parts = parts.dropFirst() }
        let what = parts.joined(separator: ":")
        if side != "right" { Self.read(what, value, &left) }
        if side != "left" { Self.read(what, value, &right) }
    }

    private static func read(_ what: String, _ value: String, _ side: inout Side) {
        switch what {
        case "":
            side.isOpposite = value.hasPrefix("opposite")
            let room = value.dropFirst(side.isOpposite ? "opposite_".count : 0)
            if room == "separate" { side.isApart = true }
            side.marked = stronger(side.marked, self.room(room))
        case "oneway": side.oneway = value
        case "separation", "separation:left", "separation:right", "separation:both":
            side.isProtected = side.isProtected || value != "no" && value != "none"
        default: break
        }
    }

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
