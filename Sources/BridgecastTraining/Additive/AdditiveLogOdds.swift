// A teacher beside the trees: what each input adds to the log-odds of a delay, at all bridges and at each.
// Belongs here: the additive teacher and how it is fitted; not: its inputs (BridgecastCore/Features).
private import BridgecastCore
private import Foundation

/// Log-odds of a delay as a sum over the network's inputs, on the prior's.
///
/// Every input has an effect at all bridges and a deviation at each one, both drawn to zero by a ridge: a bridge with
/// few openings leans on the others. Since openings enter as soft bins of the time since they began, their effects
/// are the kernels of a self- and mutually exciting process (Hawkes, 1971) in discrete time. Trees cut such sums into
/// steps, and this form knows no interactions beyond the bridge: the mean of both is better than either.
package struct AdditiveLogOdds: Sendable {
    /// Settings of the fit.
    struct Settings: Sendable {
        /// Weight of the squared effects, for each row.
        var ridgePerRow = 1.2e-5
        /// Steps of the search at most.
        var iterations = 60
    }

    private let width: Int
    /// Pooled effect plus the bridge's own deviation, [bridge, input].
    private let effects: [Float]

    /// Fits effects to what happened.
    init(_ samples: SampleSet, settings: Settings) {
        width = FeatureSchema.count
        let (width, bridges) = (width, BridgeCatalogue.count)
        let ridge = settings.ridgePerRow * Double(samples.count)
        let start = [Double](repeating: 0, count: (bridges + 1) * width)
        let best = QuasiNewton.minimise(from: start, iterations: settings.iterations) { point in
            let effects = Self.effects(point, bridges: bridges, width: width)
            var parts = [QuasiNewton.Slope](
                repeating: QuasiNewton.Slope(value: 0, gradient: []), count: Halves.count)
            Halves.forEach(&parts) { part, half in
                part = Self.slope(
                    effects, samples, Halves.part(half, of: samples.count), width: width)
            }
            return Self.whole(parts, at: point, ridge: ridge, width: width)
        }
        effects = Self.effects(best, bridges: bridges, width: width)
    }

    /// Log-odds of a delay, [B].
    func logits(_ samples: SampleSet) -> [Float] {
        var logits = samples.priorLogOdds
        for row in logits.indices {
            logits[row] += Self.sum(
                effects, samples, row, from: Int(samples.bridges[row]) * width)
        }
        return logits
    }

    private static func effects(_ point: [Double], bridges: Int, width: Int) -> [Float] {
        var effects: [Float] = []
        effects.reserveCapacity(bridges * width)
        for bridge in 1...bridges {
            for input in 0..<width {
                effects.append(Float(point[input] + point[bridge * width + input]))
            }
        }
        return effects
    }

    /// Loss of some rows, and its derivatives by the effects at each bridge.
    private static func slope(
        _ effects: [Float], _ samples: SampleSet, _ rows: Range<Int>, width: Int
    ) -> QuasiNewton.Slope {
        var value = 0.0
        var derivatives = [Double](repeating: 0, count: effects.count)
        let lists = samples.batch.rows
        let (starts, inputs, values) = (lists.starts.span, lists.inputs.span, lists.values.span)
        var gradient = derivatives.mutableSpan
        for row in rows {
            let start = Int(samples.bridges[row]) * width
            let logit = samples.priorLogOdds[row] + sum(effects, samples, row, from: start)
            let happened = samples.bins[row] > 0
            let probability = 1 / (1 + exp(-logit))
            value += Double(log1p(exp(-abs(logit))) + max(happened ? -logit : logit, 0))
            let error = Double(probability - (happened ? 1 : 0))
            for number in 0..<SparseRows.Parts.count {
                let list = lists.parts[row][number]
                guard list != SparseRows.noList else { continue }
                for entry in Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) {
                    gradient[start + Int(inputs[entry])] += error * Double(values[entry])
                }
            }
        }
        return QuasiNewton.Slope(value: value, gradient: derivatives)
    }

    private static func sum(
        _ effects: [Float], _ samples: SampleSet, _ row: Int, from start: Int
    ) -> Float {
        let lists = samples.batch.rows
        let (starts, inputs, values) = (lists.starts.span, lists.inputs.span, lists.values.span)
        let effects = effects.span
        var sum: Float = 0
        for number in 0..<SparseRows.Parts.count {
            let list = lists.parts[row][number]
            guard list != SparseRows.noList else { continue }
            for entry in Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) {
                sum += effects[start + Int(inputs[entry])] * values[entry]
            }
        }
        return sum
    }

    /// Loss and gradient of all rows with the ridge, by pooled effects and deviations.
    private static func whole(
        _ parts: [QuasiNewton.Slope], at point: [Double], ridge: Double, width: Int
    ) -> QuasiNewton.Slope {
        var whole = QuasiNewton.Slope(value: 0, gradient: point.map { ridge * $0 })
        for value in point { whole.value += ridge / 2 * value * value }
        for part in parts {
            whole.value += part.value
            for (index, derivative) in part.gradient.enumerated() {
                whole.gradient[width + index] += derivative
                whole.gradient[index % width] += derivative
            }
        }
        return whole
    }
}
