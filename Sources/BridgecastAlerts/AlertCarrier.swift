// What carries a message to a person, and what came of it; carriers themselves are elsewhere.
public import BridgecastCore
package import BridgecastSupport

/// Alerts for one person that are sent together.
public struct AlertMessage: Sendable, Hashable {
    /// Its id, of its own for each attempt.
    public let id: String
    /// A line that sums it up.
    public let title: String
    /// A line for each alert.
    public let text: String
    /// The highest of its alerts.
    public let priority: AlertPriority
    /// When it is sent, by the system's clock.
    public let sentAt: Timestamp
    /// The alerts, the oldest first.
    public let alerts: [Alert]
    /// The number of the last of them in the ledger.
    public let lastNumber: Int64
    /// A page with more; nil for none.
    public let link: String?

    /// Creates a message of at least one entry.
    init(id: String, of entries: [LedgerEntry], sentAt: Timestamp) {
        precondition(!entries.isEmpty, "a message has an alert")
        self.id = id
        self.sentAt = sentAt
        alerts = entries.map(\.alert)
        lastNumber = entries.map(\.number).max() ?? 0
        priority = alerts.map(\.priority).max() ?? .normal
        let first = alerts[0].title
        title = alerts.count == 1 ? first : "\(first), and \(alerts.count - 1) more"
        text = alerts.map(\.text).joined(separator: "\n")
        link = alerts.lazy.compactMap(\.link).first
    }

    /// The message as a JSON document, described in the article Alerts.
    public var json: [UInt8] { jsonBytes() }
}

extension AlertMessage: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("message_id", id)
        json.field("sent_at", TimeText.rfc3339(sentAt))
        json.field("title", title)
        json.field("text", text)
        json.field("priority", priority.name)
        json.field("link", link)
        json.list("alerts", objects: alerts) { json, alert in
            json.field("id", alert.identity.digest)
            json.field("kind", alert.identity.kind.name)
            json.field("rule", alert.identity.rule)
            json.field("at", TimeText.rfc3339(alert.at))
            json.field("bridge", alert.bridge.map { BridgeCatalogue[$0].name })
            json.field("bridge_id", alert.bridge.map { BridgeCatalogue[$0].id.rawValue })
            json.field("priority", alert.priority.name)
            json.field("title", alert.title)
            json.field("text", alert.text)
        }
    }
}

/// What came of an attempt.
public enum CarrierOutcome: Sendable, Equatable {
    /// The receiver accepted the message.
    case delivered
    /// It certainly was not accepted, and may be later; with the seconds that the receiver asked to wait.
    case failed(reason: String, retryAfterSeconds: Double? = nil)
    /// It was not accepted and will not be.
    case refused(reason: String)
    /// It was sent, and whether it was accepted is unknown.
    case uncertain(reason: String)
    /// The address no longer exists.
    case gone(reason: String)
}

/// Sends messages of one kind of address.
public protocol AlertCarrier: Sendable {
    /// Sends a message once, in limited time, without repetitions of its own.
    ///
    /// If the task is cancelled it ends early; what was sent by then counts as ``CarrierOutcome/uncertain(reason:)``.
    func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome
}
