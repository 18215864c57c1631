// Forecasts within a range of chances: what was said and what happened, with its interval.

/// A range of chances as people read them, such as 5 to 20 in 100.
package struct ChanceBand: Sendable, Equatable {
    /// Where ranges begin and end; a forecast on an edge is of the range above.
    package static let edges = [0, 0.01, 0.05, 0.2, 0.5, 1]

    /// The range begins here.
    package let from: Double
    /// The range ends before here; the last one holds 1.
    package let to: Double
    /// Rows with a forecast in the range.
    package let rows: Int
    /// Mean forecast; nil without rows.
    package let said: Double?
    /// Share of rows that were blocked, with its interval; nil without rows.
    package let happened: Estimate?

    /// The ranges of some rows.
    ///
    /// - Parameter group: Indices of rows.
    static func bands(_ rows: ScoredRows, _ group: [Int]) -> [ChanceBand] {
        let model = rows.probabilities[.model] ?? []
        let groups = Dictionary(grouping: group) { row in
            edges.dropLast().lastIndex { $0 <= Double(model[row]) } ?? 0
        }
        return edges.indices.dropLast().map { band in
            let members = groups[band] ?? []
            let byDay = Dictionary(grouping: members) { rows.days[$0] }.sorted { $0.key < $1.key }
            return ChanceBand(
                from: edges[band], to: edges[band + 1], rows: members.count,
                said: members.isEmpty
                    ? nil : members.reduce(0) { $0 + Double(model[$1]) } / Double(members.count),
                happened: members.isEmpty
                    ? nil
                    : DayBlockBootstrap.ratio(
                        byDay.map { Double($0.value.count { rows.blocked[$0] }) },
                        over: byDay.map { Double($0.value.count) }))
        }
    }
}
