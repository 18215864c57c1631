// The key by which a private store is encrypted, and the file that it is read from.
public import BridgecastSupport
public import Foundation
import Glibc

/// A key of 256 random bits by which private stores are encrypted.
///
/// It is kept in a file, as 64 hexadecimal digits and a line break, which its owner alone may read.
public struct StoreKey: Sendable, Equatable, CustomStringConvertible {
    /// 32 bytes.
    let bytes: [UInt8]
    /// 16 bytes that tell keys apart and say nothing of the key.
    let id: [UInt8]

    static let idByteCount = 16
    private static let maxFileBytes = 1024

    /// - Precondition: There are 32 bytes.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == AES256GCM.keyByteCount, "a key has 32 bytes")
        self.bytes = bytes
        id = SHA256.derivedKey(
            from: bytes, salt: [], info: "bridgecast key id", count: Self.idByteCount)
    }

    /// Names the key, without any of its bits.
    public var description: String { "key \(hexadecimal(id.prefix(4)))" }

    /// Reads a key.
    ///
    /// - Throws: ``StoreKeyError``, also if others than the owner may read the file.
    public init(contentsOf url: URL) throws(StoreKeyError) {
        let file: LocalFile
        let text: [UInt8]
        do {
            file = try LocalFile(url, maxBytes: Self.maxFileBytes)
            text = try file.readToEnd(maxBytes: Self.maxFileBytes)
        } catch {
            let problem: StoreKeyError.Problem =
                switch error.kind {
                case .missing: .missing
                case .data: .notAKey
                default: .unreadable(error.message)
                }
            throw StoreKeyError(path: url.path, problem: problem)
        }
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe fstat(file.descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw StoreKeyError(path: url.path, problem: .readableByOthers)
        }
        guard let bytes = Self.bytes(of: text) else {
            throw StoreKeyError(path: url.path, problem: .notAKey)
        }
        self.init(bytes)
    }

    /// The bytes of 64 hexadecimal digits, with blanks before or after them; nil for anything else.
    private static func bytes(of text: [UInt8]) -> [UInt8]? {
        let digits = String(decoding: text, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines).utf8.map { $0 }
        guard digits.count == 2 * AES256GCM.keyByteCount else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index -> UInt8? in
            guard digits[index..<index + 2].allSatisfy(isHexadecimal) else { return nil }
            return UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        return bytes.count == AES256GCM.keyByteCount ? bytes : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }

    /// Makes a random key and a file of it with mode 0600; an existing file is never replaced.
    ///
    /// - Throws: ``StoreKeyError``.
    @discardableResult
    public static func make(at url: URL) throws(StoreKeyError) -> StoreKey {
        let key = StoreKey(randomBytes(AES256GCM.keyByteCount))
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(url.path, flags, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw StoreKeyError(
                path: url.path,
                problem: code == EEXIST
                    ? .exists : .unwritable(LocalFileError.description(of: code)))
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data((hexadecimal(key.bytes) + "\n").utf8))
            try handle.synchronize()
        } catch {
            unsafe unlink(url.path)
            throw StoreKeyError(
                path: url.path, problem: .unwritable(error.localizedDescription))
        }
        return key
    }
}

/// Why a key could not be read or made.
public struct StoreKeyError: Failure, Equatable {
    /// What can be wrong with a key's file.
    public enum Problem: Sendable, Equatable {
        /// There is no such file.
        case missing
        /// It has no 64 hexadecimal digits.
        case notAKey
        /// Its mode lets others read it.
        case readableByOthers
        /// Reading is not possible, with the reason.
        case unreadable(String)
        /// There is a file where a new key was to be written.
        case exists
        /// Writing is not possible, with the reason.
        case unwritable(String)
    }

    /// The key's file.
    public let path: String
    /// What is wrong.
    public let problem: Problem

    /// Decides exit codes.
    public var kind: FailureKind {
        switch problem {
        case .missing: .missing
        case .notAKey, .readableByOthers: .data
        case .exists: .usage
        case .unreadable, .unwritable: .io
        }
    }

    /// What is wrong and what to do, with the file.
    public var description: String {
        let text =
            switch problem {
            case .missing: "there is no such key; `bridgecast journey key make` makes one"
            case .notAKey: "is not a key: a key is 64 hexadecimal digits"
            case .readableByOthers: "others may read this key; run `chmod 600` on it"
            case .unreadable(let reason): reason
            case .exists:
                "is there already, and is not replaced: it may be a key; name another file"
            case .unwritable(let reason): "cannot be written (\(reason))"
            }
        return "\(path): \(text)"
    }
}
