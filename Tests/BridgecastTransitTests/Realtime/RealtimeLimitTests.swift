// Realtime feeds that would fill the memory are refused, whichever way they try.
import BridgecastCore
import BridgecastTransit
import Testing

@Suite struct RealtimeLimitTests {
    private func refusal(_ bytes: [UInt8]) -> String {
        do {
            _ = try RealtimeFeed.read(bytes)
            return "read"
        } catch { return "\(error)" }
    }

    private static let header: [UInt8] = [0x0A, 0x05, 0x0A, 0x03, 0x32, 0x2E, 0x30]

    /// A field with a length.
    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        var (bytes, length) = ([number << 3 | 2], content.count)
        repeat {
            bytes.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return bytes + content
    }

    private static func repeated(_ bytes: [UInt8], _ times: Int) -> [UInt8] {
        Array(repeatElement(bytes, count: times).joined())
    }

    @Test func tooManyEntities() {
        let bytes = Self.header + Self.repeated([0x12, 0x00], 250_001)
        #expect(refusal(bytes).contains("more than 250000 entities"))
        #expect(refusal(Self.repeated([0x0A, 0x00], 17)).contains("more than 16 headers"))
        // What follows is not looked at any more, be it damaged.
        #expect(refusal(bytes + [0x00]).contains("more than 250000 entities"))
    }

    @Test func anEntityOfMoreThanAMegabyteIsLeftOutAndTheRestIsRead() throws {
        let stops = Self.repeated([0x12, 0x00], 600_000)
        let large = Self.field(2, [0x0A, 0x01, 0x61] + Self.field(3, stops))
        let reading = try RealtimeFeed.read(Self.header + large + [0x12, 0x03, 0x0A, 0x01, 0x62])
        #expect(reading.feed.entities.map(\.id) == ["b"])
        #expect(reading.notices.counts.contains { $0.code == "entity_too_large" })
    }

    @Test func tooManyStopsOfAllTripsTogether() {
        let trip = Self.field(3, Self.repeated([0x12, 0x00], 300_000))
        let entity = Self.field(2, [0x0A, 0x01, 0x61] + trip)
        #expect(refusal(Self.header + Self.repeated(entity, 4)).contains("more than 1000000 stops"))
    }

    @Test func messagesInEachOtherWithoutEnd() {
        // What is not known is passed over, and what is known does not nest as deep: a group in a group in ...
        let groups = [UInt8](repeating: 0x1B, count: 100_000)
        #expect(refusal(Self.header + groups) != "read")
        #expect(refusal(Self.header + Self.field(2, groups)) != "read")
    }

    @Test func jsonThatIsTooDeepOrTooMuch() {
        let deep = "{\"entity\":" + String(repeating: "[", count: 100_000)
        #expect(refusal(Array(deep.utf8)).contains("nest more than 32 deep"))
        let wide = Array("{\"entity\":[".utf8) + Self.repeated(Array("0,".utf8), 4_000_001)
        #expect(refusal(wide).contains("more than 4000000 values"))
    }

    @Test func aSmallPackedFileThatUnpacksToMuch() {
        let packed = Self.zeros(megabytes: 65)
        #expect(packed.count < 1 << 20)
        #expect(refusal(packed).contains("gzip of more than 64 MiB"))
    }

    /// gzip of zeros: one, then again and again the 258 before (RFC 1951, fixed codes).
    private static func zeros(megabytes: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var (word, bits) = (UInt64(0), 0)
        func put(_ value: UInt64, _ count: Int) {
            word |= value << UInt64(bits)
            bits += count
            while bits >= 8 {
                bytes.append(UInt8(word & 0xFF))
                (word, bits) = (word >> 8, bits - 8)
            }
        }
        // Last block, fixed codes; literal 0 is 00110000, most significant bit first.
        put(0b011, 3)
        put(0b0000_1100, 8)
        // Length 258 is code 285, 11000101; distance 1 is code 0 of five bits.
        for _ in 0..<(megabytes << 20) / 258 { put(0b1010_0011, 13) }
        return bytes
    }
}
