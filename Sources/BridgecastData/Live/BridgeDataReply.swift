// The reply of the city's GetBridgeData, believed only as a whole; used by the live feed and LiveFile.
public import BridgecastCore
private import Foundation

/// What `GetBridgeData` says.
///
/// The reply is a JSON array of `{BridgeID, DisplayName, Latitude, Longitude, Name, Status}`, or a JSON
/// string that contains one. `Status` is the city's word for boats' view: "Open" is raised, "Closed"
/// is lowered. A reply that names an unknown bridge, the same bridge twice, one by another's name, or any other
/// status is refused as a whole: who is wrong about one bridge is not believed about the others.
public struct BridgeDataReply: Sendable, Equatable {
    /// Whether each bridge is raised; only bridges with a sensor.
    public private(set) var isRaised: [BridgeIndex: Bool] = [:]
    /// Bridges it names that are not known to have a sensor; what it says of them is not used.
    public private(set) var withoutSensor: [BridgeIndex] = []

    /// States without times; bridges it named but that have no sensor are unknown.
    var states: [BridgeIndex: SpanState] {
        var states = isRaised.mapValues { $0 ? SpanState.raised(since: nil) : .lowered }
        for bridge in withoutSensor { states[bridge] = .unknown }
        return states
    }

    /// Reads a reply.
    ///
    /// - Throws: ``DocumentProblem`` that says what is wrong, and with which entry.
    public init(_ bytes: [UInt8]) throws(DocumentProblem) {
        self = try JSONDocument.decoded(
            Document.self, from: Data(bytes), whole: Document.mistaken
        ).reply
    }

    private init(_ entries: [Entry]) throws(DocumentProblem) {
        guard !entries.isEmpty else { throw DocumentProblem("", "it names no bridge at all") }
        var seen: Set<Int> = []
        for (number, entry) in entries.enumerated() {
            let bridge = try entry.bridge("[\(number)]")
            guard seen.insert(entry.id).inserted else {
                throw DocumentProblem("[\(number)].BridgeID", "bridge \(entry.id) stands twice")
            }
            guard BridgeCatalogue[bridge].hasLiveSensor else {
                withoutSensor.append(bridge)
                continue
            }
            isRaised[bridge] = try entry.isRaised("[\(number)]")
        }
    }

    /// The reply as JSON has it: the array, or a string of it.
    struct Document: Decodable {
        let reply: BridgeDataReply

        /// What is wrong with something that is neither.
        static let mistaken = DocumentProblem(
            "", "not valid JSON, or not GetBridgeData's array of bridges")

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try? container.decode(String.self)
            reply = try BridgeDataReply(
                text.map {
                    try JSONDocument.decoded(
                        [Entry].self, from: Data($0.utf8), whole: Self.mistaken)
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

        func bridge(_ place: String) throws(DocumentProblem) -> BridgeIndex {
            guard let bridge = BridgeCatalogue.index(of: BridgeID(id)) else {
                throw DocumentProblem("\(place).BridgeID", "unknown bridge \(id)")
            }
            if let name, let named = BridgeCatalogue.index(named: name), named != bridge {
                throw DocumentProblem("\(place).DisplayName", "\(named), but \(id) is \(bridge)")
            }
            return bridge
        }

        func isRaised(_ place: String) throws(DocumentProblem) -> Bool {
            switch status.lowercased() {
            case "open": return true
            case "closed": return false
            default:
                throw DocumentProblem(
                    "\(place).Status",
                    "'\(printable(status, most: 30))' is neither Open nor Closed")
            }
        }
    }
}
