// A text file of any length as a sliding window: read in blocks, checked and hashed on the way; used by the scanners.
// Belongs here: bytes of a text and how they are split into fields; not: what a field means (Records, Traffic).
internal import BridgecastCore
internal import BridgecastDigest
internal import Foundation

/// The part of a text that a scanner works on; grows at its end, is forgotten at its start.
///
/// Memory is one block and the record in hand, whatever the length of the text. Every block is
/// checked to be UTF-8 without zero bytes before a scanner sees it.
struct TextWindow {
    /// What scanners read; only `bytes[start..<end]` counts.
    private(set) var bytes: [UInt8] = []
    /// The first byte that is not consumed.
    private(set) var start = 0
    /// The end of what has been read.
    private(set) var end = 0
    /// Whether nothing follows `end`.
    private(set) var isAtEnd = false
    let path: String

    /// The digest of all bytes that lie before those not digested yet.
    private(set) var digest = SHA256()

    private var source: Source
    /// Bytes at hand that are part of `digest`.
    private var digested = 0
    private var bytesRead = 0

    /// Where the bytes come from.
    private enum Source {
        case file(FileBlocks)
        case bytes(ArraySlice<UInt8>)
    }

    static let blockBytes = 1 << 18
    private static let mostBlankBytes = 1 << 20
    /// Larger files are refused, 1 GiB.
    static let largestBytes = 1 << 30

    /// Opens a file and reads its first block.
    init(_ url: URL) throws(DocumentError) {
        path = url.relativePath
        source = .file(FileBlocks(try InputFile.open(url, path)))
        try begin()
    }

    /// A text that is in memory.
    init(_ bytes: [UInt8], path: String) throws(DocumentError) {
        self.path = path
        source = .bytes(bytes[...])
        try begin()
    }

    /// A part of another window's text, which that one has checked.
    init(_ part: TextPart, path: String) {
        self.path = path
        source = .bytes([])
        (bytes, start) = (part.bytes, part.start)
        (end, digested, isAtEnd) = (bytes.count, bytes.count, true)
    }

    /// The first byte at hand that is not blank, which tells forms of text apart.
    var firstByte: UInt8? { bytes[start..<end].first { $0 > 32 } }

    /// Takes whole lines out of the window, about so many bytes; nil if the rest is shorter.
    ///
    /// Their bytes are for the caller to digest, in order; see ``resume(_:with:)``.
    mutating func takeLines(bytes wanted: Int) throws(DocumentError) -> TextPart? {
        while end - start < wanted, !isAtEnd { try readOn() }
        let newline = UInt8(ascii: "\n")
        guard end - start >= wanted,
            let last = bytes[start..<start + wanted].lastIndex(of: newline)
        else { return nil }
        let partEnd = last + 1
        var part = TextPart(bytes: bytes, start: start, digested: min(digested, partEnd))
        bytes = []
        bytes.reserveCapacity(wanted + Self.blockBytes)
        bytes += part.bytes[partEnd...]
        part.bytes.removeLast(part.bytes.count - partEnd)
        (start, end, digested) = (0, end - partEnd, max(0, digested - partEnd))
        return part
    }

    /// Goes on alone, with lines put back that were taken out last.
    ///
    /// - Parameter digest: That of all lines that were taken out.
    mutating func resume(_ lines: [UInt8], with digest: SHA256) {
        bytes.replaceSubrange(..<start, with: lines)
        end += lines.count - start
        digested = lines.count + max(0, digested - start)
        start = 0
        self.digest = digest
        digestRest()
    }

    /// The file's identity, once it has been read to its end.
    func identity() -> FileIdentity {
        precondition(isAtEnd && digested == bytes.count, "the whole file has to be read first")
        var digest = digest
        return FileIdentity(path: path, sha256: hexadecimal(digest.finish()))
    }

    /// Gives up what lies before an index.
    mutating func consume(to index: Int) { start = index }

