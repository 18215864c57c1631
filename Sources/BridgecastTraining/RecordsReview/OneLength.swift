import BridgecastCore
import Foundation

/// Runs of openings of one bridge that are nearly all of the same length.
///
/// A run is scored by how much likelier it is if 95 % of its openings have the length than if as many have it as in
/// the other records, or as in the openings around it if that is more. A million times as likely, for each opening
/// that a run could begin with, is too much for chance (Markov's inequality).
enum OneLength {
    private static let faultyShare = 0.95
    private static let minOpenings = 8
    /// Shorter runs are tests of a span or a sensor: they are reported but not set aside, days.
    private static let minDays = 3
    /// Openings before a run, and as many after it, that count as those around it.
    private static let neighbours = 100

    /// The runs of each bridge that chance does not explain.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        BridgeIndex.all.flatMap { bridge in
            let openings = history.covered(bridge)
            let short = runs(openings.map { ($0.minutes ?? 0) <= Opening.shortMinutes })
            var findings = short.map {
                finding($0, of: openings, bridge, length: "at most one minute")
            }
            let seconds = openings.map { Int((($0.minutes ?? 0) * 60).rounded()) }
            let counts = Dictionary(grouping: seconds, by: \.self).mapValues(\.count)
            for (length, count) in counts.sorted(by: { $0.key < $1.key })
            where count >= minOpenings && Double(length) > Opening.shortMinutes * 60 {
                findings += runs(seconds.map { $0 == length }).map {
                    finding($0, of: openings, bridge, length: "the same \(lengthText(length))")
                }.filter(\.isSetAside)
            }
            return findings
        }
    }

    private static func runs(_ matches: [Bool]) -> [BestRun] {
        let threshold = log(Double(max(matches.count, 1))) - log(RecordsReview.chance)
        let (hit, miss) = scores(typicalShare: share(matches[...], matches[..<0]))
        return BestRun.all(matches.map { $0 ? hit : miss }, above: threshold).filter { run in
            let start = run.range.lowerBound
            let end = run.range.upperBound
            let before = matches[max(0, start - neighbours)..<start]
            let after = matches[end..<min(matches.count, end + neighbours)]
            let (hit, miss) = scores(typicalShare: share(before, after))
            let local = matches[run.range].reduce(0) { $0 + ($1 ? hit : miss) }
            return run.range.count >= minOpenings && local > threshold
        }
    }

    private static func share(_ some: ArraySlice<Bool>, _ others: ArraySlice<Bool>) -> Double {
        let count = some.count { $0 } + others.count { $0 }
        return Double(count) / Double(max(some.count + others.count, 1))
    }

    /// What an opening of the length and what another one adds to a run's score.
    private static func scores(typicalShare: Double) -> (hit: Double, miss: Double) {
        let share = min(max(typicalShare, 0.02), 0.6)
        return (log(faultyShare / share), log((1 - faultyShare) / (1 - share)))
    }

    private static func finding(
        _ run: BestRun, of openings: [Opening], _ bridge: BridgeIndex, length: String
    ) -> RecordsFinding {
        let days = days(of: run, openings)
        let isLong = days.count >= minDays
        let period =
            isLong
            ? SeattleTime.period(ofDays: days)
            : openings[run.range.lowerBound].start..<openings[run.range.upperBound - 1].start
        return RecordsFinding(
            kind: .oneLength, bridges: [bridge], period: period, isSetAside: isLong,
            message: "\(run.range.count) openings, nearly all of \(length)")
    }

    /// The civil days from a run's first opening to its last.
    private static func days(of run: BestRun, _ openings: [Opening]) -> ClosedRange<Int> {
        let first = SeattleTime.civil(at: openings[run.range.lowerBound].start).date.dayNumber
        let last = SeattleTime.civil(at: openings[run.range.upperBound - 1].start).date.dayNumber
        return first...last
    }

    private static func lengthText(_ seconds: Int) -> String {
        seconds % 60 == 0 ? "\(seconds / 60) minutes" : "\(seconds) seconds"
    }
}
