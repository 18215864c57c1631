// Weeks with several times the openings of the rest, or next to none; a test of RecordsReview that only warns.
import BridgecastCore
import Foundation

/// Weeks of a bridge whose rate is far from that of its other records.
///
/// Boats come by weather and season, so that a week may truly differ: nothing is set aside. A week's mean is taken
/// to vary by a third beyond chance, Gamma-distributed with shape 10.
enum OddRate {
    private static let shape = 10.0
    private static let many = 3.0
    private static let few = 0.2

    /// Weeks whose openings chance explains less often than in one of a million.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let weeks = BridgeWeek.all(of: history)
        return weeks.compactMap { week in
            // The other weeks of the bridge, those within eight weeks before all others.
            let others = weeks.filter { $0.bridge == week.bridge && $0.monday != week.monday }
            let near = others.filter {
                abs($0.monday.dayNumber - week.monday.dayNumber) <= 56
            }
            let (all, local) = (level(others), level(near))
            let high = week.expected * max(all, local)
            let low = week.expected * min(all, local)
            let count = Double(week.openings)
            if count > many * high,
                logTail(from: week.openings, mean: high) < log(RecordsReview.chance)
            {
                return finding(week, "\(week.openings) openings", high)
            }
            if count < few * low, logUpTo(week.openings, mean: low) < log(RecordsReview.chance) {
                return finding(week, "only \(week.openings) openings", low)
            }
            return nil
        }
    }

    private static func level(_ weeks: [BridgeWeek]) -> Double {
        let (openings, expected) = weeks.reduce(into: (1.0, 1.0)) {
            $0.0 += Double($1.openings)
            $0.1 += $1.expected
        }
        return openings / expected
    }

    private static func finding(
        _ week: BridgeWeek, _ count: String, _ expected: Double
    ) -> RecordsFinding {
        RecordsFinding(
            kind: .rate, bridges: [week.bridge],
            period: SeattleTime.startOfDay(
                week.monday)..<SeattleTime.startOfDay(week.monday.adding(days: 7)),
            isSetAside: false,
            words: "\(count), where about \(Int(expected.rounded())) were to be expected")
    }

    /// ln P(at least so many openings), negative binomial.
    private static func logTail(from count: Int, mean: Double) -> Double {
        // Terms fall by a constant share or faster beyond three times the mean.
        let terms = (count..<count + 400).map { logProbability($0, mean: mean) }
        let first = terms[0]
        return first + log(terms.reduce(0) { $0 + exp($1 - first) })
    }

    /// ln P(at most so many openings).
    private static func logUpTo(_ count: Int, mean: Double) -> Double {
        let terms = (0...count).map { logProbability($0, mean: mean) }
        let largest = terms[count]
        return largest + log(terms.reduce(0) { $0 + exp($1 - largest) })
    }

    private static func logProbability(_ count: Int, mean: Double) -> Double {
        let (n, k) = (Double(count), shape)
        return lgamma(n + k) - lgamma(k) - lgamma(n + 1) - k * log1p(mean / k)
            + n * (log(mean) - log(mean + k))
    }
}
