// How a refresh went, how its feeds are doing and what happened: the words that screens show.
public import BridgecastCore

/// What comes of a failure.
nonisolated public enum RefreshRecovery: Sendable, Equatable {
    /// It is over.
    case recovered
    /// It is tried again after so many seconds.
    case retryScheduled(after: Double)
    /// The user has to do something, said in words.
    case userActionRequired(String)
    /// It cannot be mended while this runs, said in words.
    case criticalFailure(String)
}

/// A failed refresh; what was shown before stays.
nonisolated public struct RefreshFailure: Error, Sendable, Equatable {
    /// What went wrong, for a person.
    public var reason: String
    /// What comes of it.
    public var recovery: RefreshRecovery

    /// Creates a failure.
    public init(reason: String, recovery: RefreshRecovery) {
        self.reason = reason
        self.recovery = recovery
    }
}

/// Whether what is shown is of now.
nonisolated public enum AppPhase: Sendable, Equatable {
    /// Nothing has been asked for.
    case idle
    /// The first answer is awaited.
    case loading
    /// Live states are recent.
    case ready
    /// The last live states are of this time, too old to be believed.
    case stale(since: Timestamp)
    /// There have been no live states at all.
    case failed
}

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
