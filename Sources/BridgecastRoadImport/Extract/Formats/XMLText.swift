// XML as far as map data need it: elements, attributes, text and the five named entities; used by OSMXMLReader.
//
// Foundation's parser stops the program at a name that is not UTF-8, reads files that are cut short to their end
// without a word and fails on a city's 27 MB.

/// A text in XML, read from its start to its end.
///
/// A document type is refused, so that no entity can be declared: they can make a small text endless, or name files.
struct XMLText {
    /// What was met.
    enum Part {
        case start
        case end
        case text(Range<Int>)
        case over
    }

    /// The byte that is read next.
    private(set) var position: Int

    private let bytes: [UInt8]
    private var texts = SharedTexts()
    /// The names of the elements that are open; the last is the one that started or ends.
    private var open: [Range<Int>] = []
    private var attributes: [(name: Range<Int>, value: Range<Int>)] = []
    /// What the next step does with the last open element, which had no content or ended.
    private var (endsAtOnce, isClosing, hasRoot) = (false, false, false)

    private static let mostDepth = 64

    /// A text, which may begin with a byte order mark.
    init(_ bytes: [UInt8]) throws(RoadExtractDefect) {
        self.bytes = bytes
        position = ExtractForm.startOfText(bytes)
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw RoadExtractDefect(.notUTF8, byte: error.byteOffsets.lowerBound)
        }
    }

    /// How many elements are open, with the one that started or ends.
    var depth: Int { open.count }

    /// The line that is read, from 1; O(n), for errors.
    var line: Int { 1 + bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") } }

    /// The name of the element that started or ends.
    mutating func name() throws(RoadExtractProblem) -> String {
        try texts.text(bytes[open.last ?? (0..<0)])
    }

    /// An attribute of the element that started; nil if it has none of that name.
    mutating func attribute(_ name: String) throws(RoadExtractProblem) -> String? {
        guard let found = attributes.first(where: { bytes[$0.name].elementsEqual(name.utf8) })
        else { return nil }
        return try decoded(found.value)
    }

    /// A stretch with its entities replaced by what they stand for.
    mutating func decoded(_ range: Range<Int>) throws(RoadExtractProblem) -> String {
        guard bytes[range].contains(UInt8(ascii: "&")) else { return try texts.text(bytes[range]) }
        var text: [UInt8] = []
        var rest = bytes[range]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                text.append(byte)
                continue
            }
            guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let character = XMLEntity.character(
                    named: String(decoding: rest[..<end], as: UTF8.self))
            else { throw .brokenXML("an entity that is not declared") }
            text += String(character).utf8
            rest = rest[(end + 1)...]
        }
        return try texts.text(text[...])
    }

    // MARK: Steps

    /// Moves to what comes next.
    mutating func next() throws(RoadExtractProblem) -> Part {
        if isClosing { open.removeLast() }
        isClosing = endsAtOnce
        endsAtOnce = false
        if isClosing { return .end }
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else { return .text(try text()) }
            if isHere("</") {
                try endTag()
                return .end
            } else if isHere("<!--") {
                try skip(to: "-->")
            } else if isHere("<![CDATA[") {
                let start = position + 9
                try skip(to: "]]>")
                return .text(start..<max(start, position - 3))
            } else if isHere("<?") {
                let start = position
                try skip(to: "?>")
                if let other = XMLDeclaration.otherEncoding(bytes[start..<position]) {
                    throw .encoding(other)
                }
            } else if isHere("<!") {
                // What ends here may have been about to become a comment.
                throw bytes.count - position < 9 ? .cutShort : .documentType
            } else {
                try startTag()
                return .start
            }
        }
        guard open.isEmpty, hasRoot else { throw .cutShort }
        return .over
    }

    private mutating func text() throws(RoadExtractProblem) -> Range<Int> {
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        guard !open.isEmpty || bytes[start..<position].allSatisfy(Self.isBlank) else {
            throw .brokenXML("text outside of the outermost element")
        }
        return start..<position
    }

    private mutating func startTag() throws(RoadExtractProblem) {
        guard !open.isEmpty || !hasRoot else { throw .brokenXML("something behind the end") }
        guard open.count < Self.mostDepth else { throw .brokenXML("elements nested too deep") }
        position += 1
        open.append(try word())
        hasRoot = true
        attributes.removeAll(keepingCapacity: true)
        while true {
            skipBlanks()
            switch try peek() {
            case UInt8(ascii: ">"):
                position += 1
                return
            case UInt8(ascii: "/"):
                position += 1
                guard try peek() == UInt8(ascii: ">") else { throw .brokenXML("a stray '/'") }
                position += 1
                endsAtOnce = true
                return
            default: attributes.append(try attribute())
            }
        }
    }

    private mutating func attribute() throws(RoadExtractProblem) -> (Range<Int>, Range<Int>) {
        let problem = RoadExtractProblem.brokenXML("an attribute without quotes around its value")
        let name = try word()
        skipBlanks()
        guard try peek() == UInt8(ascii: "=") else { throw problem }
        position += 1
        skipBlanks()
        let quote = try peek()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw problem }
        let start = position + 1
        guard
            let end = bytes[start...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "<") })
        else {
            position = bytes.count
            throw .cutShort
        }
        guard bytes[end] == quote else { throw problem }
        position = end + 1
        return (name, start..<end)
    }

    private mutating func endTag() throws(RoadExtractProblem) {
        position += 2
        let name = try word()
        skipBlanks()
        guard try peek() == UInt8(ascii: ">"), let last = open.last, bytes[name] == bytes[last]
        else { throw .brokenXML("an end tag without its start tag") }
        position += 1
        isClosing = true
    }

    /// The name that stands here.
    private mutating func word() throws(RoadExtractProblem) -> Range<Int> {
        let start = position
        while !Self.isBlank(try peek()), !"/>=<\"'".utf8.contains(bytes[position]) { position += 1 }
        guard position > start else { throw .brokenXML("a name is missing") }
        return start..<position
    }

    // MARK: Bytes

    private func peek() throws(RoadExtractProblem) -> UInt8 {
        guard position < bytes.count else { throw .cutShort }
        return bytes[position]
    }

    private func isHere(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

    private mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    private mutating func skip(to mark: String) throws(RoadExtractProblem) {
        while let next = bytes[position...].firstIndex(where: { $0 == mark.utf8.first }) {
            position = next
            if isHere(mark) {
                position += mark.utf8.count
                return
            }
            position += 1
        }
        position = bytes.count
        throw .cutShort
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 32 || byte == 10 || byte == 13 || byte == 9
    }
}
