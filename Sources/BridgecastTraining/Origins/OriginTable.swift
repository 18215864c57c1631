// Recipes side by side over rolling origins: `bridgecast origins table`.

/// What recipes come to over their origins.
package struct OriginTable: Encodable, Sendable {
    /// One recipe at one origin.
    package struct AtOrigin: Encodable, Sendable {
        /// First day that is scored.
        package let origin: String
        /// Rows, leads 2 to 60 minutes.
        package let rows: Int
        /// Share of rows that were blocked.
        package let blockedRate: Double
        /// Log-loss skill over climatology.
        package let skill: OriginEstimate
        /// Log-loss skill by lead in minutes.
        package let skillByLead: [Int: Double]
        /// Ranked-probability skill of the delay over climatology, at the profile's traffic.
        package let delaySkill: Double?
        /// Expected calibration error of P(blocked).
        package let calibrationError: Double
        /// By how many percent the log loss of the model as written exceeds that of its weights in fp32.
        package let int8LossPercent: Double?
    }

    /// What was told of spans that are up, over all origins.
    package struct Raised: Encodable, Sendable {
        /// Minutes after the opening's start.
        package let elapsedMinutes: Int
        /// Openings.
        package let openings: Int
        /// Share of remaining lengths below the told 0.8 quantile.
        package let below80: Double
        /// Below the 0.95 quantile.
        package let below95: Double
        /// Mean of -log of the probability of the bin that the remaining length fell in.
        package let logScore: Double
    }

    /// The lowest skill of any lead at any origin.
    package struct LowestLead: Encodable, Sendable {
        /// First day that is scored.
        package let origin: String
        /// Lead time, minutes.
        package let leadMinutes: Int
        /// Log-loss skill over climatology.
        package let skill: Double
    }

    /// One recipe over all its origins.
    package struct Line: Encodable, Sendable {
        /// Name of the recipe.
        package let recipe: String
        /// Mean over origins of log-loss skill over climatology.
        package let skill: OriginEstimate
        /// Mean over origins of ranked-probability skill at the profile's traffic.
        package let delaySkill: Double?
        /// Mean over origins of the expected calibration error.
        package let calibrationError: Double
        /// Share of delays that are below the told 0.8 quantile of the delay given one, at the profile's traffic.
        package let delaysBelow80: Double?
        /// Below the 0.95 quantile.
        package let delaysBelow95: Double?
        /// The lowest skill of any lead at any origin.
        package let lowestLead: LowestLead?
        /// Each origin, in order.
        package let origins: [AtOrigin]
        /// By the age of the opening.
        package let raised: [Raised]
    }

    /// The recipes, best mean skill first.
    package let recipes: [Line]
    /// Each of the others against one; empty if none was named.
    package let comparisons: [OriginComparison]

    /// Puts recipes side by side.
    ///
    /// - Parameters:
    ///   - scores: Those of all recipes and origins.
    ///   - reference: Name of the recipe that the others are compared with; nil for none.
    /// - Throws: ``OriginScoresError`` if scores are not of the same rows or there is no such recipe.
    package init(_ scores: [OriginScores], against reference: String?) throws(OriginScoresError) {
        for part in scores { try part.check() }
        let byRecipe = Dictionary(grouping: scores, by: \.recipe).mapValues { group in
            group.sorted { $0.origin < $1.origin }
        }
        recipes = byRecipe.map { Line($0, $1) }.sorted {
            ($1.skill.value, $0.recipe) < ($0.skill.value, $1.recipe)
        }
        guard let reference else {
            comparisons = []
            return
        }
        guard let other = byRecipe[reference] else { throw .noRecipe(reference) }
        var found: [OriginComparison] = []
        for line in recipes where line.recipe != reference {
            found.append(try OriginComparison(byRecipe[line.recipe] ?? [], against: other))
        }
        comparisons = found
    }
}

extension OriginTable.Line {
    fileprivate init(_ recipe: String, _ scores: [OriginScores]) {
        self.recipe = recipe
        origins = scores.map { OriginTable.AtOrigin($0) }
        skill = DailyLosses.meanSkill(scores.map { DailyLosses($0) })
        func mean(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        delaySkill = mean(origins.compactMap(\.delaySkill))
        calibrationError = mean(origins.map(\.calibrationError)) ?? 0
        func share(_ below: KeyPath<OriginScores.DelayCell, Int>) -> Double? {
            mean(
                scores.compactMap { scores in
                    let delays = (scores.delays ?? []).filter(\.isAtProfile)
                    let delayed = delays.reduce(0) { $0 + $1.delayed }
                    let isBelow = delays.reduce(0) { $0 + $1[keyPath: below] }
                    return delayed > 0 ? Double(isBelow) / Double(delayed) : nil
                })
        }
        delaysBelow80 = share(\.below80)
        delaysBelow95 = share(\.below95)
        lowestLead = origins.flatMap { origin in
            origin.skillByLead.map {
                OriginTable.LowestLead(origin: origin.origin, leadMinutes: $0, skill: $1)
            }
        }.min { ($0.skill, $0.leadMinutes) < ($1.skill, $1.leadMinutes) }
        raised = RaisedSpanScorer.elapsedMinutes.compactMap { elapsed in
            OriginTable.Raised(
                elapsed,
                scores.flatMap { $0.raised ?? [] }.filter { $0.elapsedMinutes == elapsed })
        }
    }
}

extension OriginTable.AtOrigin {
    fileprivate init(_ scores: OriginScores) {
        origin = scores.origin
        let losses = DailyLosses(scores)
        rows = scores.rows.reduce(0) { $0 + $1.rows }
        blockedRate = Double(scores.rows.reduce(0) { $0 + $1.blocked }) / Double(max(rows, 1))
        skill = DailyLosses.meanSkill([losses])
        let leads = Set(scores.rows.map(\.leadMinutes))
        skillByLead = Dictionary(
            uniqueKeysWithValues: leads.map { lead in
                let some = DailyLosses(scores) { $0.leadMinutes == lead }
                return (lead, DailyLosses.meanSkill([some], [Array(some.recipe.indices)]))
            })
        let delays = (scores.delays ?? []).filter(\.isAtProfile)
        let usual = delays.reduce(0) { $0 + $1.climatologyRankedProbability }
        delaySkill = usual > 0 ? 1 - delays.reduce(0) { $0 + $1.rankedProbability } / usual : nil
        calibrationError = scores.calibrationError
        int8LossPercent = scores.fp32LogLoss.map { other in
            (losses.recipe.reduce(0, +) / other - 1) * 100
        }
    }
}

extension OriginTable.Raised {
    fileprivate init?(_ elapsed: Int, _ cells: [OriginScores.RaisedCell]) {
        let count = cells.reduce(0) { $0 + $1.openings }
        guard count > 0 else { return nil }
        elapsedMinutes = elapsed
        openings = count
        below80 = Double(cells.reduce(0) { $0 + $1.below80 }) / Double(count)
        below95 = Double(cells.reduce(0) { $0 + $1.below95 }) / Double(count)
        logScore = cells.reduce(0) { $0 + $1.loss } / Double(count)
    }
}

extension OriginScores.DelayCell {
    fileprivate var isAtProfile: Bool { traffic == DelayTraffic.profile.rawValue }
}
