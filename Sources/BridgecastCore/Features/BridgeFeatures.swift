// Inputs of the bridge itself: which one it is, its rules, its state and last openings, and how busy it has been.
import Foundation

enum BridgeIdentityFeatures: FeatureGroup {
    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .issue }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        for index in 0..<BridgeCatalogue.count {
            row.flag(
                "bridge.\(BridgeCatalogue.seattle[index].name)",
                source.atIssue { $0.bridge.rawValue == index })
        }
    }
}

enum ClimatologyFeatures: FeatureGroup {
    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .arrival }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        let valid = source.atArrival { logit($0.openProbability) }
        row.input(FeatureSpec("climatology.openLogit", .logit, -12...12), valid)
        row.input(
            FeatureSpec("climatology.openLogitSinceIssue", .logit, -12...12),
            valid.flatMap { valid in source.atArrival { valid - $0.known.issueLogit } })
        row.input(
            FeatureSpec("climatology.dayRate", .one, 0...3),
            source.atArrival {
                $0.valid.dayType == .weekday ? $0.known.dayRates.weekday : $0.known.dayRates.weekend
            })
    }
}

/// The navigation rules: boats wait for a closed window to end, then come all at once.
enum NavigationFeatures: FeatureGroup {
    private static let sinceEnded = HatBasis([
        0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40, 60, 90,
    ])
    private static let untilStarts = HatBasis([0, 5, 10, 20, 40, 60])
    private static let untilEnds = HatBasis([0, 5, 15, 30, 60, 120])
    private static let sinceHalfHour = HatBasis([0, 2, 4, 6, 8, 10, 15, 20, 25, 30])

    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .issue || kind == .arrival }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        let valid = source.atArrival { $0.validRules }
        let isClosed = valid?.isClosedToSmallVessels == true
        row.flag("rules.closed", isClosed)
        row.hats("rules.sinceClosed", sinceEnded, isClosed ? nil : valid?.minutesSinceWindowEnded)
        row.hats("rules.untilClosed", untilStarts, isClosed ? nil : valid?.minutesUntilWindowStarts)
        row.hats("rules.untilEnd", untilEnds, valid?.minutesUntilWindowEnds)
        let isHalfHourOnly = valid?.isHalfHourOnly == true
        row.flag("rules.halfHourOnly", isHalfHourOnly)
        row.hats(
            "rules.sinceHalfHour", sinceHalfHour,
            source.atArrival {
                isHalfHourOnly
                    ? $0.valid.civil.minuteOfDay.truncatingRemainder(dividingBy: 30) : nil
            })
        row.flag("rules.notice", valid?.needsNotice)
        let issue = source.atIssue { $0.issueRules }
        row.flag("rules.closedAtIssue", issue?.isClosedToSmallVessels)
        row.input(
            FeatureSpec("rules.sinceClosedAtIssue", .one, 0...1),
            issue?.minutesSinceWindowEnded.map { Float(exp(-$0 / 15)) })
    }
}

/// Whether the span is up, how long it may stay up, and its last openings.
enum OwnStateFeatures: FeatureGroup {
    private static let elapsed = HatBasis([0, 2, 4, 6, 8, 10, 15, 30, 60])
    private static let sinceClosing = HatBasis([0, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 360])
    private static let startToArrival = HatBasis([
        0, 3, 6, 9, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 130, 180,
    ])

    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .issue || kind == .arrival }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        let own = source.atIssue { $0.own }
        row.flag("own.stateKnown", own.map { $0.state != .unknown })
        row.flag("own.raised", own?.state.isRaised)
        row.flag(
            "own.raisedSinceKnown",
            own.map { if case .raised(.some) = $0.state { true } else { false } })
        let stillRaised = source.atArrival { $0.probabilityStillRaised }
        row.input(
            FeatureSpec("own.stillRaisedLogit", .logit, -12...12), stillRaised.map { logOdds($0) })
        row.input(FeatureSpec("own.stillRaised", .one, 0...1), stillRaised.map { Float($0) })
        row.hats("own.raisedFor", elapsed, source.atIssue { $0.raisedMinutes.map { min($0, 60) } })
        row.flag("own.pastKnown", own.map { $0.observedSince != nil })
        row.hats(
            "own.sinceClosing", sinceClosing,
            source.atIssue { bridge in
                bridge.lastClosing.map { bridge.issue.issueTime.minutes(since: $0) }
            })
        let start = row.sums("own.startToArrival", startToArrival, to: 3)
        let openings = source.atArrival { $0.known.openings }
        for index in 0..<(openings?.count ?? 0) {
            let minutes = source.atArrival { row in
                openings.map { row.validTime.minutes(since: $0[index]) }
            }
            row.add(minutes, of: startToArrival, at: start)
        }
        row.hats(
            "own.closingToArrival", sinceClosing,
            source.atArrival { row in
                row.known.lastClosing.map { row.validTime.minutes(since: $0) }
            })
        let issueTime = source.atIssue { $0.issue.issueTime }
        OpeningLength.write("own.length", of: own, 0, at: issueTime, to: &row)
        OpeningLength.write("own.lengthBefore", of: own, 1, at: issueTime, to: &row)
        row.input(
            FeatureSpec("own.lastMinutes", .one, 0...1),
            own.map { own in
                let last = own.recent.lazy.compactMap { opening in
                    opening.end.map { $0.minutes(since: opening.start) }
                }.first
                return Float(min(last ?? 0, 20) / 20)
            })
    }
}

