// One directed piece of road between two junctions, as it lies in memory and in network files.

/// A directed piece of road.
package struct RoadArc: Sendable, Equatable, BitwiseCopyable {
    /// Junctions it leads from and to.
    package var tail, head: UInt32
    /// Number of its name in the map.
    package var name: UInt32
    /// Its first point between the ends.
    package var shape: UInt32
    /// The same piece in the other direction, or `noTwin`.
    package var twin: UInt32
    package var metres: Float
    /// How many points lie between the ends.
    package var shapeCount: UInt16
    /// Tenths of a second that it takes in an empty city, signals and stops included; 0 where the mode may not go.
    package var carDeciseconds, bikeDeciseconds, walkDeciseconds: UInt16
    /// Raw values of ``RoadClass`` and ``PaceGroup``.
    package var roadClassValue, paceGroupValue: UInt8
    package var flags: RoadFlags
    /// Speed limit, km/h; 0 if unknown.
    package var limitKmh: UInt8
    /// Lanes in this direction; 0 if unknown.
    package var lanes: UInt8
    /// Level above or below the ground.
    package var layer: Int8
    /// Number of the crossing of water that it is, or `noCrossing`.
    package var crossing: UInt8
    /// Raw value of ``BikeRoom``.
    package var bikeRoomValue: UInt8

    package static let noTwin = UInt32.max
    package static let noCrossing = UInt8.max

    package init(
        tail: Int, head: Int, name: Int, shape: Int, shapeCount: Int, metres: Double,
        roadClass: RoadClass, paceGroup: PaceGroup, flags: RoadFlags
    ) {
        (self.tail, self.head, self.name) = (UInt32(tail), UInt32(head), UInt32(name))
        (self.shape, self.shapeCount) = (UInt32(shape), UInt16(shapeCount))
        (twin, self.metres) = (Self.noTwin, Float(metres))
        (carDeciseconds, bikeDeciseconds, walkDeciseconds) = (0, 0, 0)
        (roadClassValue, paceGroupValue) = (roadClass.rawValue, paceGroup.rawValue)
        (self.flags, limitKmh, lanes, layer, crossing) = (flags, 0, 0, 0, Self.noCrossing)
        bikeRoomValue = BikeRoom.none.rawValue
    }

    /// - Precondition: Checked when it was read.
    package var roadClass: RoadClass { RoadClass(rawValue: roadClassValue) ?? .residential }
    /// - Precondition: Checked when it was read.
    package var paceGroup: PaceGroup { PaceGroup(rawValue: paceGroupValue) ?? .local }
    /// - Precondition: Checked when it was read.
    package var bikeRoom: BikeRoom { BikeRoom(rawValue: bikeRoomValue) ?? .none }
}
