// The roads as flat arrays: junctions, pieces of road, shapes, names and times in an empty city.
public import BridgecastCore
private import Foundation

/// Junctions and the directed pieces of road between them; made by an import, read from a network file.
package struct RoadMap: Sendable {
    /// Junctions, by number.
    package var nodes: [RoadPoint] = []
    /// Directed pieces of road, in order of their tails.
    package var arcs: [RoadArc] = []
    /// Points between the ends of arcs; an arc and its twin share theirs.
    package var shapes: [RoadPoint] = []
    /// Names of roads as locals say them; name 0 is empty.
    package var names: [String] = [""]
    /// Arcs that leave node n: firstOut[n] ..< firstOut[n + 1].
    package private(set) var firstOut: [UInt32] = [0]
    /// The same for arcs that arrive, as indices of `arrivals`.
    package private(set) var firstIn: [UInt32] = [0]
    /// Arcs in order of their heads.
    package private(set) var arrivals: [UInt32] = []

    /// - Precondition: Arcs are sorted by tail, and every index in them is valid.
    package init(nodes: [RoadPoint], arcs: [RoadArc], shapes: [RoadPoint], names: [String]) {
        self.nodes = nodes
        self.arcs = arcs
        self.shapes = shapes
        self.names = names
        firstOut = [UInt32](repeating: 0, count: nodes.count + 1)
        firstIn = firstOut
        for arc in arcs {
            firstOut[Int(arc.tail) + 1] += 1
            firstIn[Int(arc.head) + 1] += 1
        }
        for node in nodes.indices {
            firstOut[node + 1] += firstOut[node]
            firstIn[node + 1] += firstIn[node]
        }
        arrivals = [UInt32](repeating: 0, count: arcs.count)
        var next = firstIn
        for (number, arc) in arcs.enumerated() {
            arrivals[Int(next[Int(arc.head)])] = UInt32(number)
            next[Int(arc.head)] += 1
        }
    }

    package func departing(_ node: Int) -> Range<Int> {
        Int(firstOut[node])..<Int(firstOut[node + 1])
    }

    package func arriving(_ node: Int) -> ArraySlice<UInt32> {
        arrivals[Int(firstIn[node])..<Int(firstIn[node + 1])]
    }

    /// All points of an arc, from its tail to its head.
    package func line(_ arc: Int) -> [GeoPoint] {
        let arc = arcs[arc]
        let between = shapes[Int(arc.shape)..<Int(arc.shape) + Int(arc.shapeCount)].map(\.geoPoint)
        return [nodes[Int(arc.tail)].geoPoint]
            + (arc.flags.contains(.shapeReversed) ? between.reversed() : between)
            + [nodes[Int(arc.head)].geoPoint]
    }
}

// MARK: - Parts of a map

package struct RoadArc: Sendable, Equatable, BitwiseCopyable {
    /// Junctions it leads from and to.
    package var tail, head: UInt32
    package var name: UInt32
    /// Index of its first point between the ends.
    package var shape: UInt32
    /// The same piece in the other direction, or `noTwin`.
    package var twin: UInt32
    package var metres: Float
    /// Number of points between the ends.
    package var shapeCount: UInt16
    /// Tenths of a second in an empty city, signals and stops included; 0 if the mode is not allowed.
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
    /// Index of the crossing of water that it is, or `noCrossing`.
    package var crossing: UInt8
    /// Raw value of ``BikeRoom``.
    package var bikeRoomValue: UInt8

    package static let noTwin = UInt32.max
    package static let noCrossing = UInt8.max

    package init(
        tail: Int, head: Int, name: Int, shape: Int, shapeCount: Int, metres: Double,
        roadClass: RoadClass, paceGroup: PaceGroup, flags: RoadFlags
    ) {
        self.tail = UInt32(tail)
        self.head = UInt32(head)
        self.name = UInt32(name)
        self.shape = UInt32(shape)
        self.shapeCount = UInt16(shapeCount)
        self.metres = Float(metres)
        self.flags = flags
        roadClassValue = roadClass.rawValue
        paceGroupValue = paceGroup.rawValue
        twin = Self.noTwin
        carDeciseconds = 0
        bikeDeciseconds = 0
        walkDeciseconds = 0
        limitKmh = 0
        lanes = 0
        layer = 0
        crossing = Self.noCrossing
        bikeRoomValue = BikeRoom.none.rawValue
    }

    // The reader of a network file has checked these raw values.
    package var roadClass: RoadClass { RoadClass(rawValue: roadClassValue) ?? .residential }
    package var paceGroup: PaceGroup { PaceGroup(rawValue: paceGroupValue) ?? .local }
    package var bikeRoom: BikeRoom { BikeRoom(rawValue: bikeRoomValue) ?? .none }
}