    /// Reads one more block; what is not consumed keeps its place relative to `start`, which becomes 0.
    mutating func refill() throws(DocumentError) {
        try readOn()
        digestRest()
    }

    /// Reads one more block without digesting it.
    private mutating func readOn() throws(DocumentError) {
        precondition(!isAtEnd, "there is nothing more to read")
        if start > 0 { bytes.removeSubrange(..<start) }
        (end, digested) = (end - start, max(0, digested - start))
        start = 0
        let count = try readBlock()
        bytesRead += count
        guard bytesRead <= Self.largestBytes else { throw InputFile.tooLarge(path) }
        isAtEnd = count == 0
        try check(count)
    }

    private mutating func digestRest() {
        let text = bytes
        digest.update(text.span.extracting(digested...))
        digested = text.count
    }

    /// Replaces bytes that a scanner has understood by what they stand for, which is not longer.
    mutating func rewrite(_ range: Range<Int>, as text: some Collection<UInt8>) -> Range<Int> {
        precondition(text.count <= range.count, "an escape is never shorter than its meaning")
        var index = range.lowerBound
        for byte in text {
            bytes[index] = byte
            index += 1
        }
        return range.lowerBound..<index
    }

    private mutating func begin() throws(DocumentError) {
        try refill()
        guard !isAtEnd else { throw error("the file is empty") }
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { start = 3 }
        while !bytes[start..<end].contains(where: { $0 > 32 }) {
            guard !isAtEnd, bytes.count < Self.mostBlankBytes else {
                throw error("the file holds nothing but blanks")
            }
            try refill()
        }
    }

    /// Appends the next block to `bytes`; its length.
    private mutating func readBlock() throws(DocumentError) -> Int {
        switch source {
        case .bytes(let rest):
            source = .bytes(rest.dropFirst(Self.blockBytes))
            bytes += rest.prefix(Self.blockBytes)
            return min(rest.count, Self.blockBytes)
        case .file(let stream):
            return try stream.append(Self.blockBytes, to: &bytes, path)
        }
    }

    /// Checks the newest block and moves `end` behind the last whole character.
    private mutating func check(_ count: Int) throws(DocumentError) {
        let block = bytes.suffix(count)
        if bytesRead == block.count,
            [[0xff, 0xfe], [0xfe, 0xff]].contains(Array(block.prefix(2)))
        {
            throw error("the file is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 IN > OUT")
        }
        // One pass without branches, which the compiler vectorises.
        var (zeros, all): (UInt8, UInt8) = (0, 0)
        for byte in block {
            zeros |= byte == 0 ? 1 : 0
            all |= byte
        }
        if zeros > 0, let place = block.firstIndex(of: 0) {
            if bytesRead == bytes.count, block.starts(with: Array("SQLite format 3".utf8)) {
                throw error(
                    "not a text file but a database; a history store goes with --store or --records"
                )
            }
            throw error(
                "not a text file: a zero byte at offset \(bytesRead - bytes.count + place)")
        }
        let unchecked = end..<bytes.count
        end = isAtEnd ? bytes.count : bytes.count - incompleteTail()
        let isASCII = all < 0x80 && unchecked.count == block.count
        guard isASCII || String(validating: bytes[unchecked.lowerBound..<end], as: UTF8.self) != nil
        else {
            throw error(
                "the text is not UTF-8; convert it: iconv -f WINDOWS-1252 -t UTF-8 IN > OUT")
        }
    }

    /// Bytes at the end that begin a character and do not finish it, 0...3.
    private func incompleteTail() -> Int {
        for (index, byte) in bytes.suffix(3).reversed().enumerated() {
            let back = index + 1
            if byte & 0xc0 == 0x80 { continue }
            let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }

    /// A problem of this text.
    func error(_ problem: String, at place: String = "") -> DocumentError {
        DocumentError(DocumentProblem(place, problem), in: path)
    }
}
