// What a route service is put together from: live pipeline, model, roads, records, documents.
public import Bridgecast
public import BridgecastLive
public import BridgecastRoads
public import Foundation

/// What a service works with.
public struct ServiceParts: Sendable {
    /// Feeds, store, records, clock and log of the live pipeline.
    public var live: LiveParts
    /// Forecasts.
    public var inference: TrafficInference
    /// The model's file, for reloading.
    public var modelURL: URL?
    /// SHA-256 in hexadecimal of the very bytes that the model in use was read from; nil if that is not known.
    ///
    /// The file at ``modelURL`` is taken over at the start if it is another one, or if this is nil.
    public var modelDigest: String?
    /// The roads; nil where only given candidates are ranked.
    public var network: RoadNetwork?
    /// All openings that are known, by bridge, with who saw them; asked for when somebody wants history.
    ///
    /// In a replay it ends where the replay's clock is.
    public var openings: @Sendable () throws -> OpeningHistory
    /// The evaluation of the model in use, as `bridgecast evaluate --skill FILE` writes it; nil if there is none.
    public var skill: Data?
    /// The file of the map's water, models/geography/seattle-water.geojson; nil if there is none.
    public var geography: Data?
    /// The page that `/` shows; nil for none.
    package var page: PageShelf?
    /// Buses and trains; nil for none.
    public var transit: TransitParts?
    /// Collects the metrics that `/metrics` shows.
    public var metrics: MetricsRegistry

    /// Creates parts; the other members have their usual values.
    public init(
        live: LiveParts, inference: TrafficInference, metrics: MetricsRegistry,
        openings: @escaping @Sendable () throws -> OpeningHistory
    ) {
        (self.live, self.inference, self.metrics) = (live, inference, metrics)
        self.openings = openings
    }
}
