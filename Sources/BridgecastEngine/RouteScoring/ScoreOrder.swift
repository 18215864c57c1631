// Sorts routes by score in linear time, in memory that is kept; used by RouteScorer.

/// A radix sort of scores with their places.
struct ScoreOrder: Sendable {
    private var keys: [UInt64] = []
    private var spare: [UInt64] = []

    /// Sorts places 0 ..< count: least score first, then least tie breaker, then least place.
    ///
    /// - Parameters:
    ///   - score: Not negative and not NaN, so that its bits are in its order; `tie` alike.
    ///   - order: Receives the places.
    mutating func sort(
        _ count: Int, into order: inout [Int], by score: (Int) -> Float, then tie: (Int) -> Float
    ) {
        if keys.count != count {
            keys = Array(repeating: 0, count: count)
            spare = keys
        }
        for place in 0..<count { keys[place] = Self.key(score(place), place) }
        sortKeys()
        if hasTies {
            for place in 0..<count { keys[place] = Self.key(tie(place), place) }
            sortKeys()
            for index in 0..<count {
                let place = Self.place(keys[index])
                keys[index] = Self.key(score(place), place)
            }
            sortKeys()
        }
        order.removeAll(keepingCapacity: true)
        for key in keys { order.append(Self.place(key)) }
    }

    private var hasTies: Bool {
        guard keys.count > 1 else { return false }
        for index in 1..<keys.count where keys[index] >> 32 == keys[index - 1] >> 32 { return true }
        return false
    }

    private static func key(_ value: Float, _ place: Int) -> UInt64 {
        UInt64(value.bitPattern) << 32 | UInt64(truncatingIfNeeded: place)
    }

    private static func place(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key & 0xffff_ffff) }

    /// By bytes of the upper half, from the least; each pass keeps the order of the one before.
    private mutating func sortKeys() {
        for shift in stride(from: UInt64(32), to: 64, by: 8) {
            var starts = InlineArray<257, Int>(repeating: 0)
            for key in keys { starts[Int(key >> shift & 0xff) + 1] += 1 }
            for byte in 1..<257 { starts[byte] += starts[byte - 1] }
            for key in keys {
                let byte = Int(key >> shift & 0xff)
                spare[starts[byte]] = key
                starts[byte] += 1
            }
            swap(&keys, &spare)
        }
    }
}
