// All openings in one order, prepared once and read a page at a time; behind `/history`.
// Belongs here: answers about the past and the map: openings, days, skill, places, geography; not: forecasts of now.
package import BridgecastCore

/// Openings in order of their start, then of the bridges, as they look at a moment.
package struct OpeningList: Sendable {
    /// When it was made: nothing later is in it, and an opening that went on then has no end.
    package let moment: Timestamp
    private let all: [Opening]
    private let byBridge: [[Opening]]

    /// Some openings of the list and how many there are.
    package struct Page: Sendable {
        /// The openings of the page.
        package let openings: ArraySlice<Opening>
        /// The openings of all pages.
        package let total: Int
    }

    /// Puts a history in order; O(n log n).
    package init(_ history: OpeningHistory, at moment: Timestamp) {
        self.moment = moment
        byBridge = history.openings.map { list in
            Array(list.prefix { $0.start <= moment })
        }
        all = byBridge.joined().sorted { ($0.start, $0.bridge) < ($1.start, $1.bridge) }
    }

    /// A page of the openings that begin in an interval; O(log n).
    ///
    /// - Parameters:
    ///   - bridge: The bridge; nil for all of them.
    ///   - interval: From when on they began, and before when.
    ///   - offset: How many are left out first; the page is empty if there are no more.
    ///   - limit: How many the page has at most.
    package func page(
        of bridge: BridgeIndex?, in interval: Range<Timestamp>, offset: Int, limit: Int
    ) -> Page {
        let list = bridge.map { byBridge[$0.rawValue] } ?? all
        let first = list.partitioningIndex { $0.start >= interval.lowerBound }
        let last = max(first, list.partitioningIndex { $0.start >= interval.upperBound })
        let start = first + min(offset, last - first)
        return Page(
            openings: list[start..<start + min(limit, last - start)], total: last - first)
    }

    /// When an opening ended, as known when the list was made; nil if it went on.
    package func knownEnd(of opening: Opening) -> Timestamp? {
        opening.end.flatMap { $0 < moment ? $0 : nil }
    }
}
