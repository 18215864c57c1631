// `sync` page by page over real sockets, with failures and moving rows.
import BridgecastCore
import BridgecastData
import BridgecastFeeds
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Logging
import Testing

@testable import BridgecastServerCLI

private let clock = JumpingClock(Fixtures.timestamp("2026-11-21T12:00"))
private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

@Suite(.serialized) struct HistorySyncTests {
    /// A store in a folder of its own, a client, and a server of records.
    private func withSync(
        _ records: URL, _ body: (HistoryStore, FeedClient, StandIn) async throws -> Void
    ) async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try HistoryStore(folder.appendingPathComponent("h.sqlite"), .writing)
        let server = try StandIn(records: records)
        let client = FeedClient(clock: clock, log: log)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(store, client, server))
        } catch {
            result = .failure(error)
        }
        await client.close()
        server.stop()
        store.close()
        try result.get()
    }

    private func sync(
        _ store: HistoryStore, _ client: FeedClient, _ host: String, page: Int,
        token: String? = nil, attempts: Int = 20, pause: Double = 0
    ) async throws -> SyncReport {
        try await HistorySync(
            try SODASource(host: host, appToken: token, pageRows: page), into: store,
            client: client, retries: RetryPolicy(attempts: attempts), pauseSeconds: pause,
            clock: clock, log: log
        ).run()
    }

    private let shipped = Fixtures.trainingData("openings-2025-2026.csv")

    /// Every shipped opening is in the store, none of them twice.
    private func expectWholeDataSet(in store: HistoryStore) throws {
        let reference = try RecordFile(shipped, now: clock.now).openings
        #expect(
            try store.history().openings
                == OpeningHistory(records: reference, coverage: .empty).openings)
    }

    @Test func everyRowIsStoredOnceForAnyPageSize() async throws {
        let reference = try RecordFile(shipped, now: clock.now).openings
        try await withSync(shipped) { store, client, server in
            let first = try await sync(
                store, client, "\(server.address)/ok", page: 701, token: "secret")
            #expect(first.rows == 3_245 && first.added == 3_245 && first.pages == 5)
            let history = try store.history()
            let expected = OpeningHistory(records: reference, coverage: .empty)
            #expect(history.openings == expected.openings)
            #expect(history.coverage == Coverage.inferred(from: reference))
            let second = try await sync(store, client, "\(server.address)/ok", page: 701)
            #expect(second.rows == 0 && second.added == 0)
            let third = try await sync(store, client, "\(server.address)/ok", page: 701)
            #expect(third.isNotModified, "the ETag is sent")
            let log = FeedRequest(feed: "log", url: server.address + "/log")
            let body = try await client.get(log, retrying: .once) { $0 ?? [] }.content
            let text = String(decoding: body, as: UTF8.self)
            #expect(text.contains("\"token\": \"secret\""))
        }
    }

    /// Every third request fails in some way; many runs fail; nothing is lost or stored twice.
    @Test func theNextRunContinuesAfterAnyFailure() async throws {
        try await withSync(shipped) { store, client, server in
            var runs = 0
            var failures = 0
            while runs < 100 {
                runs += 1
                do {
                    _ = try await sync(
                        store, client, "\(server.address)/flaky", page: 150, attempts: 1)
                    break
                } catch is FeedError {
                    failures += 1
                }
            }
            #expect(failures > 2 && runs < 100)
            try expectWholeDataSet(in: store)
        }
    }

    @Test func everythingIsReadAgainWithPausesAndContinuedWhereItStopped() async throws {
        try await withSync(shipped) { store, client, server in
            let source = try SODASource(host: "\(server.address)/flaky", pageRows: 150)
            func all() async throws -> SyncReport {
                try HistorySync.beginAgain(source, in: store)
                return try await sync(
                    store, client, "\(server.address)/flaky", page: 150, attempts: 1, pause: 0.125)
            }
            var rows: [Int] = []
            var failures = 0
            // Twice to the end: from an empty store, and over all that is stored.
            while rows.count < 2, failures < 200 {
                do {
                    rows.append(try await all().rows)
                } catch is FeedError {
                    failures += 1
                }
            }
            // The run that reached the end read only what the interrupted ones before it had not.
            #expect(failures > 4 && rows.count == 2, "\(failures) \(rows)")
            #expect(rows.allSatisfy { $0 > 0 && $0 < 3_245 }, "\(rows)")
            #expect(clock.waits.contains(0.125))
            try expectWholeDataSet(in: store)
            let stored = try store.syncedRecords(of: source.name)
            #expect(stored.map(\.count).reduce(0, +) == 3_245)
            let fremont = try #require(stored.first { $0.bridge == .fremont })
            #expect(fremont.count == 1_053)
        }
    }

    /// Rows that change while they are read move to the end; those that follow them are not skipped.
    @Test func rowsThatMoveMeanwhileAreAllRead() async throws {
        try await withSync(shipped) { store, client, server in
            let report = try await sync(store, client, "\(server.address)/moving", page: 300)
            #expect(report.rereads > 0)
            try expectWholeDataSet(in: store)
        }
    }

    /// A host that ignores offsets is detected, and a page of one row still makes progress.
    @Test func aHostThatRepeatsAPageIsRefused() async throws {
        try await withSync(shipped) { store, client, server in
            let error = await #expect(throws: FeedError.self) {
                try await sync(store, client, "\(server.address)/stuck", page: 100, attempts: 1)
            }
            #expect(error?.description.contains("move faster") == true)
        }
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let few = folder.appendingPathComponent("few.csv")
        let text = try String(contentsOf: shipped, encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline).prefix(8)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: few)
        try await withSync(few) { store, client, server in
            let report = try await sync(store, client, "\(server.address)/ok", page: 1)
            #expect(report.added == 7 && report.rows == 7)
        }
    }

    /// The first row of a page is the last of the page before; it counts once, kept or rejected.
    @Test func everyRowIsInOneCount() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let csv = folder.appendingPathComponent("r.csv")
        for (share, usable) in [(2, 20), (1, 0)] {
            var text = ":id,:updated_at,entityid,entityname,opendatetime,closedatetime\n"
            for row in 10..<50 {
                let bridge = row % share == 0 ? "99,Nowhere" : "3,Fremont"
                text +=
                    "row-\(row),2026-02-20T11:00:\(row).000Z,\(bridge),2026-02-19T10:\(row):00.000,"
                    + "2026-02-19T10:\(row):30.000\n"
            }
            try Data(text.utf8).write(to: csv)
            try await withSync(csv) { store, client, server in
                let first = try await sync(store, client, "\(server.address)/ok", page: 6)
                #expect(first.rows == 40 && first.added == usable && first.unchanged == 0)
                #expect(first.rejections == [.unknownBridge: 40 - usable])
                #expect(first.flags == (usable > 0 ? [.short: usable] : [:]))
                let second = try await sync(store, client, "\(server.address)/ok", page: 6)
                #expect(second.rows == 0 && second.rejections == [:] && second.unchanged == 0)
            }
        }
    }

    @Test func aCorrectedRowReplacesTheOldOne() async throws {
        func table(_ close: String, _ updated: String) -> String {
            ":id,:updated_at,entityid,entityname,opendatetime,closedatetime\n"
                + "row-a,2026-02-20T11:00:00.000Z,3,Fremont,2026-02-19T10:00:00.000,2026-02-19T10:05:00.000\n"
                + "row-b,\(updated),3,Fremont,2026-02-19T13:00:00.000,\(close)\n"
        }
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let csv = folder.appendingPathComponent("r.csv")
        try Data(table("2026-02-19T13:50:00.000", "2026-02-20T11:00:00.000Z").utf8).write(to: csv)
        try await withSync(csv) { store, client, server in
            let host = "\(server.address)/ok"
            #expect(try await sync(store, client, host, page: 10).added == 2)
            server.stop()
            try Data(table("2026-02-19T13:05:00.000", "2026-02-21T11:00:00.000Z").utf8).write(
                to: csv)
            let port = try #require(Int(server.address.split(separator: ":").last ?? ""))
            let next = try StandIn(records: csv, port: port)
            defer { next.stop() }
            let report = try await sync(store, client, host, page: 10)
            #expect(report.changed == 1 && report.added == 0)
            let fremont = try store.history().openings[Fixtures.bridge("Fremont").rawValue]
            #expect(fremont.map(\.minutes) == [5, 5])
        }
    }

    @Test func invalidAddressesAreRefused() {
        for host in ["", "ftp://data.seattle.gov", "https://", "https://a/?x=1"] {
            #expect(throws: FeedError.self) { try SODASource(host: host) }
        }
        for dataset in ["gm8h", "gm8h-9449/../x", "gm8h-94 9", "", "gm8h-9449-1"] {
            #expect(throws: FeedError.self) { try SODASource(dataset: dataset) }
        }
        #expect(
            (try? SODASource(host: "data.seattle.gov"))?.name
                == "https://data.seattle.gov/resource/gm8h-9449")
    }
}
