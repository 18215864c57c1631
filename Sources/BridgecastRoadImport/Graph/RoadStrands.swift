internal import BridgecastCore
internal import BridgecastRoads

/// The lines of all roads, with the points, profiles and names that they refer to by index.
struct RoadStrands {
    /// Points of the map: the extract's nodes, then those that the import adds.
    var points: [GeoPoint]
    var strands: [RoadStrand] = []
    var names = LocalNames()
    private var signs = LocalNames()
    private(set) var profiles: [RoadProfile] = []
    private var profileNumbers: [RoadProfile: Int] = [:]

    /// Longer segments are not roads, metres.
    static let maxMetres = 20_000.0
    /// Longer segments are divided, metres, so that every piece of road can be short.
    static let longMetres = 2_000.0

    /// Reads all ways; O(nodes of ways).
    init(_ extract: RoadExtract, _ report: inout RoadImportReport) {
        points = extract.nodes.map(\.point)
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
                profile.sign = signs.number(sign)
                profile.hasName = tags[number].name != nil
                append(way, number: number, profile: self.number(profile), extract, &report)
            }
        }
        report.readKilometres = strands.reduce(0) { $0 + metres($1.points) } / 1000
    }

    mutating func number(_ profile: RoadProfile) -> Int {
        if let number = profileNumbers[profile] { return number }
        profiles.append(profile)
        profileNumbers[profile] = profiles.count - 1
        return profiles.count - 1
    }

    /// Adds a way, cut where nodes are missing or too far apart.
    private mutating func append(
        _ way: RoadWays.Way, number: Int, profile: Int, _ extract: RoadExtract,
        _ report: inout RoadImportReport
    ) {
        let element = RoadElement(kind: .way, id: way.id)
        func finish(_ line: inout [Int32]) {
            if line.count >= 2 {
                strands.append(RoadStrand(way: number, profile: profile, points: line))
            }
            line.removeAll(keepingCapacity: true)
        }
        guard way.nodes.count >= 2 else { return report.drop(.onePoint, element) }
        var line: [Int32] = []
        line.reserveCapacity(way.nodes.count)
        for id in way.nodes {
            guard let node = extract.index(ofNode: id) else {
                report.drop(.missingNode, element)
                finish(&line)
                continue
            }
            if let last = line.last {
                if Int(last) == node {
                    report.drop(.zeroLength, element)
                    continue
                }
                let metres = points[Int(last)].metres(to: points[node])
                if metres > Self.maxMetres {
                    report.drop(.farApart, element)
                    finish(&line)
                } else if metres > Self.longMetres {
                    interpolate(&line, to: node, pieces: Int(metres / Self.longMetres) + 1)
                }
            }
            line.append(Int32(node))
        }
        finish(&line)
    }

    private mutating func interpolate(_ line: inout [Int32], to node: Int, pieces: Int) {
        guard let last = line.last else { return }
        for piece in 1..<pieces {
            line.append(add(between: Int(last), and: node, share: Double(piece) / Double(pieces)))
        }
    }

    mutating func add(between start: Int, and end: Int, share: Double) -> Int32 {
        let a = points[start]
        let b = points[end]
        return add(
            GeoPoint(
                latitude: a.latitude + (b.latitude - a.latitude) * share,
                longitude: a.longitude + (b.longitude - a.longitude) * share))
    }

    mutating func add(_ point: GeoPoint) -> Int32 {
        points.append(point)
        return Int32(points.count - 1)
    }

    /// Line ends at each point: 2 inside lines or between two, more at junctions, 1 at dead ends.
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

    func metres(_ line: some Collection<Int32>) -> Double {
        zip(line, line.dropFirst()).reduce(0) {
            $0 + points[Int($1.0)].metres(to: points[Int($1.1)])
        }
    }
}

struct RoadStrand {
    /// The index of its way in the extract; below 0 if it was added.
    var way: Int
    var profile: Int
    /// Indices of its points, two or more; neighbours differ.
    var points: [Int32]

    /// The value of `way` for an added line.
    static func way(ofLine number: Int) -> Int { -1 - number }
    /// The index of the added line that it is, or nil.
    var line: Int? { way < 0 ? -1 - way : nil }
}
