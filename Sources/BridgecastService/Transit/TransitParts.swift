// The timetable and the realtime feeds that a service answers from; part of ServiceParts.
public import BridgecastTransit
public import Foundation

/// What the transit resources of a service work with.
public struct TransitParts: Sendable {
    /// The timetable that is in use at the start.
    public var feed: TransitFeed
    /// Its zip file or folder, which is taken over again when it changes; nil for one that came from none.
    public var url: URL?
    /// Reads that file or folder.
    public var read: @Sendable (URL) throws -> TransitFeed
    /// Realtime feeds; none where boards show the timetable alone.
    public var sources: [any RealtimeSource] = []
    /// Seconds from one asking of the realtime feeds to the next, by the service's clock; at least 20.
    public var intervalSeconds = 30.0

    /// Creates parts of a timetable; the other members have their usual values.
    ///
    /// - Parameter read: Reads a newer one; as the library does unless it is given.
    public init(
        _ feed: TransitFeed, from url: URL? = nil,
        read: @escaping @Sendable (URL) throws -> TransitFeed = { try TransitFeed(contentsOf: $0) }
    ) {
        (self.feed, self.url, self.read) = (feed, url, read)
    }
}
