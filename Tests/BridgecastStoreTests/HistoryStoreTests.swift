// The store: files of records, pages of a feed and observations go in, one history comes out, and counts add up.
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
@testable import BridgecastSupport

private let ballard = Fixtures.bridge("Ballard")
private let fremont = Fixtures.bridge("Fremont")

@Suite struct HistoryStoreTests {
    private let now = Fixtures.timestamp("2026-11-21T12:00")

    /// Runs a test with a store in a folder of its own.
    private func ingest(
        _ url: URL, into store: HistoryStore, coverage: Coverage? = nil
    ) throws -> IngestReport {
        try store.ingest(
            try RecordFile(url, now: now), coverage: coverage, gapSeconds: 180, at: now)
    }

    private func sum(_ report: IngestReport) -> Int {
        report.outcomes.values.reduce(0, +) + report.rejections.values.reduce(0, +)
    }

    @Test(arguments: StoreKind.allCases)
    func theShippedRecordsAreStoredUnchanged(_ kind: StoreKind) throws {
        let coverage = try CoverageFile.read(Fixtures.trainingData("coverage.json"))
        try withStore(kind) { store, elsewhere in
            for file in Fixtures.recordFiles {
                let report = try ingest(file, into: store, coverage: coverage)
                #expect(sum(report) == report.rowsRead)
                #expect(report.outcomes[.merged] ?? 0 > 0 && report.coverage == .stated)
            }
            let history = try elsewhere.open(.reading).history()
            #expect(history.openings == Fixtures.shippedHistory.openings)
            #expect(history.coverage == Fixtures.shippedHistory.coverage)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func ingestingAgainChangesNothing(_ kind: StoreKind) throws {
        let file = Fixtures.trainingData("openings-2025-2026.csv")
        try withStore(kind) { store, _ in
            let first = try ingest(file, into: store)
            let before = try store.history()
            let second = try ingest(file, into: store)
            #expect(second.outcomes[.alreadyStored] == first.rowsRead)
            #expect(second.outcomes[.stored] == 0 && second.outcomes[.merged] == 0)
            let after = try store.history()
            #expect(after.openings == before.openings && after.coverage == before.coverage)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func everyRowIsInExactlyOneCount(_ kind: StoreKind) throws {
        let text = """
            entityid,opendatetime,closedatetime
            3,2026-02-19T12:00:00,2026-02-19T12:04:00
            3,2026-02-19T12:00:00,2026-02-19T12:04:00
            3,2026-02-19T12:06:00,2026-02-19T12:09:00
            3,2026-02-19T12:12:00,2026-02-19T12:13:00
            3,2026-02-19T15:00:00,2026-02-19T14:00:00
            77,2026-02-19T15:00:00,2026-02-19T15:05:00
            2,2026-02-19T15:00:00,
            """
        try withFile(text.utf8) { file in
            try withStore(kind) { store, _ in
                let report = try ingest(file, into: store)
                #expect(
                    report.outcomes == [
                        .stored: 2, .merged: 2, .duplicate: 1, .alreadyStored: 0,
                    ])
                #expect(report.rejections == [.closesBeforeOpening: 1, .unknownBridge: 1])
                #expect(report.flags == [.short: 1, .missingEnd: 1])
                #expect(sum(report) == report.rowsRead && report.rowsRead == 7)
                #expect(
                    report.examples[.unknownBridge] == [
                        IngestReport.Example(number: 7, unit: .line, field: "entityid", value: "77")
                    ])
                let fremont = try store.history().openings[Fixtures.bridge("Fremont").rawValue]
                #expect(fremont.count == 1 && fremont[0].minutes == 13)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theReportIsTheSameAsData(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
            let report = try ingest(Fixtures.trainingData("openings-2025-2026.csv"), into: store)
            let again = try JSONDecoder().decode(
                IngestReport.self, from: JSONEncoder().encode(report))
            #expect(again == report)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aFileWithoutAUsableRowLeavesTheStoreAsItWas(_ kind: StoreKind) throws {
        let coverage = try CoverageFile.read(Fixtures.trainingData("coverage.json"))
        try withStore(kind) { store, _ in
            let file = try RecordFile(
                Array("entityid,opendatetime,closedatetime\n99,2026-02-19T12:00:00,".utf8),
                name: "a.csv", now: now)
            let report = try store.ingest(file, coverage: coverage, gapSeconds: 180, at: now)
            #expect(report.rejections == [.unknownBridge: 1])
            #expect(try store.history().coverage.isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func coverageInTheFutureIsIgnored(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
            let far = Coverage(
                periods: BridgeIndex.all.map { _ in
                    [
                        Fixtures.timestamp(
                            "1950-01-01T00:00")..<Fixtures.timestamp("2099-01-01T00:00")
                    ]
                })
            let file = try RecordFile(Fixtures.trainingData("openings-2025-2026.csv"), now: now)
            _ = try store.ingest(file, coverage: far, gapSeconds: 180, at: now)
            let periods = try store.history().coverage.periods.flatMap { $0 }
            #expect(periods.map(\.upperBound).max() == now)
            #expect(periods.map(\.lowerBound).min() == .earliestPlausible)
        }
    }

    @Test func aFileThatIsNoStoreIsLeftAlone() throws {
        try withFile(Array("this is no database, but long enough to look at it".utf8), "x.sqlite") {
            url in
            let error = #expect(throws: HistoryStoreError.self) {
                _ = try HistoryStore(url, .writing)
            }
            #expect(error?.kind == .data)
            let left = try Data(contentsOf: url)
            #expect(left.starts(with: Array("this is no".utf8)))
        }
    }

    @Test func readingDoesNotCreateAStore() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("none.sqlite")
        #expect(throws: HistoryStoreError.self) { try HistoryStore(url, .reading) }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func theDefaultPathFollowsXDG() {
        #expect(
            HistoryStore.defaultURL(environment: ["HOME": "/home/a"])?.path
                == "/home/a/.local/share/bridgecast/history.sqlite")
        #expect(
            HistoryStore.defaultURL(environment: ["HOME": "/home/a", "XDG_DATA_HOME": "/data"])?
                .path
                == "/data/bridgecast/history.sqlite")
        for nowhere in [[:], ["HOME": ""], ["HOME": "relative"], ["XDG_DATA_HOME": "data"]] {
            #expect(HistoryStore.defaultURL(environment: nowhere) == nil)
        }
    }
}

