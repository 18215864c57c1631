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
    private var trees: [TreeProgram] = []
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
        let varying = inputs.cuts.indices.map { inputs.varies($0) }
        var random = SeededRandom(seed: seed)
        var logits = prior
        for _ in 0..<settings.trees {
            let seen = Self.rows(logits, happened, &random)
            let columns = inputs.cuts.indices.filter {
                random.uniform() < settings.inputShare && varying[$0]
            }
            var grower = TreeGrower(inputs, columns: columns, settings: settings)
            let tree = TreeProgram(
                grower.grow(
                    seen.rows, slopes: seen.slopes,
                    weight: Float(prior.count) / Float(max(seen.rows.count, 1))))
            Self.add([tree], to: &logits, inputs)
            trees.append(tree)
        }
    }

    /// The rows that a tree sees, with gradient and curvature of the loss, each by its chance to be seen.
    private static func rows(
        _ logits: [Float], _ happened: [Bool], _ random: inout SeededRandom
    ) -> (rows: [Int32], slopes: [SIMD2<Float>]) {
        var rows: [Int32] = []
        var slopes: [SIMD2<Float>] = []
        rows.reserveCapacity(logits.count / 4)
        slopes.reserveCapacity(logits.count / 4)
        for row in logits.indices {
            let probability = 1 / (1 + exp(-logits[row]))
            let gradient = probability - (happened[row] ? 1 : 0)
            let chance = min(1, leastChance + chancePerError * abs(gradient))
            guard Float(random.uniform()) < chance else { continue }
            slopes.append([gradient / chance, probability * (1 - probability) / chance])
            rows.append(Int32(row))
        }
        return (rows, slopes)
    }

    /// The mean over some fits to the same inputs, for rows of values [B, F] on their prior's, [B].
    static func meanLogits(
        _ teachers: [GradientBoostedTrees], _ values: ArraySlice<Float>, prior: [Float]
    ) -> [Float] {
        guard let cuts = teachers.first?.cuts else { return prior }
        let inputs = BinnedColumns(values, cuts: cuts)
        var sum = [Float](repeating: 0, count: prior.count)
        for teacher in teachers {
            var logits = prior
            add(teacher.trees, to: &logits, inputs)
            for row in sum.indices { sum[row] += logits[row] / Float(teachers.count) }
        }
        return sum
    }

    /// Block by block, so that inputs are in the cache for every tree.
    private static func add(
        _ trees: [TreeProgram], to logits: inout [Float], _ inputs: BinnedColumns
    ) {
        var scratch = TreeProgram.Scratch(for: trees)
        for start in stride(from: 0, to: logits.count, by: TreeProgram.blockRows) {
            for tree in trees { tree.add(to: &logits, inputs, from: start, &scratch) }
        }
    }

    /// The chance that a tree sees a row whose forecast was right, and what an error adds to it.
    private static let leastChance: Float = 0.08
    private static let chancePerError: Float = 3
}
