// A text file of any length as a sliding window: read in blocks, checked and hashed on the way; used by the scanners.
// Belongs here: bytes of a text and how they are split into fields; not: what a field means (Records, Traffic).
internal import BridgecastCore
private import BridgecastDigest
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

    private var source: Source
    private var hash = SHA256()
    private var bytesRead = 0

    /// Where the bytes come from.
    private enum Source {
        case file(FileHandle)
        case bytes(ArraySlice<UInt8>)
    }

    static let blockBytes = 1 << 18
    private static let mostBlankBytes = 1 << 20
    /// Larger files are refused, 1 GiB.
    static let largestBytes = 1 << 30

    /// Opens a file and reads its first block.
    init(_ url: URL) throws(DocumentError) {
        path = url.relativePath
        source = .file(try InputFile.open(url, path))
        try begin()
    }

    /// A text that is in memory.
    init(_ bytes: [UInt8], path: String) throws(DocumentError) {
        self.path = path
        source = .bytes(bytes[...])
        try begin()
    }

    /// A part of another window's text, which that one has checked.
    init(part bytes: [UInt8], path: String) {
        self.path = path
        source = .bytes([])
        self.bytes = bytes
        (end, isAtEnd) = (bytes.count, true)
    }

    /// The first byte at hand that is not blank, which tells forms of text apart.
    var firstByte: UInt8? { bytes[start..<end].first { $0 > 32 } }

    /// Takes whole lines out of the window, about so many bytes; nil if the rest is shorter.
    mutating func takeLines(bytes wanted: Int) throws(DocumentError) -> [UInt8]? {
        while end - start < wanted, !isAtEnd { try refill() }
        let newline = UInt8(ascii: "\n")
        guard end - start >= wanted,
            let last = bytes[start..<start + wanted].lastIndex(of: newline)
        else { return nil }
        defer { start = last + 1 }
        return Array(bytes[start...last])
    }

    /// Puts lines back that were taken out last.
    mutating func putBack(_ lines: [UInt8]) {
        bytes.replaceSubrange(..<start, with: lines)
        end += lines.count - start
        start = 0
    }

    /// The file's identity, once it has been read to its end.
    func identity() -> FileIdentity {
        precondition(isAtEnd, "the whole file has to be read first")
        var hash = hash
        return FileIdentity(path: path, sha256: hexadecimal(hash.finish()))
    }

    /// Gives up what lies before an index.
    mutating func consume(to index: Int) { start = index }

    /// Reads one more block; what is not consumed keeps its place relative to `start`, which becomes 0.
    mutating func refill() throws(DocumentError) {
        precondition(!isAtEnd, "there is nothing more to read")
        bytes.removeSubrange(..<start)
        end -= start
        start = 0
        let count = try readBlock()
        bytesRead += count
        guard bytesRead <= Self.largestBytes else { throw InputFile.tooLarge(path) }
        isAtEnd = count == 0
        try check(count)
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
        case .file(let handle):
            do {
                guard let block = try handle.read(upToCount: Self.blockBytes) else { return 0 }
                bytes.append(contentsOf: block)
                return block.count
            } catch {
                throw InputFile.unreadable(path, error)
            }
        }
    }

    /// Checks the newest block and moves `end` behind the last whole character.
    private mutating func check(_ count: Int) throws(DocumentError) {
        let block = bytes.suffix(count)
        unsafe block.withUnsafeBytes { unsafe hash.update($0) }
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
