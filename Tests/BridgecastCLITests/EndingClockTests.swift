// The clock of a replay that is served: it tells how fast it runs and where it stops.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastServerCLI

struct EndingClockTests {
    /// A clock an hour into a replay.
    private struct Replay: WallClock {
        let now = Fixtures.moment("2026-02-20T16:30")
        let pace = ClockPace(rate: 60)

        func sleep(until moment: Timestamp) async throws {}
        func sleep(seconds: Double) async throws {}
    }

    @Test func `it runs at the replay's speed and stands from its end on`() {
        let now = Replay().now
        for (minutes, rate) in [(10.0, 60.0), (0, 0), (-10, 0)] {
            let end = now.adding(minutes: minutes)
            let clock = EndingClock(Replay(), until: end)
            #expect(clock.pace == ClockPace(rate: rate, end: end))
            #expect(clock.now == min(now, end))
        }
    }
}
