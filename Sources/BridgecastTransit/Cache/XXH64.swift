// A checksum that is faster than memory, for what nobody forges: cached feeds.

/// XXH64 with seed 0 (xxHash specification, "XXH64 Algorithm Description").
enum XXH64 {
    private static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
    private static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
    private static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
    private static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
    private static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

    /// The checksum of bytes; about ten bytes a nanosecond.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        var at = 0
        var hash: UInt64
        if count >= 32 {
            var (a, b) = (prime1 &+ prime2, prime2)
            var (c, d) = (UInt64(0), 0 &- prime1)
            while at + 32 <= count {
                a = round(a, unsafe word(bytes, at))
                b = round(b, unsafe word(bytes, at + 8))
                c = round(c, unsafe word(bytes, at + 16))
                d = round(d, unsafe word(bytes, at + 24))
                at += 32
            }
            hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
            for lane in [a, b, c, d] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
        } else {
            hash = prime5
        }
        hash &+= UInt64(count)
        while at + 8 <= count {
            hash = rotate(hash ^ round(0, unsafe word(bytes, at)), 27) &* prime1 &+ prime4
            at += 8
        }
        if at + 4 <= count {
            let half = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
            hash = rotate(hash ^ (UInt64(UInt32(littleEndian: half)) &* prime1), 23)
            hash = hash &* prime2 &+ prime3
            at += 4
        }
        while at < count {
            hash = rotate(hash ^ (UInt64(unsafe bytes[at]) &* prime5), 11) &* prime1
            at += 1
        }
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    /// The checksum of numbers as a file has them.
    static func hash(_ numbers: [UInt64]) -> UInt64 {
        unsafe numbers.map(\.littleEndian).withUnsafeBytes { unsafe hash($0) }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        // Within bounds: every caller has seen to eight bytes.
        unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
        word &<< bits | word &>> (64 &- bits)
    }
}
