// Old openings are taken out of a store with their coverage, records and observations each by themselves.
@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing

private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))

@Suite struct StorePruningTests {
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
}
