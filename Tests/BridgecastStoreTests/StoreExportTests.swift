// Openings one after the other: the same as all at once.
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
@testable import BridgecastSupport

@Suite struct StoreExportTests {
    private struct Stop: Error {}

    /// All openings in the order in which exports have them.
    private func expected(_ store: HistoryStore, gapSeconds: Int64) throws -> [WitnessedOpening] {
        try store.contents(gapSeconds: gapSeconds).openings.flatMap(\.self).sorted {
            ($0.opening.start, $0.opening.bridge) < ($1.opening.start, $1.opening.bridge)
        }
    }

    private func streamed(_ store: HistoryStore, gapSeconds: Int64) throws -> [WitnessedOpening] {
        var openings: [WitnessedOpening] = []
        try store.forEachOpening(gapSeconds: gapSeconds) { openings.append($0) }
        return openings
    }

    @Test func theShippedRecordsComeInOrder() throws {
        try withStore { store, _ in
            let file = try RecordFile(
                Fixtures.trainingData("openings-2025-2026.csv"),
                now: noon.adding(minutes: 90 * 1440))
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: noon)
            let openings = try streamed(store, gapSeconds: 180)
            #expect(openings == (try expected(store, gapSeconds: 180)) && openings.count > 3_000)
        }
    }

    /// Openings of few bridges so close together that many are joined, have no end, or are observed too.
    @Test(arguments: 0..<30, [0, 60, 3_600] as [Int64])
    func randomRowsAreJoinedAndMatchedAsAllAtOnce(seed: Int, gapSeconds: Int64) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        try withStore { store, url in
            try DatabaseQueue(path: url.path).write { database in
                try database.execute(sql: "INSERT INTO file VALUES ('x', 'x', 'csv', 1, 1)")
                try database.execute(sql: "INSERT INTO feed VALUES ('f', NULL, 0, NULL, NULL, 1)")
                let first = noon.secondsSinceEpoch
                for number in 0..<400 {
                    let bridge = BridgeCatalogue.seattle.randomElement(using: &random)
                    let start = first + Int64.random(in: 0..<40_000, using: &random) / 60 * 60
                    let length = Int64.random(in: 0..<900, using: &random) / 60 * 60
                    let end = Int.random(in: 0..<10, using: &random) == 0 ? nil : start + length
                    let id = bridge?.id.rawValue ?? 0
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0:
                        try database.execute(
                            sql: "INSERT OR IGNORE INTO opening VALUES (?, ?, ?, 'x', 1)",
                            arguments: [id, start, end])
                    case 1:
                        try database.execute(
                            sql: "INSERT INTO syncedRow VALUES ('f', ?, ?, ?, ?)",
                            arguments: ["\(number)", id, start, end])
                    default:
                        try database.execute(
                            sql: "INSERT OR IGNORE INTO observedOpening VALUES (?, ?, ?, ?)",
                            arguments: [id, start, number % 7 == 0 ? 0 : 1, end])
                    }
                }
            }
            let openings = try streamed(store, gapSeconds: gapSeconds)
            #expect(openings == (try expected(store, gapSeconds: gapSeconds)))
            #expect(Set(openings.map(\.witnesses)).count == 3)
        }
    }

    @Test func whatStopsTheCallerStopsIt() throws {
        try withStore { store, _ in
            let file = try RecordFile(
                Fixtures.trainingData("openings-2025-2026.csv"),
                now: noon.adding(minutes: 90 * 1440))
            _ = try store.ingest(file, coverage: nil, gapSeconds: 180, at: noon)
            var count = 0
            #expect(throws: Stop.self) {
                try store.forEachOpening { _ in
                    count += 1
                    if count == 3 { throw Stop() }
                }
            }
            #expect(count == 3)
        }
    }

    @Test func aDamagedRowIsReportedByTheStore() throws {
        try withStore { store, url in
            try DatabaseQueue(path: url.path).write { database in
                try database.execute(sql: "INSERT INTO file VALUES ('x', 'x', 'csv', 1, 1)")
                try database.execute(
                    sql: "INSERT INTO opening VALUES (3, ?, NULL, 'x', 1)", arguments: [Int64.max])
            }
            let error = #expect(throws: HistoryStoreError.self) {
                try store.forEachOpening { _ in }
            }
            #expect(error?.description.contains("the store is damaged") == true)
        }
    }
}
