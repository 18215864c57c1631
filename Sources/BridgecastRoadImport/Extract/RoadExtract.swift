// The content of an OpenStreetMap extract, unchanged. Not here: the formats (readers), which ways are roads (Graph).
public import BridgecastCore

/// The nodes, ways and turn restrictions of an OpenStreetMap extract, in the order of the file.
///
/// Nodes that ways refer to may be missing.
public struct RoadExtract: Sendable, Equatable {
    /// A point of the map.
    public struct Node: Sendable, Hashable {
        /// Its id in OpenStreetMap.
        public let id: Int64
        /// Its coordinates.
        public let point: GeoPoint
    }

    /// The name of the file, or another name of the extract.
    public let source: String
    /// The time of the data; nil if the file does not state it.
    public let timestamp: Timestamp?
    /// Who provides the data; to be shown with them.
    public let attribution: String
    /// All nodes, each once.
    public let nodes: [Node]
    /// The tags of the nodes that concern roads or places, by index.
    public let nodeTags: [Int: RoadTags]
    /// All ways, each once.
    public let ways: RoadWays
    /// Forbidden and mandatory turns.
    public let turnRestrictions: [TurnRestriction]
    /// What was left out.
    public let omissions: RoadExtractOmissions
    /// The bounding box of all nodes; nil if there is none.
    public let bounds: RoadBounds?

    private let nodeIndexes: [Int64: Int]

    /// The attribution of files without one.
    public static let defaultAttribution = "© OpenStreetMap contributors, ODbL 1.0"

    init(_ builder: RoadExtractBuilder, source: String) {
        self.source = source
        timestamp = builder.timestamp
        // Servers word it in several ways; this is the required wording.
        attribution =
            builder.attribution.flatMap {
                $0.lowercased().contains("openstreetmap") ? nil : $0
            } ?? Self.defaultAttribution
        nodes = builder.nodes
        nodeTags = builder.nodeTags
        nodeIndexes = builder.nodeIndexes
        ways = builder.ways
        turnRestrictions = builder.turnRestrictions
        omissions = builder.omissions
        bounds = RoadBounds(builder.nodes)
    }

    /// The index of a node by its id; nil if the extract does not have it; O(1).
    public func index(ofNode id: Int64) -> Int? { nodeIndexes[id] }
}

// MARK: - Ways and tags

/// The ways of an extract in the order of the file, as flat arrays: a state has a million.
public struct RoadWays: Sendable, Equatable {
    /// A line of the map.
    public struct Way: Sendable, Equatable {
        /// Its id in OpenStreetMap.
        public let id: Int64
        /// The ids of its nodes in order; may be empty, and may include nodes that the extract does not have.
        public let nodes: ArraySlice<Int64>
        /// Its tags.
        public let tags: RoadTags
    }

    private var ids: [Int64] = []
    private var tags: [RoadTags] = []
    private var nodes: [Int64] = []
    /// The end of each way's nodes in `nodes`.
    private var ends: [Int] = []

    mutating func append(
        _ id: Int64, nodes wayNodes: some Collection<Int64>, tags wayTags: RoadTags
    ) {
        ids.append(id)
        tags.append(wayTags)
        nodes += wayNodes
        ends.append(nodes.count)
    }
}

extension RoadWays: RandomAccessCollection {
    /// The index of the first way.
    public var startIndex: Int { 0 }
    /// The index after the last way.
    public var endIndex: Int { ids.count }
    /// A way by its index.
    public subscript(position: Int) -> Way {
        let start = position == 0 ? 0 : ends[position - 1]
        return Way(id: ids[position], nodes: nodes[start..<ends[position]], tags: tags[position])
    }
}

/// The tags of an element, ordered by key; each key once.
public struct RoadTags: Sendable, Equatable {
    /// A key and its value.
    public struct Tag: Sendable, Hashable {
        /// Such as `highway`.
        public let key: String
        /// Such as `residential`.
        public let value: String
    }

    private let tags: [Tag]

