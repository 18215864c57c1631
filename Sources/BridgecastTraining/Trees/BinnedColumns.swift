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
    /// [F][B].
    let columns: [[UInt8]]
    /// Upper limits of the bins, [F][...]; a value goes to the first bin whose limit it does not pass.
    let cuts: [[Float]]

    /// Cuts values [B, F] into bins chosen from them.
    init(_ values: [Float], width: Int) {
        let cuts = (0..<width).map { Self.cuts(values, column: $0, width: width) }
        self.init(values, cuts: cuts)
    }

    /// Cuts values [B, F] by given limits.
    init(_ values: [Float], cuts: [[Float]]) {
        let rows = values.count / cuts.count
        let width = cuts.count
        rowCount = rows
        self.cuts = cuts
        var columns = cuts.map { _ in [UInt8](repeating: 0, count: rows) }
        // Block by block, so that a row's values are still in the cache for its next column.
        for start in stride(from: 0, to: rows, by: Self.blockRows) {
            for (column, cuts) in cuts.enumerated() {
                for row in start..<min(start + Self.blockRows, rows) {
                    columns[column][row] = Self.bin(values[row * width + column], cuts)
                }
            }
        }
        self.columns = columns
    }

    private static func bin(_ value: Float, _ cuts: [Float]) -> UInt8 {
        guard !value.isNaN else { return UInt8(binCount - 1) }
        var (low, high) = (0, cuts.count)
        while low < high {
            let middle = (low + high) / 2
            if cuts[middle] >= value { high = middle } else { low = middle + 1 }
        }
        return UInt8(low)
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
