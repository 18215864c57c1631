// The outermost structure of Protocol Buffers: where each field lies; tells where a message is damaged.
// Belongs here: GTFS-realtime as Protocol Buffers into values and back; not: its other spellings (Spellings).

/// The fields of a message in turn (protobuf.dev, Encoding).
///
/// - Complexity: O(1) a field: what a field holds is passed over.
struct WireFields {
    /// A field of a message.
    struct Field {
        /// Its number in the message's description.
        let number: Int
        /// Where its tag begins.
        let start: Int
        /// The bytes behind its length; empty for numbers.
        let content: Range<Int>
        /// The number, for a varint.
        let varint: UInt64?
        /// Whether it has a length: texts and messages.
        var hasLength: Bool { varint == nil && !isFixed }
        fileprivate let isFixed: Bool
    }

    /// Bytes that no message has.
    struct Damage: Error {
        /// Where, from 0.
        let byte: Int
        /// What is wrong there.
        let problem: String
    }

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int

    /// The fields of a message that fills a part of the bytes.
    init(_ bytes: [UInt8], in part: Range<Int>? = nil) {
        self.bytes = bytes
        (position, end) = (part?.lowerBound ?? 0, min(part?.upperBound ?? bytes.count, bytes.count))
    }

    /// The next field; nil at the end.
    mutating func next() throws(Damage) -> Field? {
        guard position < end else { return nil }
        let start = position
        let tag = try varint()
        let number = Int(truncatingIfNeeded: tag >> 3)
        guard number >= 1, tag >> 3 < 1 << 29 else {
            throw Damage(byte: start, problem: "no field has the number \(tag >> 3)")
        }
        switch tag & 7 {
        case 0: return field(number, start, position..<position, try varint())
        case 1: return field(number, start, try content(8, start), isFixed: true)
        case 5: return field(number, start, try content(4, start), isFixed: true)
        case 2: return field(number, start, try content(varint(), start))
        default:
            throw Damage(byte: start, problem: "field \(number) is of a kind that is not used")
        }
    }

    private func field(
        _ number: Int, _ start: Int, _ content: Range<Int>, _ varint: UInt64? = nil,
        isFixed: Bool = false
    ) -> Field {
        Field(number: number, start: start, content: content, varint: varint, isFixed: isFixed)
    }

    /// The bytes of a field's content, passed over.
    private mutating func content(_ length: UInt64, _ start: Int) throws(Damage) -> Range<Int> {
        guard length <= UInt64(end - position) else {
            throw Damage(
                byte: start, problem: "\(length) bytes are announced and \(end - position) follow")
        }
        let from = position
        position += Int(length)
        return from..<position
    }

    private mutating func varint() throws(Damage) -> UInt64 {
        let start = position
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard position < end else {
                throw Damage(byte: start, problem: "a number is cut short")
            }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return number }
        }
        throw Damage(byte: start, problem: "a number has more than 10 bytes")
    }
}
