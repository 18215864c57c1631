// Stores of older and newer versions: brought up to date, or left alone.
import BridgecastCore
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

private let fremont = Fixtures.bridge("Fremont")

@Suite struct StoreVersionTests {
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

    @Test func aStoreOfTheFirstVersionIsBroughtUpToDate() throws {
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
}
