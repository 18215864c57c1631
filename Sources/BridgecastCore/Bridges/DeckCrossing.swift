// Where a line on the map crosses a bridge.

/// A crossing of a deck by a line.
public struct DeckCrossing: Sendable, Equatable {
    /// The deck.
    public let deck: BridgeDeck
    /// Position along the line: the number of its piece plus the share of it passed, 0 ..< points - 1.
    public let position: Double
    let beside: Double
}
