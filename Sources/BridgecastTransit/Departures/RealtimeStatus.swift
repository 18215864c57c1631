// How a realtime feed stands: how old it is and what went wrong; shown beside everything that comes of it.
public import BridgecastCore

/// How a realtime feed stands.
public struct RealtimeStatus: Sendable, Hashable {
    /// Which feed, such as `trip_updates`.
    public let id: String
    /// When its newest message was fetched; nil if none was.
    public var fetchedAt: Timestamp?
    /// What the message says of its making; nil if it does not.
    public var feedTimestamp: Timestamp?
    /// Why the newest attempt failed, for people; nil if it did not.
    public var problem: String?
    /// What is odd about the message although it is used, such as a clock that is ahead; nil if nothing is.
    public var remark: String?
    /// Entities in use.
    public var entities: Int

    package init(
        id: String, fetchedAt: Timestamp? = nil, feedTimestamp: Timestamp? = nil,
        problem: String? = nil, entities: Int = 0
    ) {
        (self.id, self.fetchedAt, self.feedTimestamp) = (id, fetchedAt, feedTimestamp)
        (self.problem, self.entities) = (problem, entities)
    }
}
