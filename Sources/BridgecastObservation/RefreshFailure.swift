// Why a refresh failed, and what happens next.

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
