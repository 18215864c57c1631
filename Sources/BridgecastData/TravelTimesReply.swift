public import BridgecastCore
public import BridgecastSupport
private import Foundation

/// A reply of WSDOT's TravelTimes service.
///
/// An array of `{TravelTimeID, Name, Description, Distance (miles), AverageTime, CurrentTime (minutes),
/// TimeUpdated}`; `TimeUpdated` is `/Date(milliseconds since 1970, offset)/`, where the offset only
/// gives the local time. A `CurrentTime` of 0 means that it is unknown.
public struct TravelTimesReply: Sendable {
    /// A stretch of road and its current travel time.
    public struct TravelTime: Sendable, Equatable {
        /// WSDOT's id.
        public let id: Int
        /// WSDOT's name and description, for matching.
        public let name: String
        /// Length in miles.
        public let miles: Double
        /// Current travel time in minutes; nil if unknown.
        public let currentMinutes: Double?
        /// When it was measured.
        public let updatedAt: Timestamp
    }

    /// All stretches.
    public let times: [TravelTime]

    private struct Entry: Decodable {
        let id: Int
        let name: String?
        let description: String?
        let miles: Double
        let currentMinutes: Double
        let updated: String

        enum CodingKeys: String, CodingKey {
            case id = "TravelTimeID"
            case name = "Name"
            case description = "Description"
            case miles = "Distance"
            case currentMinutes = "CurrentTime"
            case updated = "TimeUpdated"
        }
    }

    /// Reads a reply.
    ///
    /// - Throws: ``DocumentProblem`` with the entry that is wrong.
    public init(_ bytes: [UInt8]) throws(DocumentProblem) {
        let entries = try JSONDocument.decoded(
            [Entry].self, from: Data(bytes),
            whole: DocumentProblem("", "not valid JSON, or not an array of travel times"))
        var times: [TravelTime] = []
        for (number, entry) in entries.enumerated() {
            guard let updatedAt = Self.time(entry.updated) else {
                let text = printable(entry.updated, maxLength: 40)
                throw DocumentProblem(
                    "[\(number)].TimeUpdated", "'\(text)' is not /Date(milliseconds)/")
            }
            guard entry.miles >= 0, entry.currentMinutes >= 0, entry.miles < 1_000,
                entry.currentMinutes < 1_440
            else { throw DocumentProblem("[\(number)]", "a length or time out of range") }
            times.append(
                TravelTime(
                    id: entry.id,
                    name: [entry.name, entry.description].compactMap { $0 }.joined(separator: " "),
                    miles: entry.miles,
                    currentMinutes: entry.currentMinutes > 0 ? entry.currentMinutes : nil,
                    updatedAt: updatedAt))
        }
        self.times = times
    }

    /// The time of `/Date(1740000000000-0800)/`.
    static func time(_ text: String) -> Timestamp? {
        guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return nil }
        let inner = text.dropFirst(6).dropLast(2)
        let sign = inner.dropFirst().firstIndex { $0 == "+" || $0 == "-" }
        let digits = sign.map { inner[..<$0] } ?? inner
        if let sign {
            let offset = inner[inner.index(after: sign)...]
            guard offset.count == 4, offset.allSatisfy(\.isNumber) else { return nil }
        }
        guard let milliseconds = Int64(digits), milliseconds > 0, milliseconds < 1 << 43 else {
            return nil
        }
        return Timestamp(secondsSinceEpoch: milliseconds / 1000)
    }
}

/// Which stretches of road lead to which bridge.
public struct TravelTimeMap: Sendable, Equatable {
    /// Stretches by WSDOT's id.
    public var bridgeByID: [Int: BridgeIndex]
    /// The speed of free flow on them, miles per hour.
    public var freeFlowMilesPerHour: Double

    /// Creates a map.
    ///
    /// - Parameter bridgeByID: Bridges by the id of a stretch; other stretches are matched by the bridge's name and the
    ///   word "bridge" in WSDOT's name or description.
    public init(bridgeByID: [Int: BridgeIndex] = [:], freeFlowMilesPerHour: Double = 40) {
        self.bridgeByID = bridgeByID
        self.freeFlowMilesPerHour = freeFlowMilesPerHour
    }

    /// The measurements in a reply, without stretches that lead to no bridge.
    ///
    /// WSDOT states no travel time at free flow: it is the length divided by ``freeFlowMilesPerHour``.
    public func readings(_ reply: TravelTimesReply) -> [TrafficReading] {
        reply.times.compactMap { time in
            guard let bridge = bridge(of: time), let minutes = time.currentMinutes, time.miles > 0
            else { return nil }
            return TrafficReading(
                bridge: bridge,
                measurement: .travelTime(
                    seconds: minutes * 60,
                    freeFlowSeconds: time.miles / freeFlowMilesPerHour * 3600),
                measuredAt: time.updatedAt)
        }
    }

    private func bridge(of time: TravelTimesReply.TravelTime) -> BridgeIndex? {
        if let bridge = bridgeByID[time.id] { return bridge }
        let name = time.name.lowercased()
        guard name.contains("bridge") else { return nil }
        let found = BridgeIndex.all.filter { bridge in
            name.contains(BridgeCatalogue[bridge].name.lowercased())
        }
        return found.count == 1 ? found[0] : nil
    }
}
