// Bytes to a realtime feed, in whatever form they are, and what bytes are that are none. The forms themselves are in
// RealtimeProtobuf, RealtimeJSON and OneBusAway.
public import BridgecastCore
internal import BridgecastRealtimeWire
public import BridgecastSupport
internal import SwiftProtobuf

/// A realtime feed as read from bytes.
public struct RealtimeReading: Sendable {
    /// How the bytes were encoded.
    public enum Form: String, Sendable {
        case protobuf, json
        case oneBusAway = "onebusaway"
        /// Protocol Buffers' text format, as tools print it.
        case text
    }
    /// The content.
    public var feed: RealtimeFeed
    /// How it was encoded.
    public var form: Form
    /// What is wrong with single entities, and how it was handled.
    public var notices: FeedNotices
}

extension RealtimeFeed {
    /// Reads a message: protobuf, its text format, JSON in any spelling, or a OneBusAway reply; gzip or not.
    ///
    /// Times of 0 become nil, and those in milliseconds are converted with a notice; all else is unchanged.
    ///
    /// - Throws: `DocumentProblem` that says what the bytes are instead, or where they are damaged.
    /// - Complexity: O(bytes); at most 64 MiB, unpacked.
    public static func read(_ bytes: [UInt8]) throws(DocumentProblem) -> RealtimeReading {
        var context = ReadingContext()
        var bytes = bytes
        if isPacked(bytes) {
            bytes = try unpacked(bytes)
            context.notices.add(.info, "gzip", "compressed with gzip; decompressed")
        }
        guard bytes.count <= ReadingContext.maxBytes else {
            throw DocumentProblem(
                "",
                "\(bytes.count) bytes; no realtime feed has more than \(ReadingContext.maxBytes >> 20) MiB"
            )
        }
        var reading = try read(unpacked: bytes, context)
        RealtimeCheck.check(reading.feed, &reading.notices)
        return reading
    }

    /// Whether bytes begin as gzip that deflates, the only method there is.
    static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

    /// Unpacks gzip (RFC 1952), of which only the first part counts: no server sends several.
    static func unpacked(_ packed: [UInt8]) throws(DocumentProblem) -> [UInt8] {
        let maxBytes = ReadingContext.maxBytes
        let tooMuch = DocumentProblem(
            "", "gzip of more than \(maxBytes >> 20) MiB: no feed is as large")
        func damaged(at byte: Int) -> DocumentProblem {
            DocumentProblem("byte \(byte)", "gzip that is damaged or cut short; fetch it again")
        }
        guard packed.count <= maxBytes else { throw tooMuch }
        do throws(Unpacking.Failure) {
            return try Unpacking.firstGzip(packed, maxBytes: maxBytes)
        } catch {
            switch error {
            case .tooMuch: throw tooMuch
            case .cutShort: throw damaged(at: packed.count)
            case .damaged(_, let byte): throw damaged(at: byte)
            }
        }
    }

    private static func read(
        unpacked bytes: [UInt8], _ context: ReadingContext
    ) throws(DocumentProblem) -> RealtimeReading {
        if isJSON(bytes) { return try json(bytes, context) }
        if let reading = try text(bytes, context) { return reading }
        if let description = ForeignBytes.description(bytes) {
            throw DocumentProblem("", "not a realtime feed: \(description)")
        }
        var reader = ProtobufReader(bytes, context)
        do throws(DocumentProblem) {
            let feed = try reader.feed()
            return RealtimeReading(
                feed: feed, form: .protobuf, notices: reader.context.notices)
        } catch {
            throw DocumentProblem(
                error.location, "not a realtime feed, or a damaged one: \(error.problem)")
        }
    }

