// Settings of boosted trees.

/// Settings of boosting.
package struct BoostingSettings: Sendable {
    /// Trees, each of which corrects those before.
    package var trees = 300
    /// Leaves of a tree, 2...255.
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

    /// The same for steadier trees: half the leaves, four times the rows in each, drawn to zero three times as much.
    ///
    /// They do better where little is known and worse where much is; the mean of both kinds is better than either.
    var steadier: BoostingSettings {
        var settings = self
        settings.leaves = max(2, leaves / 2)
        settings.leastRows *= 4
        settings.regularisation *= 3
        return settings
    }
}
