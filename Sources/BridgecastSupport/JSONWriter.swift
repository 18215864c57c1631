// Writing JSON (RFC 8259): a microsecond or two, where Foundation's encoder takes fifty.

package protocol JSONAnswer {
    /// Writes the document as one value.
    func write(to json: inout JSONWriter)
}

/// A document whose JSON form is an object.
package protocol JSONObjectAnswer: JSONAnswer {
    /// Writes its fields into an open object.
    func writeFields(into json: inout JSONWriter)
}

extension JSONObjectAnswer {
    package func write(to json: inout JSONWriter) { json.object { writeFields(into: &$0) } }
}

extension JSONAnswer {
    /// - Parameter capacity: The number of bytes to reserve.
    package func jsonBytes(capacity: Int = 1024) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        write(to: &json)
        return json.bytes
    }

    package func jsonLine() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

    /// The document as text with an indentation, for people.
    package func jsonText() -> String {
        var json = JSONWriter(isIndented: true)
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// What the RFC 3339 texts of the times of one hour, or part of an hour, have in common.
package struct TimeTextParts {
    /// The period's number, counted from 1970-01-01T00:00:00Z.
    package let period: Int64
    /// Such as `"2026-02-20T17:`, with the quote of JSON.
    package let beginning: [UInt8]
    /// The minute of the hour at which the period begins.
    package let minute: Int
    /// Such as `-08:00"`, with the quote of JSON.
    package let end: [UInt8]

    package init(period: Int64, beginning: [UInt8], minute: Int = 0, end: [UInt8]) {
        self.period = period
        self.beginning = beginning
        self.minute = minute
        self.end = end
    }
}

/// A JSON text that grows at its end.
///
/// Calls nest as the objects do, so that the text is always complete.
package struct JSONWriter: ~Copyable {
    /// What has been written.
    package var bytes: [UInt8] = []
    package let isIndented: Bool
    private var depth = 0
    /// Whether the innermost open object or list is empty.
    package var isFirst = true
    /// Whether a name has just been written and its value is next.
    package var isAfterName = false
    /// The hour of the time written last; set by the extension that writes times.
    package var hourText = TimeTextParts(period: .min, beginning: [], end: [])

    /// - Parameters:
    ///   - isIndented: Whether each field is on a line of its own, for people.
    ///   - capacity: The number of bytes to reserve.
    package init(isIndented: Bool = false, capacity: Int = 1024) {
        self.isIndented = isIndented
        bytes.reserveCapacity(capacity)
    }

    /// Removes the text and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        isFirst = true
        isAfterName = false
    }

    // MARK: Objects and lists

    @inline(__always)
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separateValue()
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    @inline(__always)
    package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        key(name)
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes a field that is a list, one element at a time.
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

    /// Writes a field that is a list of objects, one for each element.
    @inline(__always)
    package mutating func list<Elements: Sequence>(
        _ name: StaticString, objects elements: Elements,
        _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        list(name, elements) { json, element in json.object { body(&$0, element) } }
    }

    /// Writes a list as a value, one element at a time.
    @inline(__always)
    package mutating func value<Elements: Sequence>(
        listing elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        separateValue()
        open(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        close(UInt8(ascii: "]"))
    }

    package mutating func list(_ name: StaticString, _ documents: [some JSONAnswer]) {
        list(name, documents) { $1.write(to: &$0) }
    }

    package mutating func list(_ name: StaticString, _ texts: [String]) {
        list(name, texts) { $0.value($1) }
    }

    /// Writes a field that is a list of numbers, rounded to `decimals` decimals.
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
    package mutating func key(_ name: StaticString) {
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
    package mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        newLine()
    }

    /// The outermost value starts on the first line.
    @inline(__always)
    package mutating func separateValue() {
        if depth > 0, !isAfterName { separate() }
        isFirst = false
        isAfterName = false
    }

    @inline(__always)
    private mutating func newLine() {
        guard isIndented, depth > 0 || !bytes.isEmpty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    /// Appends a time as text, with its quotes.
    ///
    /// - Parameter second: Seconds since the beginning of the period of `parts`, which ends within the same hour.
    package mutating func append(_ parts: TimeTextParts, second: Int) {
        bytes.append(contentsOf: parts.beginning)
        appendTwoDigits(parts.minute + second / 60)
        bytes.append(UInt8(ascii: ":"))
        appendTwoDigits(second % 60)
        bytes.append(contentsOf: parts.end)
    }

    private mutating func appendTwoDigits(_ number: Int) {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    package mutating func appendNull() { append("null") }

    package mutating func append(_ text: StaticString) {
        // Safe: a static string's bytes live as long as the program.
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    // MARK: Fields

    package mutating func field(_ name: StaticString, _ document: some JSONAnswer) {
        key(name)
        isAfterName = true
        document.write(to: &self)
        isFirst = false
    }

    package mutating func field(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { append(quoted: text) } else { appendNull() }
    }

    package mutating func field(_ name: StaticString, _ number: Int?) {
        key(name)
        if let number { append(Int64(number)) } else { appendNull() }
    }

    /// Writes a field that is a number rounded to `decimals` decimals, 0 to 9, or null; so is one that is not finite.
    package mutating func field(_ name: StaticString, _ number: Double?, decimals: Int) {
        key(name)
        if let number { append(number, decimals) } else { appendNull() }
    }

    package mutating func field(_ name: StaticString, _ flag: Bool?) {
        key(name)
        if let flag { append(flag ? "true" : "false") } else { appendNull() }
    }

    package mutating func null(_ name: StaticString) {
        key(name)
        appendNull()
    }

    /// Writes a field whose value is a document; null for none.
    package mutating func field(_ name: StaticString, document: (some JSONAnswer)?) {
        guard let document else { return null(name) }
        key(name)
        isAfterName = true
        document.write(to: &self)
    }

    /// Writes a field whose value is JSON already.
    package mutating func field(_ name: StaticString, json: some Sequence<UInt8>) {
        key(name)
        bytes.append(contentsOf: json)
    }

    /// Writes a field whose name is not known at compile time.
    package mutating func field(named name: String, _ number: Double, decimals: Int) {
        key(named: name)
        append(number, decimals)
    }

    /// Writes a field that is a text and whose name is not known at compile time.
    package mutating func field(named name: String, _ text: String?) {
        key(named: name)
        if let text { append(quoted: text) } else { appendNull() }
    }

    /// Writes a name in two parts.
    package mutating func key(_ name: StaticString, ending: StaticString) {
        separate()
        append("\"")
        append(name)
        append(ending)
        append(isIndented ? "\": " : "\":")
    }

    package mutating func key(named name: String) {
        separate()
        append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(UInt8(ascii: " ")) }
    }

    // MARK: Values of lists

    package mutating func value(_ text: String) {
        separateValue()
        append(quoted: text)
    }

    /// Writes a number as a value, rounded to `decimals` decimals.
    package mutating func value(_ number: Double, decimals: Int) {
        separateValue()
        append(number, decimals)
    }

    package mutating func value(_ number: Int) {
        separateValue()
        append(Int64(number))
    }

    /// Writes a list of numbers as a value, such as a position.
    package mutating func value(_ numbers: some Sequence<Double>, decimals: Int) {
        separateValue()
        append(numbers, decimals)
    }

    // MARK: Numbers and texts

    private static let powers: InlineArray<10, Double> = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
    ]
    /// Doubles beyond this do not hold all decimals.
    private static let maxScaled = 9e15

    package mutating func append(_ number: Int64) {
        append(digits: number.magnitude, places: 0, isNegative: number < 0)
    }

    /// Appends a number rounded to `decimals` decimals, without zeros at the end; null if it is not finite.
    package mutating func append(_ number: Double, _ decimals: Int) {
        let scaled = (number * Self.powers[decimals]).rounded()
        guard scaled.magnitude < Self.maxScaled else {
            // Its shortest text; null if it is not finite.
            bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
            return
        }
        var rest = UInt64(scaled.magnitude)
        var places = decimals
        while places > 0 {
            let (shorter, last) = rest.quotientAndRemainder(dividingBy: 10)
            guard last == 0 else { break }
            rest = shorter
            places -= 1
        }
        append(digits: rest, places: places, isNegative: scaled < 0)
    }

    /// Appends a number given without its decimal point, which is before the last `places` digits.
    private mutating func append(digits number: UInt64, places: Int, isNegative: Bool) {
        // At most 20 digits, a point and a sign; filled from the end.
        var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "0"))
        var rest = number
        var start = 24
        var written = 0
        repeat {
            if written == places, places > 0 {
                start -= 1
                text[start] = UInt8(ascii: ".")
            }
            let (shorter, last) = rest.quotientAndRemainder(dividingBy: 10)
            start -= 1
            text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: last)
            rest = shorter
            written += 1
        } while rest > 0 || written <= places
        if isNegative {
            start -= 1
            text[start] = UInt8(ascii: "-")
        }
        // Safe: the bytes are copied while the array that holds them lives.
        unsafe text.span.withUnsafeBufferPointer {
            unsafe bytes.append(contentsOf: $0[start...])
        }
    }

    /// Appends a list of numbers on one line, in an indented text too.
    package mutating func append(_ numbers: some Sequence<Double>, _ decimals: Int) {
        bytes.append(UInt8(ascii: "["))
        var separates = false
        for number in numbers {
            if separates { bytes.append(UInt8(ascii: ",")) }
            separates = true
            append(number, decimals)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Appends a text with its quotes; characters that are not printable are escaped.
    package mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            let isPlain = unsafe utf8.allSatisfy {
                $0 >= 32 && $0 < 127 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            if isPlain {
                unsafe bytes.append(contentsOf: utf8)
            } else {
                unsafe appendEscaped(String(decoding: utf8, as: UTF8.self))
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case _ where scalar.isPrintable:
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: for unit in String(scalar).utf16 { append(escaped: unit) }
            }
        }
    }

    private mutating func append(escaped unit: UInt16) {
        append("\\u")
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> shift) & 15
            bytes.append(digit < 10 ? 48 + digit : 87 + digit)
        }
    }
}
