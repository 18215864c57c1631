// A person who gets alerts: by which carrier, at which address, and until when not.
public import BridgecastCore
public import BridgecastSupport
private import Foundation

/// A person, and where their alerts go.
public struct Subscriber: Hashable, Sendable, Identifiable {
    /// Its id.
    public var id: String
    /// The name by which commands know it.
    public var name: String
    /// Where alerts go.
    public var address: AlertAddress
    /// Alerts below ``AlertPriority/critical`` are not sent before this time; nil without a pause.
    public var pausedUntil: Timestamp?
    /// The id of the person with a token that it belongs to; nil for one that `alert add` has made.
    public var owner: String?

    /// Creates a subscriber.
    public init(
        id: String, name: String, address: AlertAddress, pausedUntil: Timestamp? = nil,
        owner: String? = nil
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.pausedUntil = pausedUntil
        self.owner = owner
    }

    /// Whether an alert of some priority is held back at a time of the system's clock.
    func isPaused(at time: Timestamp, for priority: AlertPriority) -> Bool {
        guard let pausedUntil, priority != .critical else { return false }
        return time < pausedUntil
    }
}

/// How long a pause lasts.
public enum AlertPause: String, Sendable, CaseIterable {
    /// 60 minutes.
    case hour
    /// Up to noon on Seattle's clocks; after noon, up to noon of the next day.
    case morning
    /// Seven days, to the same time on Seattle's clocks.
    case week

    /// When a pause ends that begins at a time.
    public func end(from start: Timestamp) -> Timestamp {
        let civil = SeattleTime.civil(at: start)
        switch self {
        case .hour: return start.adding(seconds: 3600)
        case .morning:
            let noon = 43_200
            let date = civil.secondOfDay < noon ? civil.date : civil.date.adding(days: 1)
            return Self.time(CivilDateTime(date: date, secondOfDay: noon))
        case .week:
            return Self.time(
                CivilDateTime(date: civil.date.adding(days: 7), secondOfDay: civil.secondOfDay))
        }
    }

    /// The first time at which clocks show it, or an hour later where they skip it.
    private static func time(_ civil: CivilDateTime) -> Timestamp {
        SeattleTime.resolve(civil).candidates.first
            ?? SeattleTime.startOfDay(civil.date).adding(seconds: Int64(civil.secondOfDay))
    }
}

/// Where alerts go.
public enum AlertAddress: Hashable, Sendable, Codable {
    /// An HTTP POST of a JSON document, signed with the secret.
    case webhook(url: String, secret: String)
    /// A POST to a topic of ntfy, with an access token if the topic needs one.
    case ntfy(url: String, token: String?)
    /// A program and its arguments.
    case command([String])
    /// An event stream of the service, whose address has the token.
    case stream(token: String)
    /// A subscription of a browser (W3C Push API).
    case push(PushSubscription)
    /// A broker of MQTT, with Home Assistant's discovery.
    case mqtt(MQTTBroker)
    /// The browsers of a person with a token, and the pages that they have open.
    case person

    /// The name of the carrier.
    public var carrier: String {
        switch self {
        case .webhook: "webhook"
        case .ntfy: "ntfy"
        case .command: "command"
        case .stream: "stream"
        case .push: "push"
        case .mqtt: "mqtt"
        case .person: "person"
        }
    }

    /// Whether both are the same, whatever their secrets.
    func isSame(as other: AlertAddress) -> Bool {
        switch (self, other) {
        case (.webhook(let url, _), .webhook(let otherURL, _)): url == otherURL
        case (.stream, .stream): true
        default: self == other
        }
    }

    /// What may be shown of it: no secrets, and of a URL no more than its host.
    public var shown: String {
        switch self {
        case .webhook(let url, _), .ntfy(let url, _): Self.host(of: url)
        case .command(let arguments): printable(arguments.first ?? "")
        case .stream: "an event stream of the service"
        case .push(let subscription): Self.host(of: subscription.endpoint)
        case .mqtt(let broker): "\(printable(broker.host)):\(broker.port)"
        case .person: "the browsers of a person with a token"
        }
    }

    private static func host(of url: String) -> String {
        printable(URL(string: url)?.host ?? "an address")
    }

    /// Checks an address as far as that is possible without a network.
    ///
    /// - Throws: ``AlertAddressProblem``.
    public func validate() throws(AlertAddressProblem) {
        switch self {
        case .webhook(let url, let secret):
            try Self.check(url)
            guard secret.utf8.count >= 16 else { throw .shortSecret }
        case .ntfy(let url, let token):
            try Self.check(url)
            // A URL of ntfy ends in the topic.
            guard (URL(string: url)?.pathComponents.count ?? 0) > 1 else { throw .noTopic }
            guard token.map(Self.isHeaderText) ?? true else { throw .token }
        case .command(let arguments):
            guard let program = arguments.first, program.hasPrefix("/") else { throw .program }
        case .stream(let token): guard token.utf8.count >= 22 else { throw .shortSecret }
        case .push(let subscription): try subscription.validate()
        case .mqtt(let broker): try broker.validate()
        case .person: break
        }
    }

