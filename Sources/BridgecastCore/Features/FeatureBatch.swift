// Rows of inputs and priors as the network takes them; FeatureBuilder fills them.

/// Rows for the network: its inputs, and the logits of the climatological prior it corrects.
public struct FeatureBatch: Sendable {
    /// Inputs, [B, F] with F = ``FeatureSchema/count``, as lists of those that are not zero.
    public private(set) var rows = SparseRows(width: FeatureSchema.count)
    /// Prior log probabilities of the delay bins, [B, 12].
    public private(set) var priorLogits: [Float] = []

    private var earlier = EarlierRows()

    /// Entries that a row takes, roughly, beside those of lists that it shares.
    private static let usualEntries = 8
    /// Lists beyond these are not kept for later rows.
    private static let mostListsKept = 4_096

    /// Rows, B.
    public var rowCount: Int { rows.count }

    /// Creates an empty batch with room for some rows.
    public init(capacity: Int = 0) {
        let capacity = min(max(0, capacity), 1 << 20)
        rows.reserve(rows: capacity, entries: Self.usualEntries)
        priorLogits.reserveCapacity(capacity * DelayBins.count)
    }

    /// Forgets all rows but keeps the memory.
    public mutating func removeAll() {
        earlier.removeAll()
        rows.removeAll()
        priorLogits.removeAll(keepingCapacity: true)
    }

    /// Forgets all rows but keeps what the next ones may have in common with them, unless that has become much.
    package mutating func removeRows() {
        guard rows.listCount < Self.mostListsKept else { return removeAll() }
        rows.removeRows()
        priorLogits.removeAll(keepingCapacity: true)
    }

    /// The inputs written out, [B, F], which the batch no longer has afterwards: no copy of gigabytes.
    package mutating func takeDenseRows() -> [Float] {
        let dense = rows.dense()
        self = FeatureBatch()
        return dense
    }

    /// Appends the rows of another batch.
    public mutating func append(contentsOf other: FeatureBatch) {
        rows.append(contentsOf: other.rows)
        priorLogits += other.priorLogits
    }

    /// Some rows of the batch, evenly spread; all of them if there are fewer.
    public func spread(rows count: Int) -> FeatureBatch {
        guard count < rowCount else { return self }
        var result = FeatureBatch(capacity: count)
        for index in 0..<max(0, count) {
            let row = index * rowCount / count
            result.rows.append(row: row, of: rows)
            result.priorLogits += priorLogits[row * DelayBins.count..<(row + 1) * DelayBins.count]
        }
        return result
    }

    /// Appends a row; what it shares with earlier ones is not computed again.
    mutating func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        _ climatology: Climatology
    ) {
        let row = earlier.appendRow(
            bridge, leadMinutes: leadMinutes, density: density, in: situation, climatology,
            to: &rows)
        DelayPrior.appendLogits(row, to: &priorLogits)
    }
}
