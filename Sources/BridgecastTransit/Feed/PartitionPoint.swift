// Binary search in columns, specialised in this module: boards and trips look rows up by the million.

extension Array {
    /// The first place of a range whose element satisfies a predicate that is false, then true; O(log n).
    @inline(__always)
    func partitionPoint(in range: Range<Int>, _ predicate: (Element) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The same over the whole array.
    @inline(__always)
    func partitionPoint(_ predicate: (Element) -> Bool) -> Int {
        partitionPoint(in: indices, predicate)
    }
}
