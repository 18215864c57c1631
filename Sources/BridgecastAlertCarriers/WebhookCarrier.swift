// Webhooks: a signed JSON document by POST.
public import BridgecastAlerts
public import BridgecastCore
internal import BridgecastSupport

/// Sends messages to webhooks.
///
/// The field `Bridgecast-Signature` is `t=SECONDS,v1=HEX`: HMAC-SHA256 with the subscriber's secret of the seconds since 1970,
/// a dot and the body. Receivers compare the time with their clock, so that a recorded request cannot be sent again later.
public struct WebhookCarrier: AlertCarrier {
    private let post: HTTPPost
    private let clock: any WallClock

    /// Creates a carrier.
    public init(reach: NetworkReach, clock: any WallClock) {
        self.init(HTTPPost(reach: reach, clock: clock))
    }

    package init(_ post: HTTPPost) {
        self.post = post
        clock = post.clock
    }

    /// Sends a message once.
    public func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome {
        guard case .webhook(let url, let secret) = subscriber.address else {
            return .refused(reason: "not a webhook")
        }
        let body = message.json
        let exchange = await post.send(
            to: url,
            fields: [
                "Content-Type": "application/json",
                "Bridgecast-Message": message.id,
                "Bridgecast-Signature": Self.signature(of: body, secret: secret, at: clock.now),
            ], body: body)
        return post.outcome(of: exchange)
    }

    /// The signature of a body.
    static func signature(of body: [UInt8], secret: String, at time: Timestamp) -> String {
        let seconds = "\(time.secondsSinceEpoch)"
        let code = SHA256.authenticationCode(
            of: Array("\(seconds).".utf8) + body, key: Array(secret.utf8))
        return "t=\(seconds),v1=\(hexadecimal(code))"
    }
}
