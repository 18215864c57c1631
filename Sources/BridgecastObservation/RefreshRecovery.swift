// What happens after a refresh that failed.

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
