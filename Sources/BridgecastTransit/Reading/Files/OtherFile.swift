// What people give in place of a feed, so that the refusal can say what they have and what to do.
internal import BridgecastCore

/// Tells files apart by their first bytes.
enum OtherFile {
    /// Whether a file begins as zip files do that hold something.
    static func isZip(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4b, 3, 4]) }

    /// What a file is that is no zip file, by its first bytes.
    static func words(_ head: [UInt8]) -> String {
        if head.isEmpty { return "the file is empty" }
        for (start, words) in starts where head.starts(with: start) { return words }
        if let version = realtimeVersion(head) {
            return
                "GTFS-realtime \(version), not a timetable; it goes with --updates, --vehicles or --alerts"
        }
        let text = String(decoding: head.prefix(512), as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(64).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
            return "a web page, perhaps a server's excuse; open it to see what it says"
        }
        if start.hasPrefix("<") { return "XML" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
        return head.contains(0) ? "no zip file" : words(ofText: text)
    }

    private static func words(ofText text: String) -> String {
        let first = text.prefix { !$0.isNewline }
        return first.contains("stop_id") || first.contains("_id,")
            ? "one file of a feed; give the folder it lies in" : "a text"
    }

    private static let starts: [([UInt8], String)] = [
        ([0x50, 0x4b, 5, 6], "an empty zip file"),
        ([0x1f, 0x8b], "packed by gzip, not zip; unpack it first: gunzip, or tar xzf"),
        ([0x37, 0x7a, 0xbc, 0xaf], "packed by 7-Zip; unpack it first: 7z x"),
        ([0x52, 0x61, 0x72, 0x21], "packed by RAR; unpack it first: unrar x"),
        ([0x28, 0xb5, 0x2f, 0xfd], "packed by zstd; unpack it first: zstd -d"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "packed by xz; unpack it first: xz -d"),
        ([0x42, 0x5a, 0x68], "packed by bzip2; unpack it first: bzip2 -d"),
        (Array("SQLite format 3".utf8), "a database"),
        (Array("%PDF".utf8), "a PDF"),
    ]

    /// The version in a feed message's header: a message of the first field whose first field is a text such as 2.0.
    private static func realtimeVersion(_ head: [UInt8]) -> String? {
        guard head.count >= 7, head[0] == 0x0a, head[2] == 0x0a, head[3] == 3,
            head[5] == UInt8(ascii: ".")
        else { return nil }
        return String(decoding: head[4..<7], as: UTF8.self)
    }
}
