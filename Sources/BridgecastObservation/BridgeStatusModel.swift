// One bridge as a screen watches it; every property that changes on screen notifies on its own.
public import BridgecastCore
public import Observation

/// The forecast for arrivals at one time ahead.
nonisolated public struct OutlookPoint: Sendable, Equatable, Codable {
    /// Minutes from the issue time to the arrival.
    public var leadMinutes: Double
    /// Probability of a delay, 0...1.
    public var probability: Double
    /// Expected delay in seconds, the chance of none included.
    public var expectedDelaySeconds: Double

    /// Creates a point.
    public init(leadMinutes: Double, probability: Double, expectedDelaySeconds: Double) {
        (self.leadMinutes, self.probability) = (leadMinutes, probability)
        self.expectedDelaySeconds = expectedDelaySeconds
    }
}

/// What a forecast says about a bridge at one moment.
nonisolated public struct BridgeUpdate: Sendable, Equatable, Codable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// When the forecast was issued.
    public var issueTime: Timestamp
    /// Up, down or unknown.
    public var state: SpanState
    /// The delay of an arrival now.
    public var delay: DelayDistribution
    /// How far to trust it.
    public var confidence: Confidence
    /// The forecast over the next hour, in order of lead.
    public var outlook: [OutlookPoint]

    /// Creates an update.
    public init(
        bridge: BridgeIndex, issueTime: Timestamp, state: SpanState, delay: DelayDistribution,
        confidence: Confidence, outlook: [OutlookPoint] = []
    ) {
        self.outlook = outlook
        self.bridge = bridge
        self.issueTime = issueTime
        self.state = state
        self.delay = delay
        self.confidence = confidence
    }

    /// How far ahead an outlook reaches, minutes.
    public static let outlookMinutes = 60.0

    /// What a table says about a bridge: its delay now and over the next hour, or as far as the table reaches.
    ///
    /// It is said to those who queue, if the table is for them. A table for a far departure begins there and says
    /// nothing of now: its first lead stands in.
    /// - Parameter situation: What was known when the table was made.
    public init(_ bridge: BridgeIndex, _ table: ForecastTable, _ situation: Situation) {
        let queues = table.modes.contains { $0.queues }
        let outlook = table.leadsMinutes.prefix { $0 <= Self.outlookMinutes }.map { lead in
            let delay = table.delayWithin(at: bridge, leadMinutes: lead, queues: queues)
            return OutlookPoint(
                leadMinutes: lead, probability: delay.probabilityDelayed,
                expectedDelaySeconds: delay.expectedSeconds)
        }
        self.init(
            bridge: bridge, issueTime: table.issueTime, state: situation[bridge].state,
            delay: table.delayWithin(at: bridge, leadMinutes: 0, queues: queues),
            confidence: Confidence(
                bridge, leadMinutes: 0, in: situation,
                coveredDays: table.history(of: bridge).coveredDays),
            outlook: outlook)
    }
}

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
