// Why a refresh failed, and what happens next.

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
