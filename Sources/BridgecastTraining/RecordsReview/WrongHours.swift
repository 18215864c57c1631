// Records whose clock is whole hours off, up to all of them; a test of RecordsReview.
import BridgecastCore

/// Runs of days whose openings fit what the day is like at any drawbridge of the city far better some hours off.
///
/// The other tests compare records with their own rest. This one knows the rules (``DayShape``), so that it finds a
/// fault that all rows share, such as times in UTC. In the shipped records the strongest run has 12, that of a single
/// bridge 16; a month in UTC has from 185 on.
enum WrongHours {
    private static let threshold = 40.0
    private static let shifts = (-12...12).filter { $0 != 0 }
    /// No opening says more than this; a ship has leave to pass at closed hours.
    private static let mostOfOne = 2.0
    /// What each day and each opening has to bring before it counts for a run.
    private static let (leastOfDay, leastOfOpening) = (0.5, 0.05)
    /// If it is the hours that are wrong, openings by night and in closed hours become fewer by this factor, and few.
    private static let (mostLeft, mostLeftShare) = (0.7, 0.25)
    /// Bridges have to agree: so many with at least this much of the score, and those against it with little of it.
    private static let (fewestBridges, leastOfBridge) = (2, 5.0)
    private static let mostAgainst = 0.05
    /// A weekend says little of the clock: so many days more are set aside on both sides.
    private static let marginDays = 2

    private struct Run {
        let hours: Int
        let days: ClosedRange<Int>
        let score: Double
        /// Shares of openings by night or in closed hours, as they are and with other hours.
        let (oddShare, leftShare): (Double, Double)
    }

    /// The strongest run of all bridges together, else that of each bridge.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        var shape = DayShape()
        let starts = BridgeIndex.all.filter { BridgeCatalogue[$0].rules.hasClosedWindows }
            .map { history.covered($0).map(DayShape.Start.init) }
        if let run = strongest(starts.flatMap(\.self), &shape) {
            let inside = starts.map { $0.filter { run.days.contains($0.day) } }
            let scores = inside.map { own in
                own.reduce(0) { $0 + gain($1, run.hours, &shape) }
            }
            if scores.count(where: { $0 >= leastOfBridge }) >= fewestBridges,
                -scores.reduce(0, { $0 + min($1, 0) }) <= mostAgainst * run.score
            {
                return [finding(run, BridgeIndex.all, history.coverage)]
            }
        }
        return starts.compactMap { own in
            guard let bridge = own.first?.bridge, let run = strongest(own, &shape) else {
                return nil
            }
            return finding(run, [bridge], history.coverage)
        }
    }

    /// How much likelier a start is some hours earlier than it is said to be, in logarithms.
    private static func gain(
        _ start: DayShape.Start, _ hours: Int, _ shape: inout DayShape
    ) -> Double {
        let gain = shape.logDensity(of: start.moved(hours: -hours)) - shape.logDensity(of: start)
        return min(max(gain, -mostOfOne), mostOfOne)
    }

    private static func strongest(_ starts: [DayShape.Start], _ shape: inout DayShape) -> Run? {
        let byDay = Dictionary(grouping: starts, by: \.day).sorted { $0.key < $1.key }
        var best: (run: BestRun, hours: Int)?
        for hours in shifts {
            let sums = byDay.map { _, own in
                own.reduce(-leastOfDay) { $0 + gain($1, hours, &shape) - leastOfOpening }
            }
            guard let run = BestRun(sums), run.score > best?.run.score ?? threshold else {
                continue
            }
            best = (run, hours)
        }
        guard let (run, hours) = best else { return nil }
        let (days, own) = (byDay[run.range].map(\.key), byDay[run.range].flatMap(\.value))
        let odd = own.count { shape.isQuiet($0) }
        let left = own.count { shape.isQuiet($0.moved(hours: -hours)) }
        guard let first = days.first, let last = days.last,
            Double(left) <= mostLeft * Double(odd),
            Double(left) <= mostLeftShare * Double(own.count)
        else { return nil }
        return Run(
            hours: hours, days: first...last, score: run.score,
            oddShare: Double(odd) / Double(own.count), leftShare: Double(left) / Double(own.count))
    }

    private static func finding(
        _ run: Run, _ bridges: [BridgeIndex], _ coverage: Coverage
    ) -> RecordsFinding {
        let period = SeattleTime.period(
            ofDays: run.days.lowerBound - marginDays...run.days.upperBound + marginDays)
        let covered = coverage.clamped(to: period)
        let (count, isAhead) = (abs(run.hours), run.hours > 0)
        let distance = count == 1 ? "an hour" : "\(count) hours"
        let zone = [7, 8].contains(run.hours) ? ", as times in UTC are" : ""
        func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }
        return RecordsFinding(
            kind: .clock, bridges: bridges.filter { !covered.periods[$0.rawValue].isEmpty },
            period: period, isSetAside: true,
            words: "the clock seems \(distance) \(isAhead ? "ahead" : "behind")\(zone): "
                + "\(percent(run.oddShare)) % of the openings begin by night or in closed hours, "
                + "and \(percent(run.leftShare)) % would \(distance) \(isAhead ? "earlier" : "later")"
        )
    }
}
