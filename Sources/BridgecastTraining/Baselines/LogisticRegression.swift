// Logistic regression on the network's own inputs: what linear models make of them.
package import BridgecastCore
private import BridgecastEngine
private import Foundation

/// For each of four groups of leads, log-odds of "blocked" = bias + weights x normalised inputs.
package struct LogisticRegression: Sendable {
    private static let minutesBetweenIssueTimes = 3.0
    private static let passes = 12
    private static let batchRows = 512
    /// Groups of leads begin here, minutes.
    private static let groupsFromMinutes = [0.0, 3.5, 12.5, 25]

    /// One layer with outputs "free" and "blocked" for each group of leads.
    private let layers: [DenseLayer]
    private let normalisation: InputNormalisation
    private let builder: FeatureBuilder

    /// Fits the records, whose climatology serves the inputs that need one.
    package init(_ history: OpeningHistory, seed: UInt64 = 1) {
        var random = SeededRandom(seed: seed)
        let samples = Sampler(trainingOn: history)
            .trainingRows(everyMinutes: Self.minutesBetweenIssueTimes, random: &random)
        let normalisation = InputNormalisation(of: samples)
        let prepared = PreparedSamples(samples, normalisation)
        self.normalisation = normalisation
        builder = FeatureBuilder(climatology: Climatology(ClimatologyCounts(history)))
        let unqueued = prepared.isUnqueued.indices.filter { prepared.isUnqueued[$0] }
        let byGroup = Dictionary(grouping: unqueued) { Self.group(samples.leadsMinutes[$0]) }
        layers = Self.groupsFromMinutes.indices.map { group in
            Self.fit(byGroup[group] ?? [], of: prepared, &random)
        }
    }

    private static func fit(
        _ rows: [Int], of samples: PreparedSamples, _ random: inout SeededRandom
    ) -> DenseLayer {
        var network = TrainableNetwork(
            sizes: [FeatureSchema.count, 2], dropout: 0, random: &random)
        var optimiser = Adam(weightDecay: 1e-2)
        var order = rows
        let batches = order.count / batchRows
        for pass in 0..<passes {
            order.shuffle(using: &random)
            for batch in 0..<batches {
                let rows = Array(order[batch * batchRows..<(batch + 1) * batchRows])
                let progress = Double(pass * batches + batch) / Double(passes * batches)
                _ = network.lossAndGradients(
                    inputs: samples.inputs, rows: rows,
                    prior: Array(repeating: 0, count: 2 * rows.count),
                    targets: rows.flatMap { row in
                        let free = samples.targets[row * DelayBins.count]
                        return [free, 1 - free]
                    })
                optimiser.update(&network, learningRate: Float(5e-3 * (1 - progress)))
            }
        }
        return network.layers[0]
    }

    private static func group(_ leadMinutes: Double) -> Int {
        groupsFromMinutes.lastIndex { $0 <= leadMinutes } ?? 0
    }

    /// P(blocked) of rows without queueing, [B].
    package func probabilities(_ batch: FeatureBatch, leadsMinutes: [Double]) -> [Float] {
        let width = FeatureSchema.count
        let features = batch.rows.dense()
        return leadsMinutes.enumerated().map { row, minutes in
            let layer = layers[Self.group(minutes)]
            var sum = layer.bias[1] - layer.bias[0]
            for i in 0..<width {
                sum +=
                    (layer.weights[width + i] - layer.weights[i])
                    * normalisation.normalised(features[row * width + i], input: i)
            }
            return 1 / (1 + exp(-sum))
        }
    }

    /// The inputs of a row, on the climatology of the fit.
    package func append(
        _ bridge: BridgeIndex, leadMinutes: Double, in situation: Situation,
        to batch: inout FeatureBatch
    ) {
        builder.append(bridge, leadMinutes: leadMinutes, density: 0, in: situation, to: &batch)
    }
}
