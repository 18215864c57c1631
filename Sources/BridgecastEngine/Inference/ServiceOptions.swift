// How TrafficInference serves many at a time.

/// How ``TrafficInference`` serves many callers.
public struct ServiceOptions: Sendable {
    /// How long a small request waits for others to share its batch.
    ///
    /// Zero, the default, never waits: requests that come while a batch runs share the next one anyway. More than an
    /// hour counts as one.
    public var coalescingWindow = Duration.zero
    /// Requests of so many rows or more run by themselves, on the caller's thread.
    public var leastRowsAlone = 256
    /// Rows that may wait or run at a time; requests beyond are refused before anything is done for them.
    public var mostRowsInFlight = 65_536
    /// Threads that a large batch is divided among; see ``Workspace/init(threads:)``.
    public var threads = 1

    /// The defaults.
    public init() {}
}
