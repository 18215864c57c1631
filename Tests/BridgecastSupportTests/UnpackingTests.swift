// Unpacking within a bound.
import BridgecastSupport
import Foundation
import Testing

@Suite struct UnpackingTests {
    /// `count` bytes of zeros in one stored block of zlib's format (RFC 1950 and 1951).
    private func stored(_ count: Int) -> [UInt8] {
        let length = [UInt8(count & 0xFF), UInt8(count >> 8)]
        // Of zeros Adler-32 is the count in its upper and 1 in its lower half.
        let sum = UInt32(count) << 16 | 1
        return [0x78, 0x01, 0x01] + length + length.map { ~$0 }
            + [UInt8](repeating: 0, count: count)
            + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
    }

    @Test(arguments: [1, 999, 1_000, 4_096, 65_000])
    func contentUpToTheBoundIsUnpacked(_ count: Int) throws {
        let packed = stored(count)
        #expect(try Unpacking.zlib(packed, maxBytes: count).count == count)
        #expect(throws: Unpacking.Failure.self) {
            try Unpacking.zlib(packed, maxBytes: count - 1)
        }
    }
}
