/// The scores of recipes side by side, over their rolling origins.
package struct OriginTable: Encodable, Sendable {
    /// One recipe at one origin.
    package struct AtOrigin: Encodable, Sendable {
        /// First day that is scored.
        package let origin: String
        /// Rows, leads 2 to 60 minutes.
        package let rows: Int
        package let blockedRate: Double
        package let skill: OriginEstimate
        package let skillByLead: [Int: Double]
        /// By ``Knowledge/liveDay`` and ``Knowledge/liveHour``; nil where they were not scored.
        package let liveDaySkill: OriginEstimate?
        package let liveHourSkill: OriginEstimate?
        /// Of ``ScoredEvent/stopped``; nil where delays were not scored.
        package let stoppedSkill: OriginEstimate?
        /// Ranked-probability skill of the delay over climatology, at the profile's traffic.
        package let delaySkill: Double?
        package let calibrationError: Double
        /// By how many percent the log loss of the model as written exceeds that of its weights in fp32.
        package let int8LossPercent: Double?
    }

    /// Scores of the forecast length of openings under way, over all origins.
    package struct Raised: Encodable, Sendable {
        /// Minutes after the opening's start.
        package let elapsedMinutes: Int
        package let openings: Int
        /// Share of remaining lengths below the forecast 0.8 quantile.
        package let below80: Double
        package let below95: Double
        /// Mean of -log of the probability of the bin that the remaining length fell in.
        package let logScore: Double
    }

    /// The lowest skill of any lead at any origin.
    package struct LowestLead: Encodable, Sendable {
        /// First day that is scored.
        package let origin: String
        package let leadMinutes: Int
        package let skill: Double
    }

    /// One recipe over all its origins.
    package struct Line: Encodable, Sendable {
        /// Name of the recipe.
        package let recipe: String
        /// Mean over origins of log-loss skill over climatology, of ``ScoredEvent/raised``.
        package let skill: OriginEstimate
        /// The same by ``Knowledge/liveDay`` and ``Knowledge/liveHour``; nil where they were not scored.
        package let liveDaySkill: OriginEstimate?
        package let liveHourSkill: OriginEstimate?
        /// The same of ``ScoredEvent/stopped``; nil where delays were not scored.
        package let stoppedSkill: OriginEstimate?
        /// Mean over origins of ranked-probability skill at the profile's traffic.
        package let delaySkill: Double?
        package let calibrationError: Double
        /// Share of delays below the forecast 0.8 quantile of the delay given one, at the profile's traffic.
        package let delaysBelow80: Double?
        package let delaysBelow95: Double?
        /// The lowest skill of any lead at any origin.
        package let lowestLead: LowestLead?
        package let origins: [AtOrigin]
        /// By the age of the opening.
        package let raised: [Raised]
    }

    /// The recipes, best mean skill first.
    package let recipes: [Line]
    /// Each of the others compared with the reference; empty without one.
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
        liveDaySkill = DailyLosses.meanSkill(scores, knowing: \.liveDay)
        liveHourSkill = DailyLosses.meanSkill(scores, knowing: \.liveHour)
        let stopped = scores.compactMap { DailyLosses(stoppedIn: $0) }
        stoppedSkill = stopped.isEmpty ? nil : DailyLosses.meanSkill(stopped)
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
                elapsed, scores.flatMap { $0.raised ?? [] }.filter { $0.elapsedMinutes == elapsed })
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
        liveDaySkill = DailyLosses.meanSkill([scores], knowing: \.liveDay)
        liveHourSkill = DailyLosses.meanSkill([scores], knowing: \.liveHour)
        let leads = Set(scores.rows.map(\.leadMinutes))
        skillByLead = Dictionary(
            uniqueKeysWithValues: leads.map { lead in
                let some = DailyLosses(scores) { $0.leadMinutes == lead }
                return (lead, DailyLosses.meanSkill([some], [Array(some.recipe.indices)]))
            })
        stoppedSkill = DailyLosses(stoppedIn: scores).map { DailyLosses.meanSkill([$0]) }
        let delays = (scores.delays ?? []).filter(\.isAtProfile)
        let reference = delays.reduce(0) { $0 + $1.climatologyRankedProbability }
        delaySkill =
            reference > 0 ? 1 - delays.reduce(0) { $0 + $1.rankedProbability } / reference : nil
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

