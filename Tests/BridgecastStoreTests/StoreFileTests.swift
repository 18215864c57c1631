// Which files are stores, of which version; other programs' files are not changed, and concurrent programs find one store.
import BridgecastTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
@testable import BridgecastSupport

private let ballard = Fixtures.bridge("Ballard")
private let fremont = Fixtures.bridge("Fremont")

@Suite struct StoreFileTests {
    private let now = Fixtures.timestamp("2026-11-21T12:00")

    /// Every file of a folder with its bytes.
    private func contents(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
            })
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

    /// A cut store next to a log: damaged, unless the log has the pages that are missing.
    @Test(arguments: [true, false])
    func aCutStoreIsDamagedUnlessItsLogHasTheRest(isInLog: Bool) throws {
        try withStore { store, url in
            let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: now)
            let whole = try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
            let database = try #require((store.backend as? SQLiteHistory)?.database)
            try database.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try database.write {
                try $0.execute(sql: "UPDATE opening SET number = 0 WHERE rowid = 1")
            }
            let small = try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
            let pages = try Data(contentsOf: url)
            try withFolder { folder in
                let cut = folder.appendingPathComponent("cut.sqlite")
                try pages.prefix(pages.count / 8192 * 4096).write(to: cut)
                try (isInLog ? whole : small).write(
                    to: URL(fileURLWithPath: cut.path + "-wal"))
                let before = try Data(contentsOf: cut)
                guard isInLog else {
                    let error = #expect(throws: HistoryStoreError.self) {
                        try HistoryStore(cut, .writing)
                    }
                    #expect(error?.problem == .damaged("pages are missing"))
                    #expect(try Data(contentsOf: cut) == before)
                    return
                }
                let opened = try HistoryStore(cut, .writing)
                #expect(try opened.history().openings == (try store.history().openings))
                opened.close()
            }
        }
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
    func aForeignDatabaseIsRefusedAndUnchanged(_ sql: String, _ hasLog: Bool) throws {
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

    /// As a program that is running, or was killed, leaves it: with a log next to it, and tables in the log alone.
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

    @Test func foldersAndPipesAreNamed() throws {
        try withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe")
            #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
            for (url, what) in [(folder, "a folder"), (pipe, "a pipe")] {
                for access in [HistoryStore.Access.writing, .reading] {
                    let error = #expect(throws: HistoryStoreError.self) {
                        try HistoryStore(url, access)
                    }
                    #expect(error?.problem == .notAFile(what) && error?.kind == .io)
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

    @Test func manyProcessesThatStartTogetherAllFindAStore() throws {
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
}

@Suite struct StoreVersionTests {
    @Test func aStoreIsMarkedAndAnOlderOneIsToo() throws {
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
            // Of the current version but for the mark: it can be read unchanged.
            try HistoryStore(url, .reading).close()
            try HistoryStore(url, .writing).close()
            let header = Array(try Data(contentsOf: url).prefix(72))
            #expect(Array(header[68..<72]) == Array("BCST".utf8))
            try HistoryStore(url, .reading).close()
        }
    }

    @Test func aStoreOfTheFirstVersionIsMigrated() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("old.sqlite")
        let old = try DatabaseQueue(path: url.path)
        try old.write { database in
            try database.execute(sql: HistorySchema.steps[0].sql)
            try database.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT);
                    INSERT INTO grdb_migrations VALUES ('\(HistorySchema.steps[0].name)');
                    INSERT INTO file VALUES ('abc', 'old.csv', 'csv', 1, 0);
                    INSERT INTO opening VALUES (3, 1771617600, 1771617900, 'abc', 2);
                    INSERT INTO coverage VALUES (3, 1771600000, 1771700000, 'abc');
                    """)
        }
        try old.close()
        let refusal = #expect(throws: HistoryStoreError.self) { try HistoryStore(url, .reading) }
        #expect(refusal?.problem == .outdated)
        let store = try HistoryStore(url, .writing)
        #expect(try store.history().openings[fremont.rawValue].map(\.minutes) == [5])
        store.close()
        #expect(try HistoryStore(url, .reading).history().count == 1)
    }

    @Test func aStoreOfANewerVersionIsNotChanged() throws {
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
}
