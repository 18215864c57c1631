/// Openings of every bridge, in order, and the periods for which they are complete.
public struct OpeningHistory: Sendable {
    /// Disjoint openings in order of start, by ``BridgeIndex``.
    public let openings: [[Opening]]
    /// When these openings are all there were.
    public let coverage: Coverage

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
    }

    private init(openings: [[Opening]], coverage: Coverage) {
        self.openings = openings
        self.coverage = coverage
    }

    /// The history as it could have been recorded by a time, without anything that came after.
    public func before(_ cutoff: Timestamp) -> OpeningHistory {
        OpeningHistory(
            openings: openings.map { list in
                list.prefix { $0.start < cutoff }.map { $0.truncated(at: cutoff) }
            }, coverage: coverage.clamped(to: .earliest..<cutoff))
    }

    /// The history in which a bridge was not recorded before a time; nil for never.
    package func hiding(_ bridge: BridgeIndex, before end: Timestamp?) -> OpeningHistory {
        let hidden = Timestamp.earliest..<(end ?? .latest)
        var openings = openings
        openings[bridge.rawValue].removeAll { hidden.contains($0.start) }
        return OpeningHistory(
            openings: openings, coverage: coverage.subtracting([hidden], of: bridge))
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
        return OpeningHistory(openings: lists, coverage: coverage.union(other.coverage))
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
