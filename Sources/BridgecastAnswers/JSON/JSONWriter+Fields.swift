// What a JSONWriter is told: fields of objects and values of lists, of every kind that documents have.
package import BridgecastCore

extension JSONWriter {
    // MARK: Fields

    /// Writes a field that is a document.
    package mutating func field(_ name: StaticString, _ document: some JSONAnswer) {
        key(name)
        isAfterName = true
        document.write(to: &self)
        isFirst = false
    }

    /// Writes a field that is a text, or null.
    package mutating func field(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { append(quoted: text) } else { appendNull() }
    }

    /// Writes a field that is a whole number, or null.
    package mutating func field(_ name: StaticString, _ number: Int?) {
        key(name)
        if let number { append(Int64(number)) } else { appendNull() }
    }

    /// Writes a field that is a number rounded to so many decimals, 0 to 9, or null; so is one that is not finite.
    package mutating func field(_ name: StaticString, _ number: Double?, decimals: Int) {
        key(name)
        if let number { append(number, decimals) } else { appendNull() }
    }

    /// Writes a field that is true, false or null.
    package mutating func field(_ name: StaticString, _ flag: Bool?) {
        key(name)
        if let flag { append(flag ? "true" : "false") } else { appendNull() }
    }

    /// Writes a field that is a moment, RFC 3339 with Seattle's offset, or null.
    package mutating func field(_ name: StaticString, _ moment: Timestamp?) {
        key(name)
        if let moment { append(moment) } else { appendNull() }
    }

    /// Writes a field that is a period: its first moment and the first after it, or null.
    package mutating func field(_ name: StaticString, _ period: Range<Timestamp>?) {
        key(name)
        guard let period else { return appendNull() }
        isAfterName = true
        value(period)
    }

    /// Writes a field that is null.
    package mutating func null(_ name: StaticString) {
        key(name)
        appendNull()
    }

    /// Writes a field whose value is JSON already.
    package mutating func field(_ name: StaticString, json: some Sequence<UInt8>) {
        key(name)
        bytes.append(contentsOf: json)
    }

    /// Writes a field whose name is not known before.
    package mutating func field(named name: String, _ number: Double, decimals: Int) {
        key(named: name)
        append(number, decimals)
    }

    /// Writes a field that is a moment and whose name is not known before.
    package mutating func field(named name: String, _ moment: Timestamp) {
        key(named: name)
        append(moment)
    }

    /// Writes a field that is a text and whose name is not known before.
    package mutating func field(named name: String, _ text: String?) {
        key(named: name)
        if let text { append(quoted: text) } else { appendNull() }
    }

    private mutating func key(named name: String) {
        separate()
        append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(UInt8(ascii: " ")) }
    }

    // MARK: Values of lists

    /// Writes a text as a value.
    package mutating func value(_ text: String) {
        separateValue()
        append(quoted: text)
    }

    /// Writes a number as a value, rounded to so many decimals.
    package mutating func value(_ number: Double, decimals: Int) {
        separateValue()
        append(number, decimals)
    }

    /// Writes a whole number as a value.
    package mutating func value(_ number: Int) {
        separateValue()
        append(Int64(number))
    }

    /// Writes a period as a value: its first moment and the first after it.
    package mutating func value(_ period: Range<Timestamp>) {
        object { json in
            json.field("from", period.lowerBound)
            json.field("to", period.upperBound)
        }
    }

    /// Writes a list of numbers as a value, such as a position.
    package mutating func value(_ numbers: some Sequence<Double>, decimals: Int) {
        separateValue()
        append(numbers, decimals)
    }
}
