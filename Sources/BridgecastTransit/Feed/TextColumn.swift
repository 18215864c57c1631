// Many short texts in one piece of memory: a feed has a million of them, and each String would cost forty bytes.

/// A column of texts.
package struct TextColumn: Sendable, Equatable {
    /// All texts, one behind another, UTF-8.
    package private(set) var bytes: [UInt8]
    /// Where each ends.
    package private(set) var ends: [UInt32]

    /// No texts.
    package init() { (bytes, ends) = ([], []) }

    /// A column from its parts, as the cache has them; nil if they do not fit together.
    package init?(bytes: [UInt8], ends: [UInt32]) {
        var before: UInt32 = 0
        for end in ends {
            guard end >= before, Int(end) <= bytes.count else { return nil }
            before = end
        }
        guard Int(before) == bytes.count else { return nil }
        (self.bytes, self.ends) = (bytes, ends)
    }

    /// How many texts there are.
    package var count: Int { ends.count }

    /// Where a text lies in ``bytes``.
    package func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    /// A text.
    package subscript(index: Int) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }

    /// Whether a text has no characters.
    package func isEmpty(_ index: Int) -> Bool { range(index).isEmpty }

    /// Appends a text.
    package mutating func append(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
    }

    /// Appends a text of a span.
    package mutating func append(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        ends.append(UInt32(bytes.count))
    }
}
