// Bytes into a realtime feed, whatever their spelling.
public import BridgecastCore
internal import BridgecastRealtimeWire
internal import SwiftProtobuf

/// What a reading of a realtime feed came to.
public struct RealtimeReading: Sendable {
    /// How the bytes were spelt.
    public enum Form: String, Sendable {
        case protobuf, json
        case oneBusAway = "onebusaway"
        /// Protocol Buffers' form for people, as tools print it.
        case text
    }
    /// What it says.
    public var feed: RealtimeFeed
    /// How it was spelt.
    public var form: Form
    /// What is wrong with single entities, and what was made of them.
    public var notices: FeedNotices

    package init(feed: RealtimeFeed, form: Form, notices: FeedNotices) {
        (self.feed, self.form, self.notices) = (feed, form, notices)
    }
}

extension RealtimeFeed {
    /// Reads a message: protobuf, its form for people, JSON in any spelling, or a OneBusAway reply; gzip or not.
    ///
    /// Moments of 0 are none, and those in milliseconds are taken as such with a notice; all else is as it stands.
    ///
    /// - Throws: `DocumentProblem` that says what the bytes are instead, or where they are damaged.
    /// - Complexity: O(bytes); at most 64 MiB, unpacked.
    public static func read(_ bytes: [UInt8]) throws(DocumentProblem) -> RealtimeReading {
        var intake = RealtimeIntake()
        var bytes = bytes
        if Gunzip.isPacked(bytes) {
            bytes = try Gunzip.unpacked(bytes, most: RealtimeIntake.mostBytes)
            intake.notices.add(.info, "gzip", "packed by gzip; unpacked")
        }
        guard bytes.count <= RealtimeIntake.mostBytes else {
            throw DocumentProblem(
                "",
                "\(bytes.count) bytes; no realtime feed has more than \(RealtimeIntake.mostBytes >> 20) MiB"
            )
        }
        var reading = try read(unpacked: bytes, intake)
        RealtimeCheck.check(reading.feed, &reading.notices)
        return reading
    }

    private static func read(
        unpacked bytes: [UInt8], _ intake: RealtimeIntake
    ) throws(DocumentProblem) -> RealtimeReading {
        if isJSON(bytes) { return try json(bytes, intake) }
        if let reading = try text(bytes, intake) { return reading }
        if let words = ForeignBytes.words(bytes) {
            throw DocumentProblem("", "no realtime feed: \(words)")
        }
        var intake = intake
        do throws(DocumentProblem) {
            let feed = try wire(bytes, &intake)
            return RealtimeReading(feed: feed, form: .protobuf, notices: intake.notices)
        } catch {
            throw DocumentProblem(
                error.place, "no realtime feed, or a damaged one: \(error.problem)")
        }
    }

    /// Whether bytes begin as JSON does.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // A protobuf message may begin 0A 5B: white space alone must not decide. Its second byte is a length, and
        // texts have no byte below 32 but white space.
        let head = bytes.dropFirst(start).prefix(64)
        guard let first = head.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return false }
        return head.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
    }

    private static func json(
        _ bytes: [UInt8], _ intake: RealtimeIntake
    ) throws(DocumentProblem) -> RealtimeReading {
        let root = try JSONTree.parse(bytes)
        if OneBusAwayReader.isReply(root) {
            var reader = OneBusAwayReader(root, intake)
            let feed = try reader.feed()
            return RealtimeReading(
                feed: feed, form: .oneBusAway, notices: reader.intake.notices)
        }
        // Some servers put the message into an answer of their own.
        let message = [root, root["response"] ?? .null].first {
            $0["header"] != nil || $0["entity"] != nil || $0["entities"] != nil
        }
        guard let message else {
            let names = root.members.prefix(5).map { "'\(printable($0.name, most: 30))'" }
            throw DocumentProblem(
                "",
                "JSON, but no realtime feed: neither header nor entity"
                    + (names.isEmpty ? "" : ", but " + names.joined(separator: ", ")))
        }
        var reader = RealtimeJSONReader(intake: intake)
        let feed = try reader.feed(message)
        return RealtimeReading(feed: feed, form: .json, notices: reader.intake.notices)
    }

    /// The form for people, which begins with a message's name; nil if bytes do not.
    private static func text(
        _ bytes: [UInt8], _ intake: RealtimeIntake
    ) throws(DocumentProblem) -> RealtimeReading? {
        let head = String(decoding: bytes.prefix(16), as: UTF8.self).filter { !$0.isWhitespace }
        guard head.hasPrefix("header{") || head.hasPrefix("entity{") else { return nil }
        guard bytes.count <= mostTextBytes else {
            throw DocumentProblem(
                "", "\(bytes.count) bytes of Protocol Buffers' text form; give the bytes")
        }
        var options = TextFormatDecodingOptions()
        options.messageDepthLimit = 16
        (options.ignoreUnknownFields, options.ignoreUnknownExtensionFields) = (true, true)
        var intake = intake
        do {
            let message = try TransitRealtime_FeedMessage(
                textFormatString: String(decoding: bytes, as: UTF8.self), options: options)
            let feed = try wire(message.serializedBytes(partial: true), &intake)
            return RealtimeReading(feed: feed, form: .text, notices: intake.notices)
        } catch {
            throw DocumentProblem("", "Protocol Buffers' text form, damaged or cut short")
        }
    }

    /// What the text form may take: it is read at once, and a message of it is larger in memory than in bytes.
    private static let mostTextBytes = 4 << 20
}
