// `--weights` of `predict`: what each criterion counts.
import BridgecastCore

/// Reads `--weights`.
enum WeightsText {
    private static let names = Dictionary(
        uniqueKeysWithValues: RouteCriterion.allCases.map { ($0.name, $0) })

    /// Weights from `name=value,...`; criteria that are not named count nothing.
    ///
    /// - Parameter hasDeadline: Whether being late can count.
    static func weights(_ text: String?, hasDeadline: Bool) throws -> RouteWeights {
        let weights = try text.map { try parse($0) } ?? .standard
        do {
            try weights.validate(hasDeadline: hasDeadline)
        } catch {
            throw CommandFailure(.usage, "--weights: \(error)")
        }
        return weights
    }

    private static func parse(_ text: String) throws -> RouteWeights {
        var values: [RouteCriterion: Double] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=")
            guard pair.count == 2, let criterion = names[String(pair[0])],
                let value = Double(pair[1])
            else {
                throw CommandFailure(
                    .usage,
                    "--weights: '\(part)' is not one of \(names.keys.sorted().joined(separator: ", "))"
                        + " with a weight, such as expected=1")
            }
            guard values.updateValue(value, forKey: criterion) == nil else {
                throw CommandFailure(.usage, "--weights: \(pair[0]) has two weights")
            }
        }
        return RouteWeights(values)
    }
}
