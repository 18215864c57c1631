// The store: idempotent, all or nothing, and a report whose counts add up.
@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct HistoryStoreTests {
    private let now = Fixtures.moment("2026-11-21T12:00")

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

    @Test func theShippedRecordsGoInAndComeOutUnchanged() throws {
        let coverage = try CoverageFile.read(Fixtures.trainingData("coverage.json"))
        try withStore { store, url in
            for name in ["openings-2017-2018.csv", "openings-2025-2026.csv"] {
                let report = try ingest(
                    Fixtures.trainingData(name), into: store, coverage: coverage)
                #expect(sum(report) == report.rowsRead)
                #expect(report.outcomes[.merged] ?? 0 > 0 && report.coverage == .stated)
            }
            let history = try HistoryStore(url, .reading).history()
            #expect(history.openings == Fixtures.shippedHistory.openings)
            #expect(history.coverage == Fixtures.shippedHistory.coverage)
        }
    }

    @Test func ingestingAgainChangesNothing() throws {
        let file = Fixtures.trainingData("openings-2025-2026.csv")
        try withStore { store, _ in
            let first = try ingest(file, into: store)
            let before = try store.history()
            let second = try ingest(file, into: store)
            #expect(second.outcomes[.alreadyStored] == first.rowsRead)
            #expect(second.outcomes[.stored] == 0 && second.outcomes[.merged] == 0)
            let after = try store.history()
            #expect(after.openings == before.openings && after.coverage == before.coverage)
        }
    }

    @Test func everyRowIsInExactlyOneCount() throws {
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
            try withStore { store, _ in
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

    @Test func theReportIsTheSameAsData() throws {
        try withStore { store, _ in
            let report = try ingest(Fixtures.trainingData("openings-2025-2026.csv"), into: store)
            let again = try JSONDecoder().decode(
                IngestReport.self, from: JSONEncoder().encode(report))
            #expect(again == report)
        }
    }

    @Test func aFileWithoutAUsableRowLeavesTheStoreAsItWas() throws {
        let coverage = try CoverageFile.read(Fixtures.trainingData("coverage.json"))
        try withStore { store, _ in
            let file = try RecordFile(
                Array("entityid,opendatetime,closedatetime\n99,2026-02-19T12:00:00,".utf8),
                name: "a.csv", now: now)
            let report = try store.ingest(file, coverage: coverage, gapSeconds: 180, at: now)
            #expect(report.rejections == [.unknownBridge: 1])
            #expect(try store.history().coverage.isEmpty)
        }
    }

    @Test func coverageOfWhatHasNotHappenedIsNotTaken() throws {
        try withStore { store, _ in
            let far = Coverage(
                periods: BridgeIndex.all.map { _ in
                    [Fixtures.moment("1950-01-01T00:00")..<Fixtures.moment("2099-01-01T00:00")]
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

    @Test func theUsualPlaceFollowsXDG() {
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
        #expect(coverage.contains(Fixtures.moment("2026-02-28T23:59"), of: fremont))
        #expect(!coverage.contains(Fixtures.moment("2025-08-01T12:00"), of: fremont))
        let southPark = Fixtures.bridge("South Park")
        #expect(!coverage.contains(Fixtures.moment("2025-03-01T12:00"), of: southPark))
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
            let start = Fixtures.moment("2026-02-01T00:00").adding(minutes: Double(hours) * 60)
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
