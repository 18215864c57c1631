// Delays as pieces of constant density: what is left of a forecast when part of it is taken away.

/// Delays as pieces of constant density, the shortest first; there is room for two grids of ``DelayBins``.
struct DelayPieces {
    private var ends = InlineArray<24, Float>(repeating: 0)
    private var shares = InlineArray<24, Float>(repeating: 0)
    private var count = 0
    /// Of all pieces.
    private(set) var probability: Float = 0

    /// Adds the next piece; a density below zero is none, and so is a piece that ends before it begins.
    @inline(__always)
    mutating func append(_ density: Float, from low: Float, to end: Float) {
        let share = max(0, density) * max(0, end - low)
        (ends[count], shares[count]) = (max(low, end), share)
        count += 1
        probability += share
    }

    /// The delay in minutes below which so much of the probability lies.
    func delay(_ probability: Float) -> Float {
        var (left, low) = (probability, Float(0))
        for piece in 0..<count {
            if left <= shares[piece], shares[piece] > 0 {
                return low + (ends[piece] - low) * left / shares[piece]
            }
            left -= shares[piece]
            low = ends[piece]
        }
        return low
    }
}
