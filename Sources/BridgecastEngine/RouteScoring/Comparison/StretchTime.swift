// The time of a stretch of travel as a function of a normal variable, and its distribution function.
private import Foundation
internal import CBridgecastKernels

/// The time of a stretch, gamma distributed, by the cubes of Wilson and Hilferty: mean x (1 - c + s z)^3 for a standard
/// normal z.
///
/// With the usual spread that is within a second of the gamma distribution from its 1 % to its 99 % quantile, whatever
/// the length; the mean is kept to two thousandths.
struct StretchTime {
    private let mean, base, slope: Float
    /// Standard deviation, minutes.
    let spread: Float

    /// A stretch of no time.
    static let none = StretchTime(mean: 0, spread: 0)

    /// A stretch of a packed route, whose cells are minutes.
    init(_ step: bck_route_step) {
        self.init(mean: step.mean, spread: step.spread)
    }

    private init(mean: Float, spread: Float) {
        let ratio = mean > 0 ? spread / mean : 0
        (self.mean, self.spread) = (mean, spread)
        (base, slope) = (1 - ratio * ratio / 9, ratio / 3)
    }

    /// Minutes for a value of a standard normal variable.
    @inline(__always)
    func minutes(_ normal: Float) -> Float {
        let root = max(0, base + slope * normal)
        return mean * root * root * root
    }

    /// The distribution function as a table.
    var distribution: Distribution {
        let (low, high) = (minutes(-4.5), minutes(4.5))
        let step = max((high - low) / Float(Distribution.pieces), 1e-6)
        let values = (0...Distribution.pieces).map { place -> Float in
            guard spread > 0 else { return place > 0 ? 1 : 0 }
            let root = cbrtf(max(0, low + Float(place) * step) / mean)
            return 0.5 * erfcf((base - root) / (slope * Float(2).squareRoot()))
        }
        return Distribution(low: low, piecesPerMinute: 1 / step, values: values)
    }

    /// A distribution function between whose values lines are drawn.
    struct Distribution {
        static let pieces = 128

        fileprivate let low, piecesPerMinute: Float
        fileprivate let values: [Float]

        /// The probability of at most so many minutes, 0...1.
        @inline(__always)
        func cumulative(_ minutes: Float) -> Float {
            let place = (minutes - low) * piecesPerMinute
            guard place > 0 else { return 0 }
            guard place < Float(Self.pieces) else { return 1 }
            let piece = Int(place)
            return values[piece] + (place - Float(piece)) * (values[piece + 1] - values[piece])
        }
    }
}
