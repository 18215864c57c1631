internal import BridgecastCore
internal import BridgecastSupport
internal import Foundation

/// Collects elements, checks them and counts what is left out.
struct RoadExtractBuilder {
    var timestamp: Timestamp?
    private(set) var attribution: String?
    private(set) var nodes: [RoadExtract.Node] = []
    private(set) var nodeTags: [Int: RoadTags] = [:]
    private(set) var nodeIndexes: [Int64: Int] = [:]
    private(set) var ways = RoadWays()
    private(set) var turnRestrictions: [TurnRestriction] = []
    private(set) var omissions = RoadExtractOmissions()

    private let limits: ReadingLimits
    private var wayIDs: Set<Int64> = []
    private var relationIDs: Set<Int64> = []

    /// The tags of a node are kept if one of these keys is among them.
    private static let nodeKeys: Set<String> = [
        "amenity", "barrier", "bridge", "bridge:movable", "building", "crossing", "direction",
        "entrance", "exit_to", "ford", "highway", "junction", "leisure", "name", "noexit", "office",
        "place", "public_transport", "railway", "ref", "shop", "stop", "tourism",
        "traffic_calming", "traffic_sign", "traffic_signals", "waterway",
    ]

    init(_ limits: ReadingLimits) { self.limits = limits }

    mutating func note(attribution: String) {
        let line = printable(
            attribution.trimmingCharacters(in: .whitespacesAndNewlines), maxLength: 300)
        if self.attribution == nil, !line.isEmpty { self.attribution = line }
    }

    /// Adds a node, unless its id is taken.
    mutating func add(
        node id: Int64, latitude: Double, longitude: Double, tags: RoadTags
    ) throws(RoadExtractProblem) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw .outOfRange(latitude: latitude, longitude: longitude)
        }
        let index = nodes.count
        guard index < limits.nodes else { throw .tooMany(.node, maxCount: limits.nodes) }
        let point = GeoPoint(latitude: latitude, longitude: longitude)
        guard nodeIndexes[id] == nil else {
            omissions.duplicates += 1
            return
        }
        nodeIndexes[id] = index
        nodes.append(RoadExtract.Node(id: id, point: point))
        if tags.contains(where: { Self.nodeKeys.contains($0.key) }) { nodeTags[index] = tags }
    }

    /// Adds a way, unless its id is taken.
    mutating func add(
        way id: Int64, nodes wayNodes: some Collection<Int64>, tags: RoadTags
    ) throws(RoadExtractProblem) {
        guard ways.count < limits.ways else { throw .tooMany(.way, maxCount: limits.ways) }
        guard wayIDs.insert(id).inserted else {
            omissions.duplicates += 1
            return
        }
        ways.append(id, nodes: wayNodes, tags: tags)
    }

    /// Adds a relation's turn restrictions, or counts the relation as left out.
    mutating func add(
        relation id: Int64, members: [RelationMember], tags: RoadTags
    ) throws(RoadExtractProblem) {
        guard tags["type"] == "restriction" else {
            omissions.otherRelations += 1
            return
        }
        guard turnRestrictions.count < limits.ways else {
            throw .tooMany(.relation, maxCount: limits.ways)
        }
        guard relationIDs.insert(id).inserted else {
            omissions.duplicates += 1
            return
        }
        let over = members.filter { $0.role == "via" }
        guard !over.contains(where: { $0.kind == .way }) else {
            omissions.restrictionsOverWays += 1
            return
        }
        let from = members.filter { $0.role == "from" && $0.kind == .way }
        let to = members.filter { $0.role == "to" && $0.kind == .way }
        guard let kind = tags["restriction"].flatMap(TurnRestriction.Kind.init), over.count == 1,
            let via = over.first, via.kind == .node, !from.isEmpty, !to.isEmpty,
            from.count == 1 || kind == .noEntry, to.count == 1 || kind == .noExit
        else {
            omissions.unknownRestrictions += 1
            return
        }
        for start in from {
            for end in to {
                turnRestrictions.append(
                    TurnRestriction(
                        id: id, from: start.id, via: via.id, to: end.id, kind: kind, tags: tags))
            }
        }
    }
}

struct RelationMember: Equatable {
    let kind: RoadElement.Kind
    let id: Int64
    let role: String
}
