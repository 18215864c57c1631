// What bytes are that are no realtime feed, in words with what to do; for refusals.
internal import BridgecastCore

/// Bytes of something else.
enum ForeignBytes {
    /// What they are, by how they begin; nil if they may be Protocol Buffers.
    static func words(_ bytes: [UInt8]) -> String? {
        if bytes.isEmpty {
            return "nothing at all: the file or answer is empty"
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
        let start = String(decoding: head, as: UTF8.self)
        let words = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let small = words.prefix(64).lowercased()
        if small.isEmpty { return "white space alone" }
        if small.hasPrefix("<") {
            let isPage = small.hasPrefix("<!doctype html") || small.hasPrefix("<html")
            return (isPage ? "an HTML page" : "HTML or XML")
                + ", such as a server's error or a page to sign in: look at it in a browser"
        }
        // A header of Protocol Buffers begins 0A, a length and again 0A; a short one may have printable bytes alone.
        if head.first == 0x0A { return nil }
        return "a text that begins '\(printable(String(words), most: 40))'"
    }
}