/// Lengths of openings as soft bins: how long one has lasted, or had when it ended.
enum OpeningLength {
    static let basis = HatBasis([0, 2, 3, 4, 5, 6, 8, 11, 15, 30])

    /// Writes the length of the newest opening of a bridge, or of one before it; zeros if there is none.
    @inline(__always)
    static func write(
        _ name: @autoclosure () -> String, of bridge: BridgeSituation?, _ index: Int,
        at issueTime: Timestamp?, to row: inout some FeatureSink & ~Copyable
    ) {
        var minutes: Double?
        if let bridge, let issueTime {
            minutes = bridge.lengthMinutes(ofOpening: index, at: issueTime)
        }
        row.hats(name(), basis, minutes.map { min($0, basis.knots[basis.count - 1]) })
    }
}

/// How long openings at the bridge and along its waterway have lasted lately, compared with their mean.
enum LengthFeatures: FeatureGroup {
    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .issue }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        let known = source.atIssue { $0.lengthCovariates?.values }
        for index in LengthCovariates.notInOtherFeatures {
            row.input(
                FeatureSpec("lengths.\(LengthCovariates.names[index])", .logit, -3...3),
                known.map { Float(min(max($0[index], -3), 3)) })
        }
    }
}

/// How many openings there were lately, compared with climatology: the day's and the season's activity.
enum RecentActivityFeatures: FeatureGroup {
    /// Openings are counted over windows of these lengths before the issue time.
    static let windowsMinutes = [15.0, 30, 60, 180]

    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .issue }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        let own = source.atIssue { $0.own }
        let issueTime = source.atIssue { $0.issue.issueTime }
        writeCounts("activity", of: own, before: issueTime, to: &row)
        let today = source.atIssue { comparedWithClimatology($0.issue, [$0.bridge]) }
        row.input(
            FeatureSpec("activity.todayAgainstUsual", .logit, -3...3), today.map { $0.logRatio })
        row.input(
            FeatureSpec("activity.todayExpected", .one, 0...3),
            today.map { min(3, log1p($0.expected)) })
        row.input(
            FeatureSpec("activity.fourWeeksAgainstUsual", .logit, -3...3),
            source.atIssue { fourWeeks($0) })
        row.input(
            FeatureSpec("activity.waterwayLastHour", .one, 0...3),
            source.atIssue { bridge in
                let lastHour = waterway(of: bridge).reduce(0) {
                    $0
                        + bridge.issue.situation[$1].startedCount(
                            within: 60, before: bridge.issue.issueTime)
                }
                return min(3, Float(log1p(lastHour)))
            })
        row.input(
            FeatureSpec("activity.waterwayTodayAgainstUsual", .logit, -3...3),
            source.atIssue { comparedWithClimatology($0.issue, waterway(of: $0)).logRatio })
    }

    /// Writes how many openings of a bridge began in each of the windows.
    @inline(__always)
    static func writeCounts(
        _ name: @autoclosure () -> String, of bridge: BridgeSituation?,
        before issueTime: Timestamp?, to row: inout some FeatureSink & ~Copyable
    ) {
        for window in windowsMinutes {
            var value: Float?
            if let bridge, let issueTime {
                let count = bridge.startedCount(within: window, before: issueTime)
                value = min(2, Float(log1p(count)))
            }
            row.input(FeatureSpec("\(name()).last\(Int(window))min", .one, 0...2), value)
        }
    }

    private static func waterway(of bridge: BridgeContext) -> [BridgeIndex] {
        BridgeCatalogue.along(BridgeCatalogue[bridge.bridge].waterway)
    }

    /// Log ratio of today's openings to those expected by this time, shrunk by one opening.
    private static func comparedWithClimatology(
        _ issue: IssueContext, _ bridges: [BridgeIndex]
    ) -> (logRatio: Float, expected: Float) {
        let now = issue.civil
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
                    bridge, on: issue.dayType, from: start, to: now))
        }
        let ratio = log((count + 1) / (expected + 1))
        return (min(max(ratio, -3), 3), expected)
    }

    /// Log ratio of the last four weeks' openings to those expected, shrunk by five openings.
    private static func fourWeeks(_ bridge: BridgeContext) -> Float {
        let own = bridge.own
        let climatological = bridge.issue.climatology.expectedOpenings(
            bridge.bridge, onDays: own.coveredDaysInFourWeeks,
            summerShare: bridge.issue.fourWeeksSummerShare)
        let expected = bridge.issue.rateRatio(of: bridge.bridge).scaled(rate: Float(climatological))
        let ratio = log((Float(own.openingsInFourWeeks) + 5) / (expected + 5))
        return min(max(ratio, -3), 3)
    }
}

extension BridgeSituation {
    /// How many openings began in the minutes before the issue time.
    func startedCount(within minutes: Double, before issueTime: Timestamp) -> Double {
        Double(recent.prefix { issueTime.minutes(since: $0.start) < minutes }.count)
    }

    /// How long the newest opening (index 0) or one before it has lasted, or had when it ended, minutes.
    func lengthMinutes(ofOpening index: Int, at issueTime: Timestamp) -> Double? {
        guard recent.indices.contains(index) else { return nil }
        let opening = recent[index]
        return (opening.end ?? issueTime).minutes(since: opening.start)
    }
}
