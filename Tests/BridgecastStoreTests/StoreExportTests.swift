// Openings one after the other: the same as all at once.
import BridgecastTestSupport
import Foundation
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

    @Test(arguments: StoreKind.allCases)
    func theShippedRecordsComeInOrder(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
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
        for kind in StoreKind.allCases {
            try withStore(kind) { store, _ in
                var random = SeededGenerator(seed: UInt64(seed))
                try store.writing { try insertRandomRows(in: $0, using: &random) }
                let openings = try streamed(store, gapSeconds: gapSeconds)
                #expect(openings == (try expected(store, gapSeconds: gapSeconds)))
                #expect(Set(openings.map(\.witnesses)).count == 3)
            }
        }
    }

    private func insertRandomRows(
        in database: any HistoryDatabase, using random: inout SeededGenerator
    ) throws {
        try database.execute("INSERT INTO file VALUES ('x', 'x', 'csv', 1, 1)", [])
        try database.execute("INSERT INTO feed VALUES ('f', NULL, 0, NULL, NULL, 1)", [])
        let first = noon.secondsSinceEpoch
        for number in 0..<400 {
            let bridge = BridgeCatalogue.seattle.randomElement(using: &random)
            let start = first + Int64.random(in: 0..<40_000, using: &random) / 60 * 60
            let length = Int64.random(in: 0..<900, using: &random) / 60 * 60
            let isEnded = Int.random(in: 0..<10, using: &random) > 0
            let values: [StoreValue] = [
                .integer(Int64(bridge?.id.rawValue ?? 0)), .integer(start),
                isEnded ? .integer(start + length) : .null,
            ]
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                try database.execute(
                    "INSERT INTO opening VALUES ($1, $2, $3, 'x', 1) ON CONFLICT DO NOTHING",
                    values)
            case 1:
                try database.execute(
                    "INSERT INTO syncedRow VALUES ('f', '\(number)', $1, $2, $3)", values)
            default:
                try database.execute(
                    """
                    INSERT INTO observedOpening VALUES ($1, $2, \(number % 7 == 0 ? 0 : 1), $3)
                    ON CONFLICT DO NOTHING
                    """, values)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func whatStopsTheCallerStopsIt(_ kind: StoreKind) throws {
        try withStore(kind) { store, _ in
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

    @Test(arguments: StoreKind.allCases)
    func aDamagedRowIsReportedByTheStore(_ kind: StoreKind) throws {
        try withStore(kind) { store, elsewhere in
            try elsewhere.execute("INSERT INTO file VALUES ('x', 'x', 'csv', 1, 1)")
            try elsewhere.execute(
                "INSERT INTO opening VALUES (3, $1, NULL, 'x', 1)", [.integer(.max)])
            let error = #expect(throws: HistoryStoreError.self) {
                try store.forEachOpening { _ in }
            }
            #expect(error?.description.contains("the store is damaged") == true)
        }
    }
}
