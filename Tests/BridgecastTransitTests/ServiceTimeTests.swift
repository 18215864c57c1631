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

    @Test("From one time to another, however far apart")
    func times() {
        func text(_ now: Int64, _ time: Int64) -> String {
            Countdown.text(
                from: Timestamp(secondsSinceEpoch: now), to: Timestamp(secondsSinceEpoch: time))
        }
        #expect(text(1_770_000_000, 1_770_000_090) == "1:30")
        #expect(text(1_770_000_090, 1_770_000_000) == "now")
        #expect(text(.max, .min) == "now")
        #expect(text(.min, .max) != "now")
    }
}

@Suite struct ServiceTimeTests {
    @Test(
        "Times are read as the specification writes them, and nothing else",
        arguments: [
            ("8:05:00", 29_100), ("08:05:00", 29_100), ("25:10:00", 90_600), ("100:00:00", 360_000),
            ("08:60:00", nil), ("08:05", nil), ("-1:00:00", nil), ("", nil), ("08:05:0x", nil),
        ] as [(String, Int?)])
    func timesOfDay(_ text: String, _ seconds: Int?) {
        #expect(ServiceTime.seconds(text) == seconds)
    }

    @Test func datesHaveEightDigits() {
        #expect(CivilDate(compact: "20260218".utf8)?.description == "2026-02-18")
        for text in ["2026-02-18", "20260230", "", "2026021", "20260218 ", "２０２６"] {
            #expect(CivilDate(compact: text.utf8) == nil)
        }
    }
}
