// Where the records are complete: outside coverage, no record does not mean no opening.

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

    /// Creates coverage from any periods per bridge; overlapping ones are joined.
    ///
    /// - Parameter periods: One list per bridge of the catalogue, by ``BridgeIndex``.
    package init(periods: [[Range<Timestamp>]]) {
        precondition(periods.count == BridgeCatalogue.count, "one list of periods per bridge")
        self.periods = periods.map(Self.joined)
    }

    /// Where any bridge is covered: disjoint periods in order.
    package var periodsOfAnyBridge: [Range<Timestamp>] { Self.joined(periods.flatMap(\.self)) }

    /// Whether a bridge's records are complete at a moment; O(log n).
    public func contains(_ moment: Timestamp, of bridge: BridgeIndex) -> Bool {
        period(containing: moment, of: bridge) != nil
    }

    /// The covered period of a bridge that holds a moment, or nil.
    public func period(containing moment: Timestamp, of bridge: BridgeIndex) -> Range<Timestamp>? {
        let list = periods[bridge.rawValue]
        let next = list.partitioningIndex { $0.lowerBound > moment }
        guard next > 0, moment < list[next - 1].upperBound else { return nil }
        return list[next - 1]
    }

    /// What both cover or either covers.
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

    /// The part outside some intervals of one bridge.
    package func subtracting(_ gaps: [Range<Timestamp>], of bridge: BridgeIndex) -> Coverage {
        var copy = self
        for gap in gaps {
            copy.periods[bridge.rawValue] = copy.periods[bridge.rawValue].flatMap { period in
                [
                    period.clamped(to: period.lowerBound..<max(gap.lowerBound, period.lowerBound)),
                    period.clamped(to: min(gap.upperBound, period.upperBound)..<period.upperBound),
                ].filter { !$0.isEmpty }
            }
        }
        return copy
    }

    /// Covered minutes of all bridges, added up.
    package var minutes: Double { BridgeIndex.all.reduce(0) { $0 + minutes(of: $1) } }

    /// Covered minutes of a bridge in all.
    public func minutes(of bridge: BridgeIndex) -> Double {
        periods[bridge.rawValue].reduce(0) { $0 + $1.upperBound.minutes(since: $1.lowerBound) }
    }

    /// The end of a bridge's coverage as known at a moment, or nil if there was none before.
    public func end(of bridge: BridgeIndex, before moment: Timestamp) -> Timestamp? {
        let list = periods[bridge.rawValue]
        let next = list.partitioningIndex { $0.lowerBound >= moment }
        return next > 0 ? min(list[next - 1].upperBound, moment) : nil
    }

    /// Whether nothing is covered.
    public var isEmpty: Bool { periods.allSatisfy(\.isEmpty) }

    private static func joined(_ periods: [Range<Timestamp>]) -> [Range<Timestamp>] {
        var result: [Range<Timestamp>] = []
        for period in periods.sorted(by: { $0.lowerBound < $1.lowerBound }) where !period.isEmpty {
            if let last = result.last, period.lowerBound <= last.upperBound {
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
