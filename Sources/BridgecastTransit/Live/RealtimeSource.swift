// Where realtime messages come from: a network, files, or a recording; asked by TransitPoller.
// Belongs here: keeping a snapshot up to date by a clock; not: HTTP (BridgecastFeeds).
public import BridgecastCore

/// A source of realtime messages.
public protocol RealtimeSource: Sendable {
    /// Which feed it is, such as `trip_updates`; unique among those of a poller.
    var id: String { get }
    /// The newest message; nil if it is the same as the last time.
    ///
    /// - Throws: Any error whose description is for people; `CancellationError` if the task is cancelled.
    func fetch(at now: Timestamp) async throws -> [UInt8]?
}
