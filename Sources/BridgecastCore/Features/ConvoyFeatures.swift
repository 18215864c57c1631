// Features of the neighbours: a boat that raised one bridge reaches the next some minutes later.
import Foundation

/// Openings of the bridges before and behind on the same waterway, relative to the valid time.
///
/// A neighbour's opening counts by how much later the valid time is than a boat's expected passage
/// here: its start plus 7.7 minutes a mile, the median of the records. A *pending* boat is one that
/// seems to be on its way: it did not come from here, and has not been let through yet. How long a
/// neighbour was up hints at how many boats went through, and when it was lowered at the last of them.
enum ConvoyFeatures: FeatureGroup {
    private static let minutesPerMile = 7.7
    private static let places = [-3, -2, -1, 1, 2, 3]
    private static let lateness = HatBasis([
        -40, -30, -20, -12, -8, -4, -2, 0, 2, 4, 8, 12, 20, 30, 45, 60, 90,
    ])
    private static let pendingLateness = HatBasis([-20, -12, -8, -4, -2, 0, 2, 4, 8, 12, 20])
    private static let windowsMinutes = [15.0, 30, 60, 180]
    /// Names of the openings that count, the newest first.
    private static let openings = ["last", "before", "third"]

    static let specs: [FeatureSpec] = places.flatMap { specs(of: $0) }

    private static func specs(of place: Int) -> [FeatureSpec] {
        let name = "convoy.\(place < 0 ? "seaward" : "inland")\(abs(place))"
        var specs: [FeatureSpec] = [.flag("\(name).known"), .flag("\(name).raised")]
        specs += openings.flatMap { FeatureSpec.hats("\(name).\($0)", lateness) }
        specs += FeatureSpec.hats("\(name).closing", lateness)
        specs += FeatureSpec.hats("\(name).length", OpeningLength.basis)
        specs += FeatureSpec.hats("\(name).lengthBefore", OpeningLength.basis)
        if isNext(place) { specs += FeatureSpec.hats("\(name).pending", pendingLateness, to: 3) }
        specs += windowsMinutes.map { FeatureSpec("\(name).last\(Int($0))min", .one, 0...2) }
        return specs + [FeatureSpec("\(name).today", .one, 0...3)]
    }

    private static let valuesOfNext = specs(of: 1).count
    private static let valuesOfOthers = specs(of: 2).count

    private static func isNext(_ place: Int) -> Bool { abs(place) == 1 }

    static func append(_ row: RowContext, to values: inout RowWriter) {
        for place in places { append(row, place, to: &values) }
    }

    /// The bridge so many places inland (seaward if negative) of another, if there is one.
    static func neighbour(of bridge: BridgeIndex, at place: Int) -> BridgeIndex? {
        neighbours[bridge.rawValue * (2 * farthest + 1) + place + farthest]
    }

    /// Minutes a boat usually takes from one bridge to another of the same waterway.
    static func transitMinutes(_ a: BridgeIndex, _ b: BridgeIndex) -> Double {
        abs(BridgeCatalogue[a].waterwayMile - BridgeCatalogue[b].waterwayMile) * minutesPerMile
    }

    private static let farthest = 3

    /// [bridge, place from `-farthest` to `farthest`].
    private static let neighbours: [BridgeIndex?] = BridgeIndex.all.flatMap { bridge in
        let line = BridgeCatalogue.along(BridgeCatalogue[bridge].waterway)
        let here = line.firstIndex(of: bridge) ?? 0
        return (-farthest...farthest).map { place in
            place != 0 && line.indices.contains(here + place) ? line[here + place] : nil
        }
    }

    private static func append(_ row: RowContext, _ place: Int, to values: inout RowWriter) {
        guard let neighbour = neighbour(of: row.bridge, at: place) else {
            // All the other values say that nothing is known.
            _ = values.skip(isNext(place) ? valuesOfNext : valuesOfOthers)
            return
        }
        let situation = row.situation[neighbour]
        let transit = transitMinutes(row.bridge, neighbour)
        func late(_ moment: Timestamp) -> Double { row.validTime.minutes(since: moment) - transit }
        values.append(situation.observedSince == nil ? 0 : 1)
        values.append(situation.state.isRaised ? 1 : 0)
        let recent = situation.recent.prefix(openings.count)
        for index in openings.indices {
            lateness.append(index < recent.count ? late(recent[index].start) : nil, to: &values)
        }
        lateness.append((recent.first?.end).map(late), to: &values)
        OpeningLength.append(situation.recent, 0, at: row.issueTime, to: &values)
        OpeningLength.append(situation.recent, 1, at: row.issueTime, to: &values)
        if isNext(place) {
            let offset = pendingLateness.appendZeros(to: &values)
            for opening in recent {
                guard isPending(row, opening, from: neighbour, place, transit) else {
                    continue
                }
                pendingLateness.add(late(opening.start), to: &values, at: offset)
            }
        }
        for window in windowsMinutes {
            let count = RecentActivityFeatures.startedCount(
                situation, within: window, of: row.issueTime)
            values.append(min(2, Float(log1p(count))))
        }
        values.append(min(3, Float(log1p(Double(situation.openingsToday)))))
    }

    /// Whether the boat of a neighbour's opening may still be on its way here.
    private static func isPending(
        _ row: RowContext, _ opening: KnownOpening, from neighbour: BridgeIndex, _ place: Int,
        _ transit: Double
    ) -> Bool {
        let here = row.own.recent
        let cameFromHere = here.contains {
            let gap = opening.start.minutes(since: $0.start)
            return gap >= 0.4 * transit && gap <= 1.8 * transit
        }
        let hasPassed = here.contains {
            let gap = $0.start.minutes(since: opening.start)
            return gap >= 0.4 * transit && gap <= 2.2 * transit
        }
        return !cameFromHere && !hasPassed
    }
}
