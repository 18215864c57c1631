// The tags of a way that say something of a road, picked out in one pass; used by WayRules and names.

/// What a way says of itself.
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