    /// Takes tags in any order; of two with the same key the first counts.
    init(_ tags: [Tag]) {
        if zip(tags, tags.dropFirst()).allSatisfy({ $0.key < $1.key }) {
            self.tags = tags
        } else {
            let unique = Dictionary(tags.map { ($0.key, $0.value) }) { first, _ in first }
            self.tags = unique.map { Tag(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
        }
    }

    /// The value of a key, or nil; O(n), but an element has few tags.
    public subscript(key: String) -> String? { tags.first { $0.key == key }?.value }
}

extension RoadTags: RandomAccessCollection {
    /// The index of the first tag.
    public var startIndex: Int { 0 }
    /// The index after the last tag.
    public var endIndex: Int { tags.count }
    /// A tag by its index.
    public subscript(position: Int) -> Tag { tags[position] }
}

extension RoadTags: ExpressibleByDictionaryLiteral {
    /// Creates tags from a literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Tag(key: $0.0, value: $0.1) })
    }
}

/// A rule for turns from one way over a node to another.
public struct TurnRestriction: Sendable, Equatable {
    /// The kind of rule, as OpenStreetMap spells it.
    public enum Kind: String, Sendable, CaseIterable {
        case noLeftTurn = "no_left_turn"
        case noRightTurn = "no_right_turn"
        case noStraightOn = "no_straight_on"
        case noUTurn = "no_u_turn"
        case noEntry = "no_entry"
        case noExit = "no_exit"
        case onlyLeftTurn = "only_left_turn"
        case onlyRightTurn = "only_right_turn"
        case onlyStraightOn = "only_straight_on"
        case onlyUTurn = "only_u_turn"

        /// Whether this turn is the only one allowed, rather than not allowed.
        public var isOnly: Bool {
            switch self {
            case .onlyLeftTurn, .onlyRightTurn, .onlyStraightOn, .onlyUTurn: true
            case .noLeftTurn, .noRightTurn, .noStraightOn, .noUTurn, .noEntry, .noExit: false
            }
        }
    }

    /// Its relation's id in OpenStreetMap; a rule for several ways appears once for each.
    public let id: Int64
    /// The way before the turn.
    public let from: Int64
    /// The node of the turn.
    public let via: Int64
    /// The way after the turn.
    public let to: Int64
    /// The kind of rule.
    public let kind: Kind
    /// All its tags: exceptions (`except`) and hours.
    public let tags: RoadTags
}

/// An element by its kind and id.
public struct RoadElement: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of elements.
    public enum Kind: String, Sendable, CaseIterable {
        case node
        case way
        case relation
    }

    /// Its kind.
    public let kind: Kind
    /// Its id among its kind.
    public let id: Int64

    /// Such as `way 6427257`.
    public var description: String { "\(kind.rawValue) \(id)" }
}

/// A box between two parallels and two meridians.
public struct RoadBounds: Sendable, Equatable {
    /// Its corner with the smallest coordinates.
    public let southWest: GeoPoint
    /// Its corner with the largest coordinates.
    public let northEast: GeoPoint

    /// The bounding box of all nodes; nil if there is none; O(n).
    init?(_ nodes: [RoadExtract.Node]) {
        guard let first = nodes.first?.point else { return nil }
        var south = first.latitude
        var north = first.latitude
        var west = first.longitude
        var east = first.longitude
        for node in nodes {
            south = min(south, node.point.latitude)
            north = max(north, node.point.latitude)
            west = min(west, node.point.longitude)
            east = max(east, node.point.longitude)
        }
        southWest = GeoPoint(latitude: south, longitude: west)
        northEast = GeoPoint(latitude: north, longitude: east)
    }

    func contains(_ point: GeoPoint) -> Bool {
        (southWest.latitude...northEast.latitude).contains(point.latitude)
            && (southWest.longitude...northEast.longitude).contains(point.longitude)
    }
}

/// Counts of what was left out of a file.
public struct RoadExtractOmissions: Sendable, Equatable {
    /// Elements with an id that occurred before; the first counts.
    public var duplicates = 0
    /// Turn restrictions over a way instead of a node.
    public var restrictionsOverWays = 0
    /// Turn restrictions of unknown kind, or without one way from, one node and one way to.
    public var unknownRestrictions = 0
    /// Relations other than turn restrictions.
    public var otherRelations = 0
}