    /// Whether bytes begin as JSON does.
    static func isJSON(_ bytes: [UInt8]) -> Bool {
        let start = ByteOrderMark.utf8Length(bytes)
        // A protobuf message may begin 0A 5B: white space alone must not decide. Its second byte is a length, and
        // texts have no byte below 32 but white space.
        let head = bytes.dropFirst(start).prefix(64)
        guard let first = head.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return false }
        return head.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
    }

    private static func json(
        _ bytes: [UInt8], _ context: ReadingContext
    ) throws(DocumentProblem) -> RealtimeReading {
        let root = try JSONTree.parse(bytes)
        if OneBusAwayReader.isReply(root) {
            var reader = OneBusAwayReader(root, context)
            let feed = try reader.feed()
            return RealtimeReading(
                feed: feed, form: .oneBusAway, notices: reader.context.notices)
        }
        // Some servers wrap the message in a response of their own.
        let message = [root, root["response"] ?? .null].first {
            $0["header"] != nil || $0["entity"] != nil || $0["entities"] != nil
        }
        guard let message else {
            let names = root.members.prefix(5).map { "'\(printable($0.name, maxLength: 30))'" }
            throw DocumentProblem(
                "",
                "JSON, but not a realtime feed: neither header nor entity"
                    + (names.isEmpty ? "" : ", but " + names.joined(separator: ", ")))
        }
        var reader = RealtimeJSONReader(context: context)
        let feed = try reader.feed(message)
        return RealtimeReading(feed: feed, form: .json, notices: reader.context.notices)
    }

    /// Reads the text format, which begins with a message's name; nil if the bytes are something else.
    private static func text(
        _ bytes: [UInt8], _ context: ReadingContext
    ) throws(DocumentProblem) -> RealtimeReading? {
        let head = String(decoding: bytes.prefix(16), as: UTF8.self).filter { !$0.isWhitespace }
        guard head.hasPrefix("header{") || head.hasPrefix("entity{") else { return nil }
        guard bytes.count <= maxTextBytes else {
            throw DocumentProblem(
                "", "\(bytes.count) bytes of Protocol Buffers' text form; give the bytes")
        }
        var options = TextFormatDecodingOptions()
        options.messageDepthLimit = 16
        options.ignoreUnknownFields = true
        options.ignoreUnknownExtensionFields = true
        let message: TransitRealtime_FeedMessage
        do {
            message = try TransitRealtime_FeedMessage(
                textFormatString: String(decoding: bytes, as: UTF8.self), options: options)
        } catch {
            throw DocumentProblem("", "Protocol Buffers' text form, damaged or cut short")
        }
        guard message.hasHeader else { throw ReadingContext.missingHeader }
        var context = context
        let feed = try context.feed(message)
        return RealtimeReading(feed: feed, form: .text, notices: context.notices)
    }

    /// The text format is read at once, and a message is larger in memory than in bytes.
    private static let maxTextBytes = 4 << 20
}

// MARK: - Limits and notices

/// What reading a message keeps track of: its size, what is being read, and what is odd so far.
struct ReadingContext {
    /// The maximum number of bytes of a message, packed or not.
    static let maxBytes = 64 << 20
    /// The maximum number of entities of a message; the largest feeds have a tenth of it.
    static let maxEntities = 250_000
    /// The maximum number of entities, stops of trips, periods and texts together.
    static let maxParts = 1_000_000

    var notices = FeedNotices()
    /// What notices are about.
    var subject = Subject.header
    private var parts = 0

    /// What is being read; its text is made only for notices that are kept.
    enum Subject: CustomStringConvertible {
        case header
        /// An entity by its number, from 1, and its identifier.
        case entity(Int, String)
        /// Something of a OneBusAway reply, such as `trip`, and its identifier.
        case item(StaticString, String)

        var description: String {
            switch self {
            case .header: "header"
            case .entity(let number, ""): "entity \(number)"
            case .entity(let number, let id): "entity \(number) ('\(printable(id, maxLength: 40))')"
            case .item(let kind, let id): "\(kind) '\(printable(id, maxLength: 40))'"
            }
        }
    }

