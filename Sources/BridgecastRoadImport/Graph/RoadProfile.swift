internal import BridgecastRoads

struct RoadProfile: Hashable {
    struct Direction: Hashable {
        var modes: RoadModes = []
        /// 0 if unknown.
        var lanes: UInt8 = 0
        var bikeRoom = BikeRoom.none
        var hours = Hours.always
    }

    /// Hours at which a direction is open; express lanes lead to the middle of the city in the morning and away later.
    enum Hours: Hashable {
        case always, inbound, outbound
    }

    var name = 0
    /// The index of its signed name: its name, or else its `ref`; 0 if neither.
    var sign = 0
    /// Whether it has a name, not only a `ref`.
    var hasName = false
    var roadClass: RoadClass
    /// Raw value of `RoadFlags`, which is not hashable.
    var flagsValue: UInt8 = 0
    /// Speed limit, miles per hour; 0 if unknown.
    var limit = 0.0
    /// The limit is the advisory speed of a ramp.
    var isAdvised = false
    var layer: Int8 = 0
    var forward = Direction()
    var backward = Direction()
    /// Only for residents and their visitors.
    var isForResidents = false
    /// Cyclists dismount.
    var isPushed = false
    /// Surface such as cobbles or gravel.
    var isRough = false
    /// At most one lane is marked.
    var isNarrow = false
    /// A roundabout, or a small circle where streets meet.
    var isRing = false
    var isMovable = false
    /// The index of the crossing of water that it is, or -1.
    var crossing = -1

    init(_ roadClass: RoadClass) { self.roadClass = roadClass }

    var flags: RoadFlags {
        get { RoadFlags(rawValue: flagsValue) }
        set { flagsValue = newValue.rawValue }
    }

    var isLink: Bool { flags.contains(.link) }
    /// As in `RoadArc`.
    var isLocal: Bool { roadClass.isLocal && !isLink }
    var isBridgeOrTunnel: Bool { flags.contains(.bridge) || flags.contains(.tunnel) }
}

struct RoadModes: OptionSet, Hashable {
    let rawValue: UInt8

    static let car = RoadModes(rawValue: 1)
    static let bike = RoadModes(rawValue: 2)
    static let walk = RoadModes(rawValue: 4)
}
