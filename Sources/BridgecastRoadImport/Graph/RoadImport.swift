// From an extract to a road map with crossings, times and turns, step by step; used by `bridgecast roads import`.
internal import BridgecastCore
public import BridgecastRoads

/// Roads made of an OpenStreetMap extract, before they are prepared for searching.
public struct RoadImport: Sendable {
    /// The network's name.
    public let name: String
    /// Where it comes from.
    public let attribution: String
    /// The extract's name, and when it was taken.
    public let source: String
    /// Crossings of water, numbered as the map's arcs have them.
    public let crossings: [Crossing]
    /// What people name.
    public let places: [Place]
    /// What they name and lies outside the extract.
    package let outerPlaces: [Place]
    /// What was done.
    public let report: RoadImportReport

    package let map: RoadMap
    package let paces: PaceTable
    package let reluctance: Reluctance
    /// Turns of cars in order of the arcs they begin on.
    package let turnLinks: [TurnLink]
    /// Turns from arc a: turnLinks[firstTurn[a] ..< firstTurn[a + 1]].
    package let firstTurn: [UInt32]

    /// Turns of cars from an arc.
    package func turns(from arc: Int) -> ArraySlice<TurnLink> {
        turnLinks[Int(firstTurn[arc])..<Int(firstTurn[arc + 1])]
    }

    /// Makes the roads of an extract.
    ///
    /// O(n log n).
    public init(_ extract: RoadExtract, options: RoadImportOptions) throws(RoadImportError) {
        var report = RoadImportReport()
        (report.source, report.extractNodes) = (extract.source, extract.nodes.count)
        (report.extractWays, report.omissions) = (extract.ways.count, extract.omissions)
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
        try CrossingCheck(assembly.map, crossings, draft, assembly, extract).check(options)
        let census = RoadCensus(assembly.map, crossings)
        census.write(to: &report)
        (name, attribution) = (options.name, extract.attribution)
        source =
            extract.timestamp.map { "\(extract.source), \(SeattleTime.civil(at: $0).date)" }
            ?? extract.source
        self.crossings = crossings
        (places, outerPlaces) = joiner.places(&report)
        map = assembly.map
        paces = HourlyPaces.table
        reluctance = UsualReluctance.value
        (turnLinks, firstTurn) = (turns.links, turns.first)
        self.report = report
    }
}

extension RoadStrands {
    func isForCars(_ strand: RoadStrand) -> Bool {
        let profile = profiles[strand.profile]
        return !profile.forward.modes.union(profile.backward.modes).isDisjoint(with: .car)
    }
}
