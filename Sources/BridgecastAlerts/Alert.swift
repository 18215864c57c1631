// An alert: what it is about, its identity by which it is sent at most once, and what became of it.
public import BridgecastCore
internal import BridgecastSupport

/// What an alert says.
public enum AlertKind: Hashable, Sendable {
    /// A bridge goes up.
    case raised
    /// A bridge is likely to be up within the next ten minutes.
    case likely
    /// A bridge is still up after some minutes.
    case stillRaised(minutes: Int)
    /// A bridge is down again.
    case lowered
    /// It is time to leave.
    case leaveNow
    /// It is too late to leave.
    case tooLate
    /// A transit agency has an alert about a line.
    case line
    /// Nothing: it shows that alerts arrive.
    case test

    /// The name in documents and in the ledger: `up`, `likely`, `still-up-15`, `down`, `leave`, `too-late`,
    /// `line` or `test`.
    public var name: String {
        switch self {
        case .raised: "up"
        case .likely: "likely"
        case .stillRaised(let minutes): "\(Self.stillRaisedPrefix)\(minutes)"
        case .lowered: "down"
        case .leaveNow: "leave"
        case .tooLate: "too-late"
        case .line: "line"
        case .test: "test"
        }
    }

    private static let stillRaisedPrefix = "still-up-"

    /// The kind of a name; nil for any other text.
    public init?(name: String) {
        switch name {
        case "up": self = .raised
        case "likely": self = .likely
        case "down": self = .lowered
        case "leave": self = .leaveNow
        case "too-late": self = .tooLate
        case "line": self = .line
        case "test": self = .test
        default:
            guard name.hasPrefix(Self.stillRaisedPrefix),
                let minutes = Int(name.dropFirst(Self.stillRaisedPrefix.count))
            else { return nil }
            self = .stillRaised(minutes: minutes)
        }
    }

    /// How long it is worth delivering, seconds: later it is given up, and the log says so.
    public var usefulSeconds: Int64 {
        switch self {
        case .likely: 600
        case .raised, .stillRaised, .lowered: 1800
        case .leaveNow, .tooLate: 900
        case .line: 86_400
        case .test: 3600
        }
    }
}

/// How much an alert matters, in increasing order.
public enum AlertPriority: Int, Sendable, CaseIterable, Comparable, Codable {
    /// Without a sound.
    case low
    /// As any message.
    case normal
    /// With a sound.
    case high
    /// Passes pauses, and is not held back to be sent together with others.
    case critical

    /// Its name in options and documents.
    public var name: String { "\(self)" }

    /// The priority of a name; nil for any other text.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// Orders by how much they matter.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What makes an alert the same alert: it is sent at most once, whatever happens to the process and its clock.
public struct AlertIdentity: Hashable, Sendable {
    /// The rule's id.
    public var rule: String
    /// What happened, such as one opening of one bridge.
    public var occasion: String
    /// Its message.
    public var kind: AlertKind

    /// Creates an identity.
    public init(rule: String, occasion: String, kind: AlertKind) {
        self.rule = rule
        self.occasion = occasion
        self.kind = kind
    }

    /// 32 hexadecimal digits that receivers can tell alerts apart by.
    public var digest: String {
        hexadecimal(SHA256.hash(Array("\(rule)\n\(occasion)\n\(kind.name)".utf8)).prefix(16))
    }

    /// 32 hexadecimal digits that all alerts of a rule about one occasion share, and all announcements of a reminder for one
    /// deadline: a receiver that shows them one at a time replaces the one before.
    public var topic: String {
        var subject = occasion[...]
        if occasion.hasPrefix(Self.reminderPrefix), let end = occasion.lastIndex(of: "/") {
            subject = occasion[..<end]
        }
        return hexadecimal(SHA256.hash(Array("\(rule)\n\(subject)".utf8)).prefix(16))
    }

    /// The occasions of announcements begin so, and end with the number of the announcement.
    static let reminderPrefix = "reminder/"
}

/// An alert that was decided on.
public struct Alert: Hashable, Sendable {
    /// What makes it the same alert.
    public var identity: AlertIdentity
    /// The id of the subscriber it goes to.
    public var subscriber: String
    /// How much it matters.
    public var priority: AlertPriority
    /// When it happened, by the clock of the bridges: in a replay the replay's.
    public var at: Timestamp
    /// The bridge it is about; nil if it is about none.
    public var bridge: BridgeIndex?
    /// A short summary, such as "Ballard Bridge is up".
    public var title: String
    /// A sentence.
    public var text: String
    /// A page with more; nil for none.
    public var link: String?

    /// Creates an alert.
    public init(
        identity: AlertIdentity, subscriber: String, priority: AlertPriority, at: Timestamp,
        bridge: BridgeIndex? = nil, title: String, text: String, link: String? = nil
    ) {
        self.identity = identity
        self.subscriber = subscriber
        self.priority = priority
        self.at = at
        self.bridge = bridge
        self.title = title
        self.text = text
        self.link = link
    }
}

/// What became of an alert.
public enum AlertStatus: String, Sendable, CaseIterable {
    /// It is to be sent, or sent again because it certainly did not arrive.
    case waiting
    /// It is being sent now.
    case sending
    /// The receiver accepted it.
    case delivered
    /// Whether it arrived is unknown, so it is not sent again.
    case unknown
    /// The receiver refused it, and would again.
    case refused
    /// It did not arrive in the number of attempts that are made.
    case gaveUp
    /// It was not sent while it was of use.
    case tooLate
    /// It was due while nothing was running.
    case missed
    /// Its subscriber had a pause.
    case paused
    /// Another alert that was due at the same time says more.
    case superseded
    /// Too many were waiting for its subscriber.
    case dropped

    /// Whether nothing will change it any more.
    public var isFinal: Bool { self != .waiting && self != .sending }

    /// As it is listed.
    public var text: String {
        switch self {
        case .gaveUp: "gave up"
        case .tooLate: "too late"
        default: rawValue
        }
    }
}
