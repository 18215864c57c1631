public import Bridgecast
public import BridgecastData
public import BridgecastStore
public import Logging

/// What a live service works with.
public struct LiveParts: Sendable {
    /// Live bridge states.
    public var bridges: any BridgeFeed
    /// Live traffic, any number of sources.
    public var traffic: [any TrafficFeed] = []
    /// Keeps what is seen; nil keeps nothing.
    public var store: HistoryStore?
    /// Keeps what is forecast, and is run by the caller; nil keeps nothing.
    public var archiver: ForecastArchiver?
    /// The name of a model in the archive; nil for one that is not in use any more.
    public var archivedModel: @Sendable (LoadedModel) -> ArchivedModel? = { model in
        ArchivedModel(file: model.header.name, sha256: "")
    }
    /// The records as known at a time; read at the start and once a day.
    public var records: @Sendable (Timestamp) throws -> OpeningHistory
    /// Notes errors and contacts of feeds for `bridgecast doctor`; nil notes nothing.
    public var diagnostics: DiagnosticLog?
    /// The clock of everything that the service does.
    public var clock: any WallClock = SystemWallClock()
    /// How often the bridges are requested.
    public var interval = RefreshInterval.live
    /// Gets a line for every update.
    public var log: Logger
    /// Gets everything that is published, in order, on the service's actor; it must not block.
    public var listener: (@Sendable (LiveNews) -> Void)?

    /// Creates parts; the other members have their defaults.
    public init(
        bridges: any BridgeFeed, records: @escaping @Sendable (Timestamp) throws -> OpeningHistory,
        log: Logger
    ) {
        self.bridges = bridges
        self.records = records
        self.log = log
    }
}
