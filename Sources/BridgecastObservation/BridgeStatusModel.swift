// One bridge as a screen watches it; every property that changes on screen notifies on its own.
public import BridgecastCore
public import Observation

/// A bridge's live status.
///
/// Watchers are woken only by what they read: a property is written only when its value changes,
/// and the moment of the last update, which changes every time, does not notify.
@Observable
public final class BridgeStatusModel: Identifiable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// The city's id.
    public var id: BridgeID { BridgeCatalogue[bridge].id }
    /// The city's name.
    public var name: String { BridgeCatalogue[bridge].name }

    /// Up, down or unknown.
    public private(set) var state: SpanState = .unknown
    /// Expected delay in seconds of an arrival now; nil before the first forecast.
    public private(set) var realTimeDelay: Double?
    /// Probability of being delayed on arrival now, 0...1; nil before the first forecast.
    public private(set) var openProbability: Double?
    /// How far to trust the forecast; nil before the first.
    public private(set) var confidence: Confidence?

    /// The forecast over the next hour; empty before the first.
    public private(set) var outlook: [OutlookPoint] = []

    /// When the last forecast was issued; not observed, as it changes with every refresh.
    @ObservationIgnored public private(set) var issueTime: Timestamp?
    /// The distribution behind the published figures; not observed, as it changes with them.
    @ObservationIgnored public private(set) var delay: DelayDistribution?

    /// Creates a model without a forecast.
    public init(bridge: BridgeIndex) { self.bridge = bridge }

    /// Age of the forecast at a moment, in seconds; nil before the first forecast.
    public func ageSeconds(at now: Timestamp) -> Double? {
        issueTime.map { now.minutes(since: $0) * 60 }
    }

    /// Takes over a forecast; one that is a little older than the last was overtaken, and is ignored.
    ///
    /// One that is older by more than ``LiveSnapshot/stalenessMinutes`` was not overtaken: a clock was set back.
    ///
    /// - Precondition: The update is of this bridge; ``AppStateModel/apply(_:)`` finds the model of each.
    /// - Returns: Whether anything a watcher can see has changed.
    @discardableResult
    public func apply(_ update: BridgeUpdate) -> Bool {
        precondition(update.bridge == bridge, "an update belongs to one bridge")
        if let issueTime, update.issueTime < issueTime,
            !LiveSnapshot.freshness.isStale(update.issueTime, at: issueTime)
        {
            return false
        }
        issueTime = update.issueTime
        delay = update.delay
        var changed = false
        func set<Value: Equatable>(
            _ property: ReferenceWritableKeyPath<BridgeStatusModel, Value>, _ value: Value
        ) {
            guard self[keyPath: property] != value else { return }
            self[keyPath: property] = value
            changed = true
        }
        set(\.state, update.state)
        set(\.realTimeDelay, update.delay.expectedSeconds)
        set(\.openProbability, update.delay.probabilityDelayed)
        set(\.confidence, update.confidence)
        set(\.outlook, update.outlook)
        return changed
    }
}
