// Sums of losses by day of one origin, and what skill they come to over several. Used by OriginTable.

/// Log losses of some rows of one origin, by day.
struct DailyLosses {
    /// Sum of the recipe's losses, by day.
    private(set) var recipe: [Double]
    /// The same of climatology.
    private(set) var climatology: [Double]

    /// Adds up the rows that a condition holds for; days are all those of the origin, in order.
    init(_ scores: OriginScores, where isCounted: (OriginScores.Cell) -> Bool = { _ in true }) {
        let days = Set(scores.rows.map(\.day)).sorted()
        let places = Dictionary(uniqueKeysWithValues: days.enumerated().map { ($1, $0) })
        recipe = days.map { _ in 0 }
        climatology = recipe
        for cell in scores.rows where isCounted(cell) {
            guard let day = places[cell.day] else { continue }
            recipe[day] += cell.loss
            climatology[day] += cell.climatologyLoss
        }
    }

    /// Days on which a row is counted.
    var daysWithRows: Int { climatology.count { $0 > 0 } }

    /// 1 - loss / climatology's loss on some days; nil where there is nothing on them.
    private func skill(_ days: [Int]) -> Double? {
        let usual = days.reduce(0) { $0 + climatology[$1] }
        return usual > 0 ? 1 - days.reduce(0) { $0 + recipe[$1] } / usual : nil
    }

    /// Mean over origins of the skill on some days of each; 0 where there is nothing at all.
    static func meanSkill(_ origins: [DailyLosses], _ days: [[Int]]) -> Double {
        let skills = zip(origins, days).compactMap { $0.skill($1) }
        return skills.isEmpty ? 0 : skills.reduce(0, +) / Double(skills.count)
    }

    /// Mean skill over origins with its interval.
    static func meanSkill(_ origins: [DailyLosses]) -> OriginEstimate {
        OriginEstimate(origins) { meanSkill(origins, $0) }
    }
}