// MARK: - Comparison of two recipes

/// How the skills of two recipes differ, on the same days.
package struct OriginComparison: Encodable, Sendable {
    /// Means over origins of some of the rows.
    package struct Figures: Encodable, Sendable {
        /// Which rows: "total", a lead such as "2 min", or a bridge.
        package let rows: String
        /// Mean skill of the recipe.
        package let skill: Double
        /// Mean skill of the other.
        package let otherSkill: Double
        /// By how much the first exceeds the second.
        package let difference: OriginEstimate
        /// The first divided by the second.
        package let ratio: OriginEstimate
    }

    package let recipe: String
    /// The recipe that it is compared with.
    package let against: String
    /// The origins that both have.
    package let origins: [String]
    package let total: Figures
    /// All rows by ``Knowledge/liveDay``; nil where one of them has none.
    package let asLive: Figures?
    package let byLead: [Figures]
    /// By bridge, over the origins that have it.
    package let byBridge: [Figures]

    /// Compares the scores of one recipe with those of another.
    ///
    /// - Throws: ``OriginScoresError`` if no origin is common, or if they were not scored on the same rows.
    init(_ scores: [OriginScores], against others: [OriginScores]) throws(OriginScoresError) {
        let byOrigin = Dictionary(others.map { ($0.origin, $0) }) { first, _ in first }
        let pairs = scores.compactMap { mine in byOrigin[mine.origin].map { (mine, $0) } }
        guard let first = pairs.first else {
            throw .nothingInCommon(scores.first?.recipe ?? "", others.first?.recipe ?? "")
        }
        for (mine, other) in pairs { try mine.checkRows(against: other) }
        recipe = first.0.recipe
        against = first.1.recipe
        origins = pairs.map(\.0.origin)
        func figures(
            _ name: String, where isCounted: (OriginScores.Cell) -> Bool = { _ in true }
        ) -> Figures {
            Figures(
                rows: name, pairs.map { DailyLosses($0.0, where: isCounted) },
                against: pairs.map { DailyLosses($0.1, where: isCounted) })
        }
        total = figures("total")
        let live = pairs.compactMap { mine, other in
            DailyLosses(mine, knowing: \.liveDay).flatMap { mine in
                DailyLosses(other, knowing: \.liveDay).map { (mine, $0) }
            }
        }
        asLive =
            live.count == pairs.count
            ? Figures(rows: "as live", live.map(\.0), against: live.map(\.1)) : nil
        let cells = pairs.flatMap(\.0.rows)
        byLead = Set(cells.map(\.leadMinutes)).sorted().map { lead in
            figures("\(lead) min") { $0.leadMinutes == lead }
        }
        byBridge = Set(cells.map(\.bridge)).sorted().map { bridge in
            figures(bridge) { $0.bridge == bridge }
        }
    }
}

extension OriginComparison.Figures {
    fileprivate init(rows: String, _ mine: [DailyLosses], against others: [DailyLosses]) {
        self.rows = rows
        skill = DailyLosses.meanSkill(mine).value
        otherSkill = DailyLosses.meanSkill(others).value
        difference = OriginEstimate(mine) { days in
            DailyLosses.meanSkill(mine, days) - DailyLosses.meanSkill(others, days)
        }
        ratio = OriginEstimate(mine) { days in
            let other = DailyLosses.meanSkill(others, days)
            return other == 0 ? 0 : DailyLosses.meanSkill(mine, days) / other
        }
    }
}
