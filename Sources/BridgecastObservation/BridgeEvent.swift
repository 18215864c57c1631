// Something that happened at a bridge, in words.
public import BridgecastCore

/// Something that happened, in words.
nonisolated public struct BridgeEvent: Sendable, Equatable, Identifiable {
    /// Increases from event to event.
    public var id: Int
    /// When it happened.
    public var at: Timestamp
    /// The bridge it happened to; nil if it is about a feed.
    public var bridge: BridgeIndex?
    /// What happened and what it means.
    public var text: String

    /// Creates an event.
    public init(id: Int, at: Timestamp, bridge: BridgeIndex?, text: String) {
        (self.id, self.at, self.bridge, self.text) = (id, at, bridge, text)
    }
}
