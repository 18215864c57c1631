// Openings, recorded in pieces and joined, recorded and observed and merged, and their history with its coverage.

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

/// Openings of every bridge, in order, and the periods for which they are complete.
public struct OpeningHistory: Sendable {
    /// Disjoint openings in order of start, by ``BridgeIndex``.
    public let openings: [[Opening]]
    /// When these openings are all there were.
    public let coverage: Coverage
    /// Periods in which openings are recorded, but some of their starts, and so their lengths, are not believed.
    ///
    /// Coverage has the parts of these periods in which it is known nevertheless whether a span was up.
    package let doubtedStarts: Coverage

    /// A bridge is unknown for at most this long after an opening whose end is not recorded.
    static let unknownEndSeconds: Int64 = 7_200

    /// Creates a history from raw openings.
    ///
    /// Openings recorded in pieces are joined. One without an end takes coverage away from its
    /// start until the next opening, at most two hours.
    ///
    /// - Parameters:
    ///   - records: Openings in any order, repetitions allowed.
    ///   - coverage: Where the records are complete.
    ///   - gapSeconds: Openings of a bridge at most this far apart are one.
    public init(
        records: [Opening], coverage: Coverage,
        gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) {
        self.init(
            disjoint: records.byBridge.map {
                OpeningConsolidation.consolidate($0, gapSeconds: gapSeconds)
            }, coverage: coverage)
    }

    /// - Parameter lists: Openings that are joined already, in order, by ``BridgeIndex``.
    package init(disjoint lists: [[Opening]], coverage: Coverage) {
        var coverage = coverage
        for bridge in BridgeIndex.all {
            coverage = coverage.subtracting(
                Self.unknownSpans(of: lists[bridge.rawValue]), of: bridge)
        }
        openings = lists.map { list in list.filter { $0.end != nil } }
        self.coverage = coverage
        doubtedStarts = .empty
    }

    /// No records of any bridge.
    package static let none = OpeningHistory(records: [], coverage: .empty)

    private init(openings: [[Opening]], coverage: Coverage, doubtedStarts: Coverage) {
        self.openings = openings
        self.coverage = coverage
        self.doubtedStarts = doubtedStarts
    }

    /// The history in which the starts that a bridge has in a period are not believed.
    ///
    /// Its openings stay: each was seen, and its end is right.
    ///
    /// - Parameter unknown: Times at which the span may have been up although the records have it down.
    package func doubtingStarts(
        of bridge: BridgeIndex, in period: Range<Timestamp>, unknown: [Range<Timestamp>]
    ) -> OpeningHistory {
        let observed = BridgeIndex.all.map {
            $0 == bridge ? coverage.clamped(to: period).periods[$0.rawValue] : []
        }
        return OpeningHistory(
            openings: openings, coverage: coverage.subtracting(unknown, of: bridge),
            doubtedStarts: doubtedStarts.union(Coverage(periods: observed)))
    }

    /// The history with less coverage; its openings stay.
    package func covering(_ coverage: Coverage) -> OpeningHistory {
        OpeningHistory(openings: openings, coverage: coverage, doubtedStarts: doubtedStarts)
    }

    /// When openings are recorded, whether or not their starts are believed.
    package var observation: Coverage { coverage.union(doubtedStarts) }

    /// The history as it could have been recorded by a time, without anything that came after.
    public func before(_ cutoff: Timestamp) -> OpeningHistory {
        OpeningHistory(
            openings: openings.map { list in
                list.prefix { $0.start < cutoff }.map { $0.truncated(at: cutoff) }
            }, coverage: coverage.clamped(to: .earliest..<cutoff),
            doubtedStarts: doubtedStarts.clamped(to: .earliest..<cutoff))
    }

    /// The history in which a bridge was not recorded before a time; nil for never.
    package func hiding(_ bridge: BridgeIndex, before end: Timestamp?) -> OpeningHistory {
        let hidden = Timestamp.earliest..<(end ?? .latest)
        var openings = openings
        openings[bridge.rawValue].removeAll { hidden.contains($0.start) }
        return OpeningHistory(
            openings: openings, coverage: coverage.subtracting([hidden], of: bridge),
            doubtedStarts: doubtedStarts.subtracting([hidden], of: bridge))
    }

    /// This history and, where it does not cover a bridge, another one; O(n log n) in the openings of both.
    ///
    /// Where both cover a bridge, or neither does, the openings are those of this one.
    package func completed(by other: OpeningHistory) -> OpeningHistory {
        let lists = BridgeIndex.all.map { bridge in
            let own = openings[bridge.rawValue].filter { opening in
                coverage.contains(opening.start, of: bridge)
                    || !other.coverage.contains(opening.start, of: bridge)
            }
            let more = other.openings[bridge.rawValue].filter { opening in
                guard other.coverage.contains(opening.start, of: bridge),
                    !coverage.contains(opening.start, of: bridge)
                else { return false }
                let next = own.partitioningIndex { ($0.end ?? $0.start) >= opening.start }
                return next == own.count || own[next].start > opening.end ?? opening.start
            }
            return (own + more).sorted { $0.start < $1.start }
        }
        return OpeningHistory(
            openings: lists, coverage: coverage.union(other.coverage),
            doubtedStarts: doubtedStarts.union(other.doubtedStarts))
    }

    /// The openings of a bridge that overlap an interval; O(log n + answer).
    public func openings(
        of bridge: BridgeIndex, overlapping interval: Range<Timestamp>
    ) -> ArraySlice<Opening> {
        let list = openings[bridge.rawValue]
        let first = list.partitioningIndex { ($0.end ?? $0.start) > interval.lowerBound }
        let last = list.partitioningIndex { $0.start >= interval.upperBound }
        return list[first..<max(first, last)]
    }

    /// The openings of a bridge that have started by a time, in order.
    func started(by time: Timestamp, of bridge: BridgeIndex) -> ArraySlice<Opening> {
        let list = openings[bridge.rawValue]
        return list[..<list.partitioningIndex { $0.start > time }]
    }

    /// The number of openings of all bridges.
    public var count: Int { openings.reduce(0) { $0 + $1.count } }

    private static func unknownSpans(of list: [Opening]) -> [Range<Timestamp>] {
        list.indices.compactMap { index in
            guard list[index].end == nil else { return nil }
            let limit = list[index].start.adding(seconds: unknownEndSeconds)
            let next = index + 1 < list.count ? list[index + 1].start : limit
            return list[index].start..<max(list[index].start, min(limit, next))
        }
    }
}

extension Opening {
    /// The opening as known at a time after its start: an end not yet reached is cut there.
    fileprivate func truncated(at cutoff: Timestamp) -> Opening {
        guard let end, end > cutoff else { return self }
        // In a gap the records had the span down: that it was one opening is known only later.
        let seam = seams.first { $0.lowerBound < cutoff && cutoff <= $0.upperBound }
        return Opening(
            bridge: bridge, start: start, end: seam?.lowerBound ?? cutoff,
            seams: seams.filter { $0.upperBound < cutoff })
    }
}

extension Sequence<Opening> {
    /// The openings of each bridge, by ``BridgeIndex``, in their order.
    package var byBridge: [[Opening]] {
        var lists = Array(repeating: [Opening](), count: BridgeCatalogue.count)
        for opening in self { lists[opening.bridge.rawValue].append(opening) }
        return lists
    }
}
