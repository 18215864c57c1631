public import Bridgecast
public import BridgecastLive
public import BridgecastRoads
public import BridgecastTransit
public import Foundation
public import ServiceLifecycle

/// What a service is built from.
public struct ServiceParts: Sendable {
    /// Feeds, store, records, clock and log of the live pipeline.
    public var live: LiveParts
    /// Forecasts.
    public var inference: TrafficInference
    /// The model's file, for reloading.
    public var modelURL: URL?
    /// SHA-256 in hexadecimal of the bytes that the model in use was read from; nil if unknown.
    ///
    /// The file at ``modelURL`` is loaded at the start if it differs, or if this is nil.
    public var modelDigest: String?
    /// The roads; nil if only given candidates are ranked.
    public var network: RoadNetwork?
    /// Reads all known openings, by bridge, with their sources; called when history is requested.
    ///
    /// In a replay they end at the time of the replay's clock.
    public var openings: @Sendable () throws -> OpeningHistory
    /// The evaluation of the model in use, as `bridgecast evaluate --skill FILE` writes it; nil if there is none.
    public var skill: Data?
    /// The file of the map's water, models/geography/seattle-water.geojson; nil if there is none.
    public var geography: Data?
    /// The description of the resources, Resources/openapi.json; nil if there is none.
    public var description: Data?
    /// The page that `/` shows; nil for none.
    package var page: PageCache?
    /// Buses and trains; nil for none.
    public var transit: TransitParts?
    /// The people with journals at `/api/v1/me`; nil for none.
    package var people: PersonAccess?
    /// The alerts of these people; nil if the service sends none.
    package var personAlerts: PersonAlerts?
    /// Collects the metrics that `/metrics` shows.
    public var metrics: MetricsRegistry
    /// Gets everything that is published about bridges, in order, after it is shown; it must not block.
    public var bridgeListener: (@Sendable (LiveNews) -> Void)?
    /// Gets everything that is published about buses and trains, in order; it must not block.
    public var transitListener: (@Sendable (TransitNews) -> Void)?
    /// A person's stream of alerts by its token and the id of the last event that was seen; nil if the token is unknown.
    public var alertStream:
        (@Sendable (_ token: String, _ lastEventID: String?) -> AsyncStream<[UInt8]>?)?
    /// Called when a shutdown begins, before the server waits for open connections: ends streams of others.
    public var endStreams: (@Sendable () -> Void)?
    /// What runs with the service, and shuts down with it.
    public var companions: [any Service] = []

    /// Creates parts; the other members have their defaults.
    public init(
        live: LiveParts, inference: TrafficInference, metrics: MetricsRegistry,
        openings: @escaping @Sendable () throws -> OpeningHistory
    ) {
        self.live = live
        self.inference = inference
        self.metrics = metrics
        self.openings = openings
    }
}

/// What the transit resources of a service are built from.
public struct TransitParts: Sendable {
    /// The timetable that is in use at the start.
    public var feed: TransitFeed
    /// Its zip file or folder, which is read again when it changes; nil if it has none.
    public var url: URL?
    /// Reads that file or folder.
    public var read: @Sendable (URL) throws -> TransitFeed
    /// Realtime feeds; empty if boards show only the timetable.
    public var sources: [any RealtimeSource] = []
    /// Seconds between two requests to the realtime feeds, by the service's clock; at least
    /// ``TransitPoller/minIntervalSeconds``.
    public var intervalSeconds = 30.0

    /// Creates parts of a timetable; the other members have their defaults.
    ///
    /// - Parameter read: Reads a newer timetable.
    public init(
        _ feed: TransitFeed, from url: URL? = nil,
        read: @escaping @Sendable (URL) throws -> TransitFeed = { try TransitFeed(contentsOf: $0) }
    ) {
        self.feed = feed
        self.url = url
        self.read = read
    }
}
