// What a check of a store counts and finds, and what it says to do.
@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))

@Suite struct StoreCheckTests {
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
}
