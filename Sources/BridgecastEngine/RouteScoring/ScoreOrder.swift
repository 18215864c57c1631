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
        if order.count != count { order = Array(repeating: 0, count: count) }
        let sorted = keys.span
        var places = order.mutableSpan
        for index in sorted.indices { places[index] = Self.place(sorted[index]) }
    }

    private var hasTies: Bool {
        let sorted = keys.span
        guard sorted.count > 1 else { return false }
        for index in 1..<sorted.count where sorted[index] >> 32 == sorted[index - 1] >> 32 {
            return true
        }
        return false
    }

    private static func key(_ value: Float, _ place: Int) -> UInt64 {
        UInt64(value.bitPattern) << 32 | UInt64(truncatingIfNeeded: place)
    }

    private static func place(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key & 0xffff_ffff) }

    /// By bytes of the upper half, from the least; each pass keeps the order of the one before.
    private mutating func sortKeys() {
        // How many keys have each value of each of the four bytes.
        var counts = InlineArray<1_024, Int>(repeating: 0)
        for key in keys {
            let value = key >> 32
            for byte in 0..<4 {
                counts[byte << 8 | Int(value >> (8 * UInt64(byte)) & 0xff)] += 1
            }
        }
        for byte in 0..<4 {
            let shift = 32 + 8 * UInt64(byte)
            // A byte that all keys share orders nothing.
            if let first = keys.first,
                counts[byte << 8 | Int(first >> shift & 0xff)] == keys.count
            {
                continue
            }
            var start = 0
            for value in byte << 8..<(byte + 1) << 8 {
                (counts[value], start) = (start, start + counts[value])
            }
            Self.distribute(keys, into: &spare) { key in
                let value = byte << 8 | Int(key >> shift & 0xff)
                defer { counts[value] += 1 }
                return counts[value]
            }
            swap(&keys, &spare)
        }
    }

    @inline(__always)
    private static func distribute(
        _ keys: [UInt64], into sorted: inout [UInt64], place: (UInt64) -> Int
    ) {
        let from = keys.span
        var to = sorted.mutableSpan
        for index in from.indices { to[place(from[index])] = from[index] }
    }
}
