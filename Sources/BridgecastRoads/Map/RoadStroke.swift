// Roads as long lines for drawing: the pieces of one road from junction to junction joined.
package import BridgecastCore

/// A road as one line.
package struct RoadStroke: Sendable {
    package let roadClass: RoadClass
    /// Empty if it has no name.
    package let name: String
    package var line: [GeoPoint]
}

extension RoadNetwork {
    /// Roads of some classes for cars, without ramps, each direction of a divided road by itself; O(arcs).
    package func strokes(of classes: Set<RoadClass>) -> [RoadStroke] {
        var strokes = StrokeJoiner(map, arcs: drawnArcs { classes.contains($0.roadClass) })
        return strokes.joined()
    }

    /// The lines of drawbridges' spans for cars, with the bridge of each.
    package func spanLines() -> [(bridge: BridgeIndex, line: [GeoPoint])] {
        drawnArcs { $0.crossing != RoadArc.noCrossing }.compactMap { arc in
            crossings[Int(map.arcs[arc].crossing)].bridge.map { ($0, map.line(arc)) }
        }
    }

    /// Arcs for cars; of twins that are both for cars, one.
    private func drawnArcs(where isWanted: (RoadArc) -> Bool) -> [Int] {
        func isDrawn(_ arc: RoadArc) -> Bool {
            arc.carDeciseconds > 0 && !arc.flags.contains(.link) && isWanted(arc)
        }
        return map.arcs.indices.filter { number in
            let arc = map.arcs[number]
            guard isDrawn(arc) else { return false }
            // The twin of a one-way street is for people on foot.
            return arc.twin == RoadArc.noTwin || number < Int(arc.twin)
                || !isDrawn(map.arcs[Int(arc.twin)])
        }
    }
}

/// Joins arcs of one class and name where they meet.
private struct StrokeJoiner {
    private let map: RoadMap
    private let arcs: [Int]
    private var left: Set<Int>
    private var atNode: [UInt32: [Int]] = [:]

    init(_ map: RoadMap, arcs: [Int]) {
        self.map = map
        self.arcs = arcs
        left = Set(arcs)
        for arc in arcs {
            atNode[map.arcs[arc].tail, default: []].append(arc)
            atNode[map.arcs[arc].head, default: []].append(arc)
        }
    }

    mutating func joined() -> [RoadStroke] {
        var strokes: [RoadStroke] = []
        for arc in arcs where left.remove(arc) != nil {
            let ahead = extended([], from: map.arcs[arc].head, like: arc)
            let before = extended([], from: map.arcs[arc].tail, like: arc)
            strokes.append(
                RoadStroke(
                    roadClass: map.arcs[arc].roadClass, name: map.names[Int(map.arcs[arc].name)],
                    line: before.reversed() + map.line(arc) + ahead))
        }
        return strokes
    }

    /// A line extended from a junction as long as the same road goes on.
    private mutating func extended(
        _ line: [GeoPoint], from node: UInt32, like first: Int
    ) -> [GeoPoint] {
        var line = line
        var node = node
        while let next = atNode[node]?.first(where: { left.contains($0) && isSame($0, first) }) {
            left.remove(next)
            let isForward = map.arcs[next].tail == node
            let points = map.line(next)
            line += (isForward ? points : points.reversed()).dropFirst()
            node = isForward ? map.arcs[next].head : map.arcs[next].tail
        }
        return line
    }

    private func isSame(_ one: Int, _ other: Int) -> Bool {
        map.arcs[one].roadClassValue == map.arcs[other].roadClassValue
            && map.arcs[one].name == map.arcs[other].name
    }
}
