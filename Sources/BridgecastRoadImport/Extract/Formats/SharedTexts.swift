// Texts that occur thousands of times, kept once: names of streets and of what they are made of; used by the readers.

/// Makes texts of bytes, the same one for the same bytes.
struct SharedTexts {
    private var texts: Set<String> = []
    /// A text up to this length lies in the value itself.
    private static let mostInValue = 15

    /// A text, checked to be UTF-8.
    mutating func text(_ bytes: ArraySlice<UInt8>) throws(RoadExtractProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return shared(text)
    }

    /// The one that is kept in place of a text.
    mutating func shared(_ text: String) -> String {
        text.utf8.count <= Self.mostInValue ? text : texts.insert(text).memberAfterInsert
    }
}
