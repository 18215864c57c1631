// Labelled rows: what trees and the network are trained on, and validated on.
package import BridgecastCore

/// Feature rows with the delay that really happened.
package struct SampleSet: Sendable {
    /// Which inputs the rows carry.
    package enum Inputs: Sendable { case network, trees, both }

    let inputs: Inputs
    /// The network's inputs and prior, B rows, unless the rows are for trees alone.
    package internal(set) var batch: FeatureBatch
    /// The trees' inputs, [B, F of ``TreeInputs``], unless the rows are for the network alone.
    var treeInputs: [Float] = []
    /// What is known of them already for those to come.
    var earlierTreeRows = EarlierTreeRows()
    /// Log-odds of a delay by the prior, [B].
    var priorLogOdds: [Float] = []
    /// Raw value of the bridge, [B].
    var bridges: [UInt8] = []
    /// The delay bin that happened, [B].
    package internal(set) var bins: [UInt8] = []
    /// Whether the row asks for "blocked" (rho = 0), [B].
    package internal(set) var isUnqueued: [Bool] = []
    /// Lead time in minutes, [B].
    package internal(set) var leadsMinutes: [Double] = []

    /// Begins without rows, with room for `capacity` of them.
    package init(capacity: Int, inputs: Inputs = .network) {
        self.inputs = inputs
        batch = FeatureBatch(capacity: inputs == .trees ? 0 : capacity)
        if inputs != .network { treeInputs.reserveCapacity(capacity * TreeInputs.count) }
    }

    /// B.
    package var count: Int { bins.count }
}
