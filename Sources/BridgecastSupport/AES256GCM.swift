// Authenticated encryption with AES-256-GCM, random keys, and keys that are derived from a key with HKDF.
private import CNettle

/// AES with keys of 256 bits in Galois/counter mode (NIST SP 800-38D); nonces have 12 bytes, tags 16.
///
/// A nonce must never be used twice with a key.
package struct AES256GCM {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    private var context = gcm_aes256_ctx()

    /// - Precondition: The key and the nonce have their lengths.
    private init(key: [UInt8], nonce: [UInt8], authenticating associated: [UInt8]) {
        precondition(key.count == Self.keyByteCount, "the key has 32 bytes")
        precondition(nonce.count == Self.nonceByteCount, "the nonce has 12 bytes")
        unsafe nettle_gcm_aes256_set_key(&context, key)
        unsafe nettle_gcm_aes256_set_iv(&context, nonce.count, nonce)
        unsafe nettle_gcm_aes256_update(&context, associated.count, associated)
    }

    /// The ciphertext, as long as the plaintext, and the tag after it.
    ///
    /// - Parameter associated: Bytes that are not encrypted, but have to be the same for decryption.
    /// - Precondition: The key has 32 bytes, the nonce 12.
    /// - Complexity: O(n), about a nanosecond a byte at worst.
    package static func encrypt(
        _ plaintext: UnsafeRawBufferPointer, key: [UInt8], nonce: [UInt8],
        authenticating associated: [UInt8]
    ) -> [UInt8] {
        var cipher = AES256GCM(key: key, nonce: nonce, authenticating: associated)
        let count = plaintext.count
        return unsafe [UInt8](unsafeUninitializedCapacity: count + tagByteCount) { bytes, filled in
            // Safe: the buffer has room for the ciphertext and the tag.
            if let source = plaintext.baseAddress, let target = bytes.baseAddress {
                unsafe nettle_gcm_aes256_encrypt(
                    &cipher.context, count, target,
                    source.assumingMemoryBound(to: UInt8.self))
                unsafe nettle_gcm_aes256_digest(&cipher.context, tagByteCount, target + count)
            }
            filled = unsafe plaintext.baseAddress == nil ? 0 : count + tagByteCount
        }
    }

    /// The plaintext of a ciphertext with its tag; nil if either, the key, the nonce or the associated bytes are not those
    /// of the encryption.
    ///
    /// - Precondition: As of ``encrypt(_:key:nonce:authenticating:)``.
    package static func decrypt(
        _ sealed: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8],
        authenticating associated: [UInt8]
    ) -> [UInt8]? {
        guard sealed.count > tagByteCount else { return nil }
        var cipher = AES256GCM(key: key, nonce: nonce, authenticating: associated)
        let count = sealed.count - tagByteCount
        let plaintext = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            // Safe: as many bytes are read and written as there are.
            unsafe sealed.withUnsafeBufferPointer { source in
                if let source = source.baseAddress, let target = bytes.baseAddress {
                    unsafe nettle_gcm_aes256_decrypt(&cipher.context, count, target, source)
                }
            }
            filled = count
        }
        let tag = unsafe [UInt8](unsafeUninitializedCapacity: tagByteCount) { bytes, filled in
            unsafe nettle_gcm_aes256_digest(&cipher.context, tagByteCount, bytes.baseAddress)
            filled = tagByteCount
        }
        // All bytes are compared, so that the time says nothing of how many are right.
        let difference = zip(tag, sealed.suffix(tagByteCount)).reduce(UInt8(0)) {
            $0 | ($1.0 ^ $1.1)
        }
        return difference == 0 ? plaintext : nil
    }
}

extension SHA256 {
    /// Bytes that are derived from a key with HKDF-SHA256 (RFC 5869).
    ///
    /// - Parameters:
    ///   - salt: Random bytes, or none.
    ///   - info: What the bytes are for.
    ///   - count: How many, at most 255 times 32.
    package static func derivedKey(
        from key: [UInt8], salt: [UInt8], info: String, count: Int
    ) -> [UInt8] {
        precondition((0...255 * byteCount).contains(count), "HKDF gives no more bytes")
        let extracted = authenticationCode(of: key, key: salt)
        var derived: [UInt8] = []
        var block: [UInt8] = []
        var number: UInt8 = 1
        while derived.count < count {
            block = authenticationCode(of: block + Array(info.utf8) + [number], key: extracted)
            derived += block
            number &+= 1
        }
        return Array(derived.prefix(count))
    }
}

/// Bytes that cannot be guessed.
package func randomBytes(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
}
