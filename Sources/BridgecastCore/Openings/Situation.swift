// What is known of the bridges at issue time: the only door from records to features.

/// What is known of one bridge at issue time.
public struct BridgeSituation: Sendable, Equatable {
    /// Up, down or unknown now.
    public var state: SpanState = .unknown
    /// From when to the issue time every opening is known; nil if the recent past is unknown.
    public var observedSince: Timestamp?
    /// Openings of the last six hours, newest first; complete only back to `observedSince`.
    public var recent: [KnownOpening] = []
    /// Openings since midnight or since `observedSince`, whichever is later.
    public package(set) var openingsToday = 0
    /// Openings on the 28 days before today, where covered.
    public package(set) var openingsInFourWeeks = 0
    /// Covered days among those 28, by ``DayType`` raw value.
    public package(set) var coveredDaysInFourWeeks: [Double] = [0, 0]
    /// End of the bridge's records as known at issue time, ``Timestamp/earliest`` if there are none; nil if
    /// no records were asked.
    public package(set) var recordedUntil: Timestamp?

    /// Nothing known.
    public static let unknown = BridgeSituation()

    /// Whether anything is known that a forecast may use.
    package var saysSomething: Bool {
        var said = self
        said.recordedUntil = nil
        return said != .unknown
    }
}

/// What is known of all bridges at issue time.
public struct Situation: Sendable, Equatable {
    /// The moment the forecast is made.
    public let issueTime: Timestamp
    /// One entry per bridge, by ``BridgeIndex``.
    public package(set) var bridges: [BridgeSituation]

    /// A situation in which nothing is known but the time.
    public static func unknown(at issueTime: Timestamp) -> Situation {
        let none = Array(repeating: BridgeSituation.unknown, count: BridgeCatalogue.count)
        return Situation(issueTime: issueTime, bridges: none)
    }

    /// What is known of one bridge.
    public subscript(bridge: BridgeIndex) -> BridgeSituation {
        get { bridges[bridge.rawValue] }
        set { bridges[bridge.rawValue] = newValue }
    }
}
