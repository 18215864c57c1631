// What the tags of a way mean for drivers, cyclists and people on foot. Not here: crossings of water (Crossings), times (Pace).
internal import BridgecastRoads

struct WayRules {
    /// If there are none, a road whose sidewalk is mapped separately represents that sidewalk.
    let hasFootways: Bool

    private static let classes: [String: RoadClass] = [
        "motorway": .motorway, "trunk": .trunk, "primary": .primary, "secondary": .secondary,
        "tertiary": .tertiary, "unclassified": .unclassified, "residential": .residential,
        "living_street": .livingStreet, "road": .unclassified,
        "cycleway": .trail, "path": .trail, "track": .trail, "bridleway": .trail,
        "footway": .footway, "pedestrian": .footway, "steps": .footway,
    ]

    /// The profile of a way, or why it is not on the map.
    func profile(_ tags: WayTags) -> Result<RoadProfile, Dropped> {
        guard let highway = tags.highway else { return .failure(Dropped(.otherKind)) }
        let isLink = highway.hasSuffix("_link")
        guard let roadClass = Self.classes[isLink ? String(highway.dropLast(5)) : highway] else {
            return .failure(Dropped(Self.reason(highway)))
        }
        guard tags.service == nil else { return .failure(Dropped(.service)) }
        guard tags.area != "yes" else { return .failure(Dropped(.otherKind)) }
        var profile = RoadProfile(roadClass)
        setFlags(isLink: isLink, roadClass, tags, &profile)
        let modes = modes(roadClass, highway: highway, tags, &profile)
        guard !modes.isEmpty else { return .failure(Dropped(.closed)) }
        let travel = Self.travel(roadClass, isLink: isLink, tags)
        setDirections(modes, travel, tags, of: &profile)
        setLanes(tags, &profile)
        profile.setBikeRoom(tags, travel)
        profile.limit = Self.limit(tags.maxspeed)
        let advised = Self.limit(tags.advisedSpeed)
        if isLink, advised > 0, profile.limit == 0 || advised < profile.limit {
            profile.limit = advised
            profile.isAdvised = true
        }
        profile.layer = tags.layer.flatMap { Int8($0) } ?? 0
        profile.isRough = tags.surface.map(Self.rough.contains) ?? false
        return .success(profile)
    }

    struct Dropped: Error {
        let reason: DropReason
        init(_ reason: DropReason) { self.reason = reason }
    }

    private static func reason(_ highway: String) -> DropReason {
        switch highway {
        case "service", "services": .service
        case "construction", "proposed", "abandoned", "razed", "disused": .notInUse
        default: .otherKind
        }
    }

    private static let rough: Set<String> = [
        "cobblestone", "unhewn_cobblestone", "sett", "gravel", "unpaved", "dirt", "fine_gravel",
        "compacted", "ground", "earth", "grass", "mud", "sand", "pebblestone", "woodchips",
    ]

    // MARK: Modes

    private static let closed: Set<String> = [
        "no", "private", "permit", "customers", "agricultural", "forestry", "military", "emergency",
        "psv", "bus", "official",
    ]
    private static let welcome: Set<String> = ["yes", "designated", "permissive"]

    private func modes(
        _ roadClass: RoadClass, highway: String, _ tags: WayTags, _ profile: inout RoadProfile
    ) -> RoadModes {
        var result: RoadModes = []
        if isDriven(roadClass, tags) { result.insert(.car) }
        profile.isForResidents = [tags.motorVehicle, tags.access].contains("destination")
        let isFast = roadClass == .motorway || roadClass == .trunk
        let isWelcome = tags.bicycle.map(Self.welcome.contains) ?? false
        let bike = tags.bicycle ?? tags.vehicle ?? tags.access ?? ""
        if isWelcome || !isFast && highway != "steps" && !Self.closed.contains(bike) {
            result.insert(.bike)
            profile.isPushed = bike == "dismount" || roadClass == .footway && !isWelcome
        }
        if isWalked(roadClass, tags) { result.insert(.walk) }
        return result
    }

    private func isDriven(_ roadClass: RoadClass, _ tags: WayTags) -> Bool {
        guard roadClass != .trail, roadClass != .footway, tags.hov != "designated" else {
            return false
        }
        // Streets for buses only on weekdays, such as 3rd Avenue.
        let hours = tags.motorVehicleHours?.filter { $0 != " " } ?? ""
        if hours.hasPrefix("no@(06:00-19:00") || hours.hasPrefix("no@(6:00-9:00") { return false }
        if Self.closed.contains(tags.access ?? ""), tags.motorVehicle == nil { return false }
        return Self.expressHours(tags) != nil
            || !Self.closed.contains(tags.motorVehicle ?? tags.vehicle ?? "")
    }

    private func isWalked(_ roadClass: RoadClass, _ tags: WayTags) -> Bool {
        let isWelcome = tags.foot.map(Self.welcome.contains) ?? false
        switch roadClass {
        case .motorway: return false
        case .trunk where !isWelcome && !tags.hasSidewalk: return false
        default: break
        }
        // A road with a separate sidewalk is tagged 'no': without footways the road represents them.
        if tags.foot == "no" || tags.foot == "use_sidepath" { return !hasFootways }
        return isWelcome || !Self.closed.contains(tags.foot ?? tags.access ?? "")
    }

