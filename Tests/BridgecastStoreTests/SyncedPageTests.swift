// Pages of a synced data set in the store: what is counted, replaced and taken out, without a network.
import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct SyncedPageTests {
    private let now = Fixtures.moment("2026-02-21T12:00")
    private let fremont = Fixtures.bridge("Fremont")

    /// A reply with rows of Fremont: id, opening and closing hour of 20 February.
    private func page(_ rows: [(id: String, open: String, close: String)]) throws -> SODAPage {
        try page(
            rows.map { ($0.id, "2026-02-20T\($0.open):00", "2026-02-20T\($0.close):00") }, at: now)
    }

    /// The same with whole times, as the city writes them but for the thousandths.
    private func page(
        _ rows: [(id: String, open: String, close: String)], at now: Timestamp
    ) throws -> SODAPage {
        let entries = rows.map { row in
            #"{":id": "\#(row.id)", ":updated_at": "2026-02-21T01:00:00.000Z", "entityid": "3","#
                + #" "entityname": "Fremont", "opendatetime": "\#(row.open).000","#
                + #" "closedatetime": "\#(row.close).000"}"#
        }
        return try SODAPage(Array("[\(entries.joined(separator: ","))]".utf8), now: now)
    }

    @Test func rowsAreNewChangedOrAsTheyWere() throws {
        try withStore { store, _ in
            let cursor = SyncCursor(
                updatedAt: "2026-02-21T01:00:00.000Z", seen: 2, lastRow: "b", etag: "\"x\"")
            #expect(try store.cursor(of: "feed") == SyncCursor())
            let first = try store.commit(
                try page([("a", "10:00", "10:05"), ("b", "13:00", "13:50")]), cursor: cursor,
                of: "feed", completedAt: nil)
            #expect((first.added, first.changed, first.unchanged) == (2, 0, 0))
            #expect(try store.cursor(of: "feed") == cursor)
            let second = try store.commit(
                try page([("a", "10:00", "10:05"), ("b", "13:00", "13:05")]), cursor: cursor,
                of: "feed", completedAt: now)
            #expect((second.added, second.changed, second.unchanged) == (0, 1, 1))
            let history = try store.history()
            #expect(history.openings[fremont.rawValue].map(\.minutes) == [5, 5])
            let moved = try store.commit(
                try page([("a", "11:00", "11:05")]), cursor: cursor, of: "feed", completedAt: now)
            #expect((moved.added, moved.changed, moved.unchanged) == (0, 1, 0))
            #expect(
                try store.history().openings[fremont.rawValue].map(\.start) == [
                    Fixtures.moment("2026-02-20T11:00"), Fixtures.moment("2026-02-20T13:00"),
                ])
        }
    }

    /// Before the end of the data set is reached nothing is known to be complete.
    @Test func coverageIsStatedOnceAllHasBeenRead() throws {
        let later = now.adding(minutes: 90 * 1440)
        let shipped = try RecordFile(
            Fixtures.trainingData("openings-2025-2026.csv"), now: later
        ).openings.filter { $0.bridge == fremont }
        let civil = { (moment: Timestamp) in String(TimeText.rfc3339(moment).prefix(19)) }
        let all = try page(
            shipped.enumerated().map { number, opening in
                ("\(number)", civil(opening.start), civil(opening.end ?? opening.start))
            }, at: later)
        try withStore { store, _ in
            let cursor = SyncCursor()
            let counts = try store.commit(all, cursor: cursor, of: "feed", completedAt: nil)
            #expect(counts.added > 1_000)
            #expect(try store.history().coverage.isEmpty)
            _ = try store.commit(all, cursor: cursor, of: "feed", completedAt: now)
            let inferred = Coverage.inferred(from: shipped)
            #expect(try store.history().coverage == inferred && !inferred.isEmpty)
        }
    }

    @Test func aRowThatNoLongerHoldsAnOpeningGoes() throws {
        try withStore { store, _ in
            _ = try store.commit(
                try page([("a", "10:00", "10:05"), ("b", "13:00", "13:05")]), cursor: SyncCursor(),
                of: "feed", completedAt: now)
            let spoilt = try page([("a", "never", "10:05")])
            #expect(spoilt.rejectedRows == ["a"])
            _ = try store.commit(spoilt, cursor: SyncCursor(), of: "feed", completedAt: now)
            #expect(
                try store.history().openings[fremont.rawValue].map(\.start) == [
                    Fixtures.moment("2026-02-20T13:00")
                ])
        }
    }

    @Test func pruningCountsSyncedRows() throws {
        try withStore { store, _ in
            _ = try store.commit(
                try page([("a", "10:00", "10:05"), ("b", "13:00", "13:05")]), cursor: SyncCursor(),
                of: "feed", completedAt: now)
            let report = try store.prune(
                before: Fixtures.moment("2026-02-20T12:00"), .records, isTrial: false)
            #expect(report.records == 1 && report.observed == 0)
            #expect(try store.history().count == 1)
        }
    }

    @Test func theCheckSaysHowOldASyncIs() throws {
        try withStore { store, url in
            _ = try store.commit(
                try page([("a", "10:00", "10:05")]), cursor: SyncCursor(), of: "feed",
                completedAt: now)
            func finding(days: Double) -> StoreFinding? {
                HistoryStore.check(url, at: now.adding(minutes: days * 1440))
                    .first { $0.subject == "sync" }
            }
            #expect(finding(days: 0.5)?.finding == "feed was synced 12.0 h ago")
            let times = HistoryStore.check(url, at: now).filter { $0.subject == "times" }
            #expect(times.map(\.finding) == ["every opening lies in the past"])
            #expect(finding(days: 2.9)?.severity == .ok)
            #expect(finding(days: 10)?.finding == "feed was last synced 10 days ago")
        }
    }
}
