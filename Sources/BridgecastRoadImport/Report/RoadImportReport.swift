// What an import has done, counted as it goes, and told to whoever ran it.
// Belongs here: what an import says of itself; not: what it does.
internal import BridgecastCore
internal import BridgecastRoads

/// Counts of what is on the map, and of what is not and why.
public struct RoadImportReport: Sendable {
    /// Things of one kind that were left out.
    public struct Dropped: Sendable, Equatable {
        /// How many.
        public var count = 0
        /// Some of them.
        public var examples: [RoadElement] = []
    }

    /// A crossing of water that was found.
    public struct FoundCrossing: Sendable, Equatable {
        /// For people.
        public var name: String
        /// Whether it opens.
        public var isDrawbridge: Bool
        /// Numbers in OpenStreetMap of the ways that cross.
        public var ways: [Int64] = []
        /// How many directed pieces of road cross.
        public var arcs = 0
        /// The shortest and the longest of them, metres.
        public var metres: ClosedRange<Double>?
    }

    /// Roads of one class.
    public struct ClassLength: Sendable, Equatable {
        /// As `highway` has it.
        public var name: String
        /// Directed pieces of road.
        public var arcs: Int
        /// Of roads, not of their directions.
        public var kilometres: Double
    }

    /// The file.
    public internal(set) var source = ""
    /// What was read.
    public internal(set) var extractNodes = 0
    /// What was read.
    public internal(set) var extractWays = 0
    /// What the file holds and the extract does not.
    public internal(set) var omissions = RoadExtractOmissions()
    /// Length of all roads of the extract that are of a kind that is imported.
    public internal(set) var readKilometres = 0.0
    /// Junctions, directed pieces of road, points between, and names on the map.
    public internal(set) var nodes = 0, arcs = 0, shapePoints = 0, names = 0
    /// Directed pieces open to each mode: cars, bikes, people on foot.
    public internal(set) var arcsByMode = [0, 0, 0]
    /// Roads by class.
    public internal(set) var classes: [ClassLength] = []
    /// What was left out.
    public internal(set) var dropped: [DropReason: Dropped] = [:]
    /// Crossings of water, drawbridges first.
    public internal(set) var crossings: [FoundCrossing] = []
    /// What deserves a look.
    public internal(set) var remarks: [String] = []

    /// How many examples are kept of a kind.
    static let mostExamples = 5

    mutating func drop(_ reason: DropReason, _ element: RoadElement?) {
        dropped[reason, default: Dropped()].count += 1
        guard let element, let kept = dropped[reason]?.examples,
            kept.count < Self.mostExamples, !kept.contains(element)
        else { return }
        dropped[reason]?.examples.append(element)
    }

    mutating func remark(_ text: String) { remarks.append(text) }
}
