// Files that only their owner may read, replaced as a whole.
package import Foundation
private import Glibc

package enum PrivateFile {
    /// Replaces a file by bytes with mode 0600; after a crash it has all of them or is as it was.
    ///
    /// A reader sees the old content or the new.
    ///
    /// - Parameters:
    ///   - pieces: The content, one piece after the other.
    ///   - partial: The path of the file that is written first, next to the other; by default one of this process's own.
    /// - Throws: ``LocalFileError/system(code:)``.
    package static func replace(
        _ url: URL, by pieces: [[UInt8]], through partial: String? = nil
    ) throws(LocalFileError) {
        let partial = partial ?? "\(url.path).\(getpid()).part"
        do throws(LocalFileError) {
            try create(partial, with: pieces)
            guard unsafe rename(partial, url.path) == 0 else { throw .system(code: errno) }
        } catch {
            unsafe unlink(partial)
            throw error
        }
        synchronize(url.deletingLastPathComponent())
    }

    /// Makes a file whose bytes are on the disk when this returns; one that was there is replaced.
    private static func create(
        _ path: String, with pieces: [[UInt8]]
    ) throws(LocalFileError) {
        unsafe unlink(path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else { throw .system(code: errno) }
        defer { close(descriptor) }
        for piece in pieces { try write(piece, to: descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(code: errno) }
    }

    /// A new name is on the disk only when its folder is.
    private static func synchronize(_ folder: URL) {
        let descriptor = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Writes all bytes at the position of a descriptor.
    ///
    /// - Throws: ``LocalFileError/system(code:)``.
    package static func write(
        _ bytes: [UInt8], to descriptor: Int32
    ) throws(LocalFileError) {
        let code = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
            var written = 0
            while written < bytes.count {
                // Safe: no more is written than there is.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    written += count
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
        guard code == 0 else { throw .system(code: code) }
    }
}
