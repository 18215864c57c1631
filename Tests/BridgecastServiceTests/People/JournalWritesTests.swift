// The log of journals that cannot be written: a line when that changes, not with each request.
import BridgecastStore
import BridgecastTestSupport
import Logging
import Synchronization
import Testing

@testable import BridgecastService

@Suite struct JournalWritesTests {
    private let lines = CapturedLines()

    @Test func `one journal that fails among others that work is logged once`() {
        let writes = JournalWrites(lines.logger())
        for _ in 0..<3 {
            writes.note(.unwritable("no permission"), of: "a")
            writes.note(nil, of: "b")
        }
        #expect(lines.levels == [.error])
        writes.note(nil, of: "a")
        #expect(lines.levels == [.error, .notice])
    }

    @Test func `a full disk is over when any journal is written`() {
        let writes = JournalWrites(lines.logger())
        for person in ["a", "b", "c"] { writes.note(.full, of: person) }
        writes.note(.busy, of: "a")
        #expect(lines.levels == [.error])
        writes.note(nil, of: "d")
        #expect(lines.levels == [.error, .notice])
    }
}

/// The levels of lines that were logged.
private final class CapturedLines: Sendable {
    private let captured = Mutex<[Logger.Level]>([])

    var levels: [Logger.Level] { captured.withLock { $0 } }

    func logger() -> Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: CapturedLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(
            level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?,
            source: String, file: String, function: String, line: UInt
        ) { lines.captured.withLock { $0.append(level) } }
    }
}
