// Journals after a write that was interrupted, and such that may not be written: what reading does then.
import BridgecastCore
@testable import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@Suite struct JournalRecoveryTests {
    /// Copies what a killed transaction leaves: the database with pages of the new state, and a journal with the old ones.
    private func kill(_ url: URL) throws -> URL {
        let killed = url.deletingLastPathComponent().appendingPathComponent("killed.sqlite")
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1;
                    BEGIN EXCLUSIVE; CREATE TABLE filler (text TEXT)
                    """)
            for _ in 0..<2_000 {
                try database.execute(
                    sql: "INSERT INTO filler VALUES (?)",
                    arguments: [String(repeating: "x", count: 500)])
            }
            for ending in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: url.path + ending, toPath: killed.path + ending)
            }
            try database.execute(sql: "ROLLBACK")
        }
        try queue.close()
        return killed
    }

    @Test func readingRollsBackAWriteThatWasInterrupted() throws {
        try withJournal { (store, url) throws in
            try store.add(journey("a", at: testNow.adding(minutes: -60)), now: testNow)
            store.close()
            let killed = try kill(url)
            #expect(FileManager.default.fileExists(atPath: killed.path + "-journal"))
            let reader = try JourneyStore(killed, .reading)
            defer { reader.close() }
            #expect(try reader.journeys().map(\.id) == ["a"])
            #expect(!FileManager.default.fileExists(atPath: killed.path + "-journal"))
        }
    }

    /// The advice names no command of the history store.
    @Test func oneThatCannotBeRolledBackSaysSo() {
        let error = JourneyStoreError(path: "/j", .file(.interrupted))
        #expect(error.kind == .io && error.description.contains("permission to write"))
        #expect(!error.description.contains("sync"))
    }

    @Test func aFileThatItsOwnerMadeReadOnlyIsReadAndNotWritten() throws {
        try withJournal { (store, url) throws in
            store.close()
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o400], ofItemAtPath: url.path)
            let error = #expect(throws: JourneyStoreError.self) { try JourneyStore(url, .writing) }
            #expect(error?.kind == .io)
            #expect(error?.description.contains("\(url.path): cannot be written") == true)
            #expect(error?.description.contains("chmod u+w") == true)
            #expect(throws: JourneyStoreError.self) { try JourneyStore.checkWritable(url) }
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o400)
            #expect(try JourneyStore(url, .reading).journeys().isEmpty)
        }
    }

    @Test func thatAJournalCanBeMadeIsCheckedWithoutMakingIt() throws {
        try withJournalFolder { folder in
            let url = folder.appendingPathComponent("deep/deeper/journeys.sqlite")
            try JourneyStore.checkWritable(url)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            let nowhere = URL(fileURLWithPath: "/dev/null/journeys.sqlite")
            #expect(throws: JourneyStoreError.self) { try JourneyStore.checkWritable(nowhere) }
        }
    }
}
