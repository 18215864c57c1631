// One history out of two witnesses: the city's records and what we saw in the live feed.

/// Who says that an opening happened.
public enum OpeningWitness: String, Sendable, Codable, CaseIterable, Comparable {
    /// The city's records.
    case record
    /// Our own watching of the live feed.
    case observed

    /// Alphabetical by the city first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs == .record && rhs == .observed }
}

/// An opening and who says that it happened.
public struct WitnessedOpening: Sendable, Equatable {
    /// The opening; its times are the record's where there is one.
    public let opening: Opening
    /// Who says so, at least one.
    public let witnesses: Set<OpeningWitness>
}

/// Brings records and observations of the same openings together.
public enum OpeningReconciliation {
    /// A record and an observation that come this close are of one opening.
    ///
    /// Records have whole minutes, observations are up to 20 s late, and the city's clock is not ours.
    public static let toleranceSeconds: Int64 = 180

    /// Merges both lists of one bridge into one history.
    ///
    /// An observation that overlaps a record, or comes within the tolerance of one, adds its witness
    /// and changes no time: the city's times are those that models were fitted to. The others are
    /// openings of their own.
    ///
    /// - Parameters:
    ///   - records: Openings in any order, as recorded or as ``OpeningConsolidation`` gives them.
    ///   - observed: Openings in any order.
    /// - Returns: Openings in order of start; O((n + m) log (n + m)).
    public static func reconcile(
        records: [Opening], observed: [Opening], toleranceSeconds: Int64 = toleranceSeconds
    ) -> [WitnessedOpening] {
        let toleranceSeconds = min(max(toleranceSeconds, 0), 86_400)
        // Disjoint, so that their ends are in order as well.
        let observed = OpeningConsolidation.consolidate(observed, gapSeconds: 0)
        var isUsed = Array(repeating: false, count: observed.count)
        var merged: [WitnessedOpening] = []
        var first = 0
        for record in records.sorted(by: { $0.start < $1.start }) {
            let (start, end) = (record.start, record.end ?? record.start)
            while first < observed.count,
                (observed[first].end ?? observed[first].start)
                    < start.adding(seconds: -toleranceSeconds)
            {
                first += 1
            }
            var witnesses: Set<OpeningWitness> = [.record]
            var index = first
            while index < observed.count,
                observed[index].start <= end.adding(seconds: toleranceSeconds)
            {
                isUsed[index] = true
                witnesses.insert(.observed)
                index += 1
            }
            merged.append(WitnessedOpening(opening: record, witnesses: witnesses))
        }
        merged += observed.indices.filter { !isUsed[$0] }
            .map { WitnessedOpening(opening: observed[$0], witnesses: [.observed]) }
        return merged.sorted { $0.opening.start < $1.opening.start }
    }
}
