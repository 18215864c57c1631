// What the trees look at: plain numbers instead of the network's soft bins; FeatureBuilder appends them.
private import Foundation

/// The inputs of one row for decision trees, F numbers; NaN where something is not known.
///
/// Trees cut at thresholds of their own, so times and counts go in as they are: for the bridge and up
/// to three bridges to either side, when the last five openings began and ended, how long they
/// lasted, and how many there have been; for the bridge alone, its rules, the tide where it matters, and what the
/// lengths of late tell.
package enum TreeInputs {
    private static let places = [0, -1, 1, -2, 2, -3, 3]
    private static let startsPerBridge = 5
    private static let lengthsPerBridge = 3
    /// Values per bridge: raised, starts, lengths, last end, counts, today.
    private static let perPlace =
        1 + startsPerBridge + lengthsPerBridge + 1 + RecentActivityFeatures.windowsMinutes.count + 1
    private static let general = 10
    private static let rules = 6
    private static let surroundings = 3
    private static let lengths = 1 + LengthCovariates.notInOtherFeatures.count

    /// F.
    package static let count = general + rules + surroundings + lengths + places.count * perPlace

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
        appendRules(row, to: &values)
        appendSurroundings(row, to: &values)
        appendLengths(row, to: &values)
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

    private static func appendRules(_ row: RowContext, to values: inout [Float]) {
        let known = row.known
        let valid = known.rules.status(at: row.moment.validCivil, on: row.moment.dayType)
        let issue = known.rules.status(at: known.issue.civil, on: known.issue.dayType)
        values += [
            valid.isClosedToSmallVessels ? 1 : 0, number(valid.minutesSinceWindowEnded),
            number(valid.minutesUntilWindowStarts), number(valid.minutesUntilWindowEnds),
            issue.isClosedToSmallVessels ? 1 : 0, number(issue.minutesSinceWindowEnded),
        ]
    }

    /// The sun; the tide on the Duwamish alone, where boats wait for it: the locks keep the Ship Canal level.
    private static func appendSurroundings(_ row: RowContext, to values: inout [Float]) {
        let moment = row.moment
        values.append(Float(Daylight.sineOfSunElevation(at: moment.validTime)))
        if BridgeCatalogue[row.bridge].waterway == .duwamish {
            values.append(Float(moment.tide.metres))
            values.append(Float(moment.tide.risePerHour))
        } else {
            values += [.nan, .nan]
        }
    }

    /// Whether an opening now under way outlasts the lead, and the lengths of late.
    private static func appendLengths(_ row: RowContext, to values: inout [Float]) {
        let remains = row.known.raisedMinutes.map { age in
            logOdds(
                row.known.probabilityOutlasts(total: age + row.leadMinutes, elapsed: age))
        }
        values.append(remains ?? .nan)
        let covariates = row.known.lengthCovariates?.values
        for index in LengthCovariates.notInOtherFeatures {
            values.append(number(covariates?[index]))
        }
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
        for index in 0..<startsPerBridge {
            let start = bridge.recent.indices.contains(index) ? bridge.recent[index].start : nil
            values.append(number(start.map { validTime.minutes(since: $0) }))
        }
        for index in 0..<lengthsPerBridge {
            guard bridge.recent.indices.contains(index) else {
                values.append(.nan)
                continue
            }
            let opening = bridge.recent[index]
            values.append(Float((opening.end ?? issueTime).minutes(since: opening.start)))
        }
        let end = bridge.recent.first?.end
        values.append(number(end.map { issueTime.minutes(since: $0) }))
        let isObserved = bridge.observedSince != nil
        for window in RecentActivityFeatures.windowsMinutes {
            let count = RecentActivityFeatures.startedCount(bridge, within: window, of: issueTime)
            values.append(isObserved ? Float(count) : .nan)
        }
        values.append(isObserved ? Float(bridge.openingsToday) : .nan)
    }

    private static func number(_ value: Double?) -> Float { value.map { Float($0) } ?? .nan }
}
