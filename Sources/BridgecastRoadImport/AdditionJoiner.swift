internal import BridgecastCore
internal import BridgecastRoads

struct AdditionJoiner {
    /// The farthest junction that a marked point is joined to, metres: the lines are accurate to 100 m.
    static let maxMetres = 250.0

    private let additions: RoadAdditions?
    private let bounds: RoadBounds?

    init(_ additions: RoadAdditions?, _ bounds: RoadBounds?) {
        self.additions = additions
        self.bounds = bounds
    }

    /// The places inside the extract, and the others, which the report mentions.
    func places(_ report: inout RoadImportReport) -> (inside: [Place], outside: [Place]) {
        let all = additions?.places ?? []
        let inside = all.filter { bounds?.contains($0.point) ?? false }
        let others = all.filter { place in !inside.contains { $0 == place } }
        if !others.isEmpty {
            report.remark(
                "\(others.count) places are outside the extract: "
                    + others.map(\.name).joined(separator: ", "))
        }
        return (inside, others)
    }

    /// Adds all lines whose marked points are near streets.
    func addLines(to strands: inout RoadStrands, _ report: inout RoadImportReport) {
        guard let additions, !additions.lines.isEmpty else { return }
        let corners = WalkedCorners(strands)
        var unjoined: [String] = []
        for (number, line) in additions.lines.enumerated() {
            let profile = strands.number(profile(line, &strands))
            for part in parts(line) {
                let way = RoadStrand.way(ofLine: number)
                guard let points = self.points(of: line, in: part, corners, &strands) else {
                    unjoined.append(line.name)
                    continue
                }
                strands.strands.append(RoadStrand(way: way, profile: profile, points: points))
            }
        }
        guard !unjoined.isEmpty else { return }
        report.remark(
            "\(unjoined.count) stretches of added trails have no street near one of their ends: "
                + Set(unjoined).sorted().joined(separator: ", "))
    }

    /// Opens one-way streets to bikes against the cars where their tracks are two-way.
    func openTracks(of strands: inout RoadStrands, _ report: inout RoadImportReport) {
        for track in additions?.twoWayTracks ?? [] {
            var isFound = false
            for (number, strand) in strands.strands.enumerated() {
                var profile = strands.profiles[strand.profile]
                guard strands.names.all[profile.name] == track.street,
                    strand.points.allSatisfy({ track.contains(strands.points[Int($0)]) })
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
            if !isFound { report.remark("no bike track on \(track.street) that could be two-way") }
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

    /// The parts of a line between marked points: where one of them is outside the extract, the others still count.
    private func parts(_ line: RoadAdditions.Line) -> [ClosedRange<Int>] {
        let joins = line.joins.sorted()
        return zip(joins, joins.dropFirst()).map { $0...$1 }
    }

    /// The points of a part, joined to streets at its ends; nil if there are none.
    private func points(
        of line: RoadAdditions.Line, in part: ClosedRange<Int>, _ corners: WalkedCorners,
        _ strands: inout RoadStrands
    ) -> [Int32]? {
        guard let first = corners.nearest(line.points[part.lowerBound]),
            let last = corners.nearest(line.points[part.upperBound]), first != last
        else { return nil }
        let between = part.dropFirst().dropLast().map { strands.add(line.points[$0]) }
        return [first] + between + [last]
    }
}

/// Junctions and ends of streets that are open to people on foot, by location.
private struct WalkedCorners {
    /// Cells of at least 225 m in Seattle.
    private var grid = PointGrid(height: 0.003, width: 0.0045)
    private let points: [GeoPoint]

    init(_ strands: RoadStrands) {
        points = strands.points
        let uses = strands.uses()
        for strand in strands.strands {
            let profile = strands.profiles[strand.profile]
            guard profile.forward.modes.isSuperset(of: [.walk, .bike]), !profile.isBridgeOrTunnel
            else { continue }
            for (index, point) in strand.points.enumerated()
            where uses[Int(point)] > 2 || index == 0 || index == strand.points.count - 1 {
                grid.insert(point, at: points[Int(point)])
            }
        }
    }

    func nearest(_ point: GeoPoint) -> Int32? {
        var best: (metres: Double, point: Int32)?
        for other in grid.near(point) {
            let metres = points[Int(other)].metres(to: point)
            if metres <= AdditionJoiner.maxMetres, metres < best?.metres ?? .infinity {
                best = (metres, other)
            }
        }
        return best?.point
    }
}