@Suite struct CoverageFileTests {
    private func refusal(_ text: String) throws -> String {
        let error = #expect(throws: DocumentError.self) {
            try withFile(text.utf8, "c.json") { try CoverageFile.read($0) }
        }
        return error?.problem.description ?? ""
    }

    @Test func theShippedStatementIsRead() throws {
        let coverage = try CoverageFile.read(Fixtures.trainingData("coverage.json"))
        let fremont = Fixtures.bridge("Fremont")
        #expect(coverage.contains(Fixtures.timestamp("2026-02-28T23:59"), of: fremont))
        #expect(!coverage.contains(Fixtures.timestamp("2025-08-01T12:00"), of: fremont))
        let southPark = Fixtures.bridge("South Park")
        #expect(!coverage.contains(Fixtures.timestamp("2025-03-01T12:00"), of: southPark))
    }

    @Test func mistakesAreNamedByPeriodAndField() throws {
        func period(_ from: String, _ to: String, _ bridge: String) -> String {
            "{\"periods\":[{\"from\":\"\(from)\",\"to\":\"\(to)\",\"bridges\":[\"\(bridge)\"]}]}"
        }
        let good = "2026-02-01T00:00:00"
        #expect(try refusal(period("soon", good, "3")).contains("periods[0].from"))
        #expect(try refusal(period(good, good, "3")).contains("periods[0].to"))
        #expect(try refusal(period(good, "2026-03-01T00:00:00", "Aurora")).contains("Aurora"))
        #expect(try refusal("[]").contains("not a coverage file"))
    }

    @Test func inferredCoverageStopsAtLongSilence() {
        func opening(_ hours: Int, _ name: String) -> Opening {
            let start = Fixtures.timestamp("2026-02-01T00:00").adding(minutes: Double(hours) * 60)
            return Opening(
                bridge: Fixtures.bridge(name), start: start, end: start.adding(minutes: 5))
        }
        let openings =
            [0, 10, 20, 30].map { opening($0, "Fremont") } + [opening(5, "Montlake")]
            + [100, 110, 120].map { opening($0, "Fremont") }
        var random = SeededGenerator(seed: 1)
        let coverage = Coverage.inferred(from: openings.shuffled(using: &random))
        #expect(coverage.minutes(of: Fixtures.bridge("Fremont")) == (30 + 20) * 60)
        #expect(coverage.minutes(of: Fixtures.bridge("Montlake")) == 0)
    }
}

@Suite struct SyncedPageTests {
    private let now = Fixtures.timestamp("2026-02-21T12:00")

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

