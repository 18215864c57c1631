// Times in which no bridge at all reports though records are said to be complete; a test of RecordsReview.
import BridgecastCore
import Foundation

/// Silences of all bridges together, such as a missing month.
enum SharedSilence {
    private static let shape = 2.0

    /// Silences that chance explains less often than in one of a million.
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
                words: Silence.words(expected))
        }
    }
}
