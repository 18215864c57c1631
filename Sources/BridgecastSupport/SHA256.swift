private import CNettle

/// SHA-256 (FIPS 180-4), fed piece by piece.
package struct SHA256: Sendable {
    package static let byteCount = 32

    private var context = sha256_ctx()

    package init() { unsafe nettle_sha256_init(&context) }

    /// - Complexity: O(n), about a nanosecond a byte.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        unsafe nettle_sha256_update(
            &context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// The digest of all bytes added, 32 of them; begins anew.
    package mutating func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            unsafe nettle_sha256_digest(&context, Self.byteCount, digest.baseAddress)
            count = Self.byteCount
        }
    }

    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256()
        let added: Void? = bytes.withContiguousStorageIfAvailable {
            unsafe digest.update(UnsafeRawBufferPointer($0))
        }
        if added == nil {
            unsafe Array(bytes).withUnsafeBytes { unsafe digest.update($0) }
        }
        return digest.finish()
    }
}

/// Bytes as lower-case hexadecimal, as `sha256sum` prints them.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

extension SHA256 {
    private static let blockBytes = 64

    /// HMAC-SHA256 of a text with a secret key, 32 bytes (RFC 2104, with SHA-256 as in RFC 4868).
    package static func authenticationCode(
        of bytes: some Sequence<UInt8>, key: [UInt8]
    ) -> [UInt8] {
        var block = key.count > blockBytes ? hash(key) : key
        block += [UInt8](repeating: 0, count: blockBytes - block.count)
        let inner = hash(block.map { $0 ^ 0x36 } + Array(bytes))
        return hash(block.map { $0 ^ 0x5c } + inner)
    }
}
