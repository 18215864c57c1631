// Openings of one bridge: recorded in pieces and joined, recorded and observed and merged.

/// A span was up and the road closed.
public struct Opening: Sendable, Hashable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// When the road closed (`opendatetime`).
    public let start: Timestamp
    /// When the road opened again (`closedatetime`); nil if not recorded or not yet.
    public let end: Timestamp?
    /// The gaps in an opening that was recorded in pieces.
    ///
    /// In a gap the records had the span down; a forecast issued in one must not know that the opening goes on.
    public let seams: [Range<Timestamp>]

    /// Creates an opening.
    ///
    /// - Precondition: `end`, if known, is not before `start`; ``LiveSnapshot/set(_:state:openings:observedSince:)``
    ///   validates input from outside.
    public init(
        bridge: BridgeIndex, start: Timestamp, end: Timestamp?, seams: [Range<Timestamp>] = []
    ) {
        precondition(end.map { $0 >= start } ?? true, "an opening cannot end before it starts")
        self.bridge = bridge
        self.start = start
        self.end = end
        self.seams = seams
    }

    /// Length in minutes, or nil if the end is unknown.
    public var minutes: Double? { end?.minutes(since: start) }

    /// An opening of at most this length is a test or was aborted; it is kept, but flagged.
    public static let shortMinutes = 1.0
    /// An opening of at least this length is maintenance or a stuck span; it is kept, but flagged.
    public static let longMinutes = 30.0
}

// MARK: - Openings recorded in pieces

/// Puts openings that were recorded in pieces together again.
public enum OpeningConsolidation {
    /// Openings at most this far apart are one opening, by default: 3 minutes.
    public static let defaultGapSeconds: Int64 = 180

    /// Sorts openings of one bridge, drops repetitions and joins those with a gap of at most
    /// `gapSeconds`.
    ///
    /// - Parameters:
    ///   - openings: Openings of one bridge in any order.
    ///   - gapSeconds: The widest gap to close, in seconds.
    /// - Returns: Disjoint openings in order; O(n log n).
    public static func consolidate(_ openings: [Opening], gapSeconds: Int64) -> [Opening] {
        var result: [Opening] = []
        forEach(openings, gapSeconds: gapSeconds) { opening, isPiece, _ in
            if isPiece { result.removeLast() }
            result.append(opening)
        }
        return result
    }

    /// Which openings of one bridge continue the one before them: their indices in the list.
    package static func pieces(of openings: [Opening], gapSeconds: Int64) -> [Int] {
        var pieces: [Int] = []
        forEach(openings, gapSeconds: gapSeconds) { _, isPiece, index in
            if isPiece { pieces.append(index) }
        }
        return pieces
    }

    /// Goes through openings in order of their starts.
    ///
    /// - Parameter body: Gets the opening joined so far, whether it continues the one before, and
    ///   the index of its last piece in the list.
    private static func forEach(
        _ openings: [Opening], gapSeconds: Int64, _ body: (Opening, Bool, Int) -> Void
    ) {
        let order = openings.indices.sorted {
            let a = openings[$0]
            let b = openings[$1]
            return (a.start, a.end ?? a.start, $0) < (b.start, b.end ?? b.start, $1)
        }
        var last: Opening?
        for index in order {
            let joined = last.flatMap { join($0, openings[index], gapSeconds: gapSeconds) }
            let opening = joined ?? openings[index]
            body(opening, joined != nil, index)
            last = opening
        }
    }

    /// The two as one opening, or nil if the second starts too long after the first.
    private static func join(_ first: Opening, _ second: Opening, gapSeconds: Int64) -> Opening? {
        guard let firstEnd = first.end else {
            // The first end is missing: the same start is the same opening, now with its end.
            return second.start == first.start ? second : nil
        }
        guard second.start <= firstEnd.adding(seconds: gapSeconds) else { return nil }
        guard let secondEnd = second.end else { return second.start <= firstEnd ? first : nil }
        var seams = first.seams
        if second.start > firstEnd { seams.append(firstEnd..<second.start) }
        return Opening(
            bridge: first.bridge, start: first.start, end: max(firstEnd, secondEnd),
            seams: seams + second.seams)
    }
}

// MARK: - Records and observations

/// Brings records and observations of the same openings together.
public enum OpeningReconciliation {
    /// A record and an observation at most this far apart are of one opening.
    ///
    /// Records have whole minutes, observations are up to 20 s late, and the city's clock is not ours.
    public static let toleranceSeconds: Int64 = 180

    /// Merges both lists of one bridge into one history.
    ///
    /// An observation that overlaps a record, or is within the tolerance of one, adds its witness
    /// and changes no time: models were fitted to the city's times. The others are openings of their own.
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
            let start = record.start
            let end = record.end ?? record.start
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

/// An opening and the sources that report it.
public struct WitnessedOpening: Sendable, Equatable {
    /// The opening; its times are the record's where there is one.
    public let opening: Opening
    /// The sources that report it, at least one.
    public let witnesses: Set<OpeningWitness>
}

/// A source that reports openings.
public enum OpeningWitness: String, Sendable, Codable, CaseIterable, Comparable {
    /// The city's records.
    case record
    /// Our own observation of the live feed.
    case observed

    /// The city's records first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs == .record && rhs == .observed }
}
