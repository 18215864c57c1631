// Features of how busy the bridges have been.
import Foundation

/// How many openings there were lately against what is usual: the day's and the season's activity.
enum RecentActivityFeatures: BridgeFeatures {
    /// Openings are counted over so many minutes before the issue time.
    static let windowsMinutes = [15.0, 30, 60, 180]

    static let count = windowsMinutes.count + 5

    static let specs: [FeatureSpec] =
        windowsMinutes.map { FeatureSpec("activity.last\(Int($0))min", .one, 0...2) } + [
            FeatureSpec("activity.todayAgainstUsual", .logit, -3...3),
            FeatureSpec("activity.todayExpected", .one, 0...3),
            FeatureSpec("activity.fourWeeksAgainstUsual", .logit, -3...3),
            FeatureSpec("activity.waterwayLastHour", .one, 0...3),
            FeatureSpec("activity.waterwayTodayAgainstUsual", .logit, -3...3),
        ]

    static func append(_ bridge: BridgeContext, to values: inout RowWriter) {
        let (own, issueTime) = (bridge.own, bridge.issue.issueTime)
        for window in windowsMinutes {
            let count = startedCount(own, within: window, of: issueTime)
            values.append(min(2, Float(log1p(count))))
        }
        let today = againstUsual(bridge.issue, [bridge.bridge])
        values.append(today.logRatio)
        values.append(min(3, log1p(today.expected)))
        values.append(fourWeeks(bridge))
        let neighbours = BridgeCatalogue.along(BridgeCatalogue[bridge.bridge].waterway)
        let lastHour = neighbours.reduce(0) {
            $0 + startedCount(bridge.issue.situation[$1], within: 60, of: issueTime)
        }
        values.append(min(3, Float(log1p(lastHour))))
        values.append(againstUsual(bridge.issue, neighbours).logRatio)
    }

    static func startedCount(
        _ situation: BridgeSituation, within minutes: Double, of issueTime: Timestamp
    ) -> Double {
        Double(situation.recent.prefix { issueTime.minutes(since: $0.start) < minutes }.count)
    }

    /// Log ratio of today's openings to those usual by this time, shrunk by one opening.
    private static func againstUsual(
        _ issue: IssueContext, _ bridges: [BridgeIndex]
    ) -> (logRatio: Float, expected: Float) {
        let (now, dayType) = (issue.civil, issue.dayType)
        var count: Float = 0
        var expected: Float = 0
        for bridge in bridges {
            guard let since = issue.situation[bridge].observedSince else { continue }
            let start =
                since > issue.midnight
                ? SeattleTime.civil(at: since) : CivilDateTime(date: now.date, secondOfDay: 0)
            count += Float(issue.situation[bridge].openingsToday)
            expected += issue.rateRatio(of: bridge).scaled(
                rate: issue.climatology.expectedOpenings(
                    bridge, on: dayType, from: start, to: now))
        }
        let ratio = log((count + 1) / (expected + 1))
        return (min(max(ratio, -3), 3), expected)
    }

    /// Log ratio of the last four weeks' openings to those usual, shrunk by five openings.
    private static func fourWeeks(_ bridge: BridgeContext) -> Float {
        let own = bridge.own
        let expected = DayType.allCases.reduce(Float(0)) { sum, dayType in
            let days = Float(own.coveredDaysInFourWeeks[dayType.rawValue])
            let perDay = bridge.issue.climatology.openingsPerDay[bridge.bridge, dayType]
            return sum + days * bridge.issue.rateRatio(of: bridge.bridge).scaled(rate: perDay)
        }
        let ratio = log((Float(own.openingsInFourWeeks) + 5) / (expected + 5))
        return min(max(ratio, -3), 3)
    }
}
