// The roads of an extract as lines with profiles, before they are cut at junctions; the first step of an import.
internal import BridgecastCore
internal import BridgecastRoads

/// Lines of all roads, with what lies behind their numbers.
struct RoadStrands {
    /// Points of the map: the extract's nodes, then those that the import adds.
    var points: [GeoPoint]
    /// How many of them are nodes of the extract.
    let nodeCount: Int
    var strands: [RoadStrand] = []
    var names = LocalNames()
    private var signs = LocalNames()
    private(set) var profiles: [RoadProfile] = []
    private var profileNumbers: [RoadProfile: Int] = [:]

    /// Longer lines between two points are no roads, metres.
    static let mostMetres = 20_000.0
    /// Longer lines get points between, metres, so that every piece of road can be a short one.
    static let longMetres = 2_000.0

    /// Reads all ways.
    ///
    /// O(nodes of ways).
    init(_ extract: RoadExtract, _ report: inout RoadImportReport) {
        points = extract.nodes.map(\.point)
        nodeCount = points.count
        let tags = extract.ways.map { WayTags($0.tags) }
        let hasFootways = tags.contains { $0.highway == "footway" }
        let rules = WayRules(hasFootways: hasFootways)
        for (number, way) in extract.ways.enumerated() {
            switch rules.profile(tags[number]) {
            case .failure(let dropped):
                report.drop(dropped.reason, RoadElement(kind: .way, id: way.id))
            case .success(var profile):
                profile.name = names.number(tags[number], profile)
                let sign = tags[number].name ?? tags[number].ref ?? ""
                (profile.sign, profile.hasName) = (signs.number(sign), tags[number].name != nil)
                append(way, number, self.number(profile), extract, &report)
            }
        }
        report.readKilometres = strands.reduce(0) { $0 + metres($1.points) } / 1000
    }

    /// The number of a profile.
    mutating func number(_ profile: RoadProfile) -> Int {
        if let number = profileNumbers[profile] { return number }
        profiles.append(profile)
        profileNumbers[profile] = profiles.count - 1
        return profiles.count - 1
    }

    /// Cuts a way where nodes are missing or too far apart.
    private mutating func append(
        _ way: RoadWays.Way, _ number: Int, _ profile: Int, _ extract: RoadExtract,
        _ report: inout RoadImportReport
    ) {
        let element = RoadElement(kind: .way, id: way.id)
        guard way.nodes.count >= 2 else { return report.drop(.onePoint, element) }
        var line: [Int32] = []
        line.reserveCapacity(way.nodes.count)
        for id in way.nodes {
            guard let node = extract.index(ofNode: id) else {
                report.drop(.missingNode, element)
                finish(&line, number, profile, element, &report)
                continue
            }
            if let last = line.last {
                if Int(last) == node {
                    report.drop(.zeroLength, element)
                    continue
                }
                let metres = points[Int(last)].metres(to: points[node])
                if metres > Self.mostMetres {
                    report.drop(.farApart, element)
                    finish(&line, number, profile, element, &report)
                } else if metres > Self.longMetres {
                    interpolate(&line, to: node, pieces: Int(metres / Self.longMetres) + 1)
                }
            }
            line.append(Int32(node))
        }
        finish(&line, number, profile, element, &report)
    }

    private mutating func interpolate(_ line: inout [Int32], to node: Int, pieces: Int) {
        guard let last = line.last else { return }
        for piece in 1..<pieces {
            line.append(add(between: Int(last), node, Double(piece) / Double(pieces)))
        }
    }

    /// A new point on the line between two others.
    mutating func add(between start: Int, _ end: Int, _ share: Double) -> Int32 {
        let (a, b) = (points[start], points[end])
        return add(
            GeoPoint(
                latitude: a.latitude + (b.latitude - a.latitude) * share,
                longitude: a.longitude + (b.longitude - a.longitude) * share))
    }

    /// A new point.
    mutating func add(_ point: GeoPoint) -> Int32 {
        points.append(point)
        return Int32(points.count - 1)
    }

    private mutating func finish(
        _ line: inout [Int32], _ way: Int, _ profile: Int, _ element: RoadElement,
        _ report: inout RoadImportReport
    ) {
        if line.count >= 2 {
            strands.append(RoadStrand(way: way, profile: profile, points: line))
        }
        line.removeAll(keepingCapacity: true)
    }

    /// How many lines' ends and passages there are at each point: 2 inside a line or between two lines, more at
    /// junctions, 1 at dead ends.
    func uses() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: points.count)
        func count(_ point: Int32, _ more: UInt8) {
            result[Int(point)] = UInt8(min(255, Int(result[Int(point)]) + Int(more)))
        }
        for strand in strands {
            for point in strand.points.dropFirst().dropLast() { count(point, 2) }
            count(strand.points[0], 1)
            count(strand.points[strand.points.count - 1], 1)
        }
        return result
    }

    /// Metres along a line.
    func metres(_ line: some Collection<Int32>) -> Double {
        zip(line, line.dropFirst()).reduce(0) {
            $0 + points[Int($1.0)].metres(to: points[Int($1.1)])
        }
    }
}
