// Features of the bridge's own state: up or down, since when, and how busy it has been.
import Foundation

/// Whether the span is up, how long it may stay up, and its last openings.
enum OwnStateFeatures: FeatureGroup {
    private static let elapsed = HatBasis([0, 2, 4, 6, 8, 10, 15, 30, 60])
    private static let sinceClosing = HatBasis([0, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 360])
    private static let startToArrival = HatBasis([0, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180])

    static let specs: [FeatureSpec] =
        [
            .flag("own.stateKnown"), .flag("own.raised"), .flag("own.raisedSinceKnown"),
            FeatureSpec("own.stillRaisedLogit", .logit, -12...12),
            FeatureSpec("own.stillRaised", .one, 0...1),
        ]
        + FeatureSpec.hats("own.raisedFor", elapsed)
        + [.flag("own.pastKnown")]
        + FeatureSpec.hats("own.sinceClosing", sinceClosing)
        + FeatureSpec.hats("own.startToArrival", startToArrival, to: 3)
        + FeatureSpec.hats("own.closingToArrival", sinceClosing)
        + FeatureSpec.hats("own.length", OpeningLength.basis)
        + FeatureSpec.hats("own.lengthBefore", OpeningLength.basis)
        + [FeatureSpec("own.lastMinutes", .one, 0...1)]

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let own = row.own
        appendState(row, own, to: &values)
        values.append(own.observedSince == nil ? 0 : 1)
        let lastClosing = own.recent.lazy.compactMap(\.end).first
        sinceClosing.append(lastClosing.map { row.issueTime.minutes(since: $0) }, to: &values)
        let offset = startToArrival.appendZeros(to: &values)
        for opening in own.recent.prefix(3) {
            startToArrival.add(
                row.validTime.minutes(since: opening.start), to: &values, at: offset)
        }
        sinceClosing.append(lastClosing.map { row.validTime.minutes(since: $0) }, to: &values)
        OpeningLength.append(own.recent, 0, at: row.issueTime, to: &values)
        OpeningLength.append(own.recent, 1, at: row.issueTime, to: &values)
        let last = own.recent.lazy.compactMap { opening in
            opening.end.map { $0.minutes(since: opening.start) }
        }.first
        values.append(Float(min(last ?? 0, 20) / 20))
    }

    private static func appendState(
        _ row: RowContext, _ own: BridgeSituation, to values: inout RowWriter
    ) {
        guard case .raised(let since) = own.state, let age = row.raisedMinutes else {
            values.append(own.state == .unknown ? 0 : 1)
            _ = values.skip(4)
            elapsed.append(nil, to: &values)
            return
        }
        let remains = row.climatology.probabilityOutlasts(
            row.bridge, total: age + row.leadMinutes, elapsed: age)
        values.append(1)
        values.append(1)
        values.append(since == nil ? 0 : 1)
        values.append(logOdds(remains))
        values.append(Float(remains))
        elapsed.append(min(age, 60), to: &values)
    }
}

/// How many openings there were lately against what is usual: the day's and the season's activity.
enum RecentActivityFeatures: FeatureGroup {
    static let dependsOn = FeatureDependence.bridgeAndSituation

    /// Openings are counted over so many minutes before the issue time.
    static let windowsMinutes = [15.0, 30, 60, 180]

    static let specs: [FeatureSpec] =
        windowsMinutes.map { FeatureSpec("activity.last\(Int($0))min", .one, 0...2) } + [
            FeatureSpec("activity.todayAgainstUsual", .logit, -3...3),
            FeatureSpec("activity.todayExpected", .one, 0...3),
            FeatureSpec("activity.fourWeeksAgainstUsual", .logit, -3...3),
            FeatureSpec("activity.waterwayLastHour", .one, 0...3),
            FeatureSpec("activity.waterwayTodayAgainstUsual", .logit, -3...3),
        ]

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let own = row.own
        for window in windowsMinutes {
            let count = startedCount(own, within: window, of: row.issueTime)
            values.append(min(2, Float(log1p(count))))
        }
        let today = againstUsual(row, [row.bridge])
        values.append(today.logRatio)
        values.append(min(3, log1p(today.expected)))
        values.append(fourWeeks(row, own))
        let neighbours = BridgeCatalogue.along(BridgeCatalogue[row.bridge].waterway)
        let lastHour = neighbours.reduce(0) {
            $0 + startedCount(row.situation[$1], within: 60, of: row.issueTime)
        }
        values.append(min(3, Float(log1p(lastHour))))
        values.append(againstUsual(row, neighbours).logRatio)
    }

    static func startedCount(
        _ situation: BridgeSituation, within minutes: Double, of issueTime: Timestamp
    ) -> Double {
        Double(situation.recent.prefix { issueTime.minutes(since: $0.start) < minutes }.count)
    }

    /// Log ratio of today's openings to those usual by this time, shrunk by one opening.
    private static func againstUsual(
        _ row: RowContext, _ bridges: [BridgeIndex]
    ) -> (logRatio: Float, expected: Float) {
        let now = row.issueCivil
        let dayType = DayType(now.date)
        let midnight = SeattleTime.startOfDay(now.date)
        var count: Float = 0
        var expected: Float = 0
        for bridge in bridges {
            guard let since = row.situation[bridge].observedSince else { continue }
            let start =
                since > midnight
                ? SeattleTime.civil(at: since) : CivilDateTime(date: now.date, secondOfDay: 0)
            count += Float(row.situation[bridge].openingsToday)
            expected += row.climatology.expectedOpenings(bridge, on: dayType, from: start, to: now)
        }
        let ratio = log((count + 1) / (expected + 1))
        return (min(max(ratio, -3), 3), expected)
    }

    /// Log ratio of the last four weeks' openings to those usual, shrunk by five openings.
    private static func fourWeeks(_ row: RowContext, _ own: BridgeSituation) -> Float {
        let expected = DayType.allCases.reduce(Float(0)) { sum, dayType in
            let days = Float(own.coveredDaysInFourWeeks[dayType.rawValue])
            return sum + days * row.climatology.openingsPerDay[row.bridge, dayType]
        }
        let ratio = log((Float(own.openingsInFourWeeks) + 5) / (expected + 5))
        return min(max(ratio, -3), 3)
    }
}