    /// Counts things that take memory.
    ///
    /// - Throws: `DocumentProblem` if they are more than any feed has.
    mutating func count(_ more: Int) throws(DocumentProblem) {
        parts += more
        guard parts <= Self.maxParts else {
            throw DocumentProblem(
                subject.description,
                "more than \(Self.maxParts) stops, periods and texts: no feed has as many")
        }
    }

    /// - Throws: `DocumentProblem` if a message has more entities than any feed.
    func checkEntityCount(_ count: Int) throws(DocumentProblem) {
        guard count <= Self.maxEntities else {
            throw DocumentProblem("entity", "\(count) of them, more than any feed has")
        }
    }

    /// A time from a number of seconds; nil for 0 and less, which feeds write for none.
    ///
    /// Numbers too large for seconds are taken as milliseconds or microseconds, and noted.
    mutating func time(_ number: Int64, _ field: String) -> Timestamp? {
        guard number > 0 else {
            note(.info, "timestamp_not_positive", field: field, "\(number) is not a time; ignored")
            return nil
        }
        guard number > Self.largestSeconds else { return Timestamp(secondsSinceEpoch: number) }
        guard number < Self.endOfTime else { return .latest }
        let seconds = number / (number < Self.largestSeconds * 1000 ? 1000 : 1_000_000)
        note(
            .warning, "timestamp_not_in_seconds", field: field,
            "\(number) is not in seconds; taken as \(seconds)")
        return Timestamp(secondsSinceEpoch: seconds)
    }

    /// A time from an unsigned number of seconds.
    mutating func time(_ number: UInt64, _ field: String) -> Timestamp? {
        time(Int64(clamping: number), field)
    }

    /// Adds a notice about ``subject``.
    mutating func note(
        _ severity: FeedNotice.Severity, _ code: String, field: String,
        _ message: @autoclosure () -> String
    ) {
        let subject = subject
        notices.add(severity, code, field: field, "\(subject.description): \(message())")
    }

    /// Year 10209; the same number of milliseconds is in 1978.
    static let largestSeconds: Int64 = 260_000_000_000
    /// Feeds write the largest number that there is for an open end.
    private static let endOfTime: Int64 = 100_000_000_000_000_000
}

// MARK: - Other bytes

/// Tells what bytes are that are no realtime feed.
private enum ForeignBytes {
    /// What they are by how they begin, and what to do; nil if they may be Protocol Buffers.
    static func description(_ bytes: [UInt8]) -> String? {
        if bytes.isEmpty {
            return "the file or answer is empty"
        }
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04])
            || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
        {
            return "a zip file, as timetables are: give it as the feed, not as its updates"
        }
        if bytes.starts(with: [0x0D, 0x0A]), isConverted(bytes) {
            return
                "Protocol Buffers whose line feeds (0A) were turned into CR LF (0D 0A) on their way, "
                + "as programs do that take it for text; fetch it again in binary"
        }
        return text(bytes.prefix(512))
    }

    /// Whether every line feed has a carriage return before it.
    private static func isConverted(_ bytes: [UInt8]) -> Bool {
        bytes.indices.allSatisfy { bytes[$0] != 0x0A || ($0 > 0 && bytes[$0 - 1] == 0x0D) }
    }

    /// What a text is; nil if it is none.
    private static func text(_ head: ArraySlice<UInt8>) -> String? {
        // Protocol Buffers have bytes below 32 that no text has, the lengths of short fields among them.
        guard head.allSatisfy({ $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }) else { return nil }
        let text = String(decoding: head, as: UTF8.self)
            .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let start = text.prefix(64).lowercased()
        if start.isEmpty { return "white space alone" }
        if start.hasPrefix("<") {
            let isPage = start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
            return (isPage ? "an HTML page" : "HTML or XML")
                + ", such as a server's error or a page to sign in: look at it in a browser"
        }
        // A header of Protocol Buffers begins 0A, a length and again 0A; a short one may have printable bytes alone.
        if head.first == 0x0A { return nil }
        return "a text that begins '\(printable(String(text), maxLength: 40))'"
    }
}
