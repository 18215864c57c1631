// The log of replicas in a database: its order, its readers, its terms, and what becomes of them with their connections.
#if PostgreSQL
    import BridgecastCore
    import BridgecastLive
    import BridgecastStore
    import BridgecastTestSupport
    import Foundation
    import Testing

    @testable import BridgecastPostgreSQL

    // One after the other: some end connections of the server that others may have.
    @Suite(.serialized) struct ReplicaLogTests {
        private let server = DatabaseServer.shared
        private let address: DatabaseAddress
        private let log: PostgreSQLReplicaLog

        init() throws {
            let schema = "replicas\(UInt32.random(in: 0 ... .max))"
            address = try DatabaseAddress(server.url("schema=\(schema)"))
            try PostgreSQLHistory(address, .writing).close()
            log = PostgreSQLReplicaLog(address, returnSeconds: 0)
        }

        private func text(_ entry: ReplicaEntry) -> String {
            String(decoding: entry.body, as: UTF8.self)
        }

        /// The first entries that a reader gets, and the log's id.
        private func read(
            _ count: Int, after last: Int64? = nil
        ) async throws -> (id: String, entries: [ReplicaEntry]) {
            var entries: [ReplicaEntry] = []
            for try await batch in log.batches(after: last) {
                entries += batch.entries
                if entries.count >= count { return (batch.logID, entries) }
            }
            return ("", entries)
        }

        @Test func entriesAreNumberedAndReachReadersAtOnce() async throws {
            let term = try await log.campaign()
            #expect(term.number == 1 && term.lastSequence == 0)
            async let seen = read(3, after: 0)
            for (index, count) in [2, 0, 3].enumerated() {
                try await term.append(
                    Array("\"ü\(index)\\\"".utf8), eventCount: count, isPublication: true)
            }
            let (id, entries) = try await seen
            #expect(id.count == 32 && !id.contains("-"))
            #expect(
                entries.map(\.sequence) == [1, 2, 3] && entries.map(\.firstEvent) == [1, 3, 3])
            #expect(entries.map(text) == ["\"ü0\\\"", "\"ü1\\\"", "\"ü2\\\""])
            let rest = try await read(1, after: 2)
            #expect(rest.entries.map(\.sequence) == [3] && rest.id == id)
            await term.end()
        }

        @Test func aNewReaderBeginsWithTheNewestPublicationAndTheNewestEvents() async throws {
            let term = try await log.campaign()
            try await term.append([], eventCount: 1, isPublication: true)
            for _ in 0..<6 {
                try await term.append(Array("e".utf8), eventCount: 100, isPublication: false)
            }
            let batch = try await read(1)
            // 601 events: the last 512 are in the last six entries.
            #expect(batch.entries.map(\.sequence) == [1, 3, 4, 5, 6, 7])
            await term.end()
        }

        @Test func anEmptyLogIsReadToo() async throws {
            for try await batch in log.batches(after: nil) {
                #expect(batch.entries.isEmpty && !batch.logID.isEmpty)
                break
            }
        }

        @Test func aLogGetsAnotherIDOnce() async throws {
            let term = try await log.campaign()
            try await term.append([1], eventCount: 1, isPublication: true)
            let id = try await read(1, after: 0).id
            try await log.replaceID(id)
            let next = try await read(1, after: 0).id
            #expect(next.count == 32 && next != id)
            // Another replica that noticed the same.
            try await log.replaceID(id)
            #expect(try await read(1, after: 0).id == next)
            await term.end()
        }

        @Test func aLogKeepsItsIDWhileReadersComeBackToAServerThatStarted() async throws {
            let term = try await log.campaign()
            try await term.append([1], eventCount: 1, isPublication: true)
            let id = try await read(1, after: 0).id
            try await eventually { try readers() == 0 }
            let patient = PostgreSQLReplicaLog(address, returnSeconds: 1_000_000)
            for try await batch in patient.batches(after: nil) {
                #expect(batch.logID == id)
                break
            }
            await term.end()
        }

        @Test func aLogWithoutReadersGetsAnotherIDFromANewReader() async throws {
            let term = try await log.campaign()
            try await term.append([1], eventCount: 1, isPublication: true)
            let id = try await read(1, after: 0).id
            try await eventually { try readers() == 0 }
            let reading = Task { try await read(2, after: 0).id }
            try await eventually { try readers() > 0 }
            #expect(try await read(1).id == id)
            try await term.append([2], eventCount: 1, isPublication: true)
            #expect(try await reading.value == id)
            try await eventually { try readers() == 0 }
            #expect(try await read(1).id != id)
            await term.end()
        }

        private func readers() throws -> Int {
            let count = try server.psql(
                sql: """
                    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
                        AND objid = (SELECT hashtext('\(address.schema)')::bigint & 4294967295)::oid
                    """)
            return Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
        }

        /// A reader that is gone gives its lock back within seconds.
        private func eventually(_ condition: () async throws -> Bool) async throws {
            for _ in 0..<600 {
                if try await condition() { return }
                try await Task.sleep(for: .milliseconds(100))
            }
            Issue.record("it does not come true within a minute")
        }

        @Test func oneReplicaPollsAndAnotherFollowsWhenItsConnectionIsGone() async throws {
            let first = try await log.campaign()
            let waiting = Task { try await log.campaign() }
            try await Task.sleep(for: .milliseconds(1_200))
            // As if its process had ended.
            try server.psql(
                sql: """
                    SELECT pg_terminate_backend(pid) FROM pg_locks
                    WHERE locktype = 'advisory' AND granted AND objsubid = 2
                        AND objid = (SELECT hashtext('\(address.schema)')::bigint & 4294967295)::oid
                    """)
            let second = try await waiting.value
            #expect(second.number == 2)
            try await second.append([1], eventCount: 0, isPublication: true)
            await #expect(throws: PostgreSQLError.self) {
                try await first.append([2], eventCount: 0, isPublication: true)
            }
            await second.end()
        }

        @Test func aTermThatHasEndedWritesNothing() async throws {
            let term = try await log.campaign()
            try server.psql(sql: "UPDATE \(address.schema).replicaHead SET term = term + 1")
            await #expect(throws: ReplicaTermEnded(number: 1)) {
                try await term.append([1], eventCount: 1, isPublication: true)
            }
            await #expect(throws: ReplicaTermEnded(number: 1)) {
                try await term.put(
                    [1], problem: nil, of: "trip_updates", at: Timestamp(secondsSinceEpoch: 0))
            }
            let counts = try server.psql(
                sql: "SELECT sequence, event FROM \(address.schema).replicaHead")
            #expect(counts.trimmingCharacters(in: .whitespacesAndNewlines) == "0|0")
            await term.end()
        }

        @Test func documentsAreReadOnce() async throws {
            let now = Timestamp(secondsSinceEpoch: 1_771_639_200)
            #expect(try await log.document("trip_updates", unless: nil) == nil)
            let term = try await log.campaign()
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try await term.put(bytes, problem: nil, of: "trip_updates", at: now)
            let document = try #require(try await log.document("trip_updates", unless: nil))
            #expect(document.bytes == bytes && document.requestedAt == now)
            let later = now.adding(seconds: 30)
            try await term.put(nil, problem: "it failed", of: "trip_updates", at: later)
            #expect(
                try await log.document("trip_updates", unless: document.number)
                    == ReplicaDocument(
                        number: document.number, bytes: nil, requestedAt: later,
                        problem: "it failed"))
            try await term.put([1], problem: nil, of: "trip_updates", at: later)
            let newest = try await log.document("trip_updates", unless: document.number)
            #expect(newest?.bytes == [1] && newest?.problem == nil)
            await term.end()
        }

        @Test func theLongestNameOfASchemaIsTaken() async throws {
            let schema = String(repeating: "s", count: 63)
            let address = try DatabaseAddress(server.url("schema=\(schema)"))
            try PostgreSQLHistory(address, .writing).close()
            let term = try await PostgreSQLReplicaLog(address).campaign()
            try await term.append([1], eventCount: 0, isPublication: true)
            await term.end()
        }

        @Test func aReaderLearnsThatItsConnectionIsGone() async throws {
            let term = try await log.campaign()
            try await term.append([1], eventCount: 0, isPublication: true)
            await #expect(throws: PostgreSQLError.self) {
                for try await _ in log.batches(after: nil) {
                    try server.psql(
                        sql: """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE query LIKE '%replicaHead AS head%' AND pid <> pg_backend_pid()
                                AND backend_start > now() - interval '1 minute'
                            """)
                }
            }
            await term.end()
        }

        @Test func oldEntriesAreDeleted() async throws {
            try server.psql(
                sql: """
                    INSERT INTO \(address.schema).replicaEntry
                    SELECT number, 1, number, 1, true, 'x' FROM generate_series(1, 9999) AS number;
                    UPDATE \(address.schema).replicaHead SET sequence = 9983, event = 9999
                    """)
            try server.psql(
                sql: "DELETE FROM \(address.schema).replicaEntry WHERE sequence > 9983")
            let term = try await log.campaign()
            try await term.append([1], eventCount: 1, isPublication: true)
            let counts = try server.psql(
                sql: "SELECT min(sequence), max(sequence) FROM \(address.schema).replicaEntry")
            #expect(counts.trimmingCharacters(in: .whitespacesAndNewlines) == "5984|9984")
            await term.end()
        }
    }
#endif
