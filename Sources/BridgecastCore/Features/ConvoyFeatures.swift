// Features of the neighbours: a boat that raised one bridge reaches the next some minutes later.
import Foundation

/// Openings of the bridges before and behind on the same waterway, relative to the valid time.
///
/// A neighbour's opening counts by how much later the valid time is than a boat's expected passage
/// here: its start plus 7.7 minutes a mile, the median of the records. A *pending* boat is one that
/// seems to be on its way: it did not come from here, and has not been let through yet.
enum ConvoyFeatures: FeatureGroup {
    private static let minutesPerMile = 7.7
    private static let places = [-2, -1, 1, 2]
    private static let lateness = HatBasis([-30, -20, -12, -8, -4, -2, 0, 2, 4, 8, 12, 20, 30, 45])
    private static let pendingLateness = HatBasis([-20, -12, -8, -4, -2, 0, 2, 4, 8, 12, 20])

    static let specs: [FeatureSpec] = places.flatMap { place in
        let name = "convoy.\(place < 0 ? "seaward" : "inland")\(abs(place))"
        let pending =
            abs(place) == 1 ? FeatureSpec.hats("\(name).pending", pendingLateness, to: 3) : []
        return [.flag("\(name).known"), .flag("\(name).raised")]
            + FeatureSpec.hats("\(name).lateness", lateness, to: 3) + pending
    }

    static func append(_ row: RowContext, to values: inout [Float]) {
        for place in places { append(row, place, to: &values) }
    }

    /// The bridge so many places inland (seaward if negative) of another, if there is one.
    static func neighbour(of bridge: BridgeIndex, at place: Int) -> BridgeIndex? {
        neighbours[bridge.rawValue][place]
    }

    /// Minutes a boat usually takes from one bridge to another of the same waterway.
    static func transitMinutes(_ a: BridgeIndex, _ b: BridgeIndex) -> Double {
        abs(BridgeCatalogue[a].waterwayMile - BridgeCatalogue[b].waterwayMile) * minutesPerMile
    }

    private static let neighbours: [[Int: BridgeIndex]] = BridgeIndex.all.map { bridge in
        let line = BridgeCatalogue.along(BridgeCatalogue[bridge].waterway)
        guard let here = line.firstIndex(of: bridge) else { return [:] }
        let pairs = line.indices.filter { $0 != here }.map { ($0 - here, line[$0]) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static func append(_ row: RowContext, _ place: Int, to values: inout [Float]) {
        let neighbour = neighbour(of: row.bridge, at: place)
        let situation = neighbour.map { row.situation[$0] } ?? .unknown
        values.append(situation.observedSince == nil ? 0 : 1)
        if case .raised = situation.state { values.append(1) } else { values.append(0) }
        let latenessOffset = lateness.appendZeros(to: &values)
        let pendingOffset = abs(place) == 1 ? pendingLateness.appendZeros(to: &values) : nil
        guard let neighbour else { return }
        let transit = transitMinutes(row.bridge, neighbour)
        for opening in situation.recent.prefix(3) {
            let late = row.validTime.minutes(since: opening.start) - transit
            lateness.add(late, to: &values, at: latenessOffset)
            if let pendingOffset, isPending(row, opening, from: neighbour, place, transit) {
                pendingLateness.add(late, to: &values, at: pendingOffset)
            }
        }
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
