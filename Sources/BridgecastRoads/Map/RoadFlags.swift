// What an arc of the map is beside a road: a bridge, a ramp; network files store the raw value.

/// What an arc is beside a road.
package struct RoadFlags: OptionSet, Sendable, BitwiseCopyable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bridge = RoadFlags(rawValue: 1)
    package static let tunnel = RoadFlags(rawValue: 2)
    /// A ramp or a turning lane between roads (`*_link`).
    package static let link = RoadFlags(rawValue: 4)
    package static let roundabout = RoadFlags(rawValue: 8)
    /// Lanes that lead now one way, now the other.
    package static let reversible = RoadFlags(rawValue: 16)
    /// Its points between the ends are stored from its head to its tail.
    package static let shapeReversed = RoadFlags(rawValue: 32)
    /// Nobody begins or ends a trip on it: a motorway, a ramp, a tunnel, a crossing of water.
    package static let noStopping = RoadFlags(rawValue: 64)
}
