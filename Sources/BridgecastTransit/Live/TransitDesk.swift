// The newest snapshot, for any number of readers; written by TransitPoller.
public import BridgecastCore
private import Synchronization

/// Holds what boards are read from.
public final class TransitDesk: Sendable {
    /// The timetable.
    public let feed: TransitFeed
    /// The drawbridges of its shapes.
    public let crossings: BridgeCrossings
    /// Its stations by place.
    public let stations: StationFinder
    private let newest: Mutex<TransitSnapshot>

    /// Starts with the timetable alone; finds crossings and stations, which takes up to a second.
    public init(_ feed: TransitFeed, at now: Timestamp) {
        self.feed = feed
        (crossings, stations) = (BridgeCrossings(of: feed), StationFinder(feed))
        newest = Mutex(TransitSnapshot(feed, asOf: now))
    }

    /// The newest snapshot.
    public var snapshot: TransitSnapshot { newest.withLock { $0 } }

    /// Shows a newer one to all who ask from now on.
    package func show(_ snapshot: TransitSnapshot) {
        var other = snapshot
        // The old one is taken down by whoever shows the new one, not while readers wait.
        newest.withLock { swap(&$0, &other) }
    }
}
