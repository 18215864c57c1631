// Times as people type them.
import BridgecastSupport
import Testing
@testable import BridgecastCore

@Suite struct TypedClockTests {
    /// Friday 2026-02-20, 17:50 in Seattle.
    private let evening = Timestamp(secondsSinceEpoch: 1_771_638_600)

    @Test(arguments: [
        ("18:02", "2026-02-20T18:02:00-08:00"), ("9:05", "2026-02-20T09:05:00-08:00"),
        ("18:02:30", "2026-02-20T18:02:30-08:00"), ("6pm", "2026-02-20T18:00:00-08:00"),
        ("6 PM", "2026-02-20T18:00:00-08:00"), ("6:30 pm", "2026-02-20T18:30:00-08:00"),
        ("6:30 p.m.", "2026-02-20T18:30:00-08:00"), ("12am", "2026-02-20T00:00:00-08:00"),
        ("12:15 pm", "2026-02-20T12:15:00-08:00"), ("today 18:00", "2026-02-20T18:00:00-08:00"),
        ("tomorrow 9:00", "2026-02-21T09:00:00-08:00"),
        ("Tomorrow  9 am", "2026-02-21T09:00:00-08:00"), ("00:00", "2026-02-20T00:00:00-08:00"),
        ("2026-01-02T03:04", "2026-01-02T03:04:00-08:00"),
        ("2026-02-21T01:50:00Z", "2026-02-20T17:50:00-08:00"),
    ])
    func `a clock time alone is today's in Seattle`(_ example: (String, String)) throws {
        let time = try TimeText.parse(example.0, now: evening)
        #expect(TimeText.rfc3339(time) == example.1)
    }

    @Test func `today is Seattle's day, also when it is tomorrow in Greenwich`() throws {
        let night = try TimeText.parse("2026-02-21T07:30:00Z")
        #expect(
            TimeText.rfc3339(try TimeText.parse("6pm", now: night)) == "2026-02-20T18:00:00-08:00")
    }

    @Test(arguments: [
        "", "6", "18", "24:00", "18:60", "18:2", "18:002", "0pm", "13pm", "6:30:pm", "pm", "noon",
        "tomorrow", "today", "tomorrow tomorrow 9:00", "yesterday 9:00", "6.30 pm", "18:02x",
        "-1:00", "+9:00", "１８:０２", "6:30:00:00", "2026-02-20", "now",
        String(repeating: "6", count: 50_000) + "pm",
    ])
    func `other texts are refused with the forms that are read`(_ text: String) {
        #expect(throws: TimeTextError.unreadableClock(text)) {
            try TimeText.parse(text, now: evening)
        }
        #expect("\(TimeTextError.unreadableClock(text))".contains("18:02, 6:30 pm or 'tomorrow"))
    }

    @Test func `a clock time that is skipped or repeated is refused with its date`() throws {
        let spring = try TimeText.parse("2026-03-08T12:00")
        #expect(throws: TimeTextError.nonexistent("2026-03-08T02:30")) {
            try TimeText.parse("2:30 am", now: spring)
        }
        let autumn = try TimeText.parse("2026-10-31T12:00")
        #expect(throws: TimeTextError.ambiguous("2026-11-01T01:30")) {
            try TimeText.parse("tomorrow 1:30", now: autumn)
        }
        // With the offset that the message asks for.
        #expect(throws: Never.self) { try TimeText.parse("2026-11-01T01:30-07:00", now: autumn) }
    }
}
