// What is seen goes into the store: with its coverage, over restarts and clocks set back, and joined with records.
@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))

@Suite struct ObservationStoreTests {
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
}
