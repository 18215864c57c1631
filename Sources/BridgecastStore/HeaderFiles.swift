// Reads the beginning of a database without taking SQLite's locks away from connections of this process.
import BridgecastSupport
import Glibc
import Synchronization

/// What tells a file from others, whatever its path.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Nil for a number that is not that of an open descriptor.
    init?(descriptor: Int32) {
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// The descriptors by which this process has read the beginnings of files.
///
/// SQLite locks files with POSIX advisory locks, and the system drops all of a process's locks on a file as soon as the
/// process closes any descriptor of it (sqlite.org/howtocorrupt.html, section 2.2). So a descriptor of a file that is open
/// elsewhere in the process, as by a connection, is kept, and used again, until that is no longer so.
enum HeaderFiles {
    private struct Kept {
        let descriptor: Int32
        let file: FileIdentity
    }

    private static let kept = Mutex<[Kept]>([])

    /// The first bytes of a regular file.
    ///
    /// - Complexity: O(descriptors of the process)
    /// - Throws: ``StoreProblem``.
    static func firstBytes(
        _ count: Int, of path: String, _ status: stat
    ) throws(StoreProblem) -> [UInt8] {
        try kept.withLock { kept throws(StoreProblem) in
            closeUnused(&kept)
            let file = FileIdentity(status)
            if let known = kept.first(where: { $0.file == file }) {
                return try read(count, from: known.descriptor)
            }
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw .unreadable(LocalFileError.description(of: errno))
            }
            defer {
                if let opened = FileIdentity(descriptor: descriptor) {
                    kept.append(Kept(descriptor: descriptor, file: opened))
                }
                closeUnused(&kept)
            }
            return try read(count, from: descriptor)
        }
    }

    /// Calls a closure that opens a connection: meanwhile no descriptor is closed.
    static func opening<Result>(_ body: () throws -> sending Result) throws -> sending Result {
        try kept.withLock { _ in try body() }
    }

    private static func read(
        _ count: Int, from descriptor: Int32
    ) throws(StoreProblem) -> [UInt8] {
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            // Safe: the buffer has room for `count` bytes.
            let read = unsafe pread(descriptor, buffer.baseAddress, count, 0)
            if read < 0 { code = errno }
            filled = max(0, read)
        }
        guard code == 0 else { throw .unreadable(LocalFileError.description(of: code)) }
        return bytes
    }

    /// Closes the descriptors of files that nothing else in the process has open.
    private static func closeUnused(_ kept: inout [Kept]) {
        guard !kept.isEmpty else { return }
        let own = Set(kept.map(\.descriptor))
        let others = openDescriptors().filter { !own.contains($0) }
            .compactMap(FileIdentity.init(descriptor:))
        kept.removeAll { one in
            guard !others.contains(one.file) else { return false }
            close(one.descriptor)
            return true
        }
    }

    private static func openDescriptors() -> [Int32] {
        guard let folder = unsafe opendir("/proc/self/fd") else { return [] }
        defer { unsafe closedir(folder) }
        var descriptors: [Int32] = []
        while let entry = unsafe readdir(folder) {
            // Safe: the name is zero-terminated, and valid until the next call.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if let descriptor = Int32(name) { descriptors.append(descriptor) }
        }
        return descriptors
    }
}
