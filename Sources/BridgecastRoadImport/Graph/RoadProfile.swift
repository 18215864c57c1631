// What a road is, once its tags have been understood; ways with the same profile can be one piece of road.
internal import BridgecastRoads

/// What there is to know of a road beside its line.
struct RoadProfile: Hashable {
    /// Who may go in a direction, and how many lanes lead there.
    struct Direction: Hashable {
        var modes: RoadModes = []
        /// 0 if unknown.
        var lanes: UInt8 = 0
        var bikeRoom = BikeRoom.none
        var hours = Hours.always
    }

    /// Hours at which a direction is open: those of lanes that lead to the middle of the city at first, and
    /// away from it later.
    enum Hours: Hashable {
        case always, inbound, outbound
    }

    /// Number of its name on the map.
    var name = 0
    /// Number of what signs call it: its name, or else its `ref`; 0 if neither.
    ///
    /// And whether it has a name.
    var sign = 0
    var hasName = false
    var roadClass: RoadClass
    /// Raw value of `RoadFlags`, which is no key of dictionaries.
    var flagsValue: UInt8 = 0
    /// Miles per hour; 0 if it is not said.
    var limit = 0.0
    /// The limit is what a sign on a ramp advises, below what is allowed.
    var isAdvised = false
    var layer: Int8 = 0
    var forward = Direction()
    var backward = Direction()
    /// Only for those who have business there: customers, residents, their visitors.
    var isForResidents = false
    /// Bikes are pushed.
    var isPushed = false
    /// Cobbles, gravel.
    var isRough = false
    /// One lane or no lanes marked.
    var isNarrow = false
    /// A roundabout, or a small circle where streets meet.
    var isRing = false
    /// Its deck opens.
    var isMovable = false
    /// Number of the crossing of water that it is, or -1.
    var crossing = -1

    init(_ roadClass: RoadClass) { self.roadClass = roadClass }

    var flags: RoadFlags {
        get { RoadFlags(rawValue: flagsValue) }
        set { flagsValue = newValue.rawValue }
    }

    var isLink: Bool { flags.contains(.link) }
    /// A street for those who live or work there, as `RoadArc` has it.
    var isLocal: Bool { roadClass.isLocal && !isLink }
    /// Over or under something.
    var isBridgeOrTunnel: Bool { flags.contains(.bridge) || flags.contains(.tunnel) }

    /// The same road seen from its other end.
    var reversed: RoadProfile {
        var result = self
        (result.forward, result.backward) = (backward, forward)
        return result
    }
}
