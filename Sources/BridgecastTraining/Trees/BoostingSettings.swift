// Settings of boosted trees.

/// Settings of boosting.
package struct BoostingSettings: Sendable {
    /// Trees, each of which corrects those before.
    package var trees = 300
    /// Leaves of a tree.
    package var leaves = 63
    /// How far each tree goes towards its correction.
    package var learningRate: Float = 0.06
    /// The least weight of rows in a leaf.
    package var leastRows: Float = 400
    /// Added to a leaf's curvature: draws its value to zero.
    package var regularisation: Float = 10
    /// Share of the inputs that a tree may look at.
    package var inputShare = 0.5

    /// The defaults of `bridgecast train`.
    package init() {}
}
