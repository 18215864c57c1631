// What each criterion counts, as somebody types it: `expected=1,p90=0,stopped=2`.
package import BridgecastCore

/// Reads weights.
package enum WeightsText {
    private static let names = Dictionary(
        uniqueKeysWithValues: RouteCriterion.allCases.map { ($0.name, $0) })

    /// Weights from `name=value,...`; criteria that are not named count nothing.
    ///
    /// - Parameters:
    ///   - text: Nil for the usual weights.
    ///   - hasDeadline: Whether being late can count.
    /// - Throws: ``WeightsTextError``.
    package static func weights(
        _ text: String?, hasDeadline: Bool
    ) throws(WeightsTextError) -> RouteWeights {
        let weights = try text.map { (text) throws(WeightsTextError) in try parse(text) }
        do throws(RouteWeightsError) {
            try (weights ?? .standard).validate(hasDeadline: hasDeadline)
        } catch {
            throw .weights(error)
        }
        return weights ?? .standard
    }

    private static func parse(_ text: String) throws(WeightsTextError) -> RouteWeights {
        var values: [RouteCriterion: Double] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=")
            guard pair.count == 2, let criterion = names[String(pair[0])],
                let value = Double(pair[1])
            else { throw .unreadable(String(part), names: names.keys.sorted()) }
            guard values.updateValue(value, forKey: criterion) == nil else {
                throw .twice(String(pair[0]))
            }
        }
        return RouteWeights(values)
    }
}

/// Why a text is no weights.
package enum WeightsTextError: Failure, Equatable {
    /// A part is not a criterion with a weight.
    case unreadable(String, names: [String])
    /// A criterion stands twice.
    case twice(String)
    /// The weights rank nothing.
    case weights(RouteWeightsError)

    /// Whose matter it is.
    package var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    package var description: String {
        switch self {
        case .unreadable(let part, let names):
            "'\(printable(part))' is not one of \(names.joined(separator: ", ")) with a weight, such as "
                + "expected=1"
        case .twice(let name): "\(printable(name)) has two weights"
        case .weights(let error): error.description
        }
    }
}
