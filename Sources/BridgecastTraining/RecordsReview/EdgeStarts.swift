// The test for starts on the edge of a job that runs every quarter of an hour, and what is known around such starts.
package import BridgecastCore
import Foundation

/// Stretches in which far too many openings of a bridge start at one minute of every quarter of an hour, and hardly
/// any in the minutes before it.
///
/// A job that runs every 15 minutes and writes down when it first saw a span up gives that start to each opening that
/// it meets: :06, :21, :36 or :51. The start was earlier; the end is right. A run of openings is scored by how much
/// likelier its starts are under such a job than under even ones, of which the edge may have a fifth more than its share;
/// a million times as likely, for each opening and minute that a run could begin with, is too much for chance (Markov's
/// inequality). Openings cluster on hours and half hours and after closed windows, but not on all four
/// quarters: each pair of quarters half an hour apart must have its part of the starts. In the shipped records the
/// strongest run scores 13 of the 20 to 25 that are needed; nine days of such records score 29 and 48.
package enum EdgeStarts {
    static let quarterMinutes = 15
    /// Most openings that start in these minutes before the edge are still up at the edge.
    static let minutesBefore = 5
    /// Shares of starts on the edge and in the minutes before it, with the job and without one.
    private static let faulty = (edge: 0.3, before: 0.1)
    private static let typical = (edge: 0.08, before: 1.0 / 3)
    /// The minimal share of the starts on the edge that each pair of quarters has.
    private static let minPairShare = 0.25
    private static let minDays = 3

    /// The stretches of each bridge that chance does not explain, by bridge.
    package static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        BridgeIndex.all.flatMap { bridge in
            let openings = history.covered(bridge)
            return (0..<quarterMinutes).flatMap { edge in
                findings(edge, in: openings, of: bridge)
            }
        }
    }

    private static func findings(
        _ edge: Int, in openings: [Opening], of bridge: BridgeIndex
    ) -> [RecordsFinding] {
        let minutes = openings.map { minutesPastEdge($0.start, edge) }
        let threshold =
            log(Double(max(openings.count, 1) * quarterMinutes)) - log(RecordsReview.chance)
        return BestRun.all(minutes.map(score), above: threshold).compactMap { run in
            guard let days = days(of: openings[run.range]), days.count >= minDays else {
                return nil
            }
            let period = SeattleTime.period(ofDays: days)
            let stretch = openings.filter { period.contains($0.start) }
            let affected = stretch.filter { minutesPastEdge($0.start, edge) == 0 }
            let late = affected.count { $0.start.secondsSinceEpoch / 60 % 30 >= quarterMinutes }
            let share = Double(late) / Double(max(affected.count, 1))
            guard share >= minPairShare, share <= 1 - minPairShare else { return nil }
            return RecordsFinding(
                kind: .edgeStarts, bridges: [bridge], period: period,
                isSetAside: false, edgeMinute: edge,
                message:
                    "\(affected.count) of \(stretch.count) openings start at \(clockText(edge)), "
                    + "the edge of a job that runs every 15 minutes")
        }
    }

    /// The days from the first start to the last.
    private static func days(of openings: ArraySlice<Opening>) -> ClosedRange<Int>? {
        guard let first = openings.first, let last = openings.last else { return nil }
        func day(_ opening: Opening) -> Int {
            SeattleTime.civil(at: opening.start).date.dayNumber
        }
        return day(first)...day(last)
    }

    /// Whole minutes from the last edge to a time, 0...14.
    private static func minutesPastEdge(_ time: Timestamp, _ edge: Int) -> Int {
        // Seattle's clock is whole hours from UTC.
        (Int(time.secondsSinceEpoch / 60) - edge + quarterMinutes) % quarterMinutes
    }

    /// What a start so many minutes past the edge adds to a run's score.
    private static func score(_ minutes: Int) -> Double {
        if minutes == 0 { return log(faulty.edge / typical.edge) }
        if minutes >= quarterMinutes - minutesBefore { return log(faulty.before / typical.before) }
        return log((1 - faulty.edge - faulty.before) / (1 - typical.edge - typical.before))
    }

    private static func clockText(_ edge: Int) -> String {
        let times = (0..<4).map { quarter -> String in
            let minute = edge + quarter * quarterMinutes
            return ":\(minute < 10 ? "0" : "")\(minute)"
        }
        return times.dropLast().joined(separator: ", ") + " or " + times[3]
    }

    // MARK: - What is known

    /// When a span may have been up although the records have it down, and the minutes in which the starts are.
    ///
    /// An opening that was up at an edge is recorded from there only, so that nothing is known of the minutes before
    /// it, whether or not one is recorded: those with an opening after them are no sample of all. What is left has as
    /// many raised minutes as there were, to a few percent; to leave out the 15 minutes before affected openings alone
    /// would keep a sixth too few. After five minutes few openings that began before are still up at the edge.
    static func unknownMinutes(_ edge: Int, in period: Range<Timestamp>) -> [Range<Timestamp>] {
        let step = Int64(quarterMinutes * 60)
        let offset = Int64(edge * 60)
        let first = (period.lowerBound.secondsSinceEpoch - offset) / step * step + offset
        let last = period.upperBound.secondsSinceEpoch + step
        return stride(from: first, to: last, by: Int(step)).map { seconds in
            let time = Timestamp(secondsSinceEpoch: seconds)
            let minutes = time.adding(minutes: -Double(minutesBefore))..<time.adding(minutes: 1)
            return minutes.clamped(to: period)
        }
    }
}

extension OpeningHistory {
    /// The history as it is scored: its starts on the edges of a job are not believed.
    package var doubtingEdgeStarts: OpeningHistory {
        doubtingStarts(EdgeStarts.findings(in: self))
    }

    /// The history in which starts on the edges of findings are not believed.
    package func doubtingStarts(_ findings: [RecordsFinding]) -> OpeningHistory {
        findings.reduce(self) { history, finding in
            guard let edge = finding.edgeMinute else { return history }
            let unknown = EdgeStarts.unknownMinutes(edge, in: finding.period)
            return finding.bridges.reduce(history) {
                $0.doubtingStarts(of: $1, in: finding.period, unknown: unknown)
            }
        }
    }
}
