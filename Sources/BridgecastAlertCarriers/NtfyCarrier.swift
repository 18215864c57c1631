// ntfy: a text by POST to a topic, with title, priority, tags and a link in header fields (docs.ntfy.sh/publish).
public import BridgecastAlerts
public import BridgecastCore
private import Foundation

/// Sends messages to topics of ntfy and of servers that are compatible with it.
public struct NtfyCarrier: AlertCarrier {
    private let post: HTTPPost

    /// Creates a carrier.
    public init(reach: NetworkReach, clock: any WallClock) {
        self.init(HTTPPost(reach: reach, clock: clock))
    }

    package init(_ post: HTTPPost) { self.post = post }

    /// Sends a message once.
    public func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome {
        guard case .ntfy(let url, let token) = subscriber.address else {
            return .refused(reason: "not a topic of ntfy")
        }
        var fields = Self.fields(of: message)
        fields["Authorization"] = token.map { "Bearer \($0)" }
        let exchange = await post.send(to: url, fields: fields, body: Array(message.text.utf8))
        return post.outcome(of: exchange)
    }

    static func fields(of message: AlertMessage) -> [String: String] {
        var fields = [
            "Content-Type": "text/plain; charset=utf-8",
            "Title": fieldText(message.title),
            "Priority": priority(message.priority),
            "Tags": tags(of: message).joined(separator: ","),
        ]
        if let link = message.link, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) {
            fields["Click"] = link
        }
        return fields
    }

    /// 1 to 5, of which 3 is the default.
    private static func priority(_ priority: AlertPriority) -> String {
        switch priority {
        case .low: "2"
        case .normal: "3"
        case .high: "4"
        case .critical: "5"
        }
    }

    /// A picture, and the kinds of the alerts.
    private static func tags(of message: AlertMessage) -> [String] {
        ["bridge_at_night"] + Set(message.alerts.map(\.identity.kind.name)).sorted()
    }

    /// Text that is not ASCII as an encoded word (RFC 2047), which ntfy reads.
    private static func fieldText(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
        return "=?UTF-8?B?\(Data(text.utf8).base64EncodedString())?="
    }
}
