// How long an opening lasts, given what is known: a survival curve and its integral. BridgeContext holds one for
// each bridge whose state is known.
private import Foundation

/// P(an opening lasts longer than t minutes), and what follows from it.
///
/// The curve is given at whole minutes up to an hour and a half and linear between them; from then on it falls at
/// the rate of the last minute.
package struct LengthSurvival: Sendable {
    /// The last minute whose hazard is counted: an older opening is as one of this age.
    package static let longestMinutes = 60
    /// Whole minutes that the curve is given at: up to the last edge of the bins behind a lead of an hour, and one on.
    private static let pointCount = 92
    /// How far the last edge of the bins lies behind the first, minutes.
    private static let farthestEdge = DelayBins.edgesMinutes[DelayBins.edgesMinutes.count - 1]

    /// The integrals of the curve from 0 to each whole minute, then the curve there.
    private let points: [Double]
    /// The rate at which it falls beyond the last point, 1/min.
    private let tailRate: Double

    /// Makes the curve from hazards.
    ///
    /// - Parameters:
    ///   - hazards: P(lowered in minute k + 1 | still up after k), 0 < h < 1; the last one holds for all later minutes.
    init(hazards: InlineArray<19, Double>) {
        // An element of an inline array is read by a copy of the whole, one of its span is not.
        let hazards = hazards.span
        let last = hazards.count - 1
        var points = [Double](repeating: 1, count: 2 * Self.pointCount)
        var places = points.mutableSpan
        var (integral, value) = (0.0, 1.0)
        for minute in 0..<Self.pointCount {
            places[minute] = integral
            places[Self.pointCount + minute] = value
            let next = value * (1 - hazards[min(minute, last)])
            integral += (value + next) / 2
            value = next
        }
        self.points = points
        tailRate = -log1p(-hazards[last])
    }

    /// P(an opening lasts longer than so many minutes), 0 <= p <= 1.
    package subscript(minutes: Double) -> Double {
        let place = Place(minutes)
        return place.isGiven
            ? value(place.whole, place.part)
            : points[points.count - 1] * exp(-tailRate * (minutes - Place.last))
    }

    /// The integral of the curve from 0 to so many minutes, minutes.
    package func integral(to minutes: Double) -> Double {
        let place = Place(minutes)
        guard place.isGiven else {
            let gone = -expm1(-tailRate * (minutes - Place.last))
            return points[Self.pointCount - 1] + points[points.count - 1] * gone / tailRate
        }
        return integral(place.whole, place.part)
    }

    /// P(an opening lasts longer than `total` minutes, given that it has lasted `elapsed`), 0 < p <= 1.
    package func probabilityOutlasts(total: Double, elapsed: Double) -> Double {
        guard total > elapsed else { return 1 }
        let age = Self.age(elapsed)
        return self[age + total - elapsed] / self[age]
    }

    /// P(the delay is longer than each edge of the bins) of one who arrives at an opening that is under way.
    ///
    /// One who arrives when a queue of `served` minutes' worth has gone waits longer than w if the opening lasts longer
    /// than `w + served`.
    ///
    /// - Parameters:
    ///   - elapsed: How long it has lasted, minutes.
    ///   - served: Minutes from its start to the arrival, times 1 - rho.
    func delaysOutlast(served: Double, elapsed: Double) -> InlineArray<11, Double> {
        let age = Self.age(elapsed)
        let (first, scale) = (age + served - elapsed, 1 / self[age])
        let edges = DelayBins.edgesMinutes
        // The edges are whole minutes, so all of them lie at the same part of a minute.
        let place = Place(first)
        let isGiven = first >= 0 && Place(first + Self.farthestEdge).isGiven
        return InlineArray { bin in
            let longer =
                isGiven
                ? value(place.whole + Int(edges[bin]), place.part) : self[first + edges[bin]]
            return min(1, longer * scale)
        }
    }

    /// Shares of the delays in bins 1 to 11 of those who meet an opening that begins after the issue time.
    ///
    /// One who arrives `a` minutes after an opening's start waits longer than w if it lasts longer than
    /// `w + (1 - rho) a`; `a` lies anywhere from 0 to the lead, so that the survival is integrated over it.
    ///
    /// - Parameters:
    ///   - leadMinutes: From the issue time, when the span is down, to the arrival.
    ///   - density: Degree of saturation, 0 ..< 1.
    func delayShares(leadMinutes: Double, density: Double) -> InlineArray<11, Float> {
        let served = (1 - density) * max(leadMinutes, Self.leastLeadMinutes)
        // The edges are whole minutes, at which the integral is at hand, and all lie at the same part of a minute.
        let place = Place(served)
        let isGiven = Place(served + Self.farthestEdge).isGiven
        let edges = DelayBins.edgesMinutes
        let all = integral(to: served)
        let scale = 1 / all
        var shares = InlineArray<11, Float>(repeating: 0)
        var before = all
        for bin in 1..<shares.count {
            let edge = Int(edges[bin])
            let end =
                isGiven
                ? integral(place.whole + edge, place.part) : integral(to: edges[bin] + served)
            let after = end - points[edge]
            shares[bin - 1] = Float((before - after) * scale)
            before = after
        }
        shares[shares.count - 1] = Float(before * scale)
        return shares
    }

    /// A shorter lead counts as this: an arrival at once meets the whole of an opening.
    private static let leastLeadMinutes = 0.1

    /// The age as which an opening counts: beyond the last minute what follows no longer depends on it.
    private static func age(_ elapsed: Double) -> Double {
        min(max(0, elapsed), Double(longestMinutes))
    }

    /// Where a time lies among the points.
    private struct Place {
        static let last = Double(pointCount - 1)

        /// The whole minutes below it.
        let whole: Int
        /// The rest, 0 ..< 1.
        let part: Double
        /// Whether it lies before the last point.
        let isGiven: Bool

        @inline(__always)
        init(_ minutes: Double) {
            let inside = min(max(0, minutes), Self.last)
            whole = Int(inside)
            part = inside - Double(whole)
            isGiven = minutes < Self.last
        }
    }

    @inline(__always)
    private func value(_ whole: Int, _ part: Double) -> Double {
        let (here, next) = (
            points[Self.pointCount + whole], points[Self.pointCount + whole + 1]
        )
        return here + (next - here) * part
    }

    @inline(__always)
    private func integral(_ whole: Int, _ part: Double) -> Double {
        let (here, next) = (
            points[Self.pointCount + whole], points[Self.pointCount + whole + 1]
        )
        return points[whole] + part * (here + (next - here) * part / 2)
    }
}
