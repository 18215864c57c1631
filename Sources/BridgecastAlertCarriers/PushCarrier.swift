// Web Push: an encrypted message to a browser's push service (RFC 8030, 8291, 8188), signed with this service's key (RFC 8292).
public import BridgecastAlerts
public import BridgecastCore
internal import BridgecastFeeds
private import Crypto
private import Foundation

/// Sends messages to browsers that have subscribed.
///
/// The push service forwards what it cannot read: the message is encrypted for the browser. It learns the address, the time,
/// the length and the urgency.
public struct PushCarrier: AlertCarrier {
    private let post: HTTPPost
    private let key: PushKey
    private let contact: String?

    /// A browser that is not there gets the message within this time or not at all, seconds.
    private static let timeToLiveSeconds = 1800

    /// Creates a carrier.
    ///
    /// - Parameters:
    ///   - key: The service's key, which browsers were given when they subscribed.
    ///   - contact: Where a push service can complain: `mailto:` or `https:`; nil for none.
    public init(reach: NetworkReach, clock: any WallClock, key: PushKey, contact: String?) {
        self.init(HTTPPost(reach: reach, clock: clock), key: key, contact: contact)
    }

    package init(_ post: HTTPPost, key: PushKey, contact: String?) {
        self.post = post
        self.key = key
        self.contact = contact
    }

    /// Sends a message once; a subscription that the push service does not know any more is gone.
    public func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome {
        guard case .push(let subscription) = subscriber.address,
            let origin = Self.origin(of: subscription.endpoint)
        else { return .refused(reason: "not a browser's subscription") }
        let body: [UInt8]
        let token: String
        do {
            body = try PushEncryption.encrypt(PushDocument.bytes(of: message), for: subscription)
            token = try key.token(audience: origin, contact: contact, at: post.clock.now)
        } catch {
            return .refused(reason: "not a browser's subscription: its key is no point of P-256")
        }
        var fields = [
            "Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm",
            "TTL": "\(Self.timeToLiveSeconds)", "Urgency": Self.urgency(message.priority),
            "Authorization": "vapid t=\(token), k=\(key.publicText)",
        ]
        // Of one topic a browser that was away gets only the newest (RFC 8030, 5.4).
        fields["Topic"] = message.topic
        let exchange = await post.send(to: subscription.endpoint, fields: fields, body: body)
        if case .answered(let answer) = exchange, [404, 410].contains(answer.code) {
            return .gone(reason: "HTTP \(answer.code): the browser has unsubscribed")
        }
        return post.outcome(of: exchange)
    }

    /// The part of a subscription because of which no messages can be sent to the browser; nil if they can.
    ///
    /// That is an endpoint that may not be connected to, or a public key that is no point of P-256.
    public static func refusal(
        of subscription: PushSubscription, by reach: NetworkReach
    ) -> PushSubscription.Part? {
        guard reach.allows(endpoint: subscription.endpoint) else { return .endpoint }
        let key = try? P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        return key == nil ? .publicKey : nil
    }

    /// Such as `https://push.example`.
    private static func origin(of endpoint: String) -> String? {
        guard let url = URL(string: endpoint), let scheme = url.scheme, let host = url.host else {
            return nil
        }
        return "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
    }

    /// RFC 8030, 5.3.
    private static func urgency(_ priority: AlertPriority) -> String {
        switch priority {
        case .low: "low"
        case .normal: "normal"
        case .high, .critical: "high"
        }
    }
}

/// What a browser gets: short enough for a record of 4096 bytes.
private enum PushDocument {
    private static let maxTextBytes = 2000
    /// Of more alerts a browser shows what the service wrote.
    private static let maxParts = 8

    private struct Document: Encodable {
        let id: String
        let title: String
        let text: String
        let priority: String
        let link: String?
        /// What a later message replaces this one by.
        let tag: String
        /// What it is about, if it is about one thing.
        let kind: String?
        let bridge: String?
        /// Of which a browser words the message in its own language; nil where there are too many.
        let alerts: [Part]?
    }

    private struct Part: Encodable {
        let kind: String
        let bridge: String?
        /// RFC 3339.
        let at: String

        init(_ alert: Alert) {
            kind = alert.identity.kind.name
            bridge = alert.bridge.map { BridgeCatalogue[$0].name }
            at = TimeText.rfc3339(alert.at)
        }
    }

