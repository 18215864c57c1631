// When a feed last said something, and what is wrong with it.
public import BridgecastCore

/// How a feed is doing.
nonisolated public struct FeedStatus: Sendable, Equatable, Identifiable {
    /// The feed's name.
    public var id: String
    /// When its last good answer came; nil before the first.
    public var fetchedAt: Timestamp?
    /// What is wrong with it now; nil if nothing is.
    public var problem: String?

    /// Creates a status.
    public init(id: String, fetchedAt: Timestamp?, problem: String?) {
        (self.id, self.fetchedAt, self.problem) = (id, fetchedAt, problem)
    }
}
