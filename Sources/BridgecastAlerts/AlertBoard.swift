// What the planner is given: the bridges and lines at a time; and how it remembers the openings that it has seen.
public import BridgecastCore

/// The bridges, and the agency's alerts, at a time.
public struct AlertBoard: Sendable {
    /// The time by the clock of the bridges: in a replay the replay's.
    public var at: Timestamp
    /// The time by the system's clock, for pauses.
    public var systemTime: Timestamp
    /// Seconds since the board before, by a clock that is never set; nil for the first board of a process.
    public var secondsSinceLast: Double?
    /// The bridges that are known.
    public var bridges: [BridgeIndex: BridgeCondition]
    /// The agency's alerts that are active.
    public var lineAlerts: [LineAlert]
    /// When to leave for the reminders of journals.
    public var reminders: ReminderOutlooks

    /// Creates a board.
    public init(
        at: Timestamp, systemTime: Timestamp, secondsSinceLast: Double?,
        bridges: [BridgeIndex: BridgeCondition], lineAlerts: [LineAlert] = [],
        reminders: ReminderOutlooks = .none
    ) {
        self.at = at
        self.systemTime = systemTime
        self.secondsSinceLast = secondsSinceLast
        self.bridges = bridges
        self.lineAlerts = lineAlerts
        self.reminders = reminders
    }
}

/// A bridge on a board.
public struct BridgeCondition: Hashable, Sendable {
    /// Up, down or unknown.
    public var state: SpanState
    /// The chance that it is up at some time of the next ten minutes, 0 to 1: of those in the forecast the highest; nil if
    /// there is no forecast.
    public var chance: Double?

    /// Creates a condition.
    public init(state: SpanState, chance: Double? = nil) {
        self.state = state
        self.chance = chance
    }
}

/// An agency's alert about lines.
public struct LineAlert: Hashable, Sendable {
    /// What tells it apart from others, by its content: agencies number their alerts anew.
    public var id: String
    /// The short names of the lines.
    public var lines: [String]
    /// Its header.
    public var header: String
    /// The whole text.
    public var text: String
    /// A page with more; nil for none.
    public var link: String?

    /// Creates an alert.
    public init(id: String, lines: [String], header: String, text: String, link: String? = nil) {
        self.id = id
        self.lines = lines
        self.header = header
        self.text = text
        self.link = link
    }
}

// MARK: - Openings

/// An opening that was seen, as it is kept over restarts.
public struct SeenOpening: Hashable, Sendable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// When it went up, or was first seen up if that is unknown; tells openings of a bridge apart.
    public let start: Timestamp
    /// Whether it is known when it went up.
    public let isStartKnown: Bool
    /// Whether it was up when it was last seen.
    public internal(set) var isRaised = true
    /// How long it has been up, seconds, by a clock that is never set.
    public internal(set) var elapsedSeconds: Double
    /// When it was last seen up.
    public internal(set) var seenAt: Timestamp
    /// For how many whole minutes it was up when that was last looked at.
    public internal(set) var minutesUp: Int

    /// Creates an opening that is up.
    init(bridge: BridgeIndex, start: Timestamp, isStartKnown: Bool, seenAt: Timestamp) {
        self.bridge = bridge
        self.start = start
        self.isStartKnown = isStartKnown
        self.seenAt = seenAt
        elapsedSeconds = isStartKnown ? max(0, seenAt.minutes(since: start) * 60) : 0
        minutesUp = Int(elapsedSeconds / 60)
    }

    /// Creates an opening as it was kept.
    init(
        bridge: BridgeIndex, start: Timestamp, isStartKnown: Bool, isRaised: Bool,
        elapsedSeconds: Double, seenAt: Timestamp, minutesUp: Int
    ) {
        self.init(bridge: bridge, start: start, isStartKnown: isStartKnown, seenAt: seenAt)
        self.isRaised = isRaised
        self.elapsedSeconds = elapsedSeconds
        self.minutesUp = minutesUp
    }

    /// What makes alerts about it the same: `opening/3/1515078123`.
    var occasion: String {
        "opening/\(BridgeCatalogue[bridge].id.rawValue)/\(start.secondsSinceEpoch)"
    }
}

/// What a bridge did from one board to the next.
enum BridgeStep {
    /// It went up.
    case raised(SeenOpening)
    /// It is still up, a minute or more longer than before.
    case stillRaised(SeenOpening, fromMinutes: Int)
    /// It is down again; that is no news if too long passed unseen.
    case lowered(SeenOpening, isNews: Bool)
}

