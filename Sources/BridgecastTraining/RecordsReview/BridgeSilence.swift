// Times in which one bridge reports nothing though its records are said to be complete; a test of RecordsReview.
import BridgecastCore
import Foundation

/// Silences of single bridges.
enum BridgeSilence {
    /// In the shipped records the shape is 0.8 to 6 by bridge.
    private static let shape = 1.0
    /// A bridge without any opening is not believed from this much covered time on, minutes.
    private static let mostMinutesWithoutAny = 28.0 * 1440

    /// Silences that chance explains less often than in one of a million.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let rates = HourlyRates(history)
        return BridgeIndex.all.flatMap { bridge -> [RecordsFinding] in
            let (openings, periods) = (
                history.covered(bridge), history.coverage.periods[bridge.rawValue]
            )
            guard !openings.isEmpty else { return never(bridge, history.coverage) }
            return Silence.gaps(in: periods, between: openings).compactMap { gap in
                let expected = rates.expectedByDay(of: bridge, in: gap)
                guard Silence.logProbability(expected, shape: shape) < log(RecordsReview.chance)
                else { return nil }
                return RecordsFinding(
                    kind: .silence, bridges: [bridge], period: gap, isSetAside: true,
                    words: Silence.words(expected))
            }
        }
    }

    private static func never(_ bridge: BridgeIndex, _ coverage: Coverage) -> [RecordsFinding] {
        guard coverage.minutes(of: bridge) >= mostMinutesWithoutAny else { return [] }
        return coverage.periods[bridge.rawValue].map { period in
            RecordsFinding(
                kind: .silence, bridges: [bridge], period: period, isSetAside: true,
                words: "no opening with a closing time in these or any other records of it")
        }
    }
}
