// The tags of a way that concern roads, collected in one pass; among them those of cycleways.
internal import BridgecastRoads

struct WayTags {
    var highway, service, area, access, vehicle, motorVehicle, motorVehicleHours: String?
    var bicycle, foot, hov: String?
    var oneway, onewayBicycle, junction: String?
    var lanes, lanesForward, lanesBackward, maxspeed, advisedSpeed, layer, surface: String?
    var name, ref, destination, bridgeName: String?
    var isBridge = false
    var isMovable = false
    var isTunnel = false
    var cycleways = CyclewayTags()
    var hasSidewalk = false

    init(_ tags: RoadTags) {
        for tag in tags { read(tag.key, tag.value) }
    }

    private mutating func read(_ key: String, _ value: String) {
        switch key {
        case "highway": highway = value
        case "name": name = value
        case "maxspeed": maxspeed = value
        case "maxspeed:advisory": advisedSpeed = value
        case "lanes": lanes = value
        case "oneway": oneway = value
        case "bicycle": bicycle = value
        case "foot": foot = value
        case "surface": surface = value
        case "layer": layer = value
        case "ref": ref = value
        case "service": service = value
        case "area": area = value
        case "access": access = value
        case "vehicle": vehicle = value
        case "motor_vehicle", "motorcar": motorVehicle = value
        case "motor_vehicle:conditional": motorVehicleHours = value
        case "hov": hov = value
        case "junction": junction = value
        case "lanes:forward": lanesForward = value
        case "lanes:backward": lanesBackward = value
        case "oneway:bicycle": onewayBicycle = value
        case "destination": destination = value
        case "bridge:name": bridgeName = value
        case "bridge": readBridge(value)
        case "bridge:movable": isMovable = isMovable || value != "no"
        case "tunnel": isTunnel = value != "no"
        case "sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right":
            hasSidewalk = hasSidewalk || value != "no" && value != "none"
        default: cycleways.read(key, value)
        }
    }

    private mutating func readBridge(_ value: String) {
        isBridge = value != "no"
        if value == "movable" { isMovable = true }
    }
}

// MARK: - Cycleways

/// The tag `cycleway` with its sides: where bikes have room.
struct CyclewayTags {
    /// The directions for cars: both, along the way's line, or against it.
    enum Travel {
        case both, along, against

        /// - Parameter oneway: The value of the tag.
        init(_ oneway: String) {
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
        /// Mapped as a separate way.
        var isSeparate = false
        /// Separated from cars by posts or a kerb.
        var isProtected = false
        /// Its own `oneway`: `no`, `yes` or `-1`.
        var oneway: String?

        var room: BikeRoom { marked == .lane && isProtected ? .track : marked }
        var isLaneOrTrack: Bool { marked == .lane || marked == .track }
    }

    /// Values by what follows `cycleway` in their keys: "", ":left", ":both:oneway".
    private var values: [String: String] = [:]
    /// Whether it is signed as a bike route.
    private(set) var isSignedRoute = false

    /// Keeps a tag if it concerns bikes.
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
        // A tag of one side overrides that of both.
        func value(_ suffix: String) -> String? {
            values[name + suffix] ?? values[":both" + suffix] ?? values[suffix]
        }
        var side = Side()
        let kind = value("") ?? ""
        side.isOpposite = kind.hasPrefix("opposite")
        let room = kind.dropFirst(side.isOpposite ? "opposite_".count : 0)
        side.isSeparate = room == "separate"
        side.marked = Self.room(room)
        side.oneway = value(":oneway")
        side.isProtected = [inner, ":both", ""].contains { side in
            value(":separation" + side).map(Self.barriers.contains) ?? false
        }
        return side
    }

    /// Kinds of separation that keep cars out; paint does not.
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
                side, isLeft: isLeft, other: other, travel: travel, isOpenAgainst: isOpenAgainst)
            if leads.forward { result.forward = Self.stronger(result.forward, side.room) }
            if leads.backward { result.backward = Self.stronger(result.backward, side.room) }
        }
        return result
    }

    private static func directions(
        _ side: Side, isLeft: Bool, other: Side, travel: Travel, isOpenAgainst: Bool
    ) -> (forward: Bool, backward: Bool) {
        switch side.oneway {
        case "no": return (true, true)
        case "yes": return (true, false)
        case "-1": return (false, true)
        default: break
        }
        guard travel != .both else {
            // A track that is mapped separately on one side only is usually two-way.
            let isTwoWay = side.isSeparate && !other.isLaneOrTrack
            return (!isLeft || isTwoWay, isLeft || isTwoWay)
        }
        let isOnWrongSide = isLeft == (travel == .along) && side.isLaneOrTrack
        let isAgainst = side.isOpposite || isOpenAgainst && isOnWrongSide
        let isWith = !isAgainst || !side.isOpposite && side.marked == .track
        return travel == .along ? (isWith, isAgainst) : (isAgainst, isWith)
    }
}
