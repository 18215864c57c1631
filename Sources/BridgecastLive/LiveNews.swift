// What a live service has just published, for those who serve it on; LiveParts names who gets it.
public import Bridgecast

/// What was published at one moment.
public struct LiveNews: Sendable {
    /// The forecast that is shown now; nil before the first.
    public let update: LiveUpdate?
    /// Whether that forecast is a new one.
    public let isForecastNew: Bool
    /// Bridges that went up, down or out of sight.
    public let changes: [BridgeChange]
    /// What happened, in words; the oldest first.
    public let events: [BridgeEvent]
    /// How the feeds stand.
    public let feeds: [FeedStatus]
    /// How the whole stands.
    public let phase: AppPhase
}
