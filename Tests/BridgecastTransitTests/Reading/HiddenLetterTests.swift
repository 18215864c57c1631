// Control characters and their like in a feed: told where they stand, and never shown.
import BridgecastCore
import BridgecastTransit
import Foundation
import Testing

@Suite struct HiddenLetterTests {
    @Test(
        "Characters that do not show are told by file, line and field; letters of any script are not",
        arguments: [
            ("stops.txt", "Bay,47", "Bay\u{1b}[31m,47", 6, "stop_name", "U+001B"),
            ("stops.txt", "B,Bay", "B,\"Bay\nside\"", 6, "stop_name", "U+000A"),
            (
                "stops.txt", "47.5999,-122.33,0,S,2", "47.5999,-122.33,0,S,2\u{7f}", 4,
                "platform_code", "U+007F"
            ),
            ("routes.txt", "Night line", "Night\u{202e}line", 3, "route_long_name", "U+202E"),
            ("agency.txt", "Town Transit", "Town\u{7}Transit", 2, "agency_name", "U+0007"),
            ("trips.txt", "Bay", "Bay\u{0}side", 2, "trip_headsign", "U+0000"),
        ])
    func hiddenLetters(
        _ file: String, _ old: String, _ new: String, _ line: Int, _ field: String, _ letter: String
    ) throws {
        var small = SmallFeed()
        small.replace(old, with: new, in: file)
        let feed = try small.read()
        let notice = try #require(feed.notices.kept.first, "\(file)")
        // A headsign of many trips is told once.
        #expect(feed.notices.counts.map(\.count) == [1])
        #expect(notice.code == "non_ascii_or_non_printable_char" && notice.severity == .warning)
        #expect(notice.file == file && notice.line == line && notice.field == field)
        #expect(notice.message.contains(letter), "\(notice)")
        small = SmallFeed()
        small.replace("Bay", with: "Ťuđman 東京 😀", in: "stops.txt")
        #expect(try small.read().notices.counts.isEmpty)
    }

    @Test("What is shown of a feed's own words has no control characters and an end")
    func hostileWords() throws {
        var small = SmallFeed()
        small.replace(
            "B,9,1,6\nT2", with: "\u{1b}[2J\(String(repeating: "x", count: 500)),9,1,6\nT2",
            in: "stop_times.txt")
        for notice in try small.read().notices.kept {
            #expect(!notice.description.contains("\u{1b}") && notice.description.count < 300)
        }
    }
}
