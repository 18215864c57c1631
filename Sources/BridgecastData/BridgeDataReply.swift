// The reply of the city's GetBridgeData, which is used as a whole or not at all.
public import BridgecastCore
public import BridgecastSupport
private import Foundation

/// A reply of `GetBridgeData`.
///
/// The reply is a JSON array of `{BridgeID, DisplayName, Latitude, Longitude, Name, Status}`, or a JSON
/// string that contains one. `Status` is from the point of view of boats: "Open" is raised, "Closed"
/// is lowered. A reply with an unknown bridge, a bridge twice, one with another's name, or any other status is refused
/// as a whole: if it is wrong about one bridge, the others cannot be trusted.
public struct BridgeDataReply: Sendable, Equatable {
    /// Whether each bridge is raised; only bridges with a sensor.
    public private(set) var isRaised: [BridgeIndex: Bool] = [:]
    /// Bridges in it that have no known sensor; their states are not used.
    public private(set) var withoutSensor: [BridgeIndex] = []

    /// States without times; bridges without a sensor are unknown.
    var states: [BridgeIndex: SpanState] {
        var states = isRaised.mapValues { $0 ? SpanState.raised(since: nil) : .lowered }
        for bridge in withoutSensor { states[bridge] = .unknown }
        return states
    }

    /// Reads a reply.
    ///
    /// - Throws: ``DocumentProblem`` with the entry that is wrong.
    public init(_ bytes: [UInt8]) throws(DocumentProblem) {
        self = try JSONDocument.decoded(
            Document.self, from: Data(bytes), whole: Document.unknownFormat
        ).reply
    }

    private init(_ entries: [Entry]) throws(DocumentProblem) {
        guard !entries.isEmpty else { throw DocumentProblem("", "it names no bridge") }
        var seen: Set<Int> = []
        for (number, entry) in entries.enumerated() {
            let bridge = try entry.bridge(at: "[\(number)]")
            guard seen.insert(entry.id).inserted else {
                throw DocumentProblem("[\(number)].BridgeID", "bridge \(entry.id) appears twice")
            }
            guard BridgeCatalogue[bridge].hasLiveSensor else {
                withoutSensor.append(bridge)
                continue
            }
            isRaised[bridge] = try entry.isRaised(at: "[\(number)]")
        }
    }

    /// The reply in JSON: the array, or a string that contains it.
    struct Document: Decodable {
        let reply: BridgeDataReply

        static let unknownFormat = DocumentProblem(
            "", "not valid JSON, or not GetBridgeData's array of bridges")

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try? container.decode(String.self)
            reply = try BridgeDataReply(
                text.map {
                    try JSONDocument.decoded(
                        [Entry].self, from: Data($0.utf8), whole: Self.unknownFormat)
                } ?? container.decode([Entry].self))
        }
    }

    private struct Entry: Decodable {
        let id: Int
        let name: String?
        let status: String

        enum CodingKeys: String, CodingKey {
            case id = "BridgeID"
            case name = "DisplayName"
            case status = "Status"
        }

        func bridge(at location: String) throws(DocumentProblem) -> BridgeIndex {
            guard let bridge = BridgeCatalogue.index(of: BridgeID(id)) else {
                throw DocumentProblem("\(location).BridgeID", "unknown bridge \(id)")
            }
            if let name, let named = BridgeCatalogue.index(named: name), named != bridge {
                throw DocumentProblem("\(location).DisplayName", "\(named), but \(id) is \(bridge)")
            }
            return bridge
        }

        func isRaised(at location: String) throws(DocumentProblem) -> Bool {
            switch status.lowercased() {
            case "open": return true
            case "closed": return false
            default:
                throw DocumentProblem(
                    "\(location).Status",
                    "'\(printable(status, maxLength: 30))' is neither Open nor Closed")
            }
        }
    }
}
