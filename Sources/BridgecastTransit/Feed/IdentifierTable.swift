// Columns of texts and identifiers, found by their bytes: stop times name their trips and stops five million times.
internal import BridgecastSupport

/// A column of unique texts with a hash table of their rows.
package struct IdentifierTable: Sendable, Equatable {
    /// The identifiers in order of their rows.
    package private(set) var texts = TextColumn()
    /// Rows by hash, ``FeedIndex/none`` where free; the length is a power of two, above twice the rows.
    private var slots: [Int32] = [Int32](repeating: -1, count: 16)

    package init() {}

    /// A table of existing texts; nil if two are equal.
    package init?(_ texts: TextColumn) {
        self.texts = texts
        guard rehash(capacity: texts.count) else { return nil }
    }

    package var count: Int { texts.count }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.texts == rhs.texts }

    package subscript(row: Int) -> String { texts[row] }

    package func position(of id: String) -> Int? {
        var id = id
        return id.withUTF8 { bytes in unsafe position(of: bytes.span) }
    }

    /// The row of an identifier by its bytes; O(1).
    package func position(of id: Span<UInt8>) -> Int? {
        let mask = slots.count - 1
        var slot = Self.hash(id) & mask
        while slots[slot] >= 0 {
            if holds(id, at: Int(slots[slot])) { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Appends an identifier and returns its row; nil if the table has it already.
    package mutating func append(_ id: Span<UInt8>) -> Int? {
        if 2 * (count + 1) >= slots.count { rehash(capacity: 2 * count + 8) }
        guard let slot = freeSlot(id) else { return nil }
        slots[slot] = Int32(count)
        texts.append(id)
        return count - 1
    }

    /// Makes room for some rows and enters the present ones anew; false if two of them are equal.
    @discardableResult private mutating func rehash(capacity rows: Int) -> Bool {
        var length = 16
        while length <= 2 * rows { length *= 2 }
        slots = [Int32](repeating: -1, count: length)
        for row in 0..<count {
            guard let slot = freeSlot(texts.bytes.span.extracting(texts.range(row))) else {
                return false
            }
            slots[slot] = Int32(row)
        }
        return true
    }

    /// The slot for a new identifier; nil if the table has it already.
    private func freeSlot(_ id: Span<UInt8>) -> Int? {
        let mask = slots.count - 1
        var slot = Self.hash(id) & mask
        while slots[slot] >= 0 {
            if holds(id, at: Int(slots[slot])) { return nil }
            slot = (slot + 1) & mask
        }
        return slot
    }

    package func holds(_ id: Span<UInt8>, at row: Int) -> Bool {
        let range = texts.range(row)
        guard range.count == id.count else { return false }
        let bytes = texts.bytes.span
        var index = 0
        while index + 8 <= id.count {
            guard bytes.word(at: range.lowerBound + index) == id.word(at: index) else {
                return false
            }
            index += 8
        }
        while index < id.count {
            guard bytes[range.lowerBound + index] == id[index] else { return false }
            index += 1
        }
        return true
    }

    /// Random in each process, so that no file can be crafted whose identifiers all collide.
    private static let seed = UInt64.random(in: 0 ... .max)

    /// Eight bytes a step, each folded by a 64 x 64 bit multiplication.
    private static func hash(_ id: Span<UInt8>) -> Int {
        var hash = folded(seed ^ UInt64(id.count))
        var index = 0
        while index + 8 <= id.count {
            hash = folded(hash ^ id.word(at: index))
            index += 8
        }
        var rest: UInt64 = 0
        while index < id.count {
            rest = rest << 8 | UInt64(id[index])
            index += 1
        }
        return Int(truncatingIfNeeded: folded(hash ^ rest) >> 1)
    }

    @inline(__always) private static func folded(_ word: UInt64) -> UInt64 {
        // The golden ratio's fraction, an odd number without pattern.
        let product = word.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }
}

/// A column of short texts in one array; each String would cost forty bytes.
package struct TextColumn: Sendable, Equatable {
    /// All texts, concatenated, UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// The end of each text in ``bytes``.
    package private(set) var ends: [UInt32] = []

    package init() {}

    package var count: Int { ends.count }

    /// The range of a text in ``bytes``.
    package func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    package subscript(index: Int) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }

    /// Whether a text is empty.
    package func isEmpty(_ index: Int) -> Bool { range(index).isEmpty }

    package mutating func append(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
    }

    package mutating func append(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        ends.append(UInt32(bytes.count))
    }
}
