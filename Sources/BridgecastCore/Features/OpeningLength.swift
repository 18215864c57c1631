// Lengths of openings as soft bins; for the features of the own state and of convoys.

/// How long an opening has lasted, or had when it ended.
enum OpeningLength {
    static let basis = HatBasis([0, 2, 3, 4, 5, 6, 8, 11, 15, 30])

    /// Appends the length of the newest opening, or of one before it; zeros if there is none.
    static func append(
        _ openings: [KnownOpening], _ index: Int, at issueTime: Timestamp,
        to values: inout RowWriter
    ) {
        guard openings.indices.contains(index) else { return basis.append(nil, to: &values) }
        let opening = openings[index]
        let minutes = (opening.end ?? issueTime).minutes(since: opening.start)
        basis.append(min(minutes, basis.knots[basis.count - 1]), to: &values)
    }
}
