// Why scores of origins cannot be put side by side.
package import BridgecastCore

/// What is wrong with scores of origins.
package enum OriginScoresError: Failure, Equatable {
    /// There are no scores of the recipe that the others are to be compared with.
    case noRecipe(String)
    /// Two recipes have no origin in common.
    case nothingInCommon(String, String)
    /// Two recipes were scored on different rows of an origin, or against other climatologies.
    case otherRows(origin: String, recipe: String, other: String)
    /// A file's figures are none: which recipe, which origin, and what is wrong.
    case implausible(recipe: String, origin: String, problem: String)

    package var kind: FailureKind { if case .noRecipe = self { .usage } else { .data } }

    package var description: String {
        switch self {
        case .noRecipe(let name): "there are no scores of a recipe '\(name)' to compare with"
        case .nothingInCommon(let one, let other):
            "'\(one)' and '\(other)' have no origin in common; score both at the same ones"
        case .otherRows(let origin, let recipe, let other):
            "\(origin): '\(recipe)' and '\(other)' were not scored on the same rows and climatology; "
                + "score both on the same records"
        case .implausible(let recipe, let origin, let problem):
            "scores of '\(recipe)' at \(origin): \(problem)"
        }
    }
}
