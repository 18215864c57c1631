// The reply of WSDOT's travel times interface (GetTravelTimesAsJson); used by its feed and TravelTimeMap.
public import BridgecastCore
private import Foundation

/// What WSDOT's TravelTimes service says.
///
/// An array of `{TravelTimeID, Name, Description, Distance (miles), AverageTime, CurrentTime (minutes),
/// TimeUpdated}`; `TimeUpdated` is `/Date(milliseconds since 1970, offset)/`, of which the offset only
/// tells the local time. A `CurrentTime` of 0 means that none is known.
public struct TravelTimesReply: Sendable {
    /// A stretch of road and how long it takes now.
    public struct TravelTime: Sendable, Equatable {
        /// WSDOT's id.
        public let id: Int
        /// WSDOT's name and description, for matching.
        public let name: String
        /// Length in miles.
        public let miles: Double
        /// Minutes now; nil if not known.
        public let currentMinutes: Double?
        /// When that was measured.
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
    /// - Throws: ``DocumentProblem`` that says what is wrong, and with which entry.
    public init(_ bytes: [UInt8]) throws(DocumentProblem) {
        let entries = try JSONDocument.decoded(
            [Entry].self, from: Data(bytes),
            whole: DocumentProblem("", "not valid JSON, or not an array of travel times"))
        var times: [TravelTime] = []
        for (number, entry) in entries.enumerated() {
            guard let updatedAt = Self.moment(entry.updated) else {
                let text = printable(entry.updated, most: 40)
                throw DocumentProblem(
                    "[\(number)].TimeUpdated", "'\(text)' is not /Date(milliseconds)/")
            }
            guard entry.miles >= 0, entry.currentMinutes >= 0, entry.miles < 1_000,
                entry.currentMinutes < 1_440
            else { throw DocumentProblem("[\(number)]", "a length or time that cannot be") }
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

    /// The moment of `/Date(1740000000000-0800)/`.
    static func moment(_ text: String) -> Timestamp? {
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
