// Boards for the moments to come, so that a widget can show the right countdowns without asking again.
public import BridgecastCore

/// A stop's boards at some moments, the first one now.
public struct BoardTimeline: Sendable {
    /// A board with the time in which it may be shown.
    public struct Entry: Sendable {
        /// The board as of its moment: countdowns run from ``StopBoard/asOf``.
        public let board: StopBoard
        /// When the next entry takes its place.
        public let validUntil: Timestamp
    }

    /// In order of time, without gaps.
    public let entries: [Entry]
    /// Until when the last one may be shown; nil without entries.
    public var validUntil: Timestamp? { entries.last?.validUntil }
}

extension StopBoard {
    /// Until when the board holds if nothing new is heard: until the first of its departures leaves, five minutes at most.
    public var validUntil: Timestamp {
        let latest = asOf.adding(seconds: 300)
        let next = departures.lazy.compactMap(\.expected).first { $0 >= asOf }
        return min(latest, next?.adding(seconds: 1) ?? latest)
    }
}

extension TransitSnapshot {
    /// The boards of a stop every five minutes for an hour.
    ///
    /// - Parameters:
    ///   - holds: The bridges that may hold runs at the first moments; nil to ask none.
    ///   - everySeconds: From one to the next, 1 or more; below counts as 1.
    ///   - count: How many, 1...144; beyond counts as the nearest of these.
    public func timeline(
        of stop: StopIndex, at moment: Timestamp? = nil, _ query: BoardQuery = BoardQuery(),
        holding holds: BridgeHolds? = nil, everySeconds: Int = 300, count: Int = 13
    ) -> BoardTimeline {
        let step = Int64(min(max(1, everySeconds), 86_400))
        let first = moment ?? asOf
        return BoardTimeline(
            entries: (0..<Int64(min(max(1, count), 144))).map { number in
                let board = board(
                    of: stop, at: first.adding(seconds: number * step), query, holding: holds)
                return BoardTimeline.Entry(
                    board: board, validUntil: board.asOf.adding(seconds: step))
            })
    }
}
