// The reply of the city's GetBridgeData, believed only as a whole; used by the live feed and LiveFile.
public import BridgecastCore
private import Foundation

/// What `GetBridgeData` says.
///
/// The reply is a JSON array of `{BridgeID, DisplayName, Latitude, Longitude, Name, Status}`, or a JSON
/// string that contains one. `Status` is the city's word for boats' view: "Open" is raised, "Closed"
/// is lowered. A reply that names an unknown bridge, the same bridge twice, one by another's name, or any other status is
/// refused as a whole: who is wrong about one bridge is not believed about the others.
public struct BridgeDataReply: Sendable, Equatable {
    /// Whether each bridge is raised; only bridges with a sensor.
    public let isRaised: [BridgeIndex: Bool]
    /// Bridges it names that are not known to have a sensor; what it says of them is not used.
    public let withoutSensor: [BridgeIndex]

    /// States without times; bridges it named but that have no sensor are unknown.
    var states: [BridgeIndex: SpanState] {
        var states = isRaised.mapValues { $0 ? SpanState.raised(since: nil) : .lowered }
        for bridge in withoutSensor { states[bridge] = .unknown }
        return states
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
    }

    /// Reads a reply.
    ///
    /// - Throws: ``FeedRefusal`` that says what is wrong, and with which entry.
    public init(_ bytes: [UInt8]) throws(FeedRefusal) {
        let entries = try Self.entries(Data(bytes))
        guard !entries.isEmpty else { throw FeedRefusal(reason: "it names no bridge at all") }
        var isRaised: [BridgeIndex: Bool] = [:]
        var withoutSensor: [BridgeIndex] = []
        var seen: Set<Int> = []
        for (number, entry) in entries.enumerated() {
            guard let bridge = BridgeCatalogue.index(of: BridgeID(entry.id)) else {
                throw FeedRefusal(reason: "[\(number)].BridgeID: unknown bridge \(entry.id)")
            }
            if let name = entry.name, let named = BridgeCatalogue.index(named: name),
                named != bridge
            {
                throw FeedRefusal(
                    reason: "[\(number)].DisplayName: \(named), but \(entry.id) is \(bridge)")
            }
            guard seen.insert(entry.id).inserted else {
                throw FeedRefusal(reason: "[\(number)].BridgeID: bridge \(entry.id) stands twice")
            }
            guard BridgeCatalogue[bridge].hasLiveSensor else {
                withoutSensor.append(bridge)
                continue
            }
            switch entry.status.lowercased() {
            case "open": isRaised[bridge] = true
            case "closed": isRaised[bridge] = false
            default:
                let word = printable(entry.status, most: 30)
                throw FeedRefusal(
                    reason: "[\(number)].Status: '\(word)' is neither Open nor Closed")
            }
        }
        (self.isRaised, self.withoutSensor) = (isRaised, withoutSensor)
    }

    private static func entries(_ data: Data) throws(FeedRefusal) -> [Entry] {
        let inner = (try? JSONDecoder().decode(String.self, from: data)).map { Data($0.utf8) }
        return try FeedRefusal.decoded(
            [Entry].self, from: inner ?? data, expected: "GetBridgeData's array of bridges")
    }
}