/// The openings of one bridge: tells one from the next over restarts and changes of the clock.
///
/// An opening is the same one until the bridge has been seen down. It is also the same as an earlier one that began within
/// ``sameStartSeconds``: a replay that begins again shows the same openings again.
struct OpeningsOfBridge {
    /// Starts that differ by no more are of the same opening.
    static let sameStartSeconds: Int64 = 60
    /// An opening that went unseen for longer is another one.
    static let maxUnseenSeconds = 12 * 3600.0
    /// That a bridge is down again is no news after more time unseen.
    static let maxNewsSeconds = 2 * 3600.0
    /// Earlier openings that are remembered.
    static let maxKept = 400

    let bridge: BridgeIndex
    /// In the order in which they were seen.
    private(set) var openings: [SeenOpening] = []
    /// The one that is up, or was when the bridge was last seen.
    private var openIndex: Int?
    /// How long the state has been unknown in this process, seconds.
    private var unseenSeconds = 0.0

    init(_ bridge: BridgeIndex) { self.bridge = bridge }

    /// - Parameter kept: In the order in which they were seen.
    init(_ bridge: BridgeIndex, kept: [SeenOpening]) {
        self.bridge = bridge
        openings = Array(kept.suffix(Self.maxKept))
        openIndex = openings.lastIndex { $0.isRaised }
    }

    /// Takes a state in.
    ///
    /// - Returns: What happened; nil if nothing did.
    mutating func take(_ state: SpanState, at now: Timestamp, seconds: Double?) -> BridgeStep? {
        guard let index = openIndex else {
            guard case .raised(let since) = state else { return nil }
            return raise(since: since, at: now)
        }
        let elapsed = max(0, seconds ?? now.minutes(since: openings[index].seenAt) * 60)
        openings[index].elapsedSeconds += elapsed
        unseenSeconds += elapsed
        switch state {
        case .unknown: return nil
        case .lowered: return lower(index)
        case .raised(let since):
            return isSame(openings[index], since: since)
                ? stay(index, at: now) : raise(since: since, at: now)
        }
    }

    /// Whether the one that was up when last seen is the one that is up now.
    private func isSame(_ open: SeenOpening, since: Timestamp?) -> Bool {
        guard let since else { return unseenSeconds <= Self.maxUnseenSeconds }
        return since <= open.seenAt.adding(seconds: Self.sameStartSeconds)
    }

    private mutating func stay(_ index: Int, at now: Timestamp) -> BridgeStep? {
        let before = openings[index].minutesUp
        openings[index].seenAt = now
        unseenSeconds = 0
        let minutes = Int(openings[index].elapsedSeconds / 60)
        guard minutes > before else { return nil }
        openings[index].minutesUp = minutes
        return .stillRaised(openings[index], fromMinutes: before)
    }

    private mutating func lower(_ index: Int) -> BridgeStep {
        openings[index].isRaised = false
        openIndex = nil
        return .lowered(openings[index], isNews: unseenSeconds <= Self.maxNewsSeconds)
    }

    private mutating func raise(since: Timestamp?, at now: Timestamp) -> BridgeStep? {
        if let index = openIndex { openings[index].isRaised = false }
        unseenSeconds = 0
        let start = since ?? now
        if since != nil, let index = openings.lastIndex(where: { isNear($0.start, start) }) {
            openings[index].isRaised = true
            openings[index].seenAt = now
            // What was announced stays so; how long it is up is counted anew.
            openings[index].elapsedSeconds = max(0, now.minutes(since: start) * 60)
            openIndex = index
            return nil
        }
        let opening = SeenOpening(
            bridge: bridge, start: start, isStartKnown: since != nil, seenAt: now)
        if openings.count >= Self.maxKept { openings.removeFirst(Self.maxKept / 4) }
        openings.append(opening)
        openIndex = openings.count - 1
        return .raised(opening)
    }

    /// The one that is up, or was when the bridge was last seen, or else the last one; nil before the first.
    var latest: SeenOpening? { openIndex.map { openings[$0] } ?? openings.last }

    private func isNear(_ first: Timestamp, _ second: Timestamp) -> Bool {
        abs(first.secondsSinceEpoch - second.secondsSinceEpoch) <= Self.sameStartSeconds
    }
}
