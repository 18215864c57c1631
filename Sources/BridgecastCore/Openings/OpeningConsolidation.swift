// Openings that were recorded in pieces, put together again.

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
        forEach(openings, gapSeconds) { opening, isPiece, _ in
            if isPiece { result.removeLast() }
            result.append(opening)
        }
        return result
    }

    /// Which openings of one bridge continue the one before them: their indices in the list.
    package static func pieces(of openings: [Opening], gapSeconds: Int64) -> [Int] {
        var pieces: [Int] = []
        forEach(openings, gapSeconds) { _, isPiece, index in if isPiece { pieces.append(index) } }
        return pieces
    }

    /// Goes through openings in order of their starts.
    ///
    /// - Parameter body: Gets what is joined up to each opening, whether that continues the one before, and the
    ///   opening's index in the list.
    private static func forEach(
        _ openings: [Opening], _ gapSeconds: Int64, _ body: (Opening, Bool, Int) -> Void
    ) {
        let order = openings.indices.sorted {
            let (a, b) = (openings[$0], openings[$1])
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
    private static func join(
        _ first: Opening, _ second: Opening, gapSeconds: Int64
    ) -> Opening? {
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
