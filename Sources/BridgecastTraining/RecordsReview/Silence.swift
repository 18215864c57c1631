// How likely it is that nothing opens for a time; used by the two tests of silence.
import BridgecastCore
import Foundation

/// How likely a silence is.
///
/// Days differ by weather and season beyond chance. A day's openings are taken to have a Gamma-distributed mean,
/// with the given shape, so that a day on which E are expected has none with probability (1 + E / shape)^-shape.
enum Silence {
    /// Shorter times without an opening are never tested, minutes.
    static let leastMinutes = 24.0 * 60

    /// The natural logarithm of the probability of no opening on some days.
    static func logProbability(_ expectedByDay: [Int: Double], shape: Double) -> Double {
        expectedByDay.sorted { $0.key < $1.key }.reduce(0) {
            $0 - shape * log1p($1.value / shape)
        }
    }

    /// The parts of periods between openings: from the end of one, or of all before it, to the start of the next.
    static func gaps(
        in periods: [Range<Timestamp>], between openings: [Opening]
    ) -> [Range<Timestamp>] {
        var gaps: [Range<Timestamp>] = []
        var next = openings.startIndex
        for period in periods {
            var start = period.lowerBound
            func close(at end: Timestamp) {
                if end.minutes(since: start) >= leastMinutes { gaps.append(start..<end) }
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

    /// How many openings were to be expected, in words.
    static func words(_ expectedByDay: [Int: Double]) -> String {
        "no opening, where about \(Int(total(expectedByDay).rounded())) were to be expected"
    }
}
