// One opening of one bridge, and the rules that turn raw records into openings.

/// A span was up and the road closed.
public struct Opening: Sendable, Equatable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// When the road closed (`opendatetime`).
    public let start: Timestamp
    /// When the road opened again (`closedatetime`); nil if not recorded or not yet.
    public let end: Timestamp?
    /// The seams of an opening that was recorded in pieces.
    ///
    /// In a seam the records had the span down; a forecast issued in one must not know that it is
    /// one.
    public let seams: [Range<Timestamp>]

    /// Creates an opening.
    ///
    /// - Precondition: `end`, if known, does not lie before `start`; ``LiveSnapshot/set(_:state:openings:observedSince:)``
    ///   says what is wrong with one that comes from outside.
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

    /// At most this long: a test or an aborted opening; kept, but flagged.
    public static let shortMinutes = 1.0
    /// At least this long: maintenance or a stuck span; kept, but flagged.
    public static let longMinutes = 30.0
}

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
        let sorted = openings.sorted {
            ($0.start, $0.end ?? $0.start) < ($1.start, $1.end ?? $1.start)
        }
        var result: [Opening] = []
        for opening in sorted {
            if let last = result.last, let joined = join(last, opening, gapSeconds: gapSeconds) {
                result[result.count - 1] = joined
            } else {
                result.append(opening)
            }
        }
        return result
    }

    /// The two as one opening, or nil if the second starts too long after the first.
    package static func join(
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
