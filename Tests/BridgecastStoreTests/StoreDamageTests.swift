// Stores that were cut off or damaged: found out, not trusted, and never the end of the process.
@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@Suite struct StoreDamageTests {
    private let now = Fixtures.moment("2026-11-21T12:00")

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

    /// A page overwritten in the middle: found, not trusted, not crashed over.
    @Test func aDamagedStoreIsFoundOut() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("h.sqlite")
        let store = try HistoryStore(url, .writing)
        let file = try RecordFile(
            Fixtures.trainingData("openings-2025-2026.csv"), now: noon.adding(minutes: 90 * 1440))
        _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: noon)
        store.close()
        let handle = try FileHandle(forUpdating: url)
        for page in 4..<40 {
            try handle.seek(toOffset: UInt64(page) * 4_096 + 8)
            try handle.write(contentsOf: Data(repeating: 0xa5, count: 600))
        }
        try handle.close()
        let errors = HistoryStore.check(url, at: noon).filter { $0.severity == .error }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.advice != nil })
    }
}
