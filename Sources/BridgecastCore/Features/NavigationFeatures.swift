// Features of the navigation rules: boats wait for a closed window to end, then come all at once.
import Foundation

enum NavigationFeatures: BridgeFeatures, RowFeatures {
    private static let sinceEnded = HatBasis([
        0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40, 60, 90,
    ])
    private static let untilStarts = HatBasis([0, 5, 10, 20, 40, 60])
    private static let untilEnds = HatBasis([0, 5, 15, 30, 60, 120])
    private static let sinceHalfHour = HatBasis([0, 2, 4, 6, 8, 10, 15, 20, 25, 30])

    static let count = valuesAtValidTime + valuesAtIssue

    static let specs: [FeatureSpec] =
        [.flag("rules.closed")]
        + FeatureSpec.hats("rules.sinceClosed", sinceEnded)
        + FeatureSpec.hats("rules.untilClosed", untilStarts)
        + FeatureSpec.hats("rules.untilEnd", untilEnds)
        + [.flag("rules.halfHourOnly")]
        + FeatureSpec.hats("rules.sinceHalfHour", sinceHalfHour)
        + [
            .flag("rules.notice"), .flag("rules.closedAtIssue"),
            FeatureSpec("rules.sinceClosedAtIssue", .one, 0...1),
        ]

    private static let valuesAtIssue = 2
    private static let valuesAtValidTime =
        1 + sinceEnded.count + untilStarts.count + untilEnds.count + 1 + sinceHalfHour.count + 1

    static func append(_ bridge: BridgeContext, to values: inout RowWriter) {
        let issue = bridge.rules.status(at: bridge.issue.civil, on: bridge.issue.dayType)
        values.skip(valuesAtValidTime)
        values.append(issue.isClosedToSmallVessels ? 1 : 0)
        values.append(issue.minutesSinceWindowEnded.map { Float(exp(-$0 / 15)) } ?? 0)
    }

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let civil = row.moment.validCivil
        let valid = row.known.rules.status(at: civil, on: row.moment.dayType)
        values.append(valid.isClosedToSmallVessels ? 1 : 0)
        sinceEnded.append(
            valid.isClosedToSmallVessels ? nil : valid.minutesSinceWindowEnded, to: &values)
        untilStarts.append(
            valid.isClosedToSmallVessels ? nil : valid.minutesUntilWindowStarts, to: &values)
        untilEnds.append(valid.minutesUntilWindowEnds, to: &values)
        values.append(valid.isHalfHourOnly ? 1 : 0)
        sinceHalfHour.append(
            valid.isHalfHourOnly ? civil.minuteOfDay.truncatingRemainder(dividingBy: 30) : nil,
            to: &values)
        values.append(valid.needsNotice ? 1 : 0)
        values.skip(valuesAtIssue)
    }
}
