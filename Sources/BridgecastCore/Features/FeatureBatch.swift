// Rows of inputs and priors as the network takes them; FeatureBuilder fills them.

/// Rows for the network: its inputs, and the logits of the climatological prior it corrects.
public struct FeatureBatch: Sendable {
    /// Rows, B.
    public private(set) var rowCount = 0
    /// Inputs, [B, F] with F = ``FeatureSchema/count``.
    public private(set) var features: [Float] = []
    /// Prior log probabilities of the delay bins, [B, 12].
    public private(set) var priorLogits: [Float] = []

    private var earlier = EarlierRows()

    /// Creates an empty batch with room for some rows.
    public init(capacity: Int = 0) {
        let capacity = min(max(0, capacity), 1 << 20)
        features.reserveCapacity(capacity * FeatureSchema.count)
        priorLogits.reserveCapacity(capacity * DelayBins.count)
    }

    /// Forgets all rows but keeps the memory.
    public mutating func removeAll() {
        rowCount = 0
        earlier = EarlierRows()
        features.removeAll(keepingCapacity: true)
        priorLogits.removeAll(keepingCapacity: true)
    }

    /// The inputs, [B, F], which the batch no longer has afterwards: no copy of gigabytes.
    package mutating func takeFeatures() -> [Float] {
        defer {
            features = []
            earlier = EarlierRows()
        }
        return features
    }

    /// Appends the rows of another batch.
    public mutating func append(contentsOf other: FeatureBatch) {
        earlier = EarlierRows()
        features += other.features
        priorLogits += other.priorLogits
        rowCount += other.rowCount
    }

    /// Some rows of the batch, evenly spread; all of them if there are fewer.
    public func spread(rows: Int) -> FeatureBatch {
        guard rows < rowCount else { return self }
        var result = FeatureBatch(capacity: rows)
        for index in 0..<max(0, rows) {
            let row = index * rowCount / rows
            let width = FeatureSchema.count
            let bins = DelayBins.count
            result.features += features[row * width..<(row + 1) * width]
            result.priorLogits += priorLogits[row * bins..<(row + 1) * bins]
            result.rowCount += 1
        }
        return result
    }

    mutating func append(_ row: RowContext) {
        let width = FeatureSchema.count
        let start = features.count
        features.append(contentsOf: repeatElement(0, count: width))
        let sources = earlier.sources(for: row)
        unsafe features.withUnsafeMutableBufferPointer { values in
            var writer = unsafe RowWriter(
                UnsafeMutableBufferPointer(rebasing: values[start..<start + width]))
            for group in FeatureSchema.groups {
                guard let source = sources[group.dependsOn] else {
                    group.append(row, to: &writer)
                    continue
                }
                for index in writer.position..<writer.position + group.specCount {
                    writer.append(unsafe values[source * width + index])
                }
            }
            precondition(writer.position == width, "a group has fewer values than specs")
        }
        earlier.add(row, at: rowCount)
        DelayPrior.appendLogits(row, to: &priorLogits)
        rowCount += 1
    }
}

/// Rows of a batch from which values can be copied instead of being computed again.
private struct EarlierRows {
    private var validTime: (moment: Timestamp, row: Int)?
    private var situation: Situation?
    private var rowsByBridge: [Int?] = Array(repeating: nil, count: BridgeCatalogue.count)

    struct Sources {
        let validTime: Int?
        let bridgeAndSituation: Int?

        subscript(dependence: FeatureDependence) -> Int? {
            switch dependence {
            case .row: nil
            case .validTime: validTime
            case .bridgeAndSituation: bridgeAndSituation
            }
        }
    }

    func sources(for row: RowContext) -> Sources {
        let isKnown = situation?.isIdentical(to: row.situation) ?? false
        return Sources(
            validTime: validTime.flatMap { $0.moment == row.validTime ? $0.row : nil },
            bridgeAndSituation: isKnown ? rowsByBridge[row.bridge.rawValue] : nil)
    }

    mutating func add(_ row: RowContext, at number: Int) {
        if validTime?.moment != row.validTime { validTime = (row.validTime, number) }
        if situation?.isIdentical(to: row.situation) != true {
            situation = row.situation
            for bridge in rowsByBridge.indices { rowsByBridge[bridge] = nil }
        }
        rowsByBridge[row.bridge.rawValue] = number
    }
}

extension Situation {
    /// Whether it is the very same situation: the same memory, which nobody can have changed while both
    /// hold it.
    fileprivate func isIdentical(to other: Situation) -> Bool {
        guard issueTime == other.issueTime, bridges.count == other.bridges.count else {
            return false
        }
        return unsafe bridges.withUnsafeBufferPointer { own in
            unsafe other.bridges.withUnsafeBufferPointer { its in
                unsafe own.baseAddress == its.baseAddress
            }
        }
    }
}
