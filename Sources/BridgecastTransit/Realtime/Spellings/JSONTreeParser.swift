// Bytes into a JSONTree (RFC 8259), with bounds on depth and on the number of values; numbers stay exact.
internal import BridgecastCore

extension JSONTree {
    /// Reads a text.
    ///
    /// - Throws: `DocumentProblem` with the line.
    static func parse(_ bytes: [UInt8]) throws(DocumentProblem) -> JSONTree {
        var parser = JSONTreeParser(bytes)
        return try parser.document()
    }
}

/// Reads JSON.
struct JSONTreeParser {
    /// Objects and lists in each other; feeds need 10.
    static let mostDepth = 32
    /// Values of a text, each of which takes memory.
    static let mostValues = 4_000_000

    private let bytes: [UInt8]
    private var position: Int
    private var values = 0

    /// A text, behind the byte order mark that it may have.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The whole text as one value.
    mutating func document() throws(DocumentProblem) -> JSONTree {
        let value = try value(0)
        guard peek() == nil else { throw problem("something stands behind the end of the JSON") }
        return value
    }

    private mutating func value(_ depth: Int) throws(DocumentProblem) -> JSONTree {
        values += 1
        guard values <= Self.mostValues else {
            throw problem("more than \(Self.mostValues) values")
        }
        guard depth <= Self.mostDepth else {
            throw problem("objects and lists nest more than \(Self.mostDepth) deep")
        }
        switch peek() {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try list(depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw problem("the JSON ends early")
        default: return try number()
        }
    }

    private mutating func object(_ depth: Int) throws(DocumentProblem) -> JSONTree {
        var members: [Member] = []
        position += 1
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            guard peek() == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
            let name = JSONTree.folded(try text())
            guard take(UInt8(ascii: ":")) else { throw problem("':' is missing") }
            members.append(Member(name: name, value: try value(depth + 1)))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw problem("',' or '}' is missing") }
        return .object(members)
    }

    private typealias Member = JSONTree.Member

    private mutating func list(_ depth: Int) throws(DocumentProblem) -> JSONTree {
        var elements: [JSONTree] = []
        position += 1
        if take(UInt8(ascii: "]")) { return .list(elements) }
        repeat { elements.append(try value(depth + 1)) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw problem("',' or ']' is missing") }
        return .list(elements)
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONTree
    ) throws(DocumentProblem) -> JSONTree {
        let letters = Array(word.description.utf8)
        guard bytes[position...].starts(with: letters) else { throw problem("no value of JSON") }
        position += letters.count
        return value
    }

    /// A text; bytes that are no UTF-8 become the sign for that.
    private mutating func text() throws(DocumentProblem) -> String {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] != UInt8(ascii: "\\") else { return try escapedText(start) }
            position += 1
        }
        guard position < bytes.count else { throw problem("a text has no end") }
        position += 1
        return String(decoding: bytes[start..<position - 1], as: UTF8.self)
    }

    private mutating func escapedText(_ start: Int) throws(DocumentProblem) -> String {
        var text = Array(bytes[start..<position])
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] == UInt8(ascii: "\\") else {
                text.append(bytes[position])
                position += 1
                continue
            }
            position += 1
            do throws(JSONEscape.Problem) {
                let character = try JSONEscape.character(of: bytes[...], at: &position)
                text.append(contentsOf: Character(character).utf8)
            } catch {
                throw problem("a backslash is followed by no escape of JSON")
            }
        }
        guard position < bytes.count else { throw problem("a text has no end") }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func number() throws(DocumentProblem) -> JSONTree {
        let start = position
        while position < bytes.count, Self.isOfNumber(bytes[position]) { position += 1 }
        guard position > start, position - start <= 64 else { throw problem("no value of JSON") }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let integer = Int64(text) { return .integer(integer) }
        guard let real = Double(text), real.isFinite else {
            throw problem("'\(printable(text))' is no number")
        }
        return .real(real)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The next byte that is no white space, not taken.
    private mutating func peek() -> UInt8? {
        while position < bytes.count, Self.isSpace(bytes[position]) {
            position += 1
        }
        return position < bytes.count ? bytes[position] : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private func problem(_ words: String) -> DocumentProblem {
        let line = bytes[..<min(position, bytes.count)].count { $0 == 0x0A } + 1
        return DocumentProblem("line \(line)", words)
    }
}
