// Tests for times without openings, of one bridge and of all together.
import BridgecastCore
import Foundation

/// How likely it is that nothing opens for a time.
///
/// Days differ by weather and season beyond chance. A day's openings are taken to have a Gamma-distributed mean,
/// with the given shape, so that a day on which E are expected has none with probability (1 + E / shape)^-shape.
enum Silence {
    /// Shorter times without an opening are never tested, minutes.
    static let minMinutes = 24.0 * 60

    /// The natural logarithm of the probability of no opening on some days.
    static func logProbability(_ expectedByDay: [Int: Double], shape: Double) -> Double {
        expectedByDay.sorted { $0.key < $1.key }.reduce(0) { $0 - shape * log1p($1.value / shape) }
    }

    /// The parts of periods between openings, from the latest end so far to the next start.
    static func gaps(
        in periods: [Range<Timestamp>], between openings: [Opening]
    ) -> [Range<Timestamp>] {
        var gaps: [Range<Timestamp>] = []
        var next = openings.startIndex
        for period in periods {
            var start = period.lowerBound
            func close(at end: Timestamp) {
                if end.minutes(since: start) >= minMinutes { gaps.append(start..<end) }
            }
            while next < openings.endIndex, openings[next].start < period.upperBound {
                let opening = openings[next]
                if opening.start >= period.lowerBound { close(at: opening.start) }
                start = max(start, opening.end ?? opening.start)
                next += 1
            }
            close(at: period.upperBound)
        }
        return gaps
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
            let openings = history.covered(bridge)
            let periods = history.coverage.periods[bridge.rawValue]
            guard !openings.isEmpty else { return never(bridge, history.coverage) }
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
        let openings = BridgeIndex.all.flatMap { history.covered($0) }
            .sorted { ($0.start, $0.bridge) < ($1.start, $1.bridge) }
        guard !openings.isEmpty else { return [] }
        return Silence.gaps(in: history.coverage.periodsOfAnyBridge, between: openings).compactMap {
            gap in
            var expected: [Int: Double] = [:]
            var bridges: [BridgeIndex] = []
            for bridge in BridgeIndex.all {
                let covered = history.coverage.clamped(to: gap).periods[bridge.rawValue]
                if !covered.isEmpty { bridges.append(bridge) }
                for part in covered {
                    expected.merge(rates.expectedByDay(of: bridge, in: part), uniquingKeysWith: +)
                }
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
