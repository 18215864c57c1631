// A sliding window over a text of any length, checked and digested; InputFile holds a whole one.
public import Foundation
private import Glibc

/// The part of a text that a scanner works on: it grows at its end and is discarded at its start.
///
/// Memory is one block and the current record, whatever the length of the text; a gzip file is unpacked whole. Every
/// block is checked to be UTF-8 without zero bytes before a scanner sees it.
package struct TextWindow {
    /// What scanners read: `bytes[start..<end]`.
    package private(set) var bytes: [UInt8] = []
    /// The index of the first byte that is not consumed.
    package private(set) var start = 0
    /// The end of what has been read and checked.
    package private(set) var end = 0
    /// Whether nothing follows `end`.
    package private(set) var isAtEnd = false
    package let path: String

    /// The digest of all bytes before those not digested yet.
    package private(set) var digest = SHA256()

    private var source: Source
    /// The number of `bytes` that are part of `digest`.
    private var digested = 0
    private var bytesRead = 0

    private enum Source {
        case file(LocalFile)
        case bytes(ArraySlice<UInt8>)
    }

    package static let blockBytes = 1 << 18
    private static let maxBlankBytes = 1 << 20
    /// Larger files are refused: 1 GiB.
    package static let maxBytes = 1 << 30

    /// Opens a file and reads its first block.
    package init(_ url: URL) throws(DocumentError) {
        path = url.relativePath
        do {
            source = .file(try LocalFile(url, maxBytes: Self.maxBytes, pipes: .named(url)))
        } catch {
            throw Self.refusal(error, of: url)
        }
        try begin()
    }

    package init(_ bytes: [UInt8], path: String) throws(DocumentError) {
        self.path = path
        source = .bytes(bytes[...])
        try begin()
    }

    /// A window over a part of another window's text, which that one has checked.
    package init(_ part: TextPart, path: String) {
        self.path = path
        source = .bytes([])
        bytes = part.bytes
        start = part.start
        end = bytes.count
        digested = bytes.count
        isAtEnd = true
    }

    /// The first byte that is not blank, which distinguishes formats.
    package var firstByte: UInt8? { bytes[start..<end].first { $0 > 32 } }

    /// Removes complete lines from the window, about `bytes` bytes; nil if the rest is shorter.
    ///
    /// The caller digests their bytes, in order; see ``resume(_:with:)``.
    package mutating func takeLines(bytes wanted: Int) throws(DocumentError) -> TextPart? {
        while end - start < wanted, !isAtEnd { try readOn() }
        let newline = UInt8(ascii: "\n")
        guard end - start >= wanted, let last = bytes[start..<start + wanted].lastIndex(of: newline)
        else { return nil }
        let partEnd = last + 1
        var part = TextPart(bytes: bytes, start: start, digested: min(digested, partEnd))
        bytes = []
        bytes.reserveCapacity(wanted + Self.blockBytes)
        bytes += part.bytes[partEnd...]
        part.bytes.removeLast(part.bytes.count - partEnd)
        start = 0
        end -= partEnd
        digested = max(0, digested - partEnd)
        return part
    }

    /// Puts back the lines that were removed last and digests the rest itself from now on.
    ///
    /// - Parameter digest: That of all lines that were removed.
    package mutating func resume(_ lines: [UInt8], with digest: SHA256) {
        bytes.replaceSubrange(..<start, with: lines)
        end += lines.count - start
        digested = lines.count + max(0, digested - start)
        start = 0
        self.digest = digest
        digestRest()
    }

    /// - Precondition: The file has been read to its end.
    package func identity() -> FileIdentity {
        precondition(isAtEnd && digested == bytes.count, "the whole file has to be read first")
        var digest = digest
        return FileIdentity(path: path, sha256: hexadecimal(digest.finish()))
    }

    package mutating func consume(to index: Int) { start = index }

    /// Reads one more block; `start` becomes 0, and what is not consumed moves with it.
    package mutating func refill() throws(DocumentError) {
        try readOn()
        digestRest()
    }

    /// Reads one more block without digesting it.
    private mutating func readOn() throws(DocumentError) {
        precondition(!isAtEnd, "there is nothing more to read")
        if start > 0 { bytes.removeSubrange(..<start) }
        end -= start
        digested = max(0, digested - start)
        start = 0
        let count = try readBlock()
        bytesRead += count
        guard bytesRead <= Self.maxBytes else { throw error(Self.tooLarge) }
        isAtEnd = count == 0
        try check(count)
    }

    private mutating func digestRest() {
        let text = bytes
        digest.update(text.span.extracting(digested...))
        digested = text.count
    }

    /// Replaces bytes by their unescaped text, which is not longer.
    package mutating func rewrite(
        _ range: Range<Int>, as text: some Collection<UInt8>
    ) -> Range<Int> {
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
        start = ByteOrderMark.utf8Length(bytes)
        while !bytes[start..<end].contains(where: { $0 > 32 }) {
            guard !isAtEnd, bytes.count < Self.maxBlankBytes else {
                throw error("the file holds nothing but blanks")
            }
            try refill()
        }
    }

    /// Appends the next block to `bytes` and returns its length.
    private mutating func readBlock() throws(DocumentError) -> Int {
        switch source {
        case .bytes(let rest):
            source = .bytes(rest.dropFirst(Self.blockBytes))
            bytes += rest.prefix(Self.blockBytes)
            return min(rest.count, Self.blockBytes)
        case .file(let file):
            let count: Int
            do {
                count = try file.append(Self.blockBytes, to: &bytes)
            } catch {
                throw refusal(error)
            }
            guard bytesRead == 0, Unpacking.isGzip(bytes) else { return count }
            source = .bytes(try unpacked(bytes, then: file)[...])
            bytes = []
            return try readBlock()
        }
    }

    private func refusal(_ error: LocalFileError) -> DocumentError {
        DocumentError(DocumentProblem("", error.message), in: path, kind: .io)
    }

    /// The content of a gzip file, of which the first bytes have been read.
    private func unpacked(
        _ head: [UInt8], then file: LocalFile
    ) throws(DocumentError) -> [UInt8] {
        let packed: [UInt8]
        do {
            packed = head + (try file.readToEnd(maxBytes: Self.maxBytes))
        } catch {
            throw refusal(error)
        }
        do throws(Unpacking.Failure) {
            return try Unpacking.gzip(packed, maxBytes: Self.maxBytes)
        } catch {
            let problem =
                switch error {
                case .tooMuch: "compressed with gzip: \(Self.tooLarge)"
                case .cutShort: "compressed with gzip and cut short; download it again"
                case .damaged(let what, let byte):
                    "compressed with gzip and damaged at byte \(byte) (\(what)); download it again"
                }
            throw self.error(problem)
        }
    }

    /// Checks the newest block and moves `end` after the last complete character.
    private mutating func check(_ count: Int) throws(DocumentError) {
        let block = bytes.suffix(count)
        if bytesRead == block.count, ByteOrderMark.isUTF16(block) {
            throw error(ByteOrderMark.utf16Problem)
        }
        // One pass without branches, which the compiler vectorises.
        var zeros: UInt8 = 0
        var all: UInt8 = 0
        for byte in block {
            zeros |= byte == 0 ? 1 : 0
            all |= byte
        }
        if zeros > 0, let index = block.firstIndex(of: 0) {
            if bytesRead == bytes.count, block.starts(with: Array("SQLite format 3".utf8)) {
                throw error(
                    "not a text file but a database; a history store goes with --store or --records"
                )
            }
            throw error("not a text file: a zero byte at offset \(bytesRead - bytes.count + index)")
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

    /// The number of bytes at the end that are part of an incomplete character, 0...3.
    private func incompleteTail() -> Int {
        for (index, byte) in bytes.suffix(3).reversed().enumerated() {
            let back = index + 1
            if byte & 0xc0 == 0x80 { continue }
            let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }

    private static let tooLarge = "larger than 1 GiB; split the file"

    private static func refusal(_ error: LocalFileError, of url: URL) -> DocumentError {
        let path = error == .notLocal ? printable(url.absoluteString) : url.relativePath
        let (message, kind): (String, FailureKind) =
            switch error {
            case .missing, .silent: (error.message, .missing)
            case .tooLarge: (tooLarge, .data)
            default: (error.message, .io)
            }
        return DocumentError(DocumentProblem("", message), in: path, kind: kind)
    }

    package func error(_ problem: String, at location: String = "") -> DocumentError {
        DocumentError(DocumentProblem(location, problem), in: path)
    }
}

/// Complete lines removed from a text.
package struct TextPart {
    /// The lines, after bytes that were consumed before.
    package var bytes: [UInt8]
    /// The index at which the lines start.
    package let start: Int
    /// The number of bytes that were digested before.
    package let digested: Int
}

/// The bytes of an input file, checked to be UTF-8 text.
public struct InputFile: Sendable {
    /// Where it came from.
    public let path: String
    /// The text without a byte order mark.
    package let bytes: [UInt8]

    /// Reads a file.
    ///
    /// - Throws: ``DocumentError`` if it is missing, unreadable, empty, too large or not UTF-8.
    public init(_ url: URL) throws(DocumentError) {
        try self.init(try TextWindow(url))
    }

    /// - Parameter name: The document's name in messages.
    /// - Throws: ``DocumentError`` if it is empty, too large or not UTF-8.
    package init(_ data: Data, name: String) throws(DocumentError) {
        try self.init(try TextWindow(Array(data), path: name))
    }

    private init(_ text: TextWindow) throws(DocumentError) {
        var window = text
        while !window.isAtEnd { try window.refill() }
        path = window.path
        bytes = Array(window.bytes[window.start..<window.end])
    }

    /// - Throws: ``DocumentError`` with the problem that the reader throws.
    package func content<Content>(
        _ read: (Data) throws(DocumentProblem) -> Content
    ) throws(DocumentError) -> Content {
        do {
            return try read(Data(bytes))
        } catch {
            throw DocumentError(error, in: path)
        }
    }
}

package enum ByteOrderMark {
    package static let utf16Problem =
        "the file is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 IN > OUT"

    package static func isUTF16(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
    }

    /// 3 if the text starts with the mark of UTF-8, else 0.
    package static func utf8Length(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }
}
