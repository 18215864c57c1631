// AES-256-GCM and HKDF against published examples, and against changes of every bit.
import BridgecastSupport
import Testing

@Suite struct AES256GCMTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        var digits = hexadecimal[...]
        var bytes: [UInt8] = []
        while let byte = UInt8(digits.prefix(2), radix: 16) {
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        return bytes
    }

    private struct Example: Sendable {
        let key, nonce, plaintext, associated, ciphertext, tag: String
    }

    /// Test cases 14 and 16 of McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", 2005.
    private static let examples = [
        Example(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
            plaintext: String(repeating: "00", count: 16), associated: "",
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Example(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            associated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    private static func encrypt(_ example: Example) -> [UInt8] {
        unsafe bytes(example.plaintext).withUnsafeBytes { plaintext in
            unsafe AES256GCM.encrypt(
                plaintext, key: bytes(example.key), nonce: bytes(example.nonce),
                authenticating: bytes(example.associated))
        }
    }

    @Test func publishedExamplesComeOutAndBack() {
        for example in Self.examples {
            let sealed = Self.encrypt(example)
            #expect(hexadecimal(sealed) == example.ciphertext + example.tag)
            let opened = AES256GCM.decrypt(
                sealed[...], key: Self.bytes(example.key), nonce: Self.bytes(example.nonce),
                authenticating: Self.bytes(example.associated))
            #expect(opened.map(hexadecimal) == example.plaintext)
        }
    }

    @Test func noChangedBitOfCiphertextTagOrAssociatedBytesIsAccepted() {
        let example = Self.examples[1]
        let sealed = Self.encrypt(example)
        let associated = Self.bytes(example.associated)
        func isAccepted(_ sealed: [UInt8], _ associated: [UInt8]) -> Bool {
            AES256GCM.decrypt(
                sealed[...], key: Self.bytes(example.key), nonce: Self.bytes(example.nonce),
                authenticating: associated) != nil
        }
        for bit in 0..<8 {
            for index in sealed.indices {
                var changed = sealed
                changed[index] ^= 1 << bit
                #expect(!isAccepted(changed, associated))
            }
            for index in associated.indices {
                var changed = associated
                changed[index] ^= 1 << bit
                #expect(!isAccepted(sealed, changed))
            }
        }
        for count in 0..<sealed.count {
            #expect(!isAccepted(Array(sealed.prefix(count)), associated))
        }
    }

    /// RFC 5869, A.3.
    @Test func derivedKeysHaveTheirPublishedValue() {
        let derived = SHA256.derivedKey(
            from: [UInt8](repeating: 0x0b, count: 22), salt: [], info: "", count: 42)
        #expect(
            hexadecimal(derived)
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        )
    }
}
