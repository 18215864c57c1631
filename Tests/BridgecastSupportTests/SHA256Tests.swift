// SHA-256 against the examples of NIST and against itself in pieces.
import BridgecastSupport
import BridgecastCore
import BridgecastTestSupport
import Testing

@Suite struct SHA256Tests {
    /// FIPS 180-4's examples, and the empty message and 32-byte message of NIST's CAVP short-message tests.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ]) func examplesOfTheStandardComeOut(_ example: (String, String)) {
        #expect(hexadecimal(SHA256.hash(example.0.utf8)) == example.1)
    }

    @Test func aMillionLettersComeOut() {
        let found = SHA256.hash(repeatElement(UInt8(ascii: "a"), count: 1_000_000))
        #expect(
            hexadecimal(found)
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func piecesOfAnyLengthGiveTheDigestOfTheWhole() {
        var random = SeededGenerator(seed: 11)
        let bytes = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        for longest in [1, 3, 63, 64, 65, 1_000] {
            var digest = SHA256()
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...longest, using: &random))
                unsafe piece.withUnsafeBytes { unsafe digest.update($0) }
                rest = rest.dropFirst(piece.count)
            }
            #expect(digest.finish() == SHA256.hash(bytes), "pieces of up to \(longest)")
            #expect(digest.finish() == SHA256.hash([]), "a finished digest begins anew")
        }
    }

    /// RFC 4231, cases 2 and 6: a short key, and one that is longer than a block.
    @Test(arguments: [
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func authenticationCodesHaveTheirPublishedValues(
        key: [UInt8], text: String, expected: String
    ) {
        #expect(hexadecimal(SHA256.authenticationCode(of: text.utf8, key: key)) == expected)
    }
}
