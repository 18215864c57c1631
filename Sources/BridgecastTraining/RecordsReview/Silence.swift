// Tests for times without openings, of one bridge and of all together.
import BridgecastCore
import Foundation

/// How likely it is that nothing opens for a time.
///
/// Days differ by weather and season beyond chance. A day's openings are taken to have a Gamma-distributed mean,
/// with the given shape, so that a day on which E are expected has none with probability (1 + E / shape)^-shape.
enum Silence {
    /// Less covered time without an opening is never tested, minutes.
    static let minMinutes = 24.0 * 60
    /// A silence goes on over so long a time without coverage, such as a night or a holiday, minutes.
    ///
    /// A shorter one ends it: an opening whose end is not known is cut out of the coverage.
    private static let breakMinutes = 121.0...(48 * 60)

    /// The natural logarithm of the probability of no opening on some days.
    static func logProbability(_ expectedByDay: [Int: Double], shape: Double) -> Double {
        expectedByDay.sorted { $0.key < $1.key }.reduce(0) { $0 - shape * log1p($1.value / shape) }
    }

    /// The times without openings, from the latest end so far to the next start, over nights without coverage.
    static func gaps(
        in periods: [Range<Timestamp>], between openings: [Opening]
    ) -> [Range<Timestamp>] {
        var gaps: [Range<Timestamp>] = []
        var gap = Gap()
        var latestEnd = Timestamp.earliest
        var next = openings.startIndex
        for period in periods {
            if let end = gap.period?.upperBound,
                !breakMinutes.contains(period.lowerBound.minutes(since: end))
            {
                gap.close(into: &gaps)
            }
            while next < openings.endIndex, openings[next].start < period.upperBound {
                let opening = openings[next]
                gap.extend(from: max(latestEnd, period.lowerBound), to: opening.start)
                gap.close(into: &gaps)
                latestEnd = max(latestEnd, opening.end ?? opening.start)
                next += 1
            }
            gap.extend(from: max(latestEnd, period.lowerBound), to: period.upperBound)
        }
        gap.close(into: &gaps)
        return gaps
    }

    /// A time without an opening, and how much of it is covered.
    private struct Gap {
        var period: Range<Timestamp>?
        private var coveredMinutes = 0.0

        mutating func extend(from start: Timestamp, to end: Timestamp) {
            guard start < end else { return }
            period = (period?.lowerBound ?? start)..<end
            coveredMinutes += end.minutes(since: start)
        }

        mutating func close(into gaps: inout [Range<Timestamp>]) {
            if let period, coveredMinutes >= minMinutes { gaps.append(period) }
            self = Gap()
        }
    }

    /// The sum over all days, in their order, so that it comes out the same each time.
    static func total(_ expectedByDay: [Int: Double]) -> Double {
        expectedByDay.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value }
    }

    static func message(_ expectedByDay: [Int: Double]) -> String {
        "no openings, where about \(Int(total(expectedByDay).rounded())) were expected"
    }
}

/// Silences of single bridges.
enum BridgeSilence {
    /// In the shipped records the shape is 0.8 to 6 by bridge.
    private static let shape = 1.0
    /// A bridge without openings in this much covered time or more is set aside, minutes.
    private static let minutesWithoutOpenings = 28.0 * 1440

    /// Silences less likely than ``RecordsReview/chance``.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let rates = HourlyRates(history)
        return BridgeIndex.all.flatMap { bridge -> [RecordsFinding] in
            guard !history.covered(bridge).isEmpty else { return never(bridge, history.coverage) }
            let periods = history.coverage.periods[bridge.rawValue]
            let openings = history.openings[bridge.rawValue]
            return Silence.gaps(in: periods, between: openings).compactMap { gap in
                let expected = rates.expectedByDay(of: bridge, in: gap)
                guard Silence.logProbability(expected, shape: shape) < log(RecordsReview.chance)
                else { return nil }
                return RecordsFinding(
                    kind: .silence, bridges: [bridge], period: gap, isSetAside: true,
                    message: Silence.message(expected))
            }
        }
    }

    private static func never(_ bridge: BridgeIndex, _ coverage: Coverage) -> [RecordsFinding] {
        guard coverage.minutes(of: bridge) >= minutesWithoutOpenings else { return [] }
        return coverage.periods[bridge.rawValue].map { period in
            RecordsFinding(
                kind: .silence, bridges: [bridge], period: period, isSetAside: true,
                message: "no opening with an end in any of its records")
        }
    }
}

/// Silences of all bridges together, such as a missing month.
enum SharedSilence {
    private static let shape = 2.0

    /// Silences less likely than ``RecordsReview/chance``.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let rates = HourlyRates(history)
        let openings = history.openings.flatMap(\.self)
            .sorted { ($0.start, $0.bridge) < ($1.start, $1.bridge) }
        guard !openings.isEmpty else { return [] }
        return Silence.gaps(in: history.coverage.periodsOfAnyBridge, between: openings).compactMap {
            gap in
            var expected: [Int: Double] = [:]
            var bridges: [BridgeIndex] = []
            for bridge in BridgeIndex.all {
                let own = rates.expectedByDay(of: bridge, in: gap)
                if !own.isEmpty { bridges.append(bridge) }
                expected.merge(own, uniquingKeysWith: +)
            }
            guard bridges.count > 1,
                Silence.logProbability(expected, shape: shape) < log(RecordsReview.chance)
            else { return nil }
            return RecordsFinding(
                kind: .silence, bridges: bridges, period: gap, isSetAside: true,
                message: Silence.message(expected))
        }
    }
}