    static func bytes(of message: AlertMessage) throws -> [UInt8] {
        let text = String(
            decoding: Array(message.text.utf8.prefix(maxTextBytes)), as: UTF8.self)
        return Array(
            try JSONEncoder().encode(
                Document(
                    id: message.id, title: String(message.title.prefix(200)), text: text,
                    priority: message.priority.name,
                    link: message.link.flatMap { $0.utf8.count <= 500 ? $0 : nil },
                    tag: message.topic ?? message.id,
                    kind: message.shared(\.identity.kind)?.name,
                    bridge: message.shared(\.bridge)?.map { BridgeCatalogue[$0].name },
                    alerts: message.alerts.count <= maxParts
                        ? message.alerts.map { Part($0) } : nil)))
    }
}

extension AlertMessage {
    /// The topic of its alerts; nil if they have several.
    fileprivate var topic: String? { shared(\.identity.topic) }

    /// What all of its alerts have in common; nil if they differ in it.
    fileprivate func shared<Value: Equatable>(_ value: (Alert) -> Value) -> Value? {
        let values = alerts.map(value)
        return values.dropFirst().allSatisfy { $0 == values[0] } ? values.first : nil
    }
}

/// The key by which push services know this service (VAPID, RFC 8292).
public struct PushKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// A token is valid for this time, seconds; push services refuse more than 24 hours.
    private static let validSeconds: Int64 = 12 * 3600

    /// A new key.
    public static func makeBytes() -> [UInt8] { Array(P256.Signing.PrivateKey().rawRepresentation) }

    /// Reads a key; nil if the bytes are none.
    ///
    /// - Parameter bytes: The secret scalar, 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else { return nil }
        self.key = key
    }

    /// The public key in base64url: the browser's `applicationServerKey`.
    public var publicText: String { Self.base64url(key.publicKey.x963Representation) }

    /// A signed token (JWT, ES256).
    func token(audience: String, contact: String?, at now: Timestamp) throws -> String {
        struct Claims: Encodable {
            let aud: String
            let exp: Int64
            let sub: String?
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let claims = Claims(
            aud: audience, exp: now.secondsSinceEpoch + Self.validSeconds, sub: contact)
        let content =
            Self.base64url(Data(#"{"typ":"JWT","alg":"ES256"}"#.utf8)) + "."
            + Self.base64url(try encoder.encode(claims))
        let signature = try key.signature(for: Data(content.utf8))
        return content + "." + Self.base64url(signature.rawRepresentation)
    }

    private static func base64url(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}

/// The encryption of a message for a browser (RFC 8291) in one record of aes128gcm (RFC 8188).
enum PushEncryption {
    private static let recordBytes: UInt32 = 4096
    private static let saltBytes = 16
    /// The end of the last record.
    private static let lastRecord: UInt8 = 2

    /// Encrypts with a new key and salt.
    static func encrypt(
        _ plain: [UInt8], for subscription: PushSubscription
    ) throws -> [UInt8] {
        let salt = unsafe SymmetricKey(size: .bits128).withUnsafeBytes { unsafe Array($0) }
        return try encrypt(
            plain, for: subscription, by: P256.KeyAgreement.PrivateKey(), salt: salt)
    }

    /// - Parameters:
    ///   - privateKey: The sender's secret scalar, for the example of RFC 8291.
    ///   - salt: 16 bytes.
    static func encrypt(
        _ plain: [UInt8], for subscription: PushSubscription, privateKey: [UInt8], salt: [UInt8]
    ) throws -> [UInt8] {
        try encrypt(
            plain, for: subscription,
            by: P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey), salt: salt)
    }

    private static func encrypt(
        _ plain: [UInt8], for subscription: PushSubscription, by own: P256.KeyAgreement.PrivateKey,
        salt: [UInt8]
    ) throws -> [UInt8] {
        let browser = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let ownPublic = Array(own.publicKey.x963Representation)
        let material = try own.sharedSecretFromKeyAgreement(with: browser)
            .hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: subscription.secret,
                sharedInfo: Array("WebPush: info\0".utf8) + subscription.publicKey + ownPublic,
                outputByteCount: 32)
        func derived(_ purpose: String, bytes: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt,
                info: Array("Content-Encoding: \(purpose)\0".utf8), outputByteCount: bytes)
        }
        let nonce = unsafe derived("nonce", bytes: 12).withUnsafeBytes { unsafe Array($0) }
        let sealed = try AES.GCM.seal(
            plain + [lastRecord], using: derived("aes128gcm", bytes: 16),
            nonce: AES.GCM.Nonce(data: nonce))
        let size = (0..<4).map { UInt8(truncatingIfNeeded: recordBytes >> (24 - 8 * $0)) }
        return salt + size + [UInt8(ownPublic.count)] + ownPublic + sealed.ciphertext + sealed.tag
    }
}
