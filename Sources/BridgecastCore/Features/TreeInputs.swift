// What the trees look at: plain numbers instead of the network's soft bins; FeatureBuilder appends them.
private import Foundation

/// The inputs of one row for decision trees, F numbers; NaN where something is not known.
///
/// Trees cut at thresholds of their own, so times and counts go in as they are: for the bridge and up
/// to three bridges to either side, when the last three openings began and ended, how long they
/// lasted, and how many there have been.
package enum TreeInputs {
    private static let places = [0, -1, 1, -2, 2, -3, 3]
    private static let openingsPerBridge = 3
    /// Values per bridge: raised, three starts, two lengths, last end, counts, today.
    private static let perPlace =
        1 + openingsPerBridge + 2 + 1 + RecentActivityFeatures.windowsMinutes.count + 1
    private static let general = 10

    /// F.
    package static let count = general + places.count * perPlace

    /// Appends a row's F values.
    static func append(_ row: RowContext, to values: inout [Float]) {
        let (valid, usual) = (row.moment.validCivil, row.openProbability)
        let issue = row.known.issue
        values += [
            Float(row.bridge.rawValue), Float(row.leadMinutes), row.density,
            Float(valid.date.weekday.rawValue), row.moment.dayType == .weekend ? 1 : 0,
            Float(valid.minuteOfDay), Float(valid.minuteOfDay.truncatingRemainder(dividingBy: 60)),
            Float(issue.civil.minuteOfDay), log(usual / (1 - usual)), fourWeeks(row.known.own),
        ]
        let line = BridgeCatalogue.along(BridgeCatalogue[row.bridge].waterway)
        let here = line.firstIndex(of: row.bridge) ?? 0
        for place in places {
            guard line.indices.contains(here + place) else {
                for _ in 0..<perPlace { values.append(.nan) }
                continue
            }
            append(
                issue.situation[line[here + place]], issue.issueTime, row.validTime, to: &values)
        }
    }

    /// Openings per covered day over the last four weeks.
    private static func fourWeeks(_ own: BridgeSituation) -> Float {
        let days = own.coveredDaysInFourWeeks.reduce(0, +)
        return days < 3 ? .nan : Float(Double(own.openingsInFourWeeks) / days)
    }

    private static func append(
        _ bridge: BridgeSituation, _ issueTime: Timestamp, _ validTime: Timestamp,
        to values: inout [Float]
    ) {
        switch bridge.state {
        case .unknown: values.append(.nan)
        case .lowered: values.append(0)
        case .raised: values.append(1)
        }
        for index in 0..<openingsPerBridge {
            let start = bridge.recent.indices.contains(index) ? bridge.recent[index].start : nil
            values.append(start.map { Float(validTime.minutes(since: $0)) } ?? .nan)
        }
        for index in 0..<2 {
            guard bridge.recent.indices.contains(index) else {
                values.append(.nan)
                continue
            }
            let opening = bridge.recent[index]
            values.append(Float((opening.end ?? issueTime).minutes(since: opening.start)))
        }
        let end = bridge.recent.first?.end
        values.append(end.map { Float(issueTime.minutes(since: $0)) } ?? .nan)
        let isObserved = bridge.observedSince != nil
        for window in RecentActivityFeatures.windowsMinutes {
            let count = RecentActivityFeatures.startedCount(bridge, within: window, of: issueTime)
            values.append(isObserved ? Float(count) : .nan)
        }
        values.append(isObserved ? Float(bridge.openingsToday) : .nan)
    }
}
