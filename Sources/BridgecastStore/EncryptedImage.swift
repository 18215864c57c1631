// The format of an encrypted store: a header, and the image of an SQLite database, encrypted with AES-256-GCM.
import BridgecastSupport

/// The header of an encrypted store, 72 bytes; all numbers are little-endian.
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | `BCSEALED` |
/// | 8 | 4 | version, 1 |
/// | 12 | 4 | 1 if the store is bound to its file's name, else 0 |
/// | 16 | 16 | the key's id: HKDF-SHA256 of the key, without salt, info `bridgecast key id` |
/// | 32 | 32 | random salt, new with each image |
/// | 64 | 8 | length of the image |
///
/// The ciphertext, as long as the image, and a tag of 16 bytes are after it, and nothing else. Its key is the first 32 bytes
/// of HKDF-SHA256 of the key with the salt and info `bridgecast store 1`, its nonce the next 12. The associated data are the
/// header and, if bound, the last component of the file's name in UTF-8.
struct EncryptedImage: Equatable {
    let isBoundToName: Bool
    let keyID: [UInt8]
    let salt: [UInt8]
    let imageByteCount: Int

    static let byteCount = 72
    private static let magic = Array("BCSEALED".utf8)
    private static let version = 1
    private static let saltByteCount = 32
    /// As much as SQLite keeps in memory.
    static let maxImageBytes = 1 << 30
    static let maxFileBytes = maxImageBytes + byteCount + AES256GCM.tagByteCount

    /// Whether a file begins as an encrypted store does.
    static func isBegun(by bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: magic) }

    private init(isBoundToName: Bool, key: StoreKey, imageByteCount: Int) {
        self.isBoundToName = isBoundToName
        keyID = key.id
        salt = randomBytes(Self.saltByteCount)
        self.imageByteCount = imageByteCount
    }

    /// Reads a header.
    ///
    /// - Throws: ``StoreProblem`` if it is none, not whole, of a newer version or impossible.
    init(_ bytes: [UInt8]) throws(StoreProblem) {
        guard Self.isBegun(by: bytes) else { throw .foreign }
        guard bytes.count >= Self.byteCount else { throw .damaged("it is cut short") }
        let version = Self.number(bytes[8..<12])
        guard version <= Self.version else { throw .newer }
        let binding = Self.number(bytes[12..<16])
        let count = Self.number(bytes[64..<72])
        guard version == Self.version, binding <= 1, (1...UInt64(Self.maxImageBytes)) ~= count
        else { throw .damaged("its header is impossible") }
        isBoundToName = binding == 1
        keyID = Array(bytes[16..<32])
        salt = Array(bytes[32..<64])
        imageByteCount = Int(count)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private var bytes: [UInt8] {
        func number(_ value: Int, bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return Self.magic + number(Self.version, bytes: 4)
            + number(isBoundToName ? 1 : 0, bytes: 4) + keyID + salt
            + number(imageByteCount, bytes: 8)
    }

    private func associated(_ name: String) -> [UInt8] {
        isBoundToName ? bytes + Array(name.utf8) : bytes
    }

    /// The key and the nonce of this image alone.
    private func secrets(of key: StoreKey) -> (key: [UInt8], nonce: [UInt8]) {
        let count = AES256GCM.keyByteCount + AES256GCM.nonceByteCount
        let derived = SHA256.derivedKey(
            from: key.bytes, salt: salt, info: "bridgecast store 1", count: count)
        return (
            Array(derived.prefix(AES256GCM.keyByteCount)),
            Array(derived.suffix(AES256GCM.nonceByteCount))
        )
    }

    /// Encrypts an image.
    ///
    /// - Parameters:
    ///   - name: The last component of the file's name, if the store is to be bound to it.
    /// - Returns: The header and the bytes of the file.
    /// - Throws: ``StoreProblem`` if it is too large.
    static func encrypt(
        _ image: UnsafeRawBufferPointer, key: StoreKey, boundTo name: String?
    ) throws(StoreProblem) -> (header: EncryptedImage, file: [[UInt8]]) {
        guard image.count <= maxImageBytes else {
            throw .unwritable("an encrypted store has at most \(maxImageBytes >> 20) MiB")
        }
        let header = EncryptedImage(
            isBoundToName: name != nil, key: key, imageByteCount: image.count)
        let secrets = header.secrets(of: key)
        let ciphertext = unsafe AES256GCM.encrypt(
            image, key: secrets.key, nonce: secrets.nonce,
            authenticating: header.associated(name ?? ""))
        return (header, [header.bytes, ciphertext])
    }

    /// Decrypts a whole file.
    ///
    /// - Parameter name: The last component of the file's name.
    /// - Throws: ``StoreProblem`` if the key is another one, or if any bit of the file, or the name it is bound to, is not
    ///   what it was.
    static func decrypt(
        _ file: [UInt8], key: StoreKey, name: String
    ) throws(StoreProblem) -> (header: EncryptedImage, image: [UInt8]) {
        let header = try EncryptedImage(file)
        guard header.keyID == key.id else { throw .wrongKey }
        let expected = byteCount + header.imageByteCount + AES256GCM.tagByteCount
        guard file.count >= expected else { throw .damaged("it is cut short") }
        guard file.count == expected else { throw .damaged("something was added at its end") }
        let secrets = header.secrets(of: key)
        guard
            let image = AES256GCM.decrypt(
                file[byteCount...], key: secrets.key, nonce: secrets.nonce,
                authenticating: header.associated(name))
        else {
            throw .damaged(
                header.isBoundToName
                    ? "it was changed, or is not the file of this name" : "it was changed")
        }
        return (header, image)
    }
}
