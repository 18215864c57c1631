// Features of the neighbours: a boat that raised one bridge reaches the next some minutes later.
import Foundation

/// Openings of the bridges before and behind on the same waterway, relative to the valid time.
///
/// A neighbour's opening counts by how much later the valid time is than a boat's expected passage
/// here: its start plus 7.7 minutes a mile, the median of the records. A *pending* boat is one that
/// seems to be on its way: it did not come from here, and has not been let through yet. How long a
/// neighbour was up hints at how many boats went through, and when it was lowered at the last of them.
enum ConvoyFeatures: BridgeFeatures, RowFeatures {
    private static let places = [-3, -2, -1, 1, 2, 3]
    private static let lateness = HatBasis([
        -40, -30, -20, -12, -8, -4, -2, 0, 2, 4, 8, 12, 20, 30, 45, 60, 90,
    ])
    private static let pendingLateness = HatBasis([-20, -12, -8, -4, -2, 0, 2, 4, 8, 12, 20])
    private static let sinceStart = HatBasis([0, 5, 10, 15, 20, 30, 45, 60, 90, 180])
    private static let windowsMinutes = [15.0, 30, 60, 180]
    /// Names of the openings that count, the newest first.
    private static let openings = ["last", "before", "third"]

    static let count = places.reduce(0) { $0 + width($1) }

    static let specs: [FeatureSpec] = places.flatMap { specs(of: $0) }

    private static func specs(of place: Int) -> [FeatureSpec] {
        let name = "convoy.\(place < 0 ? "seaward" : "inland")\(abs(place))"
        var specs: [FeatureSpec] = [.flag("\(name).known"), .flag("\(name).raised")]
        specs += openings.flatMap { FeatureSpec.hats("\(name).\($0)", lateness) }
        specs += FeatureSpec.hats("\(name).closing", lateness)
        specs += FeatureSpec.hats("\(name).length", OpeningLength.basis)
        specs += FeatureSpec.hats("\(name).lengthBefore", OpeningLength.basis)
        if NeighbourContext.isNext(place) {
            specs += FeatureSpec.hats("\(name).pending", pendingLateness, to: 3)
            specs += FeatureSpec.hats("\(name).sinceStart", sinceStart)
        }
        specs += windowsMinutes.map { FeatureSpec("\(name).last\(Int($0))min", .one, 0...2) }
        return specs + [FeatureSpec("\(name).today", .one, 0...3)]
    }

    private static let valuesOfOthers =
        2 + (openings.count + 1) * lateness.count + 2 * OpeningLength.basis.count
        + windowsMinutes.count + 1
    private static let valuesOfNext = valuesOfOthers + pendingLateness.count + sinceStart.count

    private static func width(_ place: Int) -> Int {
        NeighbourContext.isNext(place) ? valuesOfNext : valuesOfOthers
    }

    static func append(_ bridge: BridgeContext, to values: inout RowWriter) {
        each(bridge, &values) { neighbour, values in
            let (known, issueTime) = (
                bridge.issue.situation[neighbour.bridge], bridge.issue.issueTime
            )
            values.append(known.observedSince == nil ? 0 : 1)
            values.append(known.state.isRaised ? 1 : 0)
            values.skip((openings.count + 1) * lateness.count)
            OpeningLength.append(known.recent, 0, at: issueTime, to: &values)
            OpeningLength.append(known.recent, 1, at: issueTime, to: &values)
            if neighbour.isNext {
                values.skip(pendingLateness.count)
                let newest = known.recent.first?.start
                sinceStart.append(newest.map { issueTime.minutes(since: $0) }, to: &values)
            }
            for window in windowsMinutes {
                let count = RecentActivityFeatures.startedCount(
                    known, within: window, of: issueTime)
                values.append(min(2, Float(log1p(count))))
            }
            values.append(min(3, Float(log1p(Double(known.openingsToday)))))
        }
    }

    static func append(_ row: RowContext, to values: inout RowWriter) {
        each(row.known, &values) { neighbour, values in
            func late(_ moment: Timestamp) -> Double {
                row.validTime.minutes(since: moment) - neighbour.transitMinutes
            }
            values.skip(2)
            for index in openings.indices {
                let isThere = index < neighbour.openings.count
                lateness.append(isThere ? late(neighbour.openings[index]) : nil, to: &values)
            }
            lateness.append(neighbour.openings.newestEnd.map(late), to: &values)
            values.skip(2 * OpeningLength.basis.count)
            if neighbour.isNext {
                let offset = pendingLateness.appendZeros(to: &values)
                for index in 0..<neighbour.openings.count where neighbour.isPending(index) {
                    pendingLateness.add(late(neighbour.openings[index]), to: &values, at: offset)
                }
                values.skip(sinceStart.count)
            }
            values.skip(windowsMinutes.count + 1)
        }
    }

    /// Calls for each place where there is a bridge; all values of the others say that nothing is known.
    @inline(__always)
    private static func each(
        _ bridge: BridgeContext, _ values: inout RowWriter,
        _ body: (NeighbourContext, inout RowWriter) -> Void
    ) {
        var next = 0
        for place in places {
            guard next < bridge.neighbours.count, bridge.neighbours[next].place == place else {
                values.skip(width(place))
                continue
            }
            body(bridge.neighbours[next], &values)
            next += 1
        }
    }
}
