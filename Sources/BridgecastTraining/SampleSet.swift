// Rows of inputs with what happened: for the fits of this module, and for other programs.
package import BridgecastCore

/// Feature rows with the delay that really happened.
package struct SampleSet: Sendable {
    package enum Inputs: Sendable { case network, trees, both }

    private var inputs: InputRows
    /// The network's inputs and prior, B rows, unless the rows are for trees alone.
    package var batch: FeatureBatch { inputs.batch }
    /// The trees' inputs, [B, F of ``TreeInputs``], unless the rows are for the network alone.
    var treeInputs: [Float] { inputs.treeInputs }
    /// Log-odds of a delay by the prior, [B].
    private(set) var priorLogOdds: [Float] = []
    /// Raw value of the bridge, [B].
    private(set) var bridges: [UInt8] = []
    /// The delay bin that happened, [B].
    package private(set) var bins: [UInt8] = []
    /// Whether the row asks for "blocked" (rho = 0), [B].
    package private(set) var isUnqueued: [Bool] = []
    package private(set) var leadsMinutes: [Double] = []

    /// Begins without rows, with room for `capacity` of them.
    package init(capacity: Int, inputs: Inputs = .network) {
        self.inputs = InputRows(inputs, capacity: capacity)
    }

    /// B.
    package var count: Int { bins.count }

    /// Appends a row.
    ///
    /// - Parameter bin: The delay bin that happened.
    mutating func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        by builder: FeatureBuilder, isUnqueued: Bool, bin: Int
    ) {
        priorLogOdds.append(
            inputs.append(
                bridge, leadMinutes: leadMinutes, density: density, in: situation, by: builder))
        bridges.append(UInt8(bridge.rawValue))
        bins.append(UInt8(bin))
        self.isUnqueued.append(isUnqueued)
        leadsMinutes.append(leadMinutes)
    }
}

/// Rows of the protocol with the inputs that the network gets, for other programs to learn from.
package struct FeatureMatrix {
    /// What a row is about.
    package struct Row: Sendable {
        package let bridge: BridgeIndex
        /// Issue time: what was known by then is all that the inputs hold.
        package let issueTime: Timestamp
        /// Lead time from issue to arrival, minutes, 0...60.
        package let leadMinutes: Double
        package let isBlocked: Bool
        /// P(blocked) by the climatology that skills are measured against.
        package let climatologicalProbability: Float
    }

    private var inputs: InputRows
    /// Inputs and prior logits.
    package var batch: FeatureBatch { inputs.batch }
    /// The inputs of decision trees, [B, F of ``TreeInputs``], NaN where something is not known; empty without them.
    package var treeInputs: [Float] { inputs.treeInputs }
    /// One entry per row of the batch.
    package private(set) var rows: [Row] = []

    init(withTrees: Bool) { inputs = InputRows(withTrees ? .both : .network) }

    /// Appends a row with its inputs, without queueing.
    mutating func append(_ row: Row, by builder: FeatureBuilder, in situation: Situation) {
        _ = inputs.append(
            row.bridge, leadMinutes: row.leadMinutes, density: 0, in: situation, by: builder)
        rows.append(row)
    }
}

/// The inputs of rows: the network's, the trees' or both.
private struct InputRows: Sendable {
    private let kind: SampleSet.Inputs
    private(set) var batch: FeatureBatch
    private(set) var treeInputs: [Float] = []
    /// What rows of one situation share.
    private var treeRowCache = TreeRowCache()

    init(_ kind: SampleSet.Inputs, capacity: Int = 0) {
        self.kind = kind
        batch = FeatureBatch(capacity: kind == .trees ? 0 : capacity)
        if kind != .network { treeInputs.reserveCapacity(capacity * TreeInputs.count) }
    }

    /// Appends a row, and returns the log-odds of a delay by its prior.
    mutating func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        by builder: FeatureBuilder
    ) -> Float {
        if kind != .trees {
            builder.append(
                bridge, leadMinutes: leadMinutes, density: density, in: situation, to: &batch)
        }
        if kind != .network {
            return builder.appendTreeInputs(
                bridge, leadMinutes: leadMinutes, density: density, in: situation,
                to: &treeInputs, cache: &treeRowCache)
        }
        let logNone = batch.priorLogits[(batch.rowCount - 1) * DelayBins.count]
        return FeatureBuilder.delayLogOdds(logNone: logNone)
    }
}
