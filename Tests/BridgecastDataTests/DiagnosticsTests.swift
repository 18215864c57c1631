// The file of contacts and errors: what it keeps, for several programs, and that it is private.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing

@testable import BridgecastData
@testable import BridgecastSupport

@Suite struct DiagnosticsTests {
    private let now = Fixtures.timestamp("2026-02-20T12:00")
    private let broken = FeedError.timedOut(
        url: "https://user:pass@feed.example/x?key=1", seconds: 9)

    private func withLog(_ body: (DiagnosticLog, URL) throws -> Void) throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = DiagnosticLog.url(nextTo: folder.appendingPathComponent("deep/history.sqlite"))
        try body(log(url), url)
    }

    /// A log that is written when a test says so.
    private func log(_ url: URL) -> DiagnosticLog { DiagnosticLog(url) { _, _ in } }

    private func note(
        _ error: FeedError, in log: DiagnosticLog, from source: String = "bridges",
        minutes: Double = 0
    ) {
        log.note(
            error, error.publicDescription, from: source, .retryScheduled(after: 20),
            at: now.adding(minutes: minutes))
    }

    @Test func `an error that comes again is counted, and is marked when it is over`() throws {
        try withLog { log, url in
            for minute in 0..<3 { note(broken, in: log, minutes: Double(minute)) }
            log.flush()
            let other = self.log(url)
            note(broken, in: other, from: "traffic", minutes: 3)
            other.flush()
            note(broken, in: log, minutes: 4)
            #expect(log.contents.errors.map(\.source) == ["bridges", "traffic"])
            let entry = try #require(log.contents.errors.first)
            #expect(entry.count == 4 && entry.at == "2026-02-20T12:04:00-08:00")
            #expect(entry.kind == "io" && entry.result == "retry_scheduled")
            #expect(entry.message == "no complete answer in 9 s")
            #expect(entry.recovery == broken.recovery && entry.recovery.hasSuffix("."))
            log.noteRecovery(of: "bridges")
            #expect(log.contents.errors.first?.result == "recovered")
            note(broken, in: log, minutes: 9)
            #expect(log.contents.errors.map(\.count) == [1, 4, 1], "another time")
        }
    }

    @Test func `only its owner reads it, and no address or key is in it`() throws {
        try withLog { log, url in
            note(broken, in: log)
            log.note(
                feed: "bridges", problem: broken.publicDescription, isReachable: false, .poor,
                at: now)
            log.flush()
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let text = try String(contentsOf: url, encoding: .utf8)
            for word in ["feed.example", "pass", "key"] { #expect(!text.contains(word)) }
            let folder = url.deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        }
    }

    @Test func `a feed keeps its last contact, and is written once a minute or when it changes`()
        throws
    {
        try withLog { log, url in
            func contact(_ problem: String?, seconds: Int64) -> Diagnostics.FeedContact? {
                log.note(
                    feed: "bridges", problem: problem, isReachable: problem == nil, .good,
                    at: now.adding(seconds: seconds))
                return log.contents.feeds.first
            }
            #expect(contact(nil, seconds: 0)?.contactedAt == "2026-02-20T12:00:00-08:00")
            #expect(contact(nil, seconds: 59)?.askedAt == "2026-02-20T12:00:00-08:00")
            #expect(contact(nil, seconds: 60)?.askedAt == "2026-02-20T12:01:00-08:00")
            let gone = try #require(contact("cut", seconds: 61))
            #expect(gone.contactedAt == "2026-02-20T12:01:00-08:00" && !gone.isReachable)
            #expect(gone.askedAt == "2026-02-20T12:01:01-08:00" && gone.problem == "cut")
        }
    }

    @Test func `it stays small, and what cannot be read is empty`() throws {
        try withLog { log, url in
            for number in 0..<120 {
                let error = FeedError.failed(feed: "f", reason: "x")
                log.note(
                    error, String(repeating: "\(number) ", count: 400), from: "s\(number)",
                    .criticalFailure(message: ""), at: now)
            }
            #expect(log.contents.errors.count == Diagnostics.maxErrors)
            #expect(log.contents.errors.first?.source == "s119")
            log.flush()
            #expect(try Data(contentsOf: url).count < 100 << 10)
            for bytes in [
                Data(), Data("{\"errors\": 3}".utf8), Data(repeating: 0x5B, count: 9_999),
            ] {
                try bytes.write(to: url)
                #expect(log.contents == Diagnostics())
            }
            note(broken, in: log)
            #expect(log.contents.errors.count == 1)
        }
    }

    @Test func `a folder that cannot be written stops nothing`() throws {
        let log = log(URL(fileURLWithPath: "/proc/none/diagnostics.json"))
        note(broken, in: log)
        log.flush()
        #expect(log.contents == Diagnostics())
    }

    @Test func `a thousand failures are counted in memory, and written now and five seconds later`()
        throws
    {
        try withLog { _, url in
            let clock = Mutex(100.0)
            let scheduled = Mutex<[(seconds: Double, work: @Sendable () -> Void)]>([])
            let log = DiagnosticLog(url, monotonicSeconds: { clock.withLock(\.self) }) {
                time, work in
                scheduled.withLock { $0.append((time, work)) }
            }
            func count() -> Int? { DiagnosticLog.read(url).errors.first?.count }
            for number in 0..<1000 { note(broken, in: log, minutes: Double(number)) }
            #expect(scheduled.withLock { $0.map(\.seconds) } == [0])
            #expect(count() == nil && log.contents.errors.first?.count == 1000)
            scheduled.withLock { $0[0].work }()
            #expect(count() == 1000)
            clock.withLock { $0 += 2 }
            for _ in 0..<10 { note(broken, in: log) }
            log.noteRecovery(of: "bridges")
            #expect(scheduled.withLock { $0.map(\.seconds) } == [0, 3])
            #expect(count() == 1000 && log.contents.errors.first?.count == 1010)
            // The program ends before the five seconds are over.
            log.flush()
            #expect(count() == 1010)
            #expect(DiagnosticLog.read(url).errors.first?.result == "recovered")
            let written = try FileManager.default.attributesOfItem(atPath: url.path)
            scheduled.withLock { $0[1].work }()
            let left = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(left[.systemFileNumber] as? Int == written[.systemFileNumber] as? Int)
        }
    }
}
