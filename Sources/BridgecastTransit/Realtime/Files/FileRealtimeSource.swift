// A realtime feed in a file that another program keeps new.
public import BridgecastCore
public import Foundation
private import Synchronization

/// Reads a file whenever it has changed.
public final class FileRealtimeSource: RealtimeSource {
    /// Which feed it is.
    public let id: String
    private let url: URL
    private let last = Mutex<RealtimeFile.State?>(nil)

    /// A source that reads a file; it need not be there yet.
    public init(_ url: URL, id: String) { (self.url, self.id) = (url, id) }

    /// The file's bytes; nil if it has not changed since they were last given.
    ///
    /// - Throws: `DocumentProblem` if it is missing, unreadable, or larger than any feed.
    public func fetch(at now: Timestamp) async throws -> [UInt8]? {
        // The state before the bytes: what changes between them is read the next time.
        let state = try RealtimeFile.state(url)
        guard last.withLock({ $0 != state }) else { return nil }
        let bytes = try RealtimeFile.bytes(url)
        last.withLock { $0 = state }
        return bytes
    }
}
