// What a check of a store finds and advises, and how damaged stores are detected.
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
@testable import BridgecastSupport

private let ballard = Fixtures.bridge("Ballard")
private let fremont = Fixtures.bridge("Fremont")

@Suite struct StoreCheckTests {
    @Test(arguments: StoreKind.allCases)
    func aCheckCountsOpeningsAndCoveredDays(_ kind: StoreKind) throws {
        try withStore(kind) { store, elsewhere in
            let file = try RecordFile(
                Fixtures.trainingData("openings-2025-2026.csv"),
                now: noon.adding(minutes: 90 * 1440))
            let coverage = try CoverageFile.read(Fixtures.trainingData("coverage.json"))
            _ = try store.ingest(
                file, coverage: coverage, gapSeconds: 180,
                at: noon.adding(minutes: 90 * 1440))
            let finding = elsewhere.check(at: Fixtures.timestamp("2026-03-01T00:00"))
                .first { $0.subject == "Fremont" }
            let days = Int(coverage.minutes(of: fremont) / 1440)
            let count = try store.history().openings[fremont.rawValue].count
            #expect(days > 80 && count > 900)
            let text = finding?.finding ?? ""
            #expect(
                text.hasPrefix("\(count) openings on \(days) covered days up to 2026-"), "\(text)")
            #expect(text.hasSuffix("; 0 only observed, 0 both observed and recorded"), "\(text)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aCheckFindsProblemsAndAdvises(_ kind: StoreKind) throws {
        try withStore(kind) { store, elsewhere in
            func subjects(_ severity: StoreFinding.Severity) -> Set<String> {
                Set(
                    elsewhere.check(at: noon).filter { $0.severity == severity }.map(
                        \.subject))
            }
            #expect(
                subjects(.error).isEmpty && subjects(.warning).isSuperset(of: ["sync", "live"]))
            var tracker = BridgeTracker()
            try watch(store, &tracker, [(0, [ballard: false]), (20, [ballard: false])])
            #expect(subjects(.warning).isDisjoint(with: ["live", "bridges", "times", "log"]))
            // Seen until 20 s after noon: five minutes ahead are accepted, a second more means a clock set back.
            for (second, isOdd) in [(-280, false), (-281, true)] as [(Int64, Bool)] {
                let live = elsewhere.check(at: noon.adding(seconds: second))
                    .first { $0.subject == "live" }
                #expect(live?.severity == (isOdd ? .warning : .ok), "\(second) s")
            }
            try elsewhere.execute("INSERT INTO observedOpening VALUES (99, 4000000000, 1, NULL)")
            #expect(subjects(.warning).isSuperset(of: ["bridges", "times"]))
            #expect(
                elsewhere.check(at: noon).allSatisfy {
                    $0.severity == .ok || $0.advice != nil
                })
        }
        let missing = HistoryStore.check(URL(fileURLWithPath: "/nonexistent/x.sqlite"), at: noon)
        #expect(missing.map(\.severity) == [.warning])
    }
}

@Suite struct StoreDamageTests {
    private let now = Fixtures.timestamp("2026-11-21T12:00")

    /// A store whose first writer was killed rolls back and is usable.
    @Test func aStoreWithAHotJournalIsOpenedForWriting() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("history.sqlite")
            let queue = try DatabaseQueue(path: url.path)
            try queue.write(HistorySchema.migrate)
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
            #expect(refusal?.reason.contains("a write was interrupted") == true)
            let store = try HistoryStore(killed, .writing)
            #expect(try store.integrityProblems() == [] && store.history().count == 0)
            store.close()
        }
    }

    /// Impossible rows, such as after a flipped bit, end in an error, not in a crash.
    @Test(
        arguments: [
            "INSERT INTO opening SELECT 3, 9223372036854775807, NULL, sha256, 1 FROM file",
            "INSERT INTO opening SELECT 3, -9223372036854775808, 9223372036854775807, sha256, 1 FROM file",
            "INSERT INTO coverage SELECT 3, -9223372036854775808, 9223372036854775807, sha256 FROM file",
            "INSERT INTO observedOpening VALUES (3, -9223372036854775808, 1, NULL)",
            "INSERT INTO observedPeriod VALUES (3, -9223372036854775808, 9223372036854775807)",
            "INSERT INTO feed VALUES ('x', 'y', 1, '', '', -9223372036854775808)",
            "DROP TABLE opening", "DROP TABLE observedPeriod",
        ], StoreKind.allCases)
    func impossibleRowsAreDamage(_ sql: String, _ kind: StoreKind) throws {
        try withStore(kind) { store, elsewhere in
            let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: now)
            store.close()
            try elsewhere.execute(sql)
            #expect(elsewhere.check(at: now).contains { $0.severity == .error })
            let damaged = try elsewhere.open(.reading)
            defer { damaged.close() }
            try expectDamage(in: damaged, isOfSync: sql.contains("INTO feed"))
        }
    }

    private func expectDamage(in damaged: HistoryStore, isOfSync: Bool) throws {
        do {
            _ = try damaged.history()
            _ = try damaged.resumedTracker(at: now)
            // Only what a sync reads is wrong.
            #expect(isOfSync)
        } catch let error as HistoryStoreError {
            guard case .damaged = error.problem else {
                Issue.record("\(error)")
                return
            }
            #expect(error.kind == .data)
        }
    }

    /// The same of rows that only SQLite can be brought to take.
    @Test(arguments: [
        "UPDATE opening SET end = start - 60", "UPDATE coverage SET end = start - 60",
    ]) func rowsThatNoCheckAllowsAreDamage(_ sql: String) throws {
        try withStore { store, url in
            let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: now)
            store.close()
            let queue = try DatabaseQueue(path: url.path)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA ignore_check_constraints = 1; \(sql)")
            }
            try queue.close()
            #expect(HistoryStore.check(url, at: now).contains { $0.severity == .error })
            let damaged = try HistoryStore(url, .reading)
            defer { damaged.close() }
            try expectDamage(in: damaged, isOfSync: false)
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
