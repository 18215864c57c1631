// Writes JSON (RFC 8259) front to back into bytes; behind every document of a command or the service.
//
// A document of the service is written in a microsecond or two, where Foundation's encoder takes fifty.

/// JSON as it is written.
///
/// Values are appended in order; the caller's calls nest as the objects do, so what comes out is always whole.
package struct JSONWriter: ~Copyable {
    /// What has been written.
    package internal(set) var bytes: [UInt8] = []
    let isIndented: Bool
    private var depth = 0
    /// Whether nothing stands yet in the object or list that is open.
    var isFirst = true
    /// Whether a name has just been written, whose value comes now.
    var isAfterName = false
    /// The hour of the moment that was written last.
    var hourText = HourText()

    /// Creates an empty text.
    ///
    /// - Parameters:
    ///   - isIndented: Each field on a line of its own, for people.
    ///   - capacity: Bytes to make room for.
    package init(isIndented: Bool = false, capacity: Int = 1024) {
        self.isIndented = isIndented
        bytes.reserveCapacity(capacity)
    }

    /// Empties the text and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        (depth, isFirst, isAfterName) = (0, true, false)
    }

    // MARK: Objects and lists

    /// Writes an object as a value.
    @inline(__always)
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separateValue()
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes a field that is an object.
    @inline(__always)
    package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        key(name)
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes a field that is a list, an element at a time.
    @inline(__always)
    package mutating func list<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements,
        _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        key(name)
        open(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        close(UInt8(ascii: "]"))
    }

    /// Writes a list as a value, an element at a time.
    @inline(__always)
    package mutating func value<Elements: Sequence>(
        listing elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        separateValue()
        open(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        close(UInt8(ascii: "]"))
    }

    /// Writes a field that is a list of documents.
    package mutating func list(_ name: StaticString, _ documents: [some JSONAnswer]) {
        list(name, documents) { $1.write(to: &$0) }
    }

    /// Writes a field that is a list of texts.
    package mutating func list(_ name: StaticString, _ texts: [String]) {
        list(name, texts) { $0.value($1) }
    }

    /// Writes a field that is a list of numbers, rounded to so many decimals.
    package mutating func list(
        _ name: StaticString, _ numbers: some Sequence<Double>, decimals: Int
    ) {
        key(name)
        append(numbers, decimals)
    }

    // MARK: Text

    @inline(__always)
    private mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        depth += 1
        isFirst = true
    }

    @inline(__always)
    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        if !isFirst { newLine() }
        bytes.append(bracket)
        isFirst = false
    }

    @inline(__always)
    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        // Safe: a static string's bytes live as long as the program.
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(UInt8(ascii: " ")) }
    }

    @inline(__always)
    mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        newLine()
    }

    /// The outermost value stands on the first line.
    @inline(__always)
    mutating func separateValue() {
        if depth > 0, !isAfterName { separate() }
        (isFirst, isAfterName) = (false, false)
    }

    @inline(__always)
    private mutating func newLine() {
        guard isIndented, depth > 0 || !bytes.isEmpty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    mutating func appendNull() { append("null") }

    mutating func append(_ word: StaticString) {
        // Safe: a static string's bytes live as long as the program.
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}
