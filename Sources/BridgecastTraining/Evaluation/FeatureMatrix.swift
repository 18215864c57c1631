// Rows of the protocol as the network sees them, for other programs to learn from.
package import BridgecastCore

/// Rows of the protocol with the inputs that the network gets, for other programs to learn from.
package struct FeatureMatrix: Sendable {
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
    package internal(set) var batch = FeatureBatch()
    /// One entry per row of the batch.
    package internal(set) var rows: [Row] = []
}
