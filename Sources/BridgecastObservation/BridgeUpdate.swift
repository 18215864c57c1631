// What BridgeStatusModel takes over: one bridge's forecast and state.
public import BridgecastCore

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
