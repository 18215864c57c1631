// Adds lines and places of the project to the roads of an extract; used by RoadImport.
internal import BridgecastCore
internal import BridgecastRoads

/// Joins additions to streets.
struct AdditionJoiner {
    /// A marked point is led to a junction at most so far away, metres: the lines are good to 100 m.
    static let mostMetres = 250.0

    private let additions: RoadAdditions?
    private let bounds: RoadBounds?

    init(_ additions: RoadAdditions?, _ bounds: RoadBounds?) {
        (self.additions, self.bounds) = (additions, bounds)
    }

    /// The places within the extract, and the others, which are told.
    func places(_ report: inout RoadImportReport) -> (inside: [Place], outside: [Place]) {
        let all = additions?.places ?? []
        let inside = all.filter { bounds?.holds($0.point) ?? false }
        let others = all.filter { place in !inside.contains { $0 == place } }
        if !others.isEmpty {
            report.remark(
                "\(others.count) places lie outside the extract: "
                    + others.map(\.name).joined(separator: ", "))
        }
        return (inside, others)
    }

    /// Adds all lines whose marked points find streets.
    func addLines(to strands: inout RoadStrands, _ report: inout RoadImportReport) {
        guard let additions, !additions.lines.isEmpty else { return }
        let corners = WalkedCorners(strands)
        var loose: [String] = []
        for (number, line) in additions.lines.enumerated() {
            let profile = strands.number(profile(line, &strands))
            for part in parts(line) {
                let way = RoadStrand.way(ofLine: number)
                guard let points = self.points(line, part, corners, &strands) else {
                    loose.append(line.name)
                    continue
                }
                strands.strands.append(RoadStrand(way: way, profile: profile, points: points))
            }
        }
        guard !loose.isEmpty else { return }
        report.remark(
            "\(loose.count) stretches of added trails find no street at one of their ends: "
                + Set(loose).sorted().joined(separator: ", "))
    }

    /// Opens one-way streets against the cars where their tracks lead both ways.
    func openTracks(of strands: inout RoadStrands, _ report: inout RoadImportReport) {
        for track in additions?.twoWayTracks ?? [] {
            var isFound = false
            for (number, strand) in strands.strands.enumerated() {
                var profile = strands.profiles[strand.profile]
                guard strands.names.all[profile.name] == track.street,
                    strand.points.allSatisfy({ track.holds(strands.points[Int($0)]) })
                else { continue }
                let isAlong =
                    profile.forward.bikeRoom == .track && !profile.backward.modes.contains(.car)
                let isAgainst =
                    profile.backward.bikeRoom == .track && !profile.forward.modes.contains(.car)
                guard isAlong || isAgainst else { continue }
                let against = isAlong ? \RoadProfile.backward : \.forward
                profile[keyPath: against].modes.insert(.bike)
                profile[keyPath: against].bikeRoom = .track
                strands.strands[number].profile = strands.number(profile)
                isFound = true
            }
            if !isFound { report.remark("no track for bikes on \(track.street) to lead both ways") }
        }
    }

    private func profile(_ line: RoadAdditions.Line, _ strands: inout RoadStrands) -> RoadProfile {
        var profile = RoadProfile(line.kind == .trail ? .trail : .footway)
        profile.name = strands.names.number(line.name)
        profile.forward.modes = [.bike, .walk]
        profile.backward.modes = [.bike, .walk]
        profile.isPushed = line.kind == .footway
        if line.crossing != nil { profile.flags = [.bridge] }
        return profile
    }

    /// A line from one marked point to the next: where one of them lies outside, the others still count.
    private func parts(_ line: RoadAdditions.Line) -> [ClosedRange<Int>] {
        let joins = line.joins.sorted()
        return zip(joins, joins.dropFirst()).map { $0...$1 }
    }

    /// A part's points, led to streets at its ends; nil where there are none.
    private func points(
        _ line: RoadAdditions.Line, _ part: ClosedRange<Int>, _ corners: WalkedCorners,
        _ strands: inout RoadStrands
    ) -> [Int32]? {
        guard let first = corners.nearest(line.points[part.lowerBound]),
            let last = corners.nearest(line.points[part.upperBound]), first != last
        else { return nil }
        let between = part.dropFirst().dropLast().map { strands.add(line.points[$0]) }
        return [first] + between + [last]
    }
}

/// Junctions and ends of streets that one may walk on, by where they are.
private struct WalkedCorners {
    private var grid: [Int64: [Int32]] = [:]
    private let points: [GeoPoint]

    init(_ strands: RoadStrands) {
        points = strands.points
        let uses = strands.uses()
        for strand in strands.strands {
            let profile = strands.profiles[strand.profile]
            guard profile.forward.modes.isSuperset(of: [.walk, .bike]),
                !profile.isBridgeOrTunnel
            else { continue }
            for (index, point) in strand.points.enumerated()
            where uses[Int(point)] > 2 || index == 0 || index == strand.points.count - 1 {
                grid[Self.cell(points[Int(point)], 0, 0), default: []].append(point)
            }
        }
    }

    /// Cells of 0.003 degrees: at least 225 m in Seattle.
    private static func cell(_ point: GeoPoint, _ north: Int, _ east: Int) -> Int64 {
        let row = Int((point.latitude + 90) / 0.003) + north
        let column = Int((point.longitude + 180) / 0.0045) + east
        return Int64(row) << 32 | Int64(column)
    }

    func nearest(_ point: GeoPoint) -> Int32? {
        var best: (metres: Double, point: Int32)?
        for north in -1...1 {
            for east in -1...1 {
                for other in grid[Self.cell(point, north, east)] ?? [] {
                    let metres = points[Int(other)].metres(to: point)
                    if metres <= AdditionJoiner.mostMetres, metres < best?.metres ?? .infinity {
                        best = (metres, other)
                    }
                }
            }
        }
        return best?.point
    }
}
