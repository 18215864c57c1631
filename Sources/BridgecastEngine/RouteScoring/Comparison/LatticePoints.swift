// Points that fill a cube of many dimensions evenly: the cases that comparisons of routes are summed over.
private import Foundation

/// A lattice of 1,024 points, the same in every run.
///
/// In each dimension by itself the points are the middles of 1,024 equal shares. The generators were found one after
/// another by the spectral test: in any two dimensions, and in any three of the first 16, the points lie on as many
/// lines or planes as can be.
enum LatticePoints {
    /// How many there are, a power of two.
    static let count = 1_024

    private static let generators = [
        1, 27, 311, 197, 123, 35, 95, 233, 87, 153, 11, 107, 181, 237, 263, 349, 125, 299, 397,
        497, 317, 89, 173, 265, 335, 327, 333, 495, 117, 295, 329, 499, 121, 309, 365, 155, 307,
        319, 455, 361, 69, 85, 215, 289, 367, 189, 491, 49, 137, 211, 231, 293, 355, 47, 65, 113,
        129, 287, 337, 347, 45, 61, 75, 83,
    ]

    /// Which of the equal shares a point falls into, 0 ..< ``count``; the most important dimensions come first.
    ///
    /// From the 65th dimension on generators are odd multiples of the first ones, which are less even.
    @inline(__always)
    static func share(ofPoint point: Int, _ generator: Int) -> Int {
        (point &* generator) & (count - 1)
    }

    /// What ``share(ofPoint:_:)`` takes for a dimension.
    static func generator(_ dimension: Int) -> Int {
        let (round, place) = dimension.quotientAndRemainder(dividingBy: generators.count)
        return generators[place] * (2 * round + 1)
    }

    /// The middle of a share, 0...1.
    @inline(__always)
    static func uniform(_ share: Int) -> Float { (Float(share) + 0.5) / Float(count) }

    /// What a standard normal variable does not exceed with the probability of the middle of each share.
    static let normal: [Float] = {
        // Newton's method, from the value before on; the function is concave where it starts, so it never overshoots.
        var values: [Float] = []
        for share in 0..<count / 2 {
            let probability = (Double(share) + 0.5) / Double(count)
            var value = Double(values.last ?? -4)
            for _ in 0..<8 {
                let density = exp(-value * value / 2) / (2 * Double.pi).squareRoot()
                value -= (0.5 * erfc(-value / 2.0.squareRoot()) - probability) / density
            }
            values.append(Float(value))
        }
        return values + values.reversed().map { -$0 }
    }()
}
