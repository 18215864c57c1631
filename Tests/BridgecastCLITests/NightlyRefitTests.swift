// `serve --refit-hour`: when a refit begins, and what it needs.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Logging
import Synchronization
import Testing

@testable import BridgecastServerCLI

@Suite struct NightlyRefitTests {
    @Test func aRefitBeginsAtTheHourOfSeattlesClockEachDay() async throws {
        let now = Fixtures.timestamp("2026-03-07T12:00")
        // Clocks skip two o'clock on the 8th.
        for (hour, next) in [
            (13, "2026-03-07T13:00"), (12, "2026-03-08T12:00"), (3, "2026-03-08T03:00"),
            (2, "2026-03-09T02:00"), (0, "2026-03-08T00:00"),
        ] {
            #expect(
                NightlyRefit.next(after: now, hour: hour) == Fixtures.timestamp(next), "\(hour)")
        }
        let clock = JumpingClock(now)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let begun = Mutex<[Timestamp]>([])
        let refit = NightlyRefit(
            hour: 3, store: "/s/h.sqlite", model: "/m/a.int8.bcm", clock: clock, log: log
        ) { arguments in
            #expect(
                arguments == [
                    "refit", "--background", "--quiet", "--store", "/s/h.sqlite", "--model",
                    "/m/a.int8.bcm",
                ])
            let count = begun.withLock {
                $0.append(clock.now)
                return $0.count
            }
            // The first fails, the second cannot be started, the third is cut off by the end of the service.
            switch count {
            case 1: return (65, "too few days")
            case 2: throw CocoaError(.fileNoSuchFile)
            default: throw CancellationError()
            }
        }
        await refit.runDaily()
        #expect(
            begun.withLock(\.self)
                == ["2026-03-08T03:00", "2026-03-09T03:00", "2026-03-10T03:00"].map(
                    Fixtures.timestamp))
    }

    @Test func aRefitNeedsAModelThatMayBeReplacedAndAStore() async throws {
        try await withHome { home in
            for (arguments, text) in [
                (["--refit-hour", "3"], "--refit-hour needs --model"),
                (["--refit-hour", "3", "--model", "m.int8.bcm", "--no-store"], "contradict"),
                (
                    ["--refit-hour", "3", "--model", "m.int8.bcm", "--replay", "2026-02-20"],
                    "contradict"
                ),
                (["--refit-hour", "24"], "--refit-hour"),
            ] {
                let run = try await CommandRun(["serve", "--check"] + arguments, home: home)
                #expect(run.code == 64 && run.errors.contains(text), "\(arguments): \(run.errors)")
            }
        }
    }
}
