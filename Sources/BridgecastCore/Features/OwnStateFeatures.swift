// Features of the bridge itself: up or down, since when, and its last openings.
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
