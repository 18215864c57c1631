// Pieces of whole lines out of a file that is being read, whatever its length; used by TableText.
// Belongs here: a table's text, its columns and the values of its fields; not: what a table means (Tables).
internal import BridgecastCore
internal import BridgecastData

/// Whole lines of a file.
struct LinePart: Sendable {
    /// From 0.
    var number: Int
    var bytes: [UInt8]
    /// Where its first line starts: behind a byte order mark.
    var start = 0
}

/// Cuts a file into pieces of whole lines, in memory that does not grow.
struct LineParts: ~Copyable {
    /// Why there are no more, if the file is at fault.
    private(set) var problem: TransitFeedError.Problem?
    private(set) var bytesRead = 0

    private let stream: FeedStream
    private let name: String
    private let most: Int
    /// What a longer file is refused with.
    private let refusal: TransitFeedError.Problem
    private var rest: [UInt8] = []
    private var count = 0
    /// Whether nothing follows what was handed out.
    private(set) var isAtEnd = false

    static let partBytes = 1 << 20
    private static let blockBytes = 1 << 18
    /// A longer line is told as several.
    private static let longestLineBytes = 4 << 20

    /// - Parameter most: The bytes that the file may have; more are a refusal.
    init(
        _ stream: consuming FeedStream, _ name: String, most: Int,
        refusal: TransitFeedError.Problem
    ) {
        self.stream = stream
        (self.name, self.most, self.refusal) = (name, most, refusal)
    }

    /// The next piece; nil at the end, or after a ``problem``.
    mutating func next() -> LinePart? {
        guard problem == nil else { return nil }
        do throws(TransitFeedError.Problem) {
            return try read()
        } catch {
            problem = error
            return nil
        }
    }

    private mutating func read() throws(TransitFeedError.Problem) -> LinePart? {
        var bytes = rest
        rest = []
        bytes.reserveCapacity(Self.partBytes + Self.blockBytes)
        var end: Int?
        while end == nil {
            while bytes.count < Self.partBytes, !isAtEnd { try readBlock(&bytes) }
            end = isAtEnd ? bytes.count : Self.lastLineEnd(bytes)
            if end == nil, bytes.count > Self.longestLineBytes { end = bytes.count }
            if end == nil { try readBlock(&bytes) }
        }
        guard let end, end > 0 else { return nil }
        if !isAtEnd {
            rest = Array(bytes[end...])
            bytes.removeLast(bytes.count - end)
        }
        var part = LinePart(number: count, bytes: bytes)
        if count == 0 { part.start = try Self.start(of: bytes, name) }
        count += 1
        return part
    }

    private mutating func readBlock(
        _ bytes: inout [UInt8]
    ) throws(TransitFeedError.Problem) {
        let got = try stream.append(Self.blockBytes, to: &bytes)
        isAtEnd = got == 0
        bytesRead += got
        guard bytesRead <= most else { throw refusal }
    }

    /// Behind a byte order mark.
    private static func start(
        of bytes: [UInt8], _ name: String
    ) throws(TransitFeedError.Problem) -> Int {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw .file(
                name,
                DocumentProblem("", "is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 IN > OUT"))
        }
        return bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    /// Behind the last line end that no quote is open at; behind the last one if a quote is open at all.
    private static func lastLineEnd(_ bytes: [UInt8]) -> Int? {
        let newline = UInt8(ascii: bytes.contains(UInt8(ascii: "\n")) ? "\n" : "\r")
        guard let last = bytes.lastIndex(of: newline) else { return nil }
        var quotes = 0
        for byte in bytes { quotes += byte == UInt8(ascii: "\"") ? 1 : 0 }
        for byte in bytes[last...] { quotes -= byte == UInt8(ascii: "\"") ? 1 : 0 }
        var place = last
        while !quotes.isMultiple(of: 2), place > 0 {
            place -= 1
            if bytes[place] == UInt8(ascii: "\"") { quotes -= 1 }
            if bytes[place] == newline, quotes.isMultiple(of: 2) { return place + 1 }
        }
        return last + 1
    }
}
