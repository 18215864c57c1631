// Copies of a store, made while it is written and read.
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
@testable import BridgecastSupport

private let ballard = Fixtures.bridge("Ballard")

@Suite struct StoreBackupTests {
    private let now = Fixtures.timestamp("2026-11-21T12:00")

    @Test func aCopyIsMadeWhileTheStoreIsWritten() throws {
        try withStore { store, url in
            var tracker = BridgeTracker()
            try watch(
                store, &tracker,
                [(0, [ballard: false]), (20, [ballard: true]), (40, [ballard: false])])
            let copy = url.deletingLastPathComponent().appendingPathComponent("copy.sqlite")
            try HistoryStore(copy, .writing).close()
            try store.backUp(to: copy)
            try watch(store, &tracker, [(60, [ballard: true])])
            #expect(try HistoryStore(copy, .reading).history().count == 1)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: url.deletingLastPathComponent().path)
            #expect(!names.contains { $0.hasSuffix(".part") })
        }
    }

    @Test func aBackupReplacesAStoreThatIsBeingRead() throws {
        let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
        try withStore { store, url in
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: now)
            let copy = url.deletingLastPathComponent().appendingPathComponent("copy.sqlite")
            // An older copy with a log next to it, as when a program has it open.
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
            // The log of a deleted store must not be used as the new one's.
            let fresh = url.deletingLastPathComponent().appendingPathComponent("fresh.sqlite")
            try Data("stray".utf8).write(to: URL(fileURLWithPath: fresh.path + "-wal"))
            let error = #expect(throws: HistoryStoreError.self) { try store.backUp(to: fresh) }
            #expect(error?.problem == .strayLog("fresh.sqlite-wal"))
            #expect(!FileManager.default.fileExists(atPath: fresh.path))
        }
    }

    @Test func aBackupReplacesNoLog() throws {
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
            let soft = folder.appendingPathComponent("soft")
            let hard = folder.appendingPathComponent("hard")
            try FileManager.default.createSymbolicLink(at: soft, withDestinationURL: url)
            try FileManager.default.linkItem(at: url, to: hard)
            for other in [url, soft, hard] {
                let error = #expect(throws: HistoryStoreError.self) { try store.backUp(to: other) }
                #expect(error?.problem == .itself)
            }
        }
    }
}
