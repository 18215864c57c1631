// Whether one path is never slower than another while paces change: it decides which shortcuts are needed.
package import BridgecastRoads

/// The slowest and the fastest paces of every window of some quarters of an hour.
///
/// A path of free times p that begins in quarter s takes at most p x slowest(s ..< s + n), if that is no longer than
/// n - 1 quarters; one of free times q takes at least q x fastest(s ..< s + n), or does not end within these quarters.
/// So if for every s the former is no larger than the latter, the first path is never slower.
package struct PaceWindows: Sendable {
    private struct Window: Hashable {
        let fastest, slowest: SIMD8<Float>
    }

    /// Distinct windows by how many seconds the first path may take; and the index of the last that decided no.
    private var windows: [(seconds: Float, windows: [Window], lastNo: Int)]
    /// The paces of up to four hours that differ most.
    package let samples: [SIMD8<Float>]

    package init(_ paces: PaceTable) {
        let day = PaceTable.slotsPerDay
        windows = [1, 2, 4].map { quarters in
            var distinct = Set<Window>()
            for first in 0..<2 {
                for next in 0..<2 {
                    let rows =
                        Array(paces.rows[first * day..<(first + 1) * day])
                        + paces.rows[next * day..<next * day + quarters]
                    for slot in 0..<day {
                        let within = rows[slot...slot + quarters]
                        distinct.insert(
                            Window(
                                fastest: within.reduce(rows[slot]) { pointwiseMin($0, $1) },
                                slowest: within.reduce(rows[slot]) { pointwiseMax($0, $1) }))
                    }
                }
            }
            return (Float(quarters) * Float(PaceTable.slotSeconds), Array(distinct), 0)
        }
        samples = Self.samples(paces.rows)
    }

    /// The first row, then repeatedly the row farthest from those chosen.
    private static func samples(_ rows: [SIMD8<Float>]) -> [SIMD8<Float>] {
        var samples = [rows[0]]
        func distance(_ row: SIMD8<Float>) -> Float {
            samples.map { sample in
                let ratio = pointwiseMax(row, sample) / pointwiseMin(row, sample)
                return pointwiseMin(ratio, SIMD8(repeating: 3)).sum()
            }.min() ?? 0
        }
        while samples.count < 4, let next = rows.max(by: { distance($0) < distance($1) }),
            distance(next) > 8.01
        {
            samples.append(next)
        }
        return samples
    }

    /// Whether a path is never slower than another at any departure; false negatives are possible, false positives not.
    ///
    /// - Parameters: Free times, tenths of a second.
    package mutating func isNeverSlower(_ way: SIMD8<Float>, than other: SIMD8<Float>) -> Bool {
        // Only one kind of road, and the other path has at least as much of it.
        if let lane = way.onlyLane, way[lane] <= other[lane] { return true }
        let way = way * 0.1
        let other = other * 0.1 * Self.caution
        for level in windows.indices {
            let seconds = windows[level].seconds
            let first = windows[level].lastNo
            let count = windows[level].windows.count
            var isShort = true
            for step in 0..<count {
                // The window that decided last is likely to decide again.
                let index = first + step < count ? first + step : first + step - count
                let window = windows[level].windows[index]
                let longest = (way * window.slowest).sum()
                if longest > seconds {
                    isShort = false
                    break
                }
                if longest > (other * window.fastest).sum() {
                    windows[level].lastNo = index
                    return false
                }
            }
            if isShort { return true }
        }
        return false
    }

    /// More than the rounding error of a sum.
    private static let caution: Float = 0.999_996
}

extension SIMD8<Float> {
    /// The only lane that is not zero.
    fileprivate var onlyLane: Int? {
        var lane: Int?
        for number in 0..<8 where self[number] > 0 {
            if lane != nil { return nil }
            lane = number
        }
        return lane
    }
}
