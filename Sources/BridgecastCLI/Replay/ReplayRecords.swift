// The records that a replay is made of: what they cover, and what was known of them on a day. Used by `replay` and
// `serve --replay`.
package import BridgecastCore
import BridgecastData
import Foundation

/// The past, as a replay shows it.
package struct ReplayRecords: Sendable {
    /// What happened.
    package let history: OpeningHistory

    /// Reads a store or a file of records; the shipped records if none is named.
    package init(_ records: String?) throws {
        guard let records else {
            history = try LoadedRecords.shipped().history
            return
        }
        let gap = OpeningConsolidation.defaultGapSeconds
        let source = try RecordSource(URL(fileURLWithPath: records), gapSeconds: gap)
        let coverage = source.coverage ?? .inferred(from: source.openings)
        let loaded = LoadedRecords([source], stated: [coverage], gap)
        remark(loaded.notes)
        history = loaded.history
    }

    /// The records of the days before.
    package func known(at moment: Timestamp) -> OpeningHistory {
        history.before(SeattleTime.startOfDay(SeattleTime.civil(at: moment).date))
    }

    /// The part of a period that the records, which are the feed, reach into.
    ///
    /// - Parameter words: The period as it was asked for.
    /// - Throws: ``CommandFailure`` if it is none.
    package func covered(_ period: Range<Timestamp>, _ words: String) throws -> Range<Timestamp> {
        let coverage = history.coverage
        if let known = Self.span(coverage.clamped(to: period)) { return known.clamped(to: period) }
        let lie = Self.span(coverage).map {
            "they lie between \(TimeText.rfc3339($0.lowerBound)) and "
                + "\(TimeText.rfc3339($0.upperBound)), with gaps"
        }
        throw CommandFailure(
            .data, "no covered records \(words): \(lie ?? "there are none at all")")
    }

    private static func span(_ coverage: Coverage) -> Range<Timestamp>? {
        let periods = coverage.periods.flatMap { $0 }
        guard let first = periods.map(\.lowerBound).min(),
            let last = periods.map(\.upperBound).max()
        else { return nil }
        return first..<last
    }
}
