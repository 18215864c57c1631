// Tree inputs cut into at most 255 bins a column: what histograms are built from.

/// Columns of bin numbers, one byte a value.
///
/// Bins hold about equally many different values; NaN is the highest bin of all, so that what is
/// unknown goes with what is long ago.
struct BinnedColumns: Sendable {
    /// Bins per column; the last is NaN's.
    static let binCount = 256
    /// Rows that the cuts are chosen from.
    private static let rowsForCuts = 100_000
    private static let blockRows = 256

    /// Rows, B.
    let rowCount: Int
    /// [F, B].
    let bins: [UInt8]
    /// Upper limits of the bins, [F][...]; a value goes to the first bin whose limit it does not pass.
    let cuts: [[Float]]

    /// Cuts values [B, F] into bins chosen from them.
    init(_ values: [Float], width: Int) {
        let cuts = (0..<width).map { Self.cuts(values, column: $0, width: width) }
        self.init(values[...], cuts: cuts)
    }

    /// Cuts values [B, F] by given limits.
    init(_ values: ArraySlice<Float>, cuts: [[Float]]) {
        let width = cuts.count
        let rows = values.count / width
        rowCount = rows
        self.cuts = cuts
        var bins = [UInt8](repeating: 0, count: width * rows)
        let searches = cuts.map { BinSearch($0) }
        unsafe values.withUnsafeBufferPointer { values in
            unsafe bins.withUnsafeMutableBufferPointer { bins in
                // Block by block, so that a row's values are still in the cache for its next column.
                for start in stride(from: 0, to: rows, by: Self.blockRows) {
                    for (column, search) in searches.enumerated() {
                        for row in start..<min(start + Self.blockRows, rows) {
                            unsafe bins[column * rows + row] =
                                search.bin(of: values[row * width + column])
                        }
                    }
                }
            }
        }
        self.bins = bins
    }

    /// The bins of a column, [B].
    func column(_ column: Int) -> ArraySlice<UInt8> {
        bins[column * rowCount..<(column + 1) * rowCount]
    }

    /// Whether rows of a column lie in different bins: no others can be cut apart.
    func varies(_ column: Int) -> Bool {
        let bins = self.column(column)
        return bins.contains { $0 != bins.first }
    }

    private static func cuts(_ values: [Float], column: Int, width: Int) -> [Float] {
        let rows = values.count / width
        let step = max(1, rows / rowsForCuts)
        let sorted = stride(from: 0, to: rows, by: step).map { values[$0 * width + column] }
            .filter { !$0.isNaN }.sorted()
        guard !sorted.isEmpty else { return [] }
        let most = binCount - 2
        var cuts: [Float] = []
        for index in 1...most {
            let value = sorted[min(index * sorted.count / (most + 1), sorted.count - 1)]
            if cuts.last.map({ value > $0 }) ?? true { cuts.append(value) }
        }
        return cuts
    }
}

/// Looks up bins by halving, as many times for every value, so that no branch is guessed wrong.
private struct BinSearch {
    /// Limits, and infinity up to a power of two less one.
    private let limits: [Float]
    private let firstStep: Int

    init(_ cuts: [Float]) {
        var room = 1
        while room <= cuts.count { room *= 2 }
        firstStep = room / 2
        limits = cuts + Array(repeating: .infinity, count: room - cuts.count)
    }

    /// The first limit that a value does not pass.
    @inline(__always)
    func bin(of value: Float) -> UInt8 {
        var (bin, step) = (0, firstStep)
        while step > 0 {
            bin += limits[bin + step - 1] < value ? step : 0
            step /= 2
        }
        return value.isNaN ? UInt8(BinnedColumns.binCount - 1) : UInt8(truncatingIfNeeded: bin)
    }
}
