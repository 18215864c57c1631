// Features of the bridge itself: up or down, since when, and its last openings.
import Foundation

/// Whether the span is up, how long it may stay up, and its last openings.
enum OwnStateFeatures: BridgeFeatures, RowFeatures {
    private static let elapsed = HatBasis([0, 2, 4, 6, 8, 10, 15, 30, 60])
    private static let sinceClosing = HatBasis([0, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 360])
    private static let startToArrival = HatBasis([
        0, 3, 6, 9, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 130, 180,
    ])

    static let count =
        5 + elapsed.count + 1 + 2 * sinceClosing.count + startToArrival.count
        + 2 * OpeningLength.basis.count + 1

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

    static func append(_ bridge: BridgeContext, to values: inout RowWriter) {
        let own = bridge.own
        values.append(own.state == .unknown ? 0 : 1)
        if case .raised(let since) = own.state {
            values.append(1)
            values.append(since == nil ? 0 : 1)
        } else {
            values.skip(2)
        }
        values.skip(2)
        elapsed.append(bridge.raisedMinutes.map { min($0, 60) }, to: &values)
        values.append(own.observedSince == nil ? 0 : 1)
        let issueTime = bridge.issue.issueTime
        sinceClosing.append(bridge.lastClosing.map { issueTime.minutes(since: $0) }, to: &values)
        values.skip(startToArrival.count + sinceClosing.count)
        OpeningLength.append(own.recent, 0, at: issueTime, to: &values)
        OpeningLength.append(own.recent, 1, at: issueTime, to: &values)
        let last = own.recent.lazy.compactMap { opening in
            opening.end.map { $0.minutes(since: opening.start) }
        }.first
        values.append(Float(min(last ?? 0, 20) / 20))
    }

    static func append(_ row: RowContext, to values: inout RowWriter) {
        values.skip(3)
        if let age = row.known.raisedMinutes {
            let remains = row.known.probabilityOutlasts(
                total: age + row.leadMinutes, elapsed: age)
            values.append(logOdds(remains))
            values.append(Float(remains))
        } else {
            values.skip(2)
        }
        values.skip(elapsed.count + 1 + sinceClosing.count)
        let offset = startToArrival.appendZeros(to: &values)
        let openings = row.known.openings
        for index in 0..<openings.count {
            startToArrival.add(
                row.validTime.minutes(since: openings[index]), to: &values, at: offset)
        }
        sinceClosing.append(
            row.known.lastClosing.map { row.validTime.minutes(since: $0) }, to: &values)
        values.skip(2 * OpeningLength.basis.count + 1)
    }
}
