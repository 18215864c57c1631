// Small files that only their owner may read, replaced as a whole.
package import Foundation
private import Glibc

package enum PrivateFile {
    /// Replaces a file; its folder is made if it is missing.
    ///
    /// A reader sees the old content or the new.
    /// - Throws: ``LocalFileError``.
    package static func write(_ bytes: [UInt8], to url: URL) throws(LocalFileError) {
        let folder = url.deletingLastPathComponent()
        // A folder that cannot be made shows when the file is opened.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let partial = "\(url.path).\(getpid()).part"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe Glibc.open(partial, flags, 0o600)
        guard descriptor >= 0 else { throw .system(code: errno) }
        let written = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        let code = errno
        close(descriptor)
        guard written == bytes.count, unsafe rename(partial, url.path) == 0 else {
            let code = written == bytes.count ? errno : written < 0 ? code : ENOSPC
            _ = unsafe unlink(partial)
            throw .system(code: code)
        }
    }
}
