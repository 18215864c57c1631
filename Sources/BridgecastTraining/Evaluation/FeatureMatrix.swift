// Rows of the protocol as the network sees them, for other programs to learn from.
package import BridgecastCore

/// Rows of the protocol with the inputs that the network gets, for other programs to learn from.
package struct FeatureMatrix {
    /// What a row is about.
    package struct Row: Sendable {
        /// The bridge arrived at.
        package let bridge: BridgeIndex
        /// Issue time: what was known by then is all that the inputs hold.
        package let issueTime: Timestamp
        /// Lead time from issue to arrival, minutes, 0...60.
        package let leadMinutes: Double
        /// Whether the arrival met a raised span.
        package let isBlocked: Bool
        /// P(blocked) by the climatology that skills are measured against.
        package let usual: Float
    }

    /// Inputs and prior logits.
    package private(set) var batch = FeatureBatch()
    /// The inputs of decision trees, [B, F of ``TreeInputs``], NaN where something is not known; empty without them.
    package private(set) var treeInputs: [Float] = []
    /// One entry per row of the batch.
    package private(set) var rows: [Row] = []

    private let withTrees: Bool
    private var earlier = EarlierTreeRows()

    init(withTrees: Bool) { self.withTrees = withTrees }

    /// Appends a row with its inputs, without queueing.
    mutating func append(_ row: Row, by builder: FeatureBuilder, in situation: Situation) {
        builder.append(
            row.bridge, leadMinutes: row.leadMinutes, density: 0, in: situation, to: &batch)
        if withTrees {
            _ = builder.appendTreeInputs(
                row.bridge, leadMinutes: row.leadMinutes, density: 0, in: situation,
                to: &treeInputs, &earlier)
        }
        rows.append(row)
    }
}
