// One bridge as a screen observes it, and the update that a forecast makes for it.
public import BridgecastCore
public import Observation

/// A bridge's live status.
///
/// Observers are notified only of properties they read: a property is written only when its value changes, and the time
/// of the last update, which changes every time, does not notify.
@Observable public final class BridgeStatusModel: Identifiable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// The city's id.
    public var id: BridgeID { BridgeCatalogue[bridge].id }
    /// The city's name.
    public var name: String { BridgeCatalogue[bridge].name }

    /// Up, down or unknown.
    public private(set) var state: SpanState = .unknown
    /// Expected delay in seconds of an arrival now; nil before the first forecast, and after one that begins later.
    public private(set) var realTimeDelay: Double?
    /// Probability of being delayed on arrival now, 0...1; nil where ``realTimeDelay`` is.
    public private(set) var openProbability: Double?
    /// How far to trust the forecast; nil before the first.
    public private(set) var confidence: Confidence?

    /// The forecast over the next hour; empty before the first.
    public private(set) var outlook: [OutlookPoint] = []

    /// When the last forecast was issued; not observed, as it changes with every refresh.
    @ObservationIgnored public private(set) var issueTime: Timestamp?
    /// The distribution of the published figures; not observed, as it changes with them.
    @ObservationIgnored public private(set) var delay: DelayDistribution?

    /// Creates a model without a forecast.
    public init(bridge: BridgeIndex) { self.bridge = bridge }

    /// Age of the forecast at a time, in seconds; nil before the first forecast.
    public func ageSeconds(at now: Timestamp) -> Double? {
        issueTime.map { now.minutes(since: $0) * 60 }
    }

    /// Takes the next forecast whatever its time: the clock was set.
    func forgetIssueTime() { issueTime = nil }

    /// Applies a forecast; one that is a little older than the last was overtaken, and is ignored.
    ///
    /// One older by more than ``LiveSnapshot/stalenessMinutes`` was not overtaken: a clock was set back.
    /// ``AppStateModel/clockWasSet()`` says so of a smaller shift.
    ///
    /// - Precondition: The update is of this bridge; ``AppStateModel/apply(_:)`` finds the model of each.
    /// - Returns: Whether any observable property has changed.
    @discardableResult public func apply(_ update: BridgeUpdate) -> Bool {
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
        let now = update.leadMinutes == 0 ? update.delay : nil
        set(\.realTimeDelay, now?.expectedSeconds)
        set(\.openProbability, now?.probabilityDelayed)
        set(\.confidence, update.confidence)
        set(\.outlook, update.outlook)
        return changed
    }
}

/// A forecast of one bridge at one time.
nonisolated public struct BridgeUpdate: Sendable, Equatable, Codable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// When the forecast was issued.
    public var issueTime: Timestamp
    /// Up, down or unknown.
    public var state: SpanState
    /// The delay of an arrival after ``leadMinutes``.
    public var delay: DelayDistribution
    /// Minutes from the issue time to the arrival of ``delay``: 0, but for a table that begins later.
    public var leadMinutes: Double
    /// How far to trust it.
    public var confidence: Confidence
    /// The forecast over the next hour, in order of lead.
    public var outlook: [OutlookPoint]

    /// Creates an update.
    public init(
        bridge: BridgeIndex, issueTime: Timestamp, state: SpanState, delay: DelayDistribution,
        leadMinutes: Double = 0, confidence: Confidence, outlook: [OutlookPoint] = []
    ) {
        self.leadMinutes = leadMinutes
        self.outlook = outlook
        self.bridge = bridge
        self.issueTime = issueTime
        self.state = state
        self.delay = delay
        self.confidence = confidence
    }

    /// How far ahead an outlook reaches, minutes.
    public static let outlookMinutes = 60.0

    /// A bridge's forecast in a table: its delay now and over the next hour, or as far as the table reaches.
    ///
    /// It is for modes that queue, if the table has any. A table for a far departure begins there.
    /// - Parameter situation: The situation the table was made from.
    package init(_ bridge: BridgeIndex, _ table: ForecastTable, _ situation: Situation) {
        let queues = table.modes.contains { $0.queues }
        let outlook = table.leadsMinutes.prefix { $0 <= Self.outlookMinutes }.map { lead in
            let delay = table.delayWithin(at: bridge, leadMinutes: lead, queues: queues)
            return OutlookPoint(
                leadMinutes: lead, probability: delay.probabilityDelayed,
                expectedDelaySeconds: delay.expectedSeconds)
        }
        let lead = table.leadsMinutes.first ?? 0
        self.init(
            bridge: bridge, issueTime: table.issueTime, state: situation[bridge].state,
            delay: table.delayWithin(at: bridge, leadMinutes: lead, queues: queues),
            leadMinutes: lead,
            confidence: Confidence(
                bridge, leadMinutes: lead, in: situation,
                history: table.history(of: bridge)), outlook: outlook)
    }
}

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
        self.leadMinutes = leadMinutes
        self.probability = probability
        self.expectedDelaySeconds = expectedDelaySeconds
    }
}