    static func check(_ text: String) throws(AlertAddressProblem) {
        guard text.utf8.count <= 2000, let url = URL(string: text),
            ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false,
            url.user == nil, url.port.map({ (1...65_535).contains($0) }) ?? true
        else { throw .url }
    }

    private static func isHeaderText(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 500 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }
}

/// A browser's subscription to push messages, as `PushSubscription.toJSON()` has it.
public struct PushSubscription: Hashable, Sendable, Codable {
    /// Where messages are sent.
    public var endpoint: String
    /// The browser's public key, P-256: 65 bytes, the uncompressed point.
    public var publicKey: [UInt8]
    /// The browser's authentication secret, 16 bytes.
    public var secret: [UInt8]

    /// Creates a subscription.
    public init(endpoint: String, publicKey: [UInt8], secret: [UInt8]) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.secret = secret
    }

    /// Reads what `PushSubscription.toJSON()` of a browser gives:
    /// `{"endpoint": ..., "keys": {"p256dh": ..., "auth": ...}}`, both keys in base64url.
    package init(json: [UInt8]) throws(DocumentProblem) {
        struct Document: Decodable {
            struct Keys: Decodable {
                let p256dh: String
                let auth: String
            }
            let endpoint: String
            let keys: Keys
        }
        func bytes(_ text: String) -> [UInt8] {
            let plain = text.replacing("-", with: "+").replacing("_", with: "/")
            let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
            return Array(Data(base64Encoded: plain + padding) ?? Data())
        }
        let document = try JSONDocument.decoded(Document.self, from: Data(json))
        try JSONDocument.refuseRepeatedNames(in: json)
        self.init(
            endpoint: document.endpoint, publicKey: bytes(document.keys.p256dh),
            secret: bytes(document.keys.auth))
    }

    /// A part of a subscription, by its location in the browser's document.
    public enum Part: String, Sendable {
        case endpoint
        case publicKey = "keys.p256dh"
        case secret = "keys.auth"
    }

    /// Checks all but whether the public key is a point of the curve.
    fileprivate func validate() throws(AlertAddressProblem) {
        // A browser has encoded all else (WHATWG URL, 4.5).
        guard endpoint.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            (try? AlertAddress.check(endpoint)) != nil
        else { throw .push(.endpoint) }
        guard publicKey.count == 65, publicKey[0] == 4 else { throw .push(.publicKey) }
        guard secret.count == 16 else { throw .push(.secret) }
    }
}

/// A broker of MQTT 3.1.1.
public struct MQTTBroker: Hashable, Sendable, Codable {
    /// Its name or address.
    public var host: String
    /// Its port, by default ``defaultPort``.
    public var port: Int
    /// The user, if the broker asks for one.
    public var user: String?
    /// The user's password.
    public var password: String?
    /// The first levels of all topics.
    public var topic: String

    /// The port of MQTT without TLS.
    public static let defaultPort = 1883

    /// Creates a broker's address.
    public init(
        host: String, port: Int = Self.defaultPort, user: String? = nil, password: String? = nil,
        topic: String = "bridgecast"
    ) {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
        self.topic = topic
    }

    fileprivate func validate() throws(AlertAddressProblem) {
        let isTopic =
            !topic.isEmpty && topic.utf8.count <= 200 && !topic.contains { "+#\0".contains($0) }
        guard !host.isEmpty, host.utf8.count <= 255, (1...65_535).contains(port), isTopic else {
            throw .broker
        }
    }
}

/// What is wrong with an address.
public enum AlertAddressProblem: Failure, Equatable {
    /// Not an HTTP address.
    case url
    /// A secret that could be guessed.
    case shortSecret
    /// An address of ntfy without a topic.
    case noTopic
    /// A token with other characters than a header field may have.
    case token
    /// A program that is not an absolute path.
    case program
    /// Not a subscription of a browser, because of this part.
    case push(PushSubscription.Part)
    /// Not an address of a broker.
    case broker

    /// Always ``FailureKind/usage``.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .url: "write an address such as https://example.org/hook, without a user in it"
        case .shortSecret: "the secret must have 16 characters or more"
        case .noTopic: "write the topic too, such as https://ntfy.sh/my-topic"
        case .token: "a token has 1 to 500 visible ASCII characters"
        case .program: "write the program as an absolute path, such as /usr/bin/notify-send"
        case .push(.endpoint):
            "not a browser's subscription: endpoint is an http or https address in visible ASCII"
        case .push(.publicKey):
            "not a browser's subscription: keys.p256dh is an uncompressed point of P-256, 65 bytes"
        case .push(.secret): "not a browser's subscription: keys.auth has 16 bytes"
        case .broker: "write a broker as HOST or HOST:PORT, and a topic without + and #"
        }
    }
}
