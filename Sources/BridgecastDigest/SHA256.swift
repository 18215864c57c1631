// SHA-256 by Nettle, which uses the CPU's own instructions where it has them; model files and records are
// known by it (BridgecastEngine, BridgecastData).
private import CNettle

/// SHA-256 (FIPS 180-4), fed piece by piece.
package struct SHA256: Sendable {
    /// Bytes of a digest.
    package static let byteCount = 32

    private var context = sha256_ctx()

    /// Begins a digest of no bytes.
    package init() { unsafe nettle_sha256_init(&context) }

    /// Adds bytes.
    ///
    /// - Complexity: O(n), about a nanosecond a byte.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        unsafe nettle_sha256_update(
            &context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// Adds bytes.
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

    /// The digest of bytes in memory.
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
