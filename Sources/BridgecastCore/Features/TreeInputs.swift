private import Foundation

/// The inputs of one row for decision trees, F numbers; NaN where something is not known.
///
/// Trees cut at thresholds of their own, so times and counts are not put in bins: for the bridge and up to three
/// bridges to either side of which anything is known, when the last five openings began and ended, how long they lasted,
/// and how many there have been; for the bridge alone, its rules, the tide where it matters, and how long openings have
/// lasted lately.
package enum TreeInputs {
    private static let offsets = [0, -1, 1, -2, 2, -3, 3]
    private static let startsPerBridge = 5
    private static let lengthsPerBridge = 3

    /// F.
    package static let count = {
        var values: [Float] = []
        append(nil, to: &values)
        return values.count
    }()

    /// Appends a row's F values; NaN for each without a row.
    static func append(_ row: RowContext?, to values: inout [Float]) {
        appendGeneral(row, to: &values)
        appendRules(row, to: &values)
        appendSurroundings(row, to: &values)
        appendLengths(row, to: &values)
        for offset in offsets {
            let bridge = offset == 0 ? row?.bridge : row?.known.neighbour(atOffset: offset)?.bridge
            appendBridge(
                bridge.flatMap { row?.known.issue.situation[$0] },
                issueTime: row?.known.issue.issueTime, validTime: row?.validTime, to: &values)
        }
    }

    private static func appendGeneral(_ row: RowContext?, to values: inout [Float]) {
        let valid = row?.valid
        let chance = row?.openProbability
        values += [
            number(row.map { Double($0.bridge.rawValue) }), number(row?.leadMinutes),
            row?.density ?? .nan, number(valid.map { Double($0.civil.date.weekday.rawValue) }),
            flag(valid.map { $0.dayType == .weekend }), number(valid?.civil.minuteOfDay),
            number(valid?.minuteOfHour), number(row?.known.issue.civil.minuteOfDay),
            chance.map { log($0 / (1 - $0)) } ?? .nan,
            number(row.flatMap { $0.known.own.openingsPerDayInFourWeeks }),
        ]
    }

    private static func appendRules(_ row: RowContext?, to values: inout [Float]) {
        let valid = row?.validRules
        let issue = row?.known.issueRules
        values += [
            flag(valid?.isClosedToSmallVessels), number(valid?.minutesSinceWindowEnded),
            number(valid?.minutesUntilWindowStarts), number(valid?.minutesUntilWindowEnds),
            flag(issue?.isClosedToSmallVessels), number(issue?.minutesSinceWindowEnded),
        ]
    }

    /// The sun; the tide on the Duwamish alone, where boats wait for it: the locks keep the Ship Canal level.
    private static func appendSurroundings(_ row: RowContext?, to values: inout [Float]) {
        let isTidal = row.map { BridgeCatalogue[$0.bridge].waterway == .duwamish } ?? false
        let tide = isTidal ? row?.valid.tide : nil
        values += [number(row?.valid.sun), number(tide?.metres), number(tide?.risePerHour)]
    }

    /// Whether an opening that is under way outlasts the lead, and how long openings have lasted lately.
    private static func appendLengths(_ row: RowContext?, to values: inout [Float]) {
        values.append(row?.probabilityStillRaised.map { logOdds($0) } ?? .nan)
        let covariates = row?.known.lengthCovariates?.values
        for index in LengthCovariates.notInOtherFeatures {
            values.append(number(covariates?[index]))
        }
    }

    /// Appends the state of a bridge; NaN for each value without one.
    private static func appendBridge(
        _ bridge: BridgeSituation?, issueTime: Timestamp?, validTime: Timestamp?,
        to values: inout [Float]
    ) {
        let known = bridge.flatMap { $0.state == .unknown ? nil : $0 }
        values.append(flag(known?.state.isRaised))
        let recent = bridge?.recent ?? []
        for index in 0..<startsPerBridge {
            let start = recent.indices.contains(index) ? recent[index].start : nil
            values.append(number(minutes(since: start, at: validTime)))
        }
        for index in 0..<lengthsPerBridge {
            let length = issueTime.flatMap { bridge?.lengthMinutes(ofOpening: index, at: $0) }
            values.append(number(length))
        }
        values.append(number(minutes(since: recent.first?.end, at: issueTime)))
        let observed = bridge.flatMap { $0.observedSince == nil ? nil : $0 }
        for window in RecentActivityFeatures.windowsMinutes {
            let count = issueTime.flatMap { observed?.startedCount(within: window, before: $0) }
            values.append(number(count))
        }
        values.append(number(observed.map { Double($0.openingsToday) }))
    }

    private static func minutes(since start: Timestamp?, at time: Timestamp?) -> Double? {
        start.flatMap { start in time.map { $0.minutes(since: start) } }
    }

    private static func number(_ value: Double?) -> Float { value.map { Float($0) } ?? .nan }
    private static func flag(_ value: Bool?) -> Float { value.map { $0 ? 1 : 0 } ?? .nan }
}

extension BridgeContext {
    fileprivate func neighbour(atOffset offset: Int) -> NeighbourContext? {
        neighbours.first { $0.offset == offset }
    }
}

extension BridgeSituation {
    /// Openings per covered day over the last four weeks; nil with fewer than three covered days.
    fileprivate var openingsPerDayInFourWeeks: Double? {
        let days = coveredDaysInFourWeeks.reduce(0, +)
        return days < 3 ? nil : Double(openingsInFourWeeks) / days
    }
}

/// The bridges that rows of the newest situation were about, for rows of trees.
package struct TreeRowCache {
    private var identity: SituationIdentity?
    private var issue: IssueContext?
    private var bridges: [BridgeContext?] = []

    package init() {}

    /// A bridge in a situation, made once for as long as rows ask about that situation.
    mutating func context(
        of bridge: BridgeIndex, in situation: Situation, _ climatology: Climatology
    ) -> BridgeContext {
        let identity = SituationIdentity(situation, climatology)
        let issue: IssueContext
        if self.identity == identity, let known = self.issue {
            issue = known
        } else {
            issue = IssueContext(situation, climatology)
            self.identity = identity
            self.issue = issue
            bridges = Array(repeating: nil, count: BridgeCatalogue.count)
        }
        if let known = bridges[bridge.rawValue] { return known }
        let known = BridgeContext(bridge, in: issue)
        bridges[bridge.rawValue] = known
        return known
    }
}
