internal import BridgecastCore
internal import BridgecastRoads

/// Counts of what is on the map, and of what was left out and why.
public struct RoadImportReport: Sendable {
    /// What was left out for one reason.
    public struct Dropped: Sendable, Equatable {
        /// Their number.
        public var count = 0
        /// Some of them.
        public var examples: [RoadElement] = []
    }

    /// A crossing of water that was found.
    public struct FoundCrossing: Sendable, Equatable {
        /// Display name.
        public var name: String
        /// Whether it opens.
        public var isDrawbridge: Bool
        /// Ids in OpenStreetMap of the ways that cross.
        public var ways: [Int64] = []
        /// The number of directed pieces of road that cross.
        public var arcs = 0
        /// The shortest and the longest of them, metres.
        public var metres: ClosedRange<Double>?
    }

    /// Roads of one class.
    public struct ClassLength: Sendable, Equatable {
        /// The value of `highway`.
        public var name: String
        /// Directed pieces of road.
        public var arcs: Int
        /// Each road counted once, not by direction.
        public var kilometres: Double
    }

    /// The name of the extract.
    public internal(set) var source = ""
    /// Nodes that were read.
    public internal(set) var extractNodes = 0
    /// Ways that were read.
    public internal(set) var extractWays = 0
    /// What the reader left out.
    public internal(set) var omissions = RoadExtractOmissions()
    /// Length of all roads of imported kinds in the extract.
    public internal(set) var readKilometres = 0.0
    /// Junctions, directed pieces of road, points between, and names on the map.
    public internal(set) var nodes = 0, arcs = 0, shapePoints = 0, names = 0
    /// Directed pieces open to each mode: cars, bikes, people on foot.
    public internal(set) var arcsByMode = [0, 0, 0]
    /// Roads by class.
    public internal(set) var classes: [ClassLength] = []
    /// What the import left out.
    public internal(set) var dropped: [DropReason: Dropped] = [:]
    /// Crossings of water, drawbridges first.
    public internal(set) var crossings: [FoundCrossing] = []
    /// Remarks to look at.
    public internal(set) var remarks: [String] = []

    private static let maxExamples = 5

    mutating func drop(_ reason: DropReason, _ element: RoadElement?) {
        dropped[reason, default: Dropped()].count += 1
        guard let element, let kept = dropped[reason]?.examples,
            kept.count < Self.maxExamples, !kept.contains(element)
        else { return }
        dropped[reason]?.examples.append(element)
    }

    mutating func remark(_ text: String) { remarks.append(text) }
}

// MARK: - Text

extension RoadImportReport: CustomStringConvertible {
    /// Lines of text.
    public var description: String {
        (heading + classLines + crossingLines + droppedLines + remarks.map { "note: \($0)" })
            .joined(separator: "\n")
    }

    private var heading: [String] {
        [
            "\(source): \(extractWays) ways, \(extractNodes) nodes",
            "map: \(nodes) junctions, \(arcs) directed pieces of road, \(shapePoints) points between, "
                + "\(names) names; open to cars \(arcsByMode[0]), bikes \(arcsByMode[1]), "
                + "walkers \(arcsByMode[2])",
        ]
    }

    private var classLines: [String] {
        let all = classes.reduce(0) { $0 + $1.kilometres }
        return ["roads: \(Self.tenths(all)) km of \(Self.tenths(readKilometres)) km read"]
            + classes.filter { $0.arcs > 0 }.map {
                "  \($0.name): \(Self.tenths($0.kilometres)) km, \($0.arcs) pieces"
            }
    }

    private var crossingLines: [String] {
        ["crossings of water: \(crossings.count)"]
            + crossings.map { crossing in
                let range = crossing.metres ?? 0...0
                return "  \(crossing.isDrawbridge ? "drawbridge" : "fixed") \(crossing.name): "
                    + "\(crossing.arcs) pieces of \(Int(range.lowerBound)) to "
                    + "\(Int(range.upperBound)) m"
                    + (crossing.ways.isEmpty
                        ? "" : ", ways " + crossing.ways.map(String.init).joined(separator: ", "))
            }
    }

    var leftOut: [String] {
        DropReason.allCases.compactMap { reason in
            guard let dropped = dropped[reason] else { return nil }
            let examples = dropped.examples.map(\.description).joined(separator: ", ")
            return "\(dropped.count) \(reason.rawValue)"
                + (examples.isEmpty ? "" : ", such as \(examples)")
        }
    }

    private var droppedLines: [String] {
        ["left out:"] + leftOut.map { "  \($0)" }
            + [
                (omissions.duplicates, "elements with an id that occurred before"),
                (omissions.restrictionsOverWays, "turn restrictions over a way"),
                (omissions.unknownRestrictions, "turn restrictions of unknown kind"),
            ].filter { $0.0 > 0 }.map { "  \($0.0) \($0.1)" }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

// MARK: - Reasons

/// Why something was left out; the raw value is a text to follow a count.
public enum DropReason: String, Sendable, CaseIterable {
    /// Not a road of a kind that is imported.
    case otherKind = "ways of other kinds (highway=...)"
    /// A driveway, a parking aisle or another service road.
    case service = "driveways, parking aisles and other service roads"
    /// Being built, planned or abandoned.
    case notInUse = "roads being built, planned or abandoned"
    /// Private or closed.
    case closed = "private or closed roads"
    /// A way without two points.
    case onePoint = "ways of fewer than two points"
    /// A node that is not in the extract.
    case missingNode = "nodes of ways that are not in the extract"
    /// The same node twice in a row.
    case zeroLength = "pieces without length"
    /// Two nodes too far apart for a road.
    case farApart = "gaps of more than 20 km between nodes"
    /// Cannot be reached or left by car.
    case unconnectedByCar = "pieces without access by car: no way there, or none back"
    /// Cannot be reached or left by bike.
    case unconnectedByBike = "pieces without access by bike: no way there, or none back"
    /// Cannot be reached or left on foot.
    case unconnectedOnFoot = "pieces without access on foot: no way there, or none back"
    /// A turn restriction whose way or node is not on the map.
    case unplacedRestriction = "turn restrictions off the map"
    /// A turn restriction for some hours only, or not for cars.
    case otherRestriction = "turn restrictions for some hours only, or not for cars"
}

// MARK: - Census

struct RoadCensus {
    private let map: RoadMap
    private let crossings: [Crossing]

    init(_ map: RoadMap, _ crossings: [Crossing]) {
        self.map = map
        self.crossings = crossings
    }

    func write(to report: inout RoadImportReport) {
        report.nodes = map.nodes.count
        report.arcs = map.arcs.count
        report.shapePoints = map.shapes.count
        report.names = map.names.count - 1
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
            let number = Int(arc.crossing)
            let metres = Double(arc.metres)
            report.crossings[number].arcs += 1
            let known = report.crossings[number].metres ?? metres...metres
            report.crossings[number].metres =
                min(known.lowerBound, metres)...max(known.upperBound, metres)
        }
    }
}