    /// Hours of the ramps of reversible lanes: `yes @ (Mo-Fr 11:15-23:00; ...)`.
    private static func expressHours(_ tags: WayTags) -> RoadProfile.Hours? {
        if tags.oneway == "reversible" { return .outbound }
        guard let hours = tags.motorVehicleHours else { return nil }
        if hours.hasPrefix("yes @ (Mo-Fr 11:15") { return .outbound }
        return hours.hasPrefix("yes @ (Mo-Fr 05:00") ? .inbound : nil
    }

    // MARK: Directions

    /// The directions for cars: roundabouts and motorways are one-way unless tagged otherwise.
    private static func travel(
        _ roadClass: RoadClass, isLink: Bool, _ tags: WayTags
    ) -> CyclewayTags.Travel {
        let isOneWay = isRoundabout(tags) || roadClass == .motorway && !isLink
        return CyclewayTags.Travel(tags.oneway ?? (isOneWay ? "yes" : "no"))
    }

    private static func isRoundabout(_ tags: WayTags) -> Bool {
        tags.junction == "roundabout" || tags.junction == "circular"
    }

    private func setDirections(
        _ modes: RoadModes, _ travel: CyclewayTags.Travel, _ tags: WayTags,
        of profile: inout RoadProfile
    ) {
        profile.forward.modes = modes
        profile.backward.modes = modes
        switch travel {
        case .along: profile.backward.modes.remove([.car, .bike])
        case .against: profile.forward.modes.remove([.car, .bike])
        case .both: break
        }
        if let hours = Self.expressHours(tags) {
            profile.flags.insert(.reversible)
            // Reversible lanes are drawn away from the middle: '-1' is used with the hours of the morning.
            profile.forward.hours = hours
            profile.backward.hours = .inbound
        }
        if tags.onewayBicycle == "no" || tags.cycleways.leadsAgainst(travel), modes.contains(.bike)
        {
            profile.forward.modes.insert(.bike)
            profile.backward.modes.insert(.bike)
        }
        if Self.isRoundabout(tags) { profile.flags.insert(.roundabout) }
        profile.isRing = tags.junction != nil && tags.junction != "intersection"
    }

    private func setLanes(_ tags: WayTags, _ profile: inout RoadProfile) {
        let total = tags.lanes.flatMap { Int($0) } ?? 0
        let isBothWays =
            profile.forward.modes.contains(.car) && profile.backward.modes.contains(.car)
            && !profile.flags.contains(.reversible)
        let share = isBothWays ? max(total / 2, min(total, 1)) : total
        func lanes(_ text: String?) -> UInt8 {
            UInt8(min(max(text.flatMap { Int($0) } ?? share, 0), 20))
        }
        profile.forward.lanes = lanes(tags.lanesForward)
        profile.backward.lanes = lanes(tags.lanesBackward)
        profile.isNarrow = (tags.lanes ?? "1") == "1" && (tags.oneway ?? "no") == "no"
    }

    // MARK: Other properties

    private func setFlags(
        isLink: Bool, _ roadClass: RoadClass, _ tags: WayTags, _ profile: inout RoadProfile
    ) {
        if tags.isBridge { profile.flags.insert(.bridge) }
        if tags.isTunnel { profile.flags.insert(.tunnel) }
        if isLink { profile.flags.insert(.link) }
        profile.isMovable = tags.isMovable
        // Ramps, and turning lanes, which are between streets.
        if roadClass == .motorway || isLink || tags.isTunnel || Self.expressHours(tags) != nil {
            profile.flags.insert(.noStopping)
        }
    }

    /// A speed limit in miles per hour; 0 if it is not a number.
    private static func limit(_ text: String?) -> Double {
        // The general limit comes before those of certain hours.
        let general = text?.lowercased().prefix { $0 != ";" && $0 != "@" } ?? ""
        guard let value = Double(general.prefix { $0.isNumber || $0 == "." }) else { return 0 }
        let miles = general.contains("mph") ? value : value / 1.609344
        return min(max(miles, 0), 120)
    }
}

// MARK: - Room for bikes

extension RoadProfile {
    /// - Parameter travel: The directions for cars.
    mutating func setBikeRoom(_ tags: WayTags, _ travel: CyclewayTags.Travel) {
        guard roadClass != .trail, roadClass != .footway else { return }
        let rooms = tags.cycleways.rooms(travel: travel, isOpenAgainst: tags.onewayBicycle == "no")
        func room(_ found: BikeRoom, _ direction: Direction) -> BikeRoom {
            guard direction.modes.contains(.bike) else { return .none }
            if found == .lane || found == .track { return found }
            if isForResidents { return .greenway }
            guard found == .sharrows || tags.cycleways.isSignedRoute else { return .none }
            // On local streets sharrows and signs mark greenways.
            return isLocal ? .greenway : .sharrows
        }
        forward.bikeRoom = room(rooms.forward, forward)
        backward.bikeRoom = room(rooms.backward, backward)
    }
}
