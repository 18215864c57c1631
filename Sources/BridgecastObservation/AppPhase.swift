// Where a screen stands: loading, ready, stale or failed.
public import BridgecastCore

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
