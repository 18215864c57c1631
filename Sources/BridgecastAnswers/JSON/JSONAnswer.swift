// What can be written as JSON: every document that a command or the service answers with.
// Belongs here: how documents become JSON; not: the documents.

/// A document with one form in JSON, whoever asks for it.
package protocol JSONAnswer {
    /// Writes the document as one value.
    func write(to json: inout JSONWriter)
}

extension JSONAnswer {
    /// The document as bytes, on one line.
    ///
    /// - Parameter capacity: Bytes to make room for.
    package func jsonBytes(capacity: Int = 1024) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        write(to: &json)
        return json.bytes
    }

    /// The document as text on one line.
    package func jsonLine() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

    /// The document as text with an indentation, for people.
    package func jsonText() -> String {
        var json = JSONWriter(isIndented: true)
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
