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

extension OriginScores {
    /// Checks figures that another program may have written.
    func check() throws(OriginScoresError) {
        func refuse(_ problem: String) -> OriginScoresError {
            .implausible(recipe: recipe, origin: origin, problem: problem)
        }
        guard !rows.isEmpty else { throw refuse("there are no rows") }
        var seen: Set<String> = []
        for cell in rows {
            let place = "\(cell.day), \(cell.bridge), \(cell.leadMinutes) min"
            guard cell.rows > 0, (0...cell.rows).contains(cell.blocked) else {
                throw refuse("\(place): \(cell.blocked) of \(cell.rows) rows are blocked")
            }
            guard cell.loss >= 0, cell.climatologyLoss > 0 else {
                throw refuse("\(place): losses must be positive")
            }
            guard seen.insert(place).inserted else { throw refuse("\(place): stands there twice") }
        }
    }

    /// Checks that other scores are of the same rows and climatology.
    func checkRows(against other: OriginScores) throws(OriginScoresError) {
        func table(_ scores: OriginScores) -> [[String]: Cell] {
            Dictionary(
                scores.rows.map { ([$0.day, $0.bridge, "\($0.leadMinutes)"], $0) }
            ) { first, _ in first }
        }
        let theirs = table(other)
        let isSame =
            rows.count == other.rows.count
            && table(self).allSatisfy { place, cell in
                guard let their = theirs[place] else { return false }
                let difference = abs(cell.climatologyLoss - their.climatologyLoss)
                return cell.rows == their.rows && cell.blocked == their.blocked
                    && difference <= 1e-6 * max(1, cell.climatologyLoss)
            }
        guard isSame else {
            throw .otherRows(origin: origin, recipe: recipe, other: other.recipe)
        }
    }
}
