// Counts what is on a finished map, for the report of an import.
internal import BridgecastCore
internal import BridgecastRoads

/// Counts arcs and lengths.
struct RoadCensus {
    private let map: RoadMap
    private let crossings: [Crossing]

    init(_ map: RoadMap, _ crossings: [Crossing]) {
        (self.map, self.crossings) = (map, crossings)
    }

    func write(to report: inout RoadImportReport) {
        (report.nodes, report.arcs) = (map.nodes.count, map.arcs.count)
        (report.shapePoints, report.names) = (map.shapes.count, map.names.count - 1)
        report.arcsByMode = [
            map.arcs.count { $0.carDeciseconds > 0 }, map.arcs.count { $0.bikeDeciseconds > 0 },
            map.arcs.count { $0.walkDeciseconds > 0 },
        ]
        for roadClass in RoadClass.allCases {
            let arcs = map.arcs.indices.filter { map.arcs[$0].roadClass == roadClass }
            let metres = arcs.filter { map.arcs[$0].twin > UInt32($0) }.reduce(0) {
                $0 + Double(map.arcs[$1].metres)
            }
            report.classes.append(
                .init(name: "\(roadClass)", arcs: arcs.count, kilometres: metres / 1000))
        }
        for arc in map.arcs where arc.crossing != RoadArc.noCrossing {
            let (number, metres) = (Int(arc.crossing), Double(arc.metres))
            report.crossings[number].arcs += 1
            let known = report.crossings[number].metres ?? metres...metres
            report.crossings[number].metres =
                min(known.lowerBound, metres)...max(known.upperBound, metres)
        }
    }
}
