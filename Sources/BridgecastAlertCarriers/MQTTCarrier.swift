// MQTT: messages to a topic of a broker, which Home Assistant finds by itself.
public import BridgecastAlerts
internal import BridgecastSupport
private import Synchronization

/// Publishes messages to brokers of MQTT 3.1.1, quality of service 1.
///
/// Under the broker's topic (`bridgecast`) and a person's id are `alert`, the messages, and `status`, retained: `online`, or
/// `offline` by the last will. Home Assistant's discovery (home-assistant.io/integrations/event.mqtt) is retained, too.
public final class MQTTCarrier: AlertCarrier {
    private let reach: NetworkReach
    private let timeoutSeconds: Double
    private let connections = Mutex<[String: MQTTConnection]>([:])

    /// The prefix of topics that Home Assistant subscribes to.
    private static let discoveryPrefix = "homeassistant"

    /// Creates a carrier without connections: the first message to a broker makes one.
    public init(reach: NetworkReach, timeoutSeconds: Double = 10) {
        self.reach = reach
        self.timeoutSeconds = timeoutSeconds
    }

    /// Closes all connections.
    public func close() {
        let all = connections.withLock { connections in
            defer { connections = [:] }
            return Array(connections.values)
        }
        for connection in all { connection.close() }
    }

    /// Publishes a message once.
    public func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome {
        guard case .mqtt(let broker) = subscriber.address else {
            return .refused(reason: "not a broker of MQTT")
        }
        let (address, isKnown) = HostAddresses.first(of: broker.host, allowedBy: reach)
        guard let address else {
            return isKnown
                ? .refused(
                    reason: "its address is private or this machine's own; see --alerts-private")
                : .failed(reason: "no such host")
        }
        let topics = MQTTTopics(broker: broker, person: subscriber)
        let connection = connection(to: broker, at: address, topics)
        let result = await connection.publish(
            [topics.message(message)], timeoutSeconds: timeoutSeconds)
        return switch result {
        case .acknowledged: .delivered
        case .unsent(let reason): .failed(reason: printable(reason, maxLength: 200))
        case .unacknowledged(let reason):
            .uncertain(
                reason: "published, not acknowledged: \(printable(reason, maxLength: 200))")
        }
    }

    private func connection(
        to broker: MQTTBroker, at address: String, _ topics: MQTTTopics
    ) -> MQTTConnection {
        connections.withLock { connections in
            if let known = connections[topics.clientID], !known.isOver { return known }
            let new = MQTTConnection(
                MQTTConnection.Settings(
                    broker: broker, address: address, clientID: topics.clientID,
                    will: topics.status(isOnline: false),
                    greeting: [
                        topics.discovery(prefix: Self.discoveryPrefix),
                        topics.status(isOnline: true),
                    ], farewell: topics.status(isOnline: false)))
            connections[topics.clientID] = new
            return new
        }
    }
}

/// The topics of a person.
struct MQTTTopics {
    let base: String
    let clientID: String
    private let name: String

    /// Types of events that Home Assistant may get.
    private static let eventTypes = ["up", "likely", "still-up", "down", "leave", "line", "test"]

    init(broker: MQTTBroker, person: Subscriber) {
        // Only letters and digits, which mean nothing in topics.
        let id = String(person.id.filter { $0.isLetter || $0.isNumber }.prefix(12))
        base = "\(broker.topic)/\(id)"
        clientID = "bridgecast-\(id)"
        name = person.name
    }

    func status(isOnline: Bool) -> MQTTPublication {
        MQTTPublication(
            topic: "\(base)/status", content: Array((isOnline ? "online" : "offline").utf8),
            isRetained: true)
    }

    /// A message; its type is that of its first alert.
    func message(_ message: AlertMessage) -> MQTTPublication {
        let kind = message.alerts.first?.identity.kind.name ?? ""
        let type = kind.hasPrefix("still-up") ? "still-up" : kind
        let document = MQTTDocument(type: type, message: message)
        return MQTTPublication(
            topic: "\(base)/alert", content: document.jsonBytes(), isRetained: false)
    }

    func discovery(prefix: String) -> MQTTPublication {
        MQTTPublication(
            topic: "\(prefix)/event/\(clientID)/config",
            content: MQTTDiscovery(
                name: "Bridge alerts of \(printable(name))", id: clientID, topic: base,
                eventTypes: Self.eventTypes
            ).jsonBytes(), isRetained: true)
    }
}

/// A message with its type first.
private struct MQTTDocument: JSONObjectAnswer {
    let type: String
    let message: AlertMessage

    func writeFields(into json: inout JSONWriter) {
        json.field("event_type", type)
        message.writeFields(into: &json)
    }
}

/// The description of an event entity.
private struct MQTTDiscovery: JSONObjectAnswer {
    let name: String
    let id: String
    let topic: String
    let eventTypes: [String]

    func writeFields(into json: inout JSONWriter) {
        json.field("name", name)
        json.field("unique_id", id)
        json.field("state_topic", "\(topic)/alert")
        json.list("event_types", eventTypes)
        json.field("availability_topic", "\(topic)/status")
        json.field("icon", "mdi:bridge")
        json.object("device") { json in
            json.list("identifiers", [id])
            json.field("name", "Bridgecast")
            json.field("sw_version", BridgecastVersion.current)
        }
    }
}
