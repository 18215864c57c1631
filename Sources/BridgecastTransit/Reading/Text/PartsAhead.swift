// Reads a file one piece ahead: the next one is unpacked while the last one is understood. Used by TableText.
private import Dispatch
private import Synchronization

/// The pieces of a file, one of which is always on its way.
final class PartsAhead: Sendable {
    private let parts: Mutex<LineParts>
    private let next = Mutex<LinePart?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    /// Nothing is read before ``first()``.
    init(_ parts: consuming sending LineParts) { self.parts = Mutex(parts) }

    /// The first piece; nil of an empty file.
    ///
    /// Most files have no other.
    func first() -> LinePart? { parts.withLock { $0.next() } }

    /// Begins to read a piece; each beginning is to be waited for before the next.
    func begin() {
        guard parts.withLock({ !$0.isAtEnd }) else {
            isReady.signal()
            return
        }
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            let part = parts.withLock { $0.next() }
            next.withLock { $0 = part }
            isReady.signal()
        }
    }

    /// The piece that was begun; nil behind the last.
    func wait() -> LinePart? {
        isReady.wait()
        return next.withLock { part in
            defer { part = nil }
            return part
        }
    }

    /// How many bytes were read.
    ///
    /// - Throws: What ended the reading before the file's end.
    func bytesRead() throws(TransitFeedError.Problem) -> Int {
        let (bytes, problem) = parts.withLock { ($0.bytesRead, $0.problem) }
        if let problem { throw problem }
        return bytes
    }
}
