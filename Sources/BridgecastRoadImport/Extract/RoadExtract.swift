// What an OpenStreetMap extract holds, as it stands in the file; made by the readers, used by the import of roads.
// Belongs here: what an extract is and why one is refused; not: its forms (Formats), nor what a road is.
public import BridgecastCore

/// The nodes, ways and turn restrictions of an OpenStreetMap extract, in the order of the file.
///
/// Whether ways have the nodes they name is not looked at here.
public struct RoadExtract: Sendable, Equatable {
    /// A point of the map.
    public struct Node: Sendable, Hashable {
        /// Its number in OpenStreetMap.
        public let id: Int64
        /// Where it is.
        public let point: GeoPoint
    }

    /// The file, or what else the extract is called.
    public let source: String
    /// When the data were taken from OpenStreetMap; nil if the file does not say.
    public let timestamp: Timestamp?
    /// Whose data these are: to be shown where they are.
    public let attribution: String
    /// All nodes, each once.
    public let nodes: [Node]
    /// The tags of the nodes that say something of roads or places, by index.
    public let nodeTags: [Int: RoadTags]
    /// All ways, each once.
    public let ways: RoadWays
    /// What may not be driven at a node.
    public let turnRestrictions: [TurnRestriction]
    /// What the file holds and the extract does not.
    public let omissions: RoadExtractOmissions
    /// What holds all nodes; nil if there is none.
    public let bounds: RoadBounds?

    private let nodeIndexes: [Int64: Int]

    /// What is said of data that do not say it themselves.
    public static let usualAttribution = "© OpenStreetMap contributors, ODbL 1.0"

    /// Takes what a builder has gathered.
    init(_ builder: RoadExtractBuilder, source: String) {
        self.source = source
        timestamp = builder.timestamp
        // Servers word it in several ways; this one is asked for wherever the roads are shown.
        attribution =
            builder.attribution.flatMap {
                $0.lowercased().contains("openstreetmap") ? nil : $0
            } ?? Self.usualAttribution
        (nodes, nodeTags) = (builder.nodes, builder.nodeTags)
        nodeIndexes = builder.nodeIndexes
        ways = builder.ways
        turnRestrictions = builder.turnRestrictions
        omissions = builder.omissions
        bounds = RoadBounds(builder.nodes)
    }

    /// The index of a node by its number in OpenStreetMap; nil if the extract does not hold it; O(1).
    public func index(ofNode id: Int64) -> Int? { nodeIndexes[id] }
}
