// Gradient-boosted trees: the teacher of the network that ships. Trees learn more from few openings
// than a network does, and a network that imitates them is far cheaper to run.
// Belongs here: boosted trees; not: their inputs (BridgecastCore/Features).
private import Foundation

/// Boosted trees for the log-odds of an event, added to a prior's.
///
/// Friedman, "Greedy function approximation" (2001), with second-order leaves and histograms as in
/// LightGBM (Ke et al., 2017). Of the rows, each tree sees those that are still badly forecast and a
/// random part of the others with the weight of all.
package struct GradientBoostedTrees: Sendable {
    private var trees: [RegressionTree] = []
    private let cuts: [[Float]]

    /// Fits trees.
    ///
    /// - Parameters:
    ///   - inputs: Binned inputs, B rows.
    ///   - prior: Log-odds to be corrected, [B].
    ///   - happened: Whether the event happened, [B].
    init(
        _ inputs: BinnedColumns, prior: [Float], happened: [Bool], settings: BoostingSettings,
        seed: UInt64
    ) {
        cuts = inputs.cuts
        var random = SeededRandom(seed: seed)
        var logits = prior
        var gradients = [Float](repeating: 0, count: prior.count)
        var curvatures = gradients
        for _ in 0..<settings.trees {
            var rows: [Int32] = []
            rows.reserveCapacity(prior.count / 4)
            for row in prior.indices {
                let probability = 1 / (1 + exp(-logits[row]))
                let gradient = probability - (happened[row] ? 1 : 0)
                let chance = min(1, Self.leastChance + Self.chancePerError * abs(gradient))
                guard Float(random.uniform()) < chance else { continue }
                gradients[row] = gradient / chance
                curvatures[row] = probability * (1 - probability) / chance
                rows.append(Int32(row))
            }
            let columns = inputs.columns.indices.filter { _ in
                random.uniform() < settings.inputShare
            }
            var grower = TreeGrower(
                inputs, columns: columns, gradients: gradients, curvatures: curvatures,
                settings: settings)
            let tree = grower.grow(rows, weight: Float(prior.count) / Float(max(rows.count, 1)))
            tree.add(to: &logits, inputs)
            trees.append(tree)
        }
    }

    /// Log-odds of the event for rows of values [B, F] on their prior's, [B].
    func logits(_ values: [Float], prior: [Float]) -> [Float] {
        logits(BinnedColumns(values, cuts: cuts), prior: prior)
    }

    /// The same for inputs binned with the cuts of the fit.
    func logits(_ inputs: BinnedColumns, prior: [Float]) -> [Float] {
        var logits = prior
        for tree in trees { tree.add(to: &logits, inputs) }
        return logits
    }

    /// The chance that a tree sees a row whose forecast was right, and what an error adds to it.
    private static let leastChance: Float = 0.08
    private static let chancePerError: Float = 3
}