package struct RoadFlags: OptionSet, Sendable, BitwiseCopyable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bridge = RoadFlags(rawValue: 1)
    package static let tunnel = RoadFlags(rawValue: 2)
    /// A ramp or a turning lane between roads (`*_link`).
    package static let link = RoadFlags(rawValue: 4)
    package static let roundabout = RoadFlags(rawValue: 8)
    /// Lanes whose direction changes over the day.
    package static let reversible = RoadFlags(rawValue: 16)
    /// Its points between the ends are stored from its head to its tail.
    package static let shapeReversed = RoadFlags(rawValue: 32)
    /// No trip begins or ends on it: a motorway, a ramp, a tunnel, a crossing of water.
    package static let noStopping = RoadFlags(rawValue: 64)
}

/// A class of roads, after OpenStreetMap's `highway` key; ramps have the class of their road.
public enum RoadClass: UInt8, Sendable, CaseIterable {
    case motorway, trunk, primary, secondary, tertiary, unclassified, residential, livingStreet
    /// For bikes and people on foot.
    case trail
    /// For people on foot; cyclists dismount.
    case footway

    /// Whether its streets, ramps aside, are for residents and local businesses.
    package var isLocal: Bool {
        switch self {
        case .unclassified, .residential, .livingStreet: true
        default: false
        }
    }
}

/// Coordinates in steps of 1e-7 degrees, about a centimetre.
package struct RoadPoint: Sendable, Equatable, BitwiseCopyable {
    /// Degrees times 10,000,000.
    package var latitudeE7, longitudeE7: Int32

    package init(_ point: GeoPoint) {
        latitudeE7 = Int32((point.latitude * 1e7).rounded())
        longitudeE7 = Int32((point.longitude * 1e7).rounded())
    }

    package var geoPoint: GeoPoint {
        GeoPoint(latitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7)
    }
}

/// A crossing of water, by which routes are distinguished.
public struct Crossing: Sendable, Equatable {
    /// Display name, such as "Aurora Bridge".
    public let name: String
    /// The drawbridge, or nil if it never opens.
    public let bridge: BridgeIndex?
    /// Its middle.
    public let point: GeoPoint

    /// Creates a crossing.
    public init(name: String, bridge: BridgeIndex?, point: GeoPoint) {
        self.name = name
        self.bridge = bridge
        self.point = point
    }
}

// MARK: - Parts of lines

extension RoadMap {
    /// The points of a part of an arc, from one share of its length to another.
    func line(_ arc: Int, from start: Double, to end: Double) -> [GeoPoint] {
        let all = line(arc)
        if start <= 0, end >= 1 { return all }
        let metres = zip(all, all.dropFirst()).map { $0.metres(to: $1) }
        let whole = metres.reduce(0, +)
        let from = start * whole
        let to = max(start, end) * whole
        var line: [GeoPoint] = []
        var travelled = 0.0
        for (number, length) in metres.enumerated() {
            let ahead = travelled + length
            if ahead > from || number == metres.count - 1, line.isEmpty {
                line.append(
                    Self.point(
                        between: all[number], and: all[number + 1],
                        share: length > 0 ? (from - travelled) / length : 0))
            }
            if !line.isEmpty {
                if ahead >= to || number == metres.count - 1 {
                    line.append(
                        Self.point(
                            between: all[number], and: all[number + 1],
                            share: length > 0 ? (to - travelled) / length : 1))
                    break
                }
                line.append(all[number + 1])
            }
            travelled = ahead
        }
        return line
    }

    func point(of arc: Int, at share: Double) -> GeoPoint { line(arc, from: share, to: share)[0] }

    /// The direction from the start of a line to the point `metres` along it; degrees clockwise from north.
    static func bearing(_ line: [GeoPoint], metres: Double) -> Double {
        guard let start = line.first else { return 0 }
        var travelled = 0.0
        var end = start
        for (a, b) in zip(line, line.dropFirst()) {
            let length = a.metres(to: b)
            if travelled + length >= metres {
                end = point(
                    between: a, and: b, share: length > 0 ? (metres - travelled) / length : 0)
                break
            }
            travelled += length
            end = b
        }
        let east = (end.longitude - start.longitude) * cos(start.latitude * .pi / 180)
        return atan2(east, end.latitude - start.latitude) * 180 / .pi
    }

    private static func point(between a: GeoPoint, and b: GeoPoint, share: Double) -> GeoPoint {
        let share = min(1, max(0, share))
        return GeoPoint(
            latitude: a.latitude + share * (b.latitude - a.latitude),
            longitude: a.longitude + share * (b.longitude - a.longitude))
    }
}
