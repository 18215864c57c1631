// When the records are complete: outside coverage, no record does not mean no opening.

/// The periods for which each bridge's records are complete.
public struct Coverage: Sendable, Equatable {
    /// Disjoint periods in order, by ``BridgeIndex``.
    public private(set) var periods: [[Range<Timestamp>]]

    /// No coverage at all.
    public static let empty = Coverage(periods: Array(repeating: [], count: BridgeCatalogue.count))

    /// Creates coverage of one period at some bridges; at all of them if none is named.
    public init(_ period: Range<Timestamp>, of bridges: BridgeIndex...) {
        self = .empty
        for bridge in bridges.isEmpty ? BridgeIndex.all : bridges where !period.isEmpty {
            periods[bridge.rawValue] = [period]
        }
    }

    /// Creates coverage from any periods by bridge; overlapping ones are joined.
    public init(_ periods: [BridgeIndex: [Range<Timestamp>]]) {
        self.init(periods: BridgeIndex.all.map { periods[$0] ?? [] })
    }

    /// Creates coverage from any periods, one list per bridge; overlapping ones are joined.
    package init(periods: [[Range<Timestamp>]]) {
        precondition(periods.count == BridgeCatalogue.count, "one list of periods per bridge")
        self.periods = periods.map { Self.joined($0) }
    }

    /// When any bridge is covered: disjoint periods in order.
    package var periodsOfAnyBridge: [Range<Timestamp>] { periodsOfAnyBridge(joinedOverMinutes: 0) }

    /// The periods in which any bridge's records are complete, as one where at most some minutes are between them.
    package func periodsOfAnyBridge(joinedOverMinutes minutes: Double) -> [Range<Timestamp>] {
        Self.joined(periods.flatMap(\.self), overMinutes: minutes)
    }

    /// Whether a bridge's records are complete at a time; O(log n).
    public func contains(_ time: Timestamp, of bridge: BridgeIndex) -> Bool {
        period(containing: time, of: bridge) != nil
    }

    /// The covered period of a bridge that contains a time, or nil.
    public func period(containing time: Timestamp, of bridge: BridgeIndex) -> Range<Timestamp>? {
        let list = periods[bridge.rawValue]
        let next = list.partitioningIndex { $0.lowerBound > time }
        guard next > 0, time < list[next - 1].upperBound else { return nil }
        return list[next - 1]
    }

    /// The periods that either covers.
    public func union(_ other: Coverage) -> Coverage {
        Coverage(periods: zip(periods, other.periods).map { $0 + $1 })
    }

    /// The part inside an interval.
    public func clamped(to interval: Range<Timestamp>) -> Coverage {
        Coverage(
            periods: periods.map { list in
                list.map { $0.clamped(to: interval) }.filter { !$0.isEmpty }
            })
    }

    /// The part outside some intervals of one bridge; O(m log m) in the intervals, plus the answer.
    package func subtracting(_ gaps: [Range<Timestamp>], of bridge: BridgeIndex) -> Coverage {
        let gaps = Self.joined(gaps)
        var copy = self
        copy.periods[bridge.rawValue] = periods[bridge.rawValue].flatMap { period in
            var parts: [Range<Timestamp>] = []
            var start = period.lowerBound
            let first = gaps.partitioningIndex { $0.upperBound > period.lowerBound }
            for gap in gaps[first...] {
                guard gap.lowerBound < period.upperBound else { break }
                if start < gap.lowerBound { parts.append(start..<gap.lowerBound) }
                start = gap.upperBound
            }
            if start < period.upperBound { parts.append(start..<period.upperBound) }
            return parts
        }
        return copy
    }

    /// Covered minutes of all bridges, added up.
    package var minutes: Double { BridgeIndex.all.reduce(0) { $0 + minutes(of: $1) } }

    /// Covered minutes of a bridge in all.
    public func minutes(of bridge: BridgeIndex) -> Double {
        periods[bridge.rawValue].reduce(0) { $0 + $1.upperBound.minutes(since: $1.lowerBound) }
    }

    /// The end of a bridge's coverage as known at a time, or nil if there was none before.
    public func end(of bridge: BridgeIndex, before time: Timestamp) -> Timestamp? {
        let list = periods[bridge.rawValue]
        let next = list.partitioningIndex { $0.lowerBound >= time }
        return next > 0 ? min(list[next - 1].upperBound, time) : nil
    }

    /// Whether nothing is covered.
    public var isEmpty: Bool { periods.allSatisfy(\.isEmpty) }

    private static func joined(
        _ periods: [Range<Timestamp>], overMinutes minutes: Double = 0
    ) -> [Range<Timestamp>] {
        var result: [Range<Timestamp>] = []
        for period in periods.sorted(by: { $0.lowerBound < $1.lowerBound }) where !period.isEmpty {
            if let last = result.last,
                period.lowerBound.minutes(since: last.upperBound) <= minutes
            {
                let end = max(last.upperBound, period.upperBound)
                result[result.count - 1] = last.lowerBound..<end
            } else {
                result.append(period)
            }
        }
        return result
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies a predicate that is false, then true; O(log n).
    @inlinable
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Coverage {
    /// Silence of all bridges for longer than this interrupts inferred coverage: 36 hours.
    public static let longestSilenceMinutes = 36.0 * 60
    /// With fewer openings in a stretch a bridge is not covered.
    public static let fewestOpenings = 3

    /// A guess at coverage from the openings alone, for records without a statement of coverage.
    ///
    /// Time is covered from the first to the last opening of any bridge, interrupted where no
    /// bridge opened for 36 hours, for each bridge with at least three openings in that stretch.
    public static func inferred(from openings: [Opening]) -> Coverage {
        let sorted = openings.sorted { $0.start < $1.start }
        var periods = BridgeIndex.all.map { _ in [Range<Timestamp>]() }
        var stretch: [Opening] = []
        func close() {
            guard let first = stretch.first?.start, let last = stretch.last?.start, first < last
            else { return }
            for bridge in BridgeIndex.all
            where stretch.count(where: { $0.bridge == bridge }) >= fewestOpenings {
                periods[bridge.rawValue].append(first..<last)
            }
        }
        for opening in sorted {
            if let last = stretch.last,
                opening.start.minutes(since: last.start) > longestSilenceMinutes
            {
                close()
                stretch = []
            }
            stretch.append(opening)
        }
        close()
        return Coverage(periods: periods)
    }
}