    @Test(arguments: StoreKind.allCases)
    func rowsAreAddedChangedOrUnchanged(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
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
                    Fixtures.timestamp("2026-02-20T11:00"), Fixtures.timestamp("2026-02-20T13:00"),
                ])
        }
    }

    /// Before the end of the data set is reached nothing is known to be complete.
    @Test(arguments: StoreKind.allCases)
    func coverageIsStatedOnceAllHasBeenRead(_ kind: StoreKind) throws {
        let later = now.adding(minutes: 90 * 1440)
        let shipped = try RecordFile(
            Fixtures.trainingData("openings-2025-2026.csv"), now: later
        ).openings.filter { $0.bridge == fremont }
        let civil = { (time: Timestamp) in String(TimeText.rfc3339(time).prefix(19)) }
        let all = try page(
            shipped.enumerated().map { number, opening in
                ("\(number)", civil(opening.start), civil(opening.end ?? opening.start))
            }, at: later)
        try withStore(kind) { store, _ in
            let cursor = SyncCursor()
            let counts = try store.commit(all, cursor: cursor, of: "feed", completedAt: nil)
            #expect(counts.added > 1_000)
            #expect(try store.history().coverage.isEmpty)
            _ = try store.commit(all, cursor: cursor, of: "feed", completedAt: now)
            let inferred = Coverage.inferred(from: shipped)
            #expect(try store.history().coverage == inferred && !inferred.isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aRowWithoutAnOpeningIsDeleted(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
            _ = try store.commit(
                try page([("a", "10:00", "10:05"), ("b", "13:00", "13:05")]), cursor: SyncCursor(),
                of: "feed", completedAt: now)
            let spoilt = try page([("a", "never", "10:05")])
            #expect(spoilt.rejectedRows == ["a"])
            _ = try store.commit(spoilt, cursor: SyncCursor(), of: "feed", completedAt: now)
            #expect(
                try store.history().openings[fremont.rawValue].map(\.start) == [
                    Fixtures.timestamp("2026-02-20T13:00")
                ])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func pruningCountsSyncedRows(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
            _ = try store.commit(
                try page([("a", "10:00", "10:05"), ("b", "13:00", "13:05")]), cursor: SyncCursor(),
                of: "feed", completedAt: now)
            let report = try store.prune(
                before: Fixtures.timestamp("2026-02-20T12:00"), .records, isTrial: false)
            #expect(report.records == 1 && report.observed == 0)
            #expect(try store.history().count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theCheckReportsTheAgeOfASync(_ kind: StoreKind) throws {
        try withStore(kind) { store, elsewhere in
            _ = try store.commit(
                try page([("a", "10:00", "10:05")]), cursor: SyncCursor(), of: "feed",
                completedAt: now)
            func finding(days: Double) -> StoreFinding? {
                elsewhere.check(at: now.adding(minutes: days * 1440))
                    .first { $0.subject == "sync" }
            }
            #expect(finding(days: 0.5)?.finding == "feed was synced 12.0 h ago")
            let times = elsewhere.check(at: now).filter { $0.subject == "times" }
            #expect(times.map(\.finding) == ["every opening is in the past"])
            #expect(finding(days: 2.9)?.severity == .ok)
            #expect(finding(days: 10)?.finding == "feed was last synced 10 days ago")
        }
    }
}

@Suite struct ObservationStoreTests {
    @Test(arguments: StoreKind.allCases)
    func observationsAreStoredWithTheirCoverage(_ kind: StoreKind) throws {
        try withStore(kind) { store, elsewhere in
            var tracker = BridgeTracker()
            try watch(
                store, &tracker,
                [
                    (0, [ballard: false]), (20, [ballard: true]), (60, [ballard: true]),
                    (80, [ballard: false]),
                ])
            let history = try elsewhere.open(.reading).history()
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

    @Test(arguments: StoreKind.allCases)
    func aRestartContinuesWithinAMinute(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
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

    @Test(arguments: StoreKind.allCases)
    func aRecordOfTheSameOpeningJoinsTheObservation(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
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

    @Test(arguments: StoreKind.allCases)
    func aClockSetBackRetractsCoverageAndKeepsOpenings(_ kind: StoreKind) throws {
        try withStore(kind) { store, elsewhere in
            var tracker = BridgeTracker()
            try watch(
                store, &tracker,
                [
                    (0, [ballard: false]), (20, [ballard: true]), (40, [ballard: false]),
                    (-3_600, [ballard: false]),
                ])
            #expect(try store.history().coverage.minutes(of: ballard) == 0)
            // It is kept, with a doubtful time.
            let sql = "SELECT count(*) FROM observedOpening WHERE startIsKnown = 0"
            #expect(try elsewhere.number(sql) == 1)
        }
    }
}

@Suite struct StorePruningTests {
    @Test(arguments: StoreKind.allCases)
    func pruningRemovesOpeningsAndTheirCoverage(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
            let file = try RecordFile(
                Fixtures.trainingData("openings-2025-2026.csv"),
                now: noon.adding(minutes: 90 * 1440))
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: noon)
            let limit = Fixtures.timestamp("2026-02-01T00:00")
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

    @Test(arguments: StoreKind.allCases)
    func observationsArePrunedSeparately(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
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
}
