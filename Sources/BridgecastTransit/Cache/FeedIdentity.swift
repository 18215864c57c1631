// Which zip file or folder a cached feed came from, and whether that still is what it was.
private import BridgecastDigest
internal import Foundation
private import Glibc

/// A file or folder as it was when a feed was read from it.
struct FeedIdentity: Codable, Equatable {
    /// Absolute, links followed.
    let path: String
    /// Bytes of the file, or of all files of the folder.
    let byteCount: Int
    /// When it was last changed, nanoseconds since 1970; of a folder, the newest of its files.
    let changedAt: Int64
    /// SHA-256, hexadecimal: of a file's bytes; of a folder's names, sizes and times.
    var digest: String
    /// Whether it had not been changed for two seconds when it was looked at: a later change then shows in ``changedAt``,
    /// however coarsely the file system keeps time.
    let isSettled: Bool

    /// More files than a folder with a feed has.
    private static let mostFiles = 1000

    /// Looks at a file or folder; nil if it is not there, cannot be read, or is a folder of more than any feed's files.
    ///
    /// - Complexity: A folder's files are looked at, a file is not read: `digest` is empty then.
    init?(of url: URL) {
        let resolved = url.resolvingSymlinksInPath()
        path = resolved.path
        guard let own = Self.look(path) else { return nil }
        if own.isFolder {
            guard let listing = Self.listing(resolved) else { return nil }
            (byteCount, changedAt) = (listing.byteCount, listing.changedAt)
            digest = Self.hexadecimal(SHA256.hash(listing.text.utf8))
        } else {
            (byteCount, changedAt, digest) = (own.byteCount, own.changedAt, "")
        }
        let now = Int64(Date().timeIntervalSince1970 * 1e9)
        isSettled = changedAt < now - 2_000_000_000
    }

    /// The same with the digest of the file's bytes; nil if they cannot be read.
    ///
    /// - Complexity: O(bytes) for a file.
    func digested() -> FeedIdentity? {
        guard digest.isEmpty else { return self }
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var sha = SHA256()
        do {
            while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
                unsafe piece.withUnsafeBytes { unsafe sha.update($0) }
            }
        } catch { return nil }
        var copy = self
        copy.digest = Self.hexadecimal(sha.finish())
        return copy
    }

    /// Whether what is there now is what was read then: by size and time, or by its bytes where the time has changed.
    func isStill(_ present: FeedIdentity) -> Bool {
        guard path == present.path, byteCount == present.byteCount else { return false }
        if !present.digest.isEmpty { return digest == present.digest && isSettled }
        if changedAt == present.changedAt, isSettled { return true }
        return present.digested()?.digest == digest
    }

    /// Whether nothing has been changed since, by size and time.
    func isSame(as present: FeedIdentity) -> Bool {
        path == present.path && byteCount == present.byteCount && changedAt == present.changedAt
            && (present.digest.isEmpty || digest == present.digest)
    }

    /// What its cached feed is called: its name, for people, and a digest of its path.
    var cacheName: String {
        let name = path.split(separator: "/").last.map(String.init) ?? "feed"
        let plain = name.unicodeScalars.prefix(40).map {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-")
                ? Character($0) : "_"
        }
        return String(plain) + "-" + Self.hexadecimal(SHA256.hash(path.utf8)).prefix(16)
            + FeedCacheFormat.suffix
    }

    private static func look(
        _ path: String
    ) -> (isFolder: Bool, byteCount: Int, changedAt: Int64)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        // A file of the 24th century would not fit; it is as new as can be.
        let (nanoseconds, overflows) = Int64(status.st_mtim.tv_sec)
            .multipliedReportingOverflow(by: 1_000_000_000)
        return (
            status.st_mode & S_IFMT == S_IFDIR, Int(status.st_size),
            overflows ? .max : nanoseconds &+ Int64(status.st_mtim.tv_nsec)
        )
    }

    /// The files of a folder and of folders in it, in order of their names.
    private static func listing(
        _ folder: URL
    ) -> (text: String, byteCount: Int, changedAt: Int64)? {
        var names: [String] = []
        let walk = FileManager.default.enumerator(atPath: folder.path)
        while let name = walk?.nextObject() as? String {
            guard names.count < mostFiles else { return nil }
            names.append(name)
        }
        var (text, byteCount, changedAt) = ("", 0, Int64.min)
        for name in names.sorted() {
            guard let file = look(folder.path + "/" + name), !file.isFolder else { continue }
            text += "\(name)\0\(file.byteCount)\0\(file.changedAt)\n"
            byteCount &+= file.byteCount
            changedAt = max(changedAt, file.changedAt)
        }
        return changedAt == .min ? nil : (text, byteCount, changedAt)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
