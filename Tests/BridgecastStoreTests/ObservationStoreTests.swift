// Observations, copies and checks of the store; and stores of other times and other programs.
@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))
private let noon = Fixtures.moment("2026-02-20T12:00")

@Suite struct ObservationStoreTests {
    /// Feeds readings, each `seconds` after noon, through a tracker into the store.
    @discardableResult
    private func watch(
        _ store: HistoryStore, _ tracker: inout BridgeTracker,
        _ readings: [(Int64, [BridgeIndex: Bool])]
    ) throws -> BridgeTracker.Step {
        var last = BridgeTracker.Step()
        for (second, isRaised) in readings {
            last = tracker.apply(
                BridgeReading(receivedAt: noon.adding(seconds: second), isRaised: isRaised))
            try store.record(last)
        }
        return last
    }

    @Test func whatIsSeenIsThereAfterwardsWithItsCoverage() throws {
        try withStore { store, url in
            var tracker = BridgeTracker()
            try watch(
                store, &tracker,
                [
                    (0, [ballard: false]), (20, [ballard: true]), (60, [ballard: true]),
                    (80, [ballard: false]),
                ])
            let history = try HistoryStore(url, .reading).history()
            #expect(
                history.openings[ballard.rawValue] == [
                    Opening(
                        bridge: ballard, start: noon.adding(seconds: 20),
                        end: noon.adding(seconds: 80))
                ])
            #expect(history.coverage.periods[ballard.rawValue] == [noon..<noon.adding(seconds: 80)])
            #expect(history.coverage.periods[fremont.rawValue].isEmpty)
        }
    }

    @Test func aRestartGoesOnWithinAMinuteAndForgetsAfterMore() throws {
        try withStore { store, _ in
            var tracker = BridgeTracker()
            try watch(store, &tracker, [(0, [ballard: false]), (20, [ballard: true])])
            var soon = try store.resumedTracker(at: noon.adding(seconds: 70))
            #expect(soon.state(of: ballard) == .raised(since: noon.adding(seconds: 20)))
            try watch(store, &soon, [(70, [ballard: false])])
            #expect(try store.history().openings[ballard.rawValue].map(\.minutes) == [50.0 / 60])
            let late = try store.resumedTracker(at: noon.adding(seconds: 200))
            #expect(late.snapshot == nil && late.state(of: ballard) == .unknown)
            let forPredict = try store.resumedTracker(at: noon.adding(seconds: 200), within: 300)
            #expect(forPredict.snapshot?.states == [ballard: .lowered])
        }
    }

    @Test func aRecordOfTheSameOpeningJoinsTheObservation() throws {
        try withStore { store, _ in
            var tracker = BridgeTracker()
            try watch(
                store, &tracker,
                [
                    (0, [fremont: false]), (40, [fremont: true]), (60, [fremont: true]),
                    (100, [fremont: false]),
                ])
            let csv =
                "entityid,opendatetime,closedatetime\n3,2026-02-20T12:00:00,2026-02-20T12:02:00\n"
                + "3,2026-02-20T15:00:00,2026-02-20T15:02:00\n"
            let file = try RecordFile(
                Array(csv.utf8), name: "r.csv", now: noon.adding(minutes: 600))
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: noon)
            let contents = try store.contents().openings[fremont.rawValue]
            #expect(contents.map(\.witnesses) == [[.record, .observed], [.record]])
            #expect(
                contents[0].opening
                    == Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:02"))
        }
    }

    @Test func aClockThatIsSetBackTakesCoverageBackAndLosesNoOpening() throws {
        try withStore { store, url in
            var tracker = BridgeTracker()
            try watch(
                store, &tracker,
                [
                    (0, [ballard: false]), (20, [ballard: true]), (40, [ballard: false]),
                    (-3_600, [ballard: false]),
                ])
            #expect(try store.history().coverage.minutes(of: ballard) == 0)
            // It is kept, with a time that nobody vouches for.
            let kept = try DatabaseQueue(path: url.path).read {
                try Int.fetchOne(
                    $0, sql: "SELECT count(*) FROM observedOpening WHERE startIsKnown = 0")
            }
            #expect(kept == 1)
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

    @Test func pruningTakesOpeningsWithTheirCoverage() throws {
        try withStore { store, _ in
            let file = try RecordFile(
                Fixtures.trainingData("openings-2025-2026.csv"),
                now: noon.adding(minutes: 90 * 1440))
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: noon)
            let limit = Fixtures.moment("2026-02-01T00:00")
            let before = try store.history()
            let old = file.openings.count { $0.end ?? $0.start < limit }
            let trial = try store.prune(before: limit, .records, isTrial: true)
            let afterTrial = try store.history()
            #expect(trial.records == old && afterTrial.count == before.count)
            #expect(try store.prune(before: limit, .observed, isTrial: false).records == 0)
            #expect(try store.prune(before: limit, .all, isTrial: false).records == old)
            let after = try store.history()
            #expect(after.openings.allSatisfy { $0.allSatisfy { ($0.end ?? $0.start) >= limit } })
            #expect(!after.coverage.contains(limit.adding(minutes: -1), of: fremont))
            #expect(after.coverage.contains(limit.adding(minutes: 1), of: fremont))
        }
    }

    @Test func whatWasObservedIsPrunedByItself() throws {
        try withStore { store, _ in
            var tracker = BridgeTracker()
            try watch(
                store, &tracker,
                [(0, [ballard: false]), (20, [ballard: true]), (40, [ballard: false])])
            let later = noon.adding(minutes: 60)
            #expect(try store.prune(before: later, .records, isTrial: false).observed == 0)
            #expect(try store.history().count == 1)
            #expect(try store.prune(before: later, .observed, isTrial: false).observed == 1)
            #expect(try store.history().count == 0)
        }
    }

    @Test func aCheckCountsOpeningsAndCoveredDays() throws {
        try withStore { store, url in
            let file = try RecordFile(
                Fixtures.trainingData("openings-2025-2026.csv"),
                now: noon.adding(minutes: 90 * 1440))
            let coverage = try CoverageFile.read(Fixtures.trainingData("coverage.json"))
            _ = try store.ingest(
                file, coverage: coverage, gapSeconds: 180,
                at: noon.adding(minutes: 90 * 1440))
            let finding = HistoryStore.check(url, at: Fixtures.moment("2026-03-01T00:00"))
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

    @Test func aCheckFindsWhatIsWrongAndSaysWhatToDo() throws {
        try withStore { store, url in
            func subjects(_ severity: StoreFinding.Severity) -> Set<String> {
                Set(
                    HistoryStore.check(url, at: noon).filter { $0.severity == severity }.map(
                        \.subject))
            }
            #expect(
                subjects(.error).isEmpty && subjects(.warning).isSuperset(of: ["sync", "live"]))
            var tracker = BridgeTracker()
            try watch(store, &tracker, [(0, [ballard: false]), (20, [ballard: false])])
            #expect(subjects(.warning).isDisjoint(with: ["live", "bridges", "times", "log"]))
            // Seen until 20 s after noon: five minutes ahead are taken, a second more is a clock set back.
            for (second, isOdd) in [(-280, false), (-281, true)] as [(Int64, Bool)] {
                let live = HistoryStore.check(url, at: noon.adding(seconds: second))
                    .first { $0.subject == "live" }
                #expect(live?.severity == (isOdd ? .warning : .ok), "\(second) s")
            }
            try DatabaseQueue(path: url.path).write {
                try $0.execute(sql: "INSERT INTO observedOpening VALUES (99, 4000000000, 1, NULL)")
            }
            #expect(subjects(.warning).isSuperset(of: ["bridges", "times"]))
            #expect(
                HistoryStore.check(url, at: noon).allSatisfy {
                    $0.severity == .ok || $0.advice != nil
                })
        }
        let missing = HistoryStore.check(URL(fileURLWithPath: "/nonexistent/x.sqlite"), at: noon)
        #expect(missing.map(\.severity) == [.warning])
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
