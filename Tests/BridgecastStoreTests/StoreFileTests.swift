// What a store does with files that are not its own, with older and newer stores, and with others that start too.
@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@Suite struct StoreFileTests {
    private let now = Fixtures.moment("2026-11-21T12:00")

    /// Every file of a folder with its bytes.
    private func contents(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
            })
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func foreignDatabase(at url: URL, hasLog: Bool, _ sql: String) throws {
        let queue = try DatabaseQueue(path: url.path)
        if hasLog {
            try queue.writeWithoutTransaction {
                _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL")
            }
        }
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test(
        arguments: [
            "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://a.b')",
            "CREATE TABLE opening (move TEXT); CREATE TABLE file (path TEXT)",
            "CREATE TABLE a (b); PRAGMA application_id = 252006674",
            "CREATE TABLE a (b); PRAGMA user_version = 2",
            "CREATE TABLE a (b); PRAGMA application_id = 1111708500; PRAGMA user_version = -1",
            "CREATE TABLE grdb_migrations (a TEXT)",
            "CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES ('v1')",
        ], [false, true])
    func aForeignDatabaseIsRefusedAndUntouched(_ sql: String, _ hasLog: Bool) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("foreign.sqlite")
            try foreignDatabase(at: url, hasLog: hasLog, sql)
            let before = try contents(of: folder)
            for access in [HistoryStore.Access.writing, .reading] {
                let error = #expect(throws: HistoryStoreError.self) {
                    try HistoryStore(url, access)
                }
                #expect(error?.problem == .foreign && error?.kind == .data)
            }
            let findings = HistoryStore.check(url, at: now)
            #expect(findings.map(\.severity) == [.error])
            try withStore { store, _ in
                let error = #expect(throws: HistoryStoreError.self) { try store.backUp(to: url) }
                #expect(error?.problem == .foreign)
            }
            #expect(try contents(of: folder) == before)
        }
    }

    /// As a program that is running, or was killed, leaves it: with a log beside it, and tables in the log alone.
    @Test func aForeignDatabaseInUseIsUntouchedToo() throws {
        try withFolder { folder in
            let (open, url) = (
                folder.appendingPathComponent("open.sqlite"),
                folder.appendingPathComponent("copy/foreign.sqlite")
            )
            let queue = try DatabaseQueue(path: open.path)
            try queue.writeWithoutTransaction {
                _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL")
                try $0.execute(sql: "CREATE TABLE bookmarks (url TEXT)")
            }
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            for ending in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: open.path + ending, toPath: url.path + ending)
            }
            try queue.close()
            let before = try contents(of: url.deletingLastPathComponent())
            #expect(before["foreign.sqlite-wal"]?.isEmpty == false)
            for access in [HistoryStore.Access.writing, .reading] {
                let error = #expect(throws: HistoryStoreError.self) {
                    try HistoryStore(url, access)
                }
                #expect(error?.problem == .foreign)
            }
            #expect(try contents(of: url.deletingLastPathComponent()) == before)
        }
    }

    /// Killed while it was written for the first time, a store rolls back and is usable.
    @Test func aStoreWithAHotJournalIsOpenedForWriting() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("history.sqlite")
            let queue = try DatabaseQueue(path: url.path)
            try queue.write(HistorySchema.bringUpToDate)
            // What a killed transaction leaves: a journal, and pages of the new state.
            let killed = folder.appendingPathComponent("killed.sqlite")
            try queue.writeWithoutTransaction { database in
                try database.execute(
                    sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE")
                for number in 0..<5_000 {
                    try database.execute(
                        sql: "INSERT INTO file VALUES (?, 'name', 'csv', 1, 0)",
                        arguments: ["\(number)"])
                }
                for ending in ["", "-journal"] {
                    try FileManager.default.copyItem(
                        atPath: url.path + ending, toPath: killed.path + ending)
                }
                try database.execute(sql: "ROLLBACK")
            }
            try queue.close()
            let refusal = #expect(throws: HistoryStoreError.self) {
                try HistoryStore(killed, .reading)
            }
            #expect(refusal?.reason.contains("a write was cut off") == true)
            let store = try HistoryStore(killed, .writing)
            #expect(try store.integrityProblems() == [] && store.history().count == 0)
            store.close()
        }
    }

    @Test func aLinkToAnEmptyFileIsNoStoreYet() throws {
        try withFolder { folder in
            let (empty, link) = (
                folder.appendingPathComponent("empty"), folder.appendingPathComponent("link")
            )
            try Data().write(to: empty)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: empty)
            #expect(!HistoryStore.isThere(link) && !HistoryStore.isThere(empty))
        }
    }

    @Test func whatIsNoFileIsNamed() throws {
        try withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe")
            #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
            for (url, what) in [(folder, "a folder"), (pipe, "a pipe")] {
                for access in [HistoryStore.Access.writing, .reading] {
                    let error = #expect(throws: HistoryStoreError.self) {
                        try HistoryStore(url, access)
                    }
                    #expect(error?.problem == .noFile(what) && error?.kind == .io)
                }
                try withStore { store, _ in
                    #expect(throws: HistoryStoreError.self) { try store.backUp(to: url) }
                }
            }
        }
    }

    @Test func anEmptyFileBecomesAStoreWhenWritten() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("made-by-mktemp")
            try Data().write(to: url)
            #expect(!HistoryStore.isThere(url))
            let error = #expect(throws: HistoryStoreError.self) { try HistoryStore(url, .reading) }
            #expect(error?.problem == .empty)
            try HistoryStore(url, .writing).close()
            #expect(try HistoryStore(url, .reading).history().count == 0)
        }
    }

    @Test func aStoreIsMarkedAndAnOlderOneGetsItsMark() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("old.sqlite")
            let old = try DatabaseQueue(path: url.path)
            try old.write { database in
                for step in HistorySchema.steps { try database.execute(sql: step.sql) }
                try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT)")
                for step in HistorySchema.steps {
                    try database.execute(
                        sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [step.name])
                }
            }
            try old.close()
            // Of the current version but for the mark: it can be read as it is.
            try HistoryStore(url, .reading).close()
            try HistoryStore(url, .writing).close()
            let header = Array(try Data(contentsOf: url).prefix(72))
            #expect(Array(header[68..<72]) == Array("BCST".utf8))
            try HistoryStore(url, .reading).close()
        }
    }

    @Test func aStoreOfANewerVersionIsLeftAlone() throws {
        try withStore { store, url in
            store.close()
            let queue = try DatabaseQueue(path: url.path)
            try queue.write {
                try $0.execute(sql: "PRAGMA user_version = \(HistorySchema.currentVersion + 1)")
            }
            try queue.close()
            for access in [HistoryStore.Access.writing, .reading] {
                let error = #expect(throws: HistoryStoreError.self) {
                    try HistoryStore(url, access)
                }
                #expect(error?.problem == .newer)
            }
        }
    }

    @Test func manyThatStartOnAFreshPlaceAllFindAStore() throws {
        for round in 0..<40 {
            try withFolder { folder in
                let url = folder.appendingPathComponent("deep/history.sqlite")
                let failures = Mutex<[String]>([])
                DispatchQueue.concurrentPerform(iterations: 4) { number in
                    do {
                        if number == 3, !HistoryStore.isThere(url) { return }
                        let store = try HistoryStore(url, number == 3 ? .reading : .writing)
                        _ = try store.history()
                        store.close()
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
                #expect(failures.withLock(\.self) == [], "round \(round)")
                let openings = try HistoryStore(url, .reading).history().count
                #expect(openings == 0)
            }
        }
    }

    @Test func aBackupReplacesAStoreThatSomebodyStillReads() throws {
        let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
        try withStore { store, url in
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: now)
            let copy = url.deletingLastPathComponent().appendingPathComponent("copy.sqlite")
            // An older copy with a log beside it, as a program that has it open leaves it.
            let open = try HistoryStore(copy, .writing)
            _ = try open.ingest(
                try RecordFile(
                    Array("entityid,opendatetime,closedatetime\n3,2026-02-19T12:00:00,".utf8),
                    name: "a", now: now),
                coverage: nil, gapSeconds: 180, at: now)
            #expect(FileManager.default.fileExists(atPath: copy.path + "-wal"))
            try store.backUp(to: copy)
            let count = try store.history().count
            #expect(try open.history().count == count)
            open.close()
            let read = try HistoryStore(copy, .reading)
            #expect(try read.integrityProblems() == [])
            #expect(try read.history().count == count)
            read.close()
            // The log of a store that is gone must not be taken for the new one's.
            let fresh = url.deletingLastPathComponent().appendingPathComponent("fresh.sqlite")
            try Data("stray".utf8).write(to: URL(fileURLWithPath: fresh.path + "-wal"))
            let error = #expect(throws: HistoryStoreError.self) { try store.backUp(to: fresh) }
            #expect(error?.problem == .strayLog("fresh.sqlite-wal"))
            #expect(!FileManager.default.fileExists(atPath: fresh.path))
        }
    }

    @Test func aBackupTakesNoLogsPlace() throws {
        try withStore { store, url in
            for ending in ["-wal", "-journal", "-shm"] {
                let log = URL(fileURLWithPath: url.path + ending)
                let error = #expect(throws: HistoryStoreError.self) { try store.backUp(to: log) }
                #expect(error?.problem == .foreign)
                let there = try? FileHandle(forReadingFrom: log).read(upToCount: 6)
                #expect(there != Data("SQLite".utf8))
            }
            #expect(!FileManager.default.fileExists(atPath: url.path + "-journal"))
        }
    }

    @Test func aLinkToTheStoreIsTheStoreItself() throws {
        try withStore { store, url in
            let folder = url.deletingLastPathComponent()
            let (soft, hard) = (
                folder.appendingPathComponent("soft"), folder.appendingPathComponent("hard")
            )
            try FileManager.default.createSymbolicLink(at: soft, withDestinationURL: url)
            try FileManager.default.linkItem(at: url, to: hard)
            for other in [url, soft, hard] {
                let error = #expect(throws: HistoryStoreError.self) { try store.backUp(to: other) }
                #expect(error?.problem == .itself)
            }
        }
    }

    /// Rows that cannot be true, as a flipped bit leaves them, end in an error, not the process.
    @Test(arguments: [
        "INSERT INTO opening SELECT 3, 9223372036854775807, NULL, sha256, 1 FROM file",
        "INSERT INTO opening SELECT 3, -9223372036854775808, 9223372036854775807, sha256, 1 FROM file",
        "INSERT INTO coverage SELECT 3, -9223372036854775808, 9223372036854775807, sha256 FROM file",
        "INSERT INTO observedOpening VALUES (3, -9223372036854775808, 1, NULL)",
        "INSERT INTO observedPeriod VALUES (3, -9223372036854775808, 9223372036854775807)",
        "INSERT INTO feed VALUES ('x', 'y', 1, '', '', -9223372036854775808)",
        "PRAGMA ignore_check_constraints = 1; UPDATE opening SET end = start - 60",
        "PRAGMA ignore_check_constraints = 1; UPDATE coverage SET end = start - 60",
        "DROP TABLE opening", "DROP TABLE observedPeriod",
    ]) func rowsThatCannotBeTrueAreDamage(_ sql: String) throws {
        try withStore { store, url in
            let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: now)
            store.close()
            let queue = try DatabaseQueue(path: url.path)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)")
            }
            try queue.close()
            #expect(HistoryStore.check(url, at: now).contains { $0.severity == .error })
            let damaged = try HistoryStore(url, .reading)
            defer { damaged.close() }
            do {
                _ = try damaged.history()
                _ = try damaged.resumedTracker(at: now)
                // Only what a sync reads is wrong.
                #expect(sql.contains("INTO feed"))
            } catch let error as HistoryStoreError {
                guard case .damaged = error.problem else {
                    Issue.record("\(error)")
                    return
                }
                #expect(error.kind == .data)
            }
        }
    }

    @Test func coverageOfWhatHasNotHappenedIsNotTaken() throws {
        try withStore { store, _ in
            let far = Coverage(
                periods: BridgeIndex.all.map { _ in
                    [Fixtures.moment("1950-01-01T00:00")..<Fixtures.moment("2099-01-01T00:00")]
                })
            let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
            _ = try store.ingest(file, coverage: far, gapSeconds: 180, at: now)
            let periods = try store.history().coverage.periods.flatMap { $0 }
            #expect(periods.map(\.upperBound).max() == now)
            #expect(periods.map(\.lowerBound).min() == .earliestPlausible)
        }
    }

    @Test func aFileWithoutAUsableRowLeavesTheStoreAsItWas() throws {
        let coverage = try CoverageFile.read(Fixtures.trainingData("coverage.json"))
        try withStore { store, _ in
            let file = try RecordFile(
                Array("entityid,opendatetime,closedatetime\n99,2026-02-19T12:00:00,".utf8),
                name: "a.csv", now: now)
            let report = try store.ingest(file, coverage: coverage, gapSeconds: 180, at: now)
            #expect(report.rejections == [.unknownBridge: 1])
            #expect(try store.history().coverage.isEmpty)
        }
    }
}
