// The import, step by step: from an extract to a map and to a network prepared for searching.
public import BridgecastCore
public import BridgecastRoads
public import BridgecastSupport

/// Roads made from an OpenStreetMap extract, before they are prepared for searching.
public struct RoadImport: Sendable {
    /// The network's name.
    public let name: String
    /// Who provides the data.
    public let attribution: String
    /// The extract's name and its date.
    public let source: String
    /// Crossings of water, by their index in the map's arcs.
    public let crossings: [Crossing]
    /// Named places.
    public let places: [Place]
    package let outerPlaces: [Place]
    /// Counts of the import.
    public let report: RoadImportReport

    package let map: RoadMap
    package let paces: PaceTable
    package let reluctance: Reluctance
    /// Turns of cars in order of the arcs they begin on.
    package let turnLinks: [TurnLink]
    /// Turns from arc a: turnLinks[firstTurn[a] ..< firstTurn[a + 1]].
    package let firstTurn: [UInt32]

    /// Makes the roads of an extract; O(n log n).
    public init(_ extract: RoadExtract, options: RoadImportOptions) throws(RoadImportError) {
        var report = RoadImportReport()
        report.source = extract.source
        report.extractNodes = extract.nodes.count
        report.extractWays = extract.ways.count
        report.omissions = extract.omissions
        var strands = RoadStrands(extract, &report)
        guard strands.strands.contains(where: { strands.isForCars($0) }) else {
            throw .noRoad(file: extract.source, leftOut: report.leftOut)
        }
        let joiner = AdditionJoiner(options.additions, extract.bounds)
        joiner.openTracks(of: &strands, &report)
        joiner.addLines(to: &strands, &report)
        let finder = CrossingFinder(extract: extract, options: options)
        var crossings = try finder.apply(to: &strands, &report)
        let draft = RoadDraft(extract, strands, &report)
        var (assembly, turns) = draft.connected(&report)
        assembly.keepUsed(&crossings, &report)
        guard assembly.map.arcs.contains(where: { $0.carDeciseconds > 0 }) else {
            throw .noRoad(file: extract.source, leftOut: report.leftOut)
        }
        try CrossingCheck(assembly, crossings, draft: draft).check(options)
        RoadCensus(assembly.map, crossings).write(to: &report)
        name = options.name
        attribution = extract.attribution
        source =
            extract.timestamp.map { "\(extract.source), \(SeattleTime.civil(at: $0).date)" }
            ?? extract.source
        self.crossings = crossings
        let places = joiner.places(&report)
        self.places = places.inside
        outerPlaces = places.outside
        map = assembly.map
        paces = HourlyPaces.table
        reluctance = Reluctance.seattle
        turnLinks = turns.links
        firstTurn = turns.first
        self.report = report
    }
}

extension RoadStrands {
    fileprivate func isForCars(_ strand: RoadStrand) -> Bool {
        let profile = profiles[strand.profile]
        return !profile.forward.modes.union(profile.backward.modes).isDisjoint(with: .car)
    }
}

extension RoadImport {
    /// The network, prepared for searching by every mode; takes a few seconds for a city.
    ///
    /// - Throws: ``RoadImportError/tooFar``.
    public func network() async throws -> RoadNetwork {
        let hierarchies = try await withThrowingTaskGroup(
            of: (Int, RoadHierarchy).self, returning: [RoadHierarchy].self
        ) { group in
            for (number, mode) in Route.Mode.allCases.enumerated() {
                group.addTask {
                    (
                        number,
                        try RoadPreparation.hierarchy(
                            mode, of: map, turns: turnLinks, paces: paces, reluctance: reluctance)
                    )
                }
            }
            var hierarchies: [(Int, RoadHierarchy)] = []
            for try await hierarchy in group { hierarchies.append(hierarchy) }
            return hierarchies.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return RoadNetwork(
            name: name, attribution: attribution, source: source, places: places,
            outerPlaces: outerPlaces, crossings: crossings, map: map, paces: paces,
            reluctance: reluctance, hierarchies: hierarchies)
    }
}

// MARK: - Options

/// Options of an import.
public struct RoadImportOptions: Sendable {
    /// The network's name, such as "Seattle".
    public var name = "Seattle"
    /// Whether an extract may lack drawbridges.
    public var withoutBridges = false
    /// Trails, sidewalks of bridges and places to add; nil for none.
    public var additions: RoadAdditions?

    /// Creates the default options.
    public init() {}
}

// MARK: - Errors

/// Why no road network can be made from an extract.
public enum RoadImportError: Failure, Equatable {
    /// No road for cars; what was left out, with examples.
    case noRoad(file: String, leftOut: [String] = [])
    /// A road crosses water without a bridge.
    case bridgeless(way: Int64, name: String, water: String)
    /// No drawbridge is in the extract.
    case elsewhere(file: String)
    /// A drawbridge is in the extract's box, but no road crosses there.
    case drawbridgeMissing(file: String, bridge: BridgeIndex, point: GeoPoint)
    /// A drawbridge has a road in one direction only.
    case oneWayDrawbridge(bridge: BridgeIndex, ways: [Int64])
    /// More crossings than fit the map.
    case tooManyCrossings(Int)
    /// A road leads from one end of a crossing to the other without a crossing.
    case leak(crossing: String, way: Int64)
    /// An edge of more than 109 minutes of free travel.
    case tooFar
    /// A problem in the file of additions.
    case additions(file: String, problem: DocumentProblem)

    /// Bad data.
    public var kind: FailureKind { .data }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .noRoad(let file, let leftOut):
            "\(file): no road for cars"
                + (leftOut.isEmpty ? "" : " (left out: \(leftOut.joined(separator: "; ")))")
                + "; use an extract with ways such as highway=residential, and their nodes"
        case .bridgeless(let way, let name, let water):
            "way \(way) (\(name.isEmpty ? "no name" : name)) crosses \(water) without a bridge or tunnel; "
                + "correct it in the extract"
        case .elsewhere(let file):
            "\(file): has none of Seattle's drawbridges; "
                + "use an extract of Seattle, or import without bridges"
        case .drawbridgeMissing(let file, let bridge, let point):
            "\(file): no road over \(BridgeCatalogue[bridge].spokenName) near "
                + "\(Self.degrees(point.latitude)),\(Self.degrees(point.longitude)); use an extract with its bridge ways, "
                + "or import without bridges"
        case .oneWayDrawbridge(let bridge, let ways):
            "\(BridgeCatalogue[bridge].spokenName) can be crossed in one direction only (ways "
                + "\(ways.map(String.init).joined(separator: ", "))); use an extract with all its ways"
        case .tooManyCrossings(let count):
            "\(count) crossings of water; the maximum is 254; use a smaller extract"
        case .leak(let crossing, let way):
            "way \(way): a road leads to the other side of \(crossing) without a bridge; "
                + "a crossing of water nearby is not recognised"
        case .tooFar: "some roads take more than 109 minutes without traffic; use a smaller extract"
        case .additions(let file, let problem): "\(file): \(problem)"
        }
    }

    /// To about a metre.
    private static func degrees(_ value: Double) -> String {
        "\((value * 100_000).rounded() / 100_000)"
    }
}
