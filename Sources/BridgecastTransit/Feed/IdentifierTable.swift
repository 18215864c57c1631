// Identifiers of a table, found by their bytes: a stop time names its trip and its stop, five million times.
internal import BridgecastData

/// A column of unique texts with a way to find them.
package struct IdentifierTable: Sendable, Equatable {
    /// The identifiers in order of their rows.
    package private(set) var texts = TextColumn()
    /// Rows by hash, ``FeedIndex/none`` where free; its length is a power of two, above twice the rows.
    private var slots: [Int32] = [Int32](repeating: -1, count: 16)

    package init() {}

    /// A table of identifiers, as the cache has them; nil if one is there twice.
    package init?(_ texts: TextColumn) {
        self.texts = texts
        grow(to: texts.count)
        for row in 0..<texts.count {
            guard let slot = freeSlot(texts.bytes.span.extracting(texts.range(row))) else {
                return nil
            }
            slots[slot] = Int32(row)
        }
    }

    package var count: Int { texts.count }

    /// Whether two tables hold the same identifiers in the same order, however they were made.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.texts == rhs.texts }

    /// The identifier of a row.
    package subscript(row: Int) -> String { texts[row] }

    /// The row of an identifier.
    package func position(of id: String) -> Int? {
        var id = id
        return id.withUTF8 { bytes in unsafe position(of: bytes.span) }
    }

    /// The row of an identifier by its bytes; O(1).
    package func position(of id: Span<UInt8>) -> Int? {
        let mask = slots.count - 1
        var slot = Self.hash(id) & mask
        while slots[slot] >= 0 {
            if matches(Int(slots[slot]), id) { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Whether an identifier, which lies in a text, is that of a row.
    package func holds(_ text: Span<UInt8>, _ range: Range<Int>, at row: Int) -> Bool {
        matches(row, text.extracting(range))
    }

    /// Appends an identifier; nil, and nothing is done, if it is there already.
    package mutating func append(_ id: Span<UInt8>) -> Int? {
        if 2 * (count + 1) >= slots.count {
            grow(to: 2 * count + 8)
            for row in 0..<count {
                if let slot = freeSlot(texts.bytes.span.extracting(texts.range(row))) {
                    slots[slot] = Int32(row)
                }
            }
        }
        guard let slot = freeSlot(id) else { return nil }
        slots[slot] = Int32(count)
        texts.append(id)
        return count - 1
    }

    private mutating func grow(to rows: Int) {
        var length = 16
        while length <= 2 * rows { length *= 2 }
        slots = [Int32](repeating: -1, count: length)
    }

    /// The slot that an identifier would take; nil if it has one.
    private func freeSlot(_ id: Span<UInt8>) -> Int? {
        let mask = slots.count - 1
        var slot = Self.hash(id) & mask
        while slots[slot] >= 0 {
            if matches(Int(slots[slot]), id) { return nil }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private func matches(_ row: Int, _ id: Span<UInt8>) -> Bool {
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

    /// Another one in each process, so that no file can be made whose identifiers all meet in one slot.
    private static let seed = UInt64.random(in: 0 ... .max)

    /// Eight bytes a step, each folded by a wide multiplication.
    private static func hash(_ id: Span<UInt8>) -> Int {
        var (hash, index) = (folded(seed ^ UInt64(id.count)), 0)
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

    @inline(__always)
    private static func folded(_ word: UInt64) -> UInt64 {
        // The golden ratio's fraction, an odd number without pattern.
        let product = word.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }
}
