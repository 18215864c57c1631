// Why weights cannot rank routes.

/// Why weights cannot rank routes.
public enum RouteWeightsError: Failure, Equatable {
    /// Negative, above ``RouteWeights/heaviest`` or not a number.
    case notAWeight(RouteCriterion, Double)
    /// Every route would score 0.
    case allZero
    /// Being late counts, but no arrival time is given.
    case lateWithoutDeadline

    /// Whose matter it is.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .notAWeight(let criterion, let weight):
            "weight \(weight) of \(criterion.rawValue) is not a number from 0 to \(Int(RouteWeights.heaviest)) (less is better in "
                + "every criterion already)"
        case .allZero: "all weights are 0, so every route would be equal; give one a weight"
        case .lateWithoutDeadline:
            "being late has a weight, but there is no time to arrive by; give one"
        }
    }
}
