// Finds where roads cross water, assigns drawbridges and names, and has spans cut out.
internal import BridgecastCore
internal import BridgecastRoads
internal import BridgecastSupport

struct CrossingFinder {
    /// The maximum distance of a drawbridge's deck from the bridge's coordinates, metres.
    private static let maxDeckMetres = 60.0

    let extract: RoadExtract
    let options: RoadImportOptions

    /// Marks and cuts the lines that cross water, and returns the crossings: drawbridges first, in order of the catalogue.
    func apply(
        to strands: inout RoadStrands, _ report: inout RoadImportReport
    ) throws(RoadImportError) -> [Crossing] {
        var found = try self.found(on: strands, &report)
        for index in found.indices { name(&found[index], strands) }
        let decks = DeckWalker(strands)
        for bridge in BridgeIndex.all { assign(bridge, to: &found, strands, decks) }
        try checkDrawbridges(found)
        for index in found.indices where found[index].name.isEmpty {
            found[index].name = CrossingNames.name(
                tags(found[index], strands), over: found[index].water)
        }
        let crossings = try numbered(found, strands, &report)
        let numbers = Dictionary(
            crossings.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var cutter = SpanCutter(decks: decks)
        for crossing in found { cutter.add(crossing, number: numbers[crossing.name] ?? 0) }
        cutter.cut(&strands)
        return crossings
    }

    private func tags(_ crossing: WaterCrossing, _ strands: RoadStrands) -> WayTags {
        let way = strands.strands[crossing.strand].way
        return WayTags(way >= 0 ? extract.ways[way].tags : [:])
    }

    /// Names the crossing of an added line, which states it.
    private func name(_ crossing: inout WaterCrossing, _ strands: RoadStrands) {
        guard let line = strands.strands[crossing.strand].line,
            let name = options.additions?.lines[line].crossing
        else { return }
        crossing.bridge = BridgeCatalogue.index(named: name)
        crossing.name = crossing.bridge.map { BridgeCatalogue[$0].spokenName } ?? name
    }

    // MARK: Finding

    private func found(
        on strands: RoadStrands, _ report: inout RoadImportReport
    ) throws(RoadImportError) -> [WaterCrossing] {
        var result: [WaterCrossing] = []
        for (number, strand) in strands.strands.enumerated() {
            for stretch in 0..<strand.points.count - 1 {
                let start = strands.points[Int(strand.points[stretch])]
                let end = strands.points[Int(strand.points[stretch + 1])]
                for water in SeattleWaterways.all {
                    guard let share = water.share(from: start, to: end) else { continue }
                    try check(strand, of: strands, over: water, &report)
                    let point = GeoPoint(
                        latitude: start.latitude + (end.latitude - start.latitude) * share,
                        longitude: start.longitude + (end.longitude - start.longitude) * share)
                    result.append(
                        WaterCrossing(
                            strand: number, position: Double(stretch) + min(share, 0.999_999),
                            water: water, point: point))
                }
            }
        }
        return result
    }

    /// Streets must have bridge tags; footways over the gates of a lock seldom do.
    private func check(
        _ strand: RoadStrand, of strands: RoadStrands, over water: CentreLine,
        _ report: inout RoadImportReport
    ) throws(RoadImportError) {
        let profile = strands.profiles[strand.profile]
        guard !profile.isBridgeOrTunnel else { return }
        if let line = strand.line, let additions = options.additions {
            let problem = "crosses \(water.name); 'crossing' should name the bridge"
            throw .additions(
                file: additions.file,
                problem: DocumentProblem("lines[\(line)] (\(additions.lines[line].name))", problem))
        }
        let way = extract.ways[strand.way].id
        let name = strands.names.all[profile.name]
        guard profile.roadClass == .trail || profile.roadClass == .footway else {
            throw .bridgeless(way: way, name: name, water: water.name)
        }
        report.remark(
            "way \(way) (\(name)) crosses \(water.name) without a bridge tag; imported as a bridge")
    }

    // MARK: Drawbridges

    /// Assigns a drawbridge to the near lines with movable decks, or if none is tagged, the nearest.
    private func assign(
        _ bridge: BridgeIndex, to found: inout [WaterCrossing], _ strands: RoadStrands,
        _ decks: DeckWalker
    ) {
        let facts = BridgeCatalogue[bridge]
        let near = found.indices.compactMap { index -> (index: Int, metres: Double)? in
            let crossing = found[index]
            guard crossing.name.isEmpty, crossing.water.waterway == facts.waterway else {
                return nil
            }
            let metres = decks.metres(from: facts.point, to: crossing)
            return metres <= Self.maxDeckMetres ? (index, metres) : nil
        }
        let opening = near.filter { decks.isMovable(found[$0.index]) }
        let nearest = near.map(\.metres).min() ?? 0
        let assigned = opening.isEmpty ? near.filter { $0.metres <= nearest + 25 } : opening
        for (index, _) in assigned {
            found[index].bridge = bridge
            found[index].name = facts.spokenName
        }
    }

    private func checkDrawbridges(_ found: [WaterCrossing]) throws(RoadImportError) {
        guard !options.withoutBridges else { return }
        let known = Set(found.compactMap(\.bridge))
        if known.isEmpty { throw .elsewhere(file: extract.source) }
        for bridge in BridgeIndex.all where !known.contains(bridge) {
            let point = BridgeCatalogue[bridge].point
            guard extract.bounds?.contains(point) == true else { continue }
            throw .drawbridgeMissing(file: extract.source, bridge: bridge, point: point)
        }
    }

    // MARK: Numbers

    private func numbered(
        _ found: [WaterCrossing], _ strands: RoadStrands, _ report: inout RoadImportReport
    ) throws(RoadImportError) -> [Crossing] {
        let groups = Dictionary(grouping: found, by: \.name)
        let order = groups.keys.sorted { a, b in
            let second = groups[b]?.first?.bridge
            guard let first = groups[a]?.first?.bridge else { return second == nil && a < b }
            return second.map { first < $0 } ?? true
        }
        guard order.count <= 254 else { throw .tooManyCrossings(order.count) }
        return order.map { name in
            let members = groups[name] ?? []
            let bridge = members.first?.bridge
            let ways = members.compactMap { crossing -> Int64? in
                let way = strands.strands[crossing.strand].way
                return way >= 0 ? extract.ways[way].id : nil
            }
            report.crossings.append(
                .init(name: name, isDrawbridge: bridge != nil, ways: ways.sorted()))
            let middle = GeoPoint(
                latitude: members.reduce(0) { $0 + $1.point.latitude } / Double(members.count),
                longitude: members.reduce(0) { $0 + $1.point.longitude } / Double(members.count))
            return Crossing(
                name: name, bridge: bridge,
                point: bridge.map { BridgeCatalogue[$0].point } ?? middle)
        }
    }
}

/// A point where a line of road crosses the middle of a waterway.
struct WaterCrossing {
    let strand: Int
    /// The position on it: the index of the segment plus the share of it.
    let position: Double
    let water: CentreLine
    let point: GeoPoint
    var name = ""
    var bridge: BridgeIndex?
}

enum CrossingNames {
    /// Local names by the names of the map.
    private static let spoken = [
        "George Washington Memorial Bridge": "Aurora Bridge",
        "Ship Canal Bridge": "I-5 Ship Canal Bridge",
        "Evergreen Point Floating Bridge": "SR 520 floating bridge",
        "Governor Albert D. Rosellini Bridge—Evergreen Point": "SR 520 floating bridge",
        "Lacey V. Murrow Memorial Bridge": "I-90 floating bridge",
        "Homer M. Hadley Memorial Bridge": "I-90 floating bridge",
        "West Seattle Bridge": "West Seattle Bridge",
    ]

    /// The name of a crossing by the tags of its way; for an ordinary street with the name of the water.
    static func name(_ tags: WayTags, over water: CentreLine) -> String {
        if tags.ref == "I 5 Express" { return "I-5 express lanes" }
        for name in [tags.bridgeName, tags.name] {
            guard let name, !name.isEmpty else { continue }
            if let spoken = spoken[name] { return spoken }
        }
        if let name = tags.bridgeName, !name.isEmpty { return LocalNames.shortened(name) }
        let road = tags.name.map(LocalNames.shortened) ?? LocalNames.spoken(ref: tags.ref ?? "")
        if road.hasSuffix("Bridge") || road.hasSuffix("Viaduct") { return road }
        return "\(road.isEmpty ? "ramp" : road) across \(water.name)"
    }
}
