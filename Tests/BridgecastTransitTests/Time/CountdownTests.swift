// Countdowns as boards write them.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite("Countdowns")
struct CountdownTests {
    @Test(
        "Minutes and seconds, hours from an hour on, and now",
        arguments: [
            (1, "0:01"), (59, "0:59"), (60, "1:00"), (61, "1:01"), (599, "9:59"), (600, "10:00"),
            (3599, "59:59"), (3600, "1:00:00"), (3661, "1:01:01"), (7199, "1:59:59"),
            (90_000, "25:00:00"), (0, "now"), (-1, "now"), (-7200, "now"), (.min, "now"),
        ])
    func text(_ seconds: Int, _ expected: String) {
        #expect(Countdown.text(seconds: seconds) == expected)
    }

    @Test("From one moment to another, however far apart")
    func moments() {
        func text(_ now: Int64, _ moment: Int64) -> String {
            Countdown.text(
                from: Timestamp(secondsSinceEpoch: now), to: Timestamp(secondsSinceEpoch: moment))
        }
        #expect(text(1_770_000_000, 1_770_000_090) == "1:30")
        #expect(text(1_770_000_090, 1_770_000_000) == "now")
        #expect(text(.max, .min) == "now")
        #expect(text(.min, .max) != "now")
    }
}
