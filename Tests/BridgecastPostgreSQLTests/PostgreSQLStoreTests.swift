// What only a store in a database has: whose schema it is, who may write, and connections that break.
#if PostgreSQL
    import BridgecastSupport
    import BridgecastTestSupport
    import Foundation
    import Testing

    @testable import BridgecastCore
    @testable import BridgecastData
    @testable import BridgecastPostgreSQL
    @testable import BridgecastStore

    @Suite struct PostgreSQLStoreTests {
        private let server = DatabaseServer.shared
        private let now = Fixtures.timestamp("2026-11-21T12:00")
        private let schema = "test_\(UInt64.random(in: 0...UInt64.max))"

        private func open(
            _ access: HistoryStore.Access, user: String = DatabaseServer.name,
            _ parameters: String = "cluster=bridgecast", schema: String? = nil
        ) throws(HistoryStoreError) -> HistoryStore {
            let url = server.url(user: user, "schema=\(schema ?? self.schema)", parameters)
            guard let address = try? DatabaseAddress(url) else { preconditionFailure(url) }
            return try HistoryStore(address, access) { try PostgreSQLHistory($0, $1) }
        }

        private func problem(_ body: () throws -> HistoryStore) -> StoreProblem? {
            #expect(throws: HistoryStoreError.self) { try body() }?.problem
        }

        private func ingest(into store: HistoryStore) throws {
            let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: now)
        }

        @Test func readingCreatesNothing() throws {
            #expect(problem { try open(.reading) } == .empty)
            let count = try server.psql(
                sql: "SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'")
            #expect(count == "0")
            try open(.writing).close()
            #expect(try open(.reading).history().count == 0)
        }

        @Test func severalProgramsCreateOneStore() async throws {
            try await withThrowingTaskGroup { group in
                for _ in 0..<6 {
                    group.addTask { try open(.writing).close() }
                }
                try await group.waitForAll()
            }
            let version = try server.psql(sql: "SELECT version FROM \(schema).store")
            #expect(version == "\(PostgreSQLSchema.currentVersion)")
        }

        @Test func aSchemaOfANewerProgramIsNotTouched() throws {
            try open(.writing).close()
            try server.psql(sql: "UPDATE \(schema).store SET version = 1000")
            for access in [HistoryStore.Access.reading, .writing] {
                #expect(problem { try open(access) } == .newer)
            }
            #expect(try server.psql(sql: "SELECT version FROM \(schema).store") == "1000")
        }

        @Test(arguments: [
            "CREATE TABLE opening (a int)", "CREATE TABLE store (a int)",
            "CREATE TABLE store (application text, version bigint, cluster text)",
        ]) func theTablesOfAnotherProgramAreNotTouched(_ sql: String) throws {
            try server.psql(sql: "CREATE SCHEMA \(schema); SET search_path TO \(schema); \(sql)")
            let list =
                "SELECT count(*) FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace"
            let before = try server.psql(sql: list)
            for access in [HistoryStore.Access.reading, .writing] {
                guard case .otherSchema(let reason) = problem({ try open(access) }) else {
                    Issue.record("the store was opened")
                    return
                }
                #expect(reason.contains(schema))
            }
            #expect(try server.psql(sql: list) == before)
        }

        @Test func anotherClusterIsRefused() throws {
            try open(.writing, "cluster=north").close()
            for access in [HistoryStore.Access.reading, .writing] {
                guard case .otherSchema(let reason) = problem({ try open(access, "cluster=south") })
                else {
                    Issue.record("the store was opened")
                    return
                }
                #expect(reason.contains("'north'"))
            }
            #expect(try open(.reading, "cluster=north").history().count == 0)
        }

        @Test func whoMayOnlyReadCannotOpenForWriting() throws {
            let store = try open(.writing)
            try ingest(into: store)
            let user = "reader_\(schema)"
            try server.psql(
                sql: """
                    CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(user);
                    GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(user)
                    """)
            #expect(try open(.reading, user: user).history().count == store.history().count)
            guard case .unwritable = problem({ try open(.writing, user: user) }) else {
                Issue.record("a reader may write")
                return
            }
            try server.psql(
                sql: "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(user)")
            #expect(try open(.writing, user: user).history().count > 0)
            try server.psql(sql: "ALTER ROLE \(user) SET default_transaction_read_only = on")
            guard case .unwritable = problem({ try open(.writing, user: user) }) else {
                Issue.record("a reader may write")
                return
            }
        }

        @Test func aLostConnectionIsMadeAgain() throws {
            let store = try open(.writing)
            try ingest(into: store)
            let count = try store.history().count
            func breakConnections() throws {
                try server.psql(
                    sql: """
                        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                        WHERE pid <> pg_backend_pid() AND query LIKE '%' AND application_name = '\(schema)'
                        """)
            }
            let named = try open(.writing, "application_name=\(schema)")
            try breakConnections()
            #expect(try named.history().count == count)
            // While it writes: nothing of that is stored, and the next access works.
            let error = #expect(throws: HistoryStoreError.self) {
                try named.writing { database in
                    try database.execute("DELETE FROM opening", [])
                    try breakConnections()
                    try database.execute("DELETE FROM coverage", [])
                }
            }
            guard case .unreachable = error?.problem else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try named.history().count == count)
        }

        @Test func writersWaitForEachOther() async throws {
            try open(.writing).close()
            try await withThrowingTaskGroup { group in
                for second in 0..<8 {
                    group.addTask {
                        let store = try open(.writing)
                        defer { store.close() }
                        for step in 0..<10 {
                            try store.writing { database in
                                let sum = try database.firstRow(
                                    "SELECT count(*) FROM observedPeriod")?.integer(0)
                                try database.execute(
                                    "INSERT INTO observedPeriod VALUES ($1, $2, $2)",
                                    [.integer(Int64(second * 100 + step)), .integer(sum ?? -1)])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            // Each saw all that was written before it.
            let starts = try server.psql(
                sql: "SELECT count(DISTINCT start), max(start) FROM \(schema).observedPeriod")
            #expect(starts == "80|79")
        }

        @Test func aCopyGoesFromOneKindOfStoreToTheOther() throws {
            let folder = try Fixtures.temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let url = folder.appendingPathComponent("copy.sqlite")
            let store = try open(.writing)
            try ingest(into: store)
            let row = SyncedRow(
                id: "a\tb",
                opening: Fixtures.opening(
                    "Fremont", "2026-03-19T12:00", "2026-03-19T12:04"))
            try store.writing { database in
                try database.execute("INSERT INTO feed VALUES ('f', NULL, 0, NULL, 'e', 1)", [])
                try database.replaceSyncedRows(of: "f", by: [row.id: OpeningValues(row.opening)])
            }
            // A new file, and one with an older copy.
            for _ in 0..<2 {
                try store.backUp(to: url)
                let copy = try HistoryStore(url, .reading)
                #expect(try copy.contents().openings == store.contents().openings)
                #expect(try copy.cursor(of: "f") == store.cursor(of: "f"))
                copy.close()
            }
            let copy = try HistoryStore(url, .reading)
            let back = try open(.writing, schema: schema + "_back")
            try copy.copy(to: back)
            let one = try back.contents()
            #expect(try one.openings == store.contents().openings)
            #expect(try one.coverage == store.contents().coverage && !one.coverage.isEmpty)
            let error = #expect(throws: HistoryStoreError.self) { try copy.copy(to: back) }
            #expect(error?.kind == .data)
        }

        @Test func bothKindsOfStoreHoldTheSame() throws {
            let store = try open(.writing)
            let other = try HistoryStore(inMemoryNamed: "other")
            for target in [store, other] {
                for file in Fixtures.recordFiles {
                    let records = try RecordFile(file, now: now)
                    let first = try target.ingest(
                        records, coverage: nil, gapSeconds: 180, at: now)
                    let again = try target.ingest(
                        records, coverage: nil, gapSeconds: 180, at: now)
                    #expect(first.outcomes[.stored] ?? 0 > 1_000)
                    #expect(again.outcomes[.stored] == 0 && again.outcomes[.merged] == 0)
                }
            }
            let one = try store.contents()
            let two = try other.contents()
            #expect(one.openings == two.openings && one.coverage == two.coverage)
        }
    }
#endif
