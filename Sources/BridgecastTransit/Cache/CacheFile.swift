// Bytes of a cached feed's file to arrays and back: the one unsafe place of the cache.
private import Dispatch
private import Glibc
private import Synchronization

/// An open file whose stretches are read as arrays, or written from them.
final class CacheFile: Sendable {
    private let descriptor: Int32
    /// Its length when it was opened.
    let byteCount: Int

    /// Opens a file to read; nil if that cannot be done.
    init?(reading path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        byteCount = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    }

    /// Makes a file that is not there yet; nil if that cannot be done.
    init?(writing path: String) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        byteCount = 0
    }

    deinit { close(descriptor) }

    /// A stretch of the file with its checksum; nil if it is not all there.
    ///
    /// - Parameter offset: The first byte, not negative.
    func read<Element: BitwiseCopyable>(
        _ type: Element.Type, count: Int, at offset: Int
    ) -> (elements: [Element], checksum: UInt64)? {
        let descriptor = descriptor
        let (length, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard count >= 0, !overflow, offset >= 0, offset <= byteCount, length <= byteCount - offset
        else { return nil }
        let blocks = Self.blocks(length)
        let isWhole = Atomic(true)
        var sums = [UInt64](repeating: 0, count: blocks)
        // Any bytes are a value of a type of plain numbers. Every block fills bytes and a sum of its own, none of them
        // shared, and all are done when concurrentPerform returns; without all of them nothing counts as filled.
        let elements = unsafe [Element](unsafeUninitializedCapacity: count) { elements, filled in
            nonisolated(unsafe) let bytes = UnsafeMutableRawBufferPointer(elements)
            let isRead = unsafe sums.withUnsafeMutableBufferPointer { all in
                nonisolated(unsafe) let sums = unsafe all
                DispatchQueue.concurrentPerform(iterations: blocks) { block in
                    let range = Self.range(block, of: length)
                    let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range])
                    guard unsafe Self.fill(piece, descriptor, offset + range.lowerBound) else {
                        return isWhole.store(false, ordering: .relaxed)
                    }
                    unsafe sums[block] = XXH64.hash(UnsafeRawBufferPointer(piece))
                }
                return isWhole.load(ordering: .relaxed)
            }
            filled = isRead ? count : 0
        }
        return isWhole.load(ordering: .relaxed) ? (elements, XXH64.hash(sums)) : nil
    }

    /// The checksum that ``read(_:count:at:)`` will find.
    static func checksum<Element: BitwiseCopyable>(_ elements: [Element]) -> UInt64 {
        unsafe elements.withUnsafeBytes { bytes in
            let sums = (0..<blocks(bytes.count)).map { block in
                unsafe XXH64.hash(
                    UnsafeRawBufferPointer(rebasing: bytes[range(block, of: bytes.count)]))
            }
            return XXH64.hash(sums)
        }
    }

    /// Writes an array at a place; whether all of it was written.
    func write<Element: BitwiseCopyable>(_ elements: [Element], at offset: Int) -> Bool {
        unsafe elements.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            var done = 0
            while done < bytes.count {
                let written = unsafe pwrite(
                    descriptor, start + done, bytes.count - done, offset + done)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                done += written
            }
            return true
        }
    }

    private static func fill(
        _ piece: UnsafeMutableRawBufferPointer, _ descriptor: Int32, _ offset: Int
    ) -> Bool {
        guard let start = piece.baseAddress else { return true }
        var done = 0
        while done < piece.count {
            let got = unsafe pread(
                descriptor, start + done, piece.count - done, offset + done)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return false }
            done += got
        }
        return true
    }

    private static func blocks(_ length: Int) -> Int {
        (length + FeedCacheFormat.blockBytes - 1) / FeedCacheFormat.blockBytes
    }

    private static func range(_ block: Int, of length: Int) -> Range<Int> {
        let start = block * FeedCacheFormat.blockBytes
        return start..<min(length, start + FeedCacheFormat.blockBytes)
    }
}
