// Findings about single rows, and characters that do not show.
import BridgecastCore
import Foundation
import Testing
@testable import BridgecastTransit

@Suite struct FeedNoticeTests {
    /// A change to the good feed, and the resulting notice.
    struct Fault: Sendable, CustomTestStringConvertible {
        var file: String
        var old: String
        var new: String
        var code: String
        var line: Int?
        var field: String
        /// Trips that still have at least two stops.
        var trips = 3
        /// The file of the notice, if it is another one.
        var noticeFile: String?
        var testDescription: String { "\(code), \(file): \(new.prefix(40))" }
    }

    static let faults = [
        Fault(
            file: "stop_times.txt", old: "T1,8:10:00,8:10:00,A,", new: "T1,8:10:00,8:10:00,X,",
            code: "foreign_key_violation", line: 3, field: "stop_id"),
        Fault(
            file: "stop_times.txt", old: "T3,24:50", new: "TX,24:50", code: "foreign_key_violation",
            line: 8, field: "trip_id", trips: 2),
        Fault(
            file: "stop_times.txt", old: "T1,8:10:00,", new: "T1,8.10,", code: "invalid_time",
            line: 3, field: "arrival_time"),
        Fault(
            file: "stop_times.txt", old: "A,5,0,2\nT1", new: "A,five,0,2\nT1",
            code: "invalid_integer", line: 3, field: "stop_sequence"),
        Fault(
            file: "stop_times.txt", old: "A,5,0,2\nT1", new: "A,1,0,2\nT1", code: "duplicate_key",
            line: 3, field: "stop_sequence"),
        Fault(
            file: "stop_times.txt", old: "A,5,0,2\nT1", new: "A,5,9,2\nT1",
            code: "unexpected_enum_value", line: 3, field: "pickup_type"),
        Fault(
            file: "stop_times.txt", old: "A,5,0,2\nT1", new: "A,5,0,2km\nT1", code: "invalid_float",
            line: 3, field: "shape_dist_traveled"),
        Fault(
            file: "stop_times.txt", old: "A,5,0,2\nT1", new: "A,5,0,7\nT1",
            code: "decreasing_or_equal_stop_time_distance", line: 4, field: "shape_dist_traveled"),
        Fault(
            file: "stop_times.txt", old: "T1,8:10:00,8:10:00", new: "T1,7:10:00,8:10:00",
            code: "stop_time_with_arrival_before_previous_departure_time", line: 3,
            field: "arrival_time"),
        Fault(
            file: "stop_times.txt", old: "T1,8:10:00,8:10:00", new: "T1,8:10:00,8:09:00",
            code: "stop_time_with_departure_before_arrival_time", line: 3, field: "departure_time"),
        Fault(
            file: "stop_times.txt", old: "T1,8:00:00,8:01:00", new: "T1,,",
            code: "missing_trip_edge", line: 2, field: "arrival_time"),
        Fault(
            file: "stop_times.txt", old: "S1,1,0,0\nT1", new: "S1,1,0,0,,\nT1",
            code: "invalid_row_length", line: 2, field: ""),
        Fault(
            file: "stop_times.txt", old: "S1,1,0,0\nT1", new: "S1,1,0\nT1",
            code: "invalid_row_length", line: 2, field: ""),
        Fault(
            file: "stop_times.txt", old: "T1,8:10", new: "\"T1\"x,8:10", code: "csv_parsing_failed",
            line: 3, field: ""),
        Fault(
            file: "stops.txt", old: "47.66,-122.33", new: ",", code: "stop_without_location",
            line: 6, field: "stop_lat"),
        Fault(
            file: "stops.txt", old: "47.66,-122.33", new: "47.66,-222.33",
            code: "number_out_of_range", line: 6, field: "stop_lon"),
        Fault(
            file: "stops.txt", old: "47.66,-122.33", new: "0,0", code: "point_near_origin", line: 6,
            field: "stop_lat"),
        Fault(
            file: "stops.txt", old: "0,S,1,", new: "0,X,1,", code: "foreign_key_violation", line: 3,
            field: "parent_station"),
        Fault(
            file: "stops.txt", old: "0,S,1,", new: "0,A,1,", code: "wrong_parent_location_type",
            line: 3, field: "parent_station"),
        Fault(
            file: "stops.txt", old: "B,Bay", new: "A,Again,47.6,-122.3,0,,,0\nB,Bay",
            code: "duplicate_key", line: 6, field: "stop_id"),
        Fault(
            file: "stops.txt", old: "B,Bay", new: ",Nameless,47.6,-122.3,0,,,0\nB,Bay",
            code: "missing_required_field", line: 6, field: "stop_id"),
        Fault(
            file: "routes.txt", old: "R2,1,", new: "R2,7,", code: "foreign_key_violation", line: 3,
            field: "agency_id"),
        Fault(
            file: "routes.txt", old: "3,004B87", new: "3,blue", code: "invalid_color", line: 2,
            field: "route_color"),
        Fault(
            file: "routes.txt", old: ",702,", new: ",99,", code: "unexpected_enum_value", line: 3,
            field: "route_type"),
        Fault(
            file: "trips.txt", old: "R2,days", new: "R9,days", code: "foreign_key_violation",
            line: 4, field: "route_id", trips: 2),
        Fault(
            file: "trips.txt", old: "R2,days", new: "R2,never", code: "foreign_key_violation",
            line: 4, field: "service_id", trips: 2),
        Fault(
            file: "trips.txt", old: "T2,Bay,0,L", new: "T2,Bay,0,M", code: "foreign_key_violation",
            line: 3, field: "shape_id"),
        Fault(
            file: "trips.txt", old: "T2,Bay", new: "T1,Bay", code: "duplicate_key", line: 3,
            field: "trip_id", trips: 2),
        Fault(
            file: "trips.txt", old: "R2,days,T3", new: "R1,week,T9,,,\nR2,days,T3",
            code: "unusable_trip", line: nil, field: "trip_id"),
        Fault(
            file: "trips.txt", old: "R2,days", new: "R1,days", code: "route_without_trips",
            line: nil, field: "route_id", noticeFile: "routes.txt"),
        Fault(
            file: "trips.txt", old: ",L", new: ",", code: "unused_shape", line: nil,
            field: "shape_id", noticeFile: "shapes.txt"),
        Fault(
            file: "calendar.txt", old: "20261231", new: "20261331", code: "invalid_date", line: 2,
            field: "end_date"),
        Fault(
            file: "calendar.txt", old: "20260101", new: "20270101",
            code: "start_and_end_range_out_of_order", line: 2, field: "end_date"),
        Fault(
            file: "calendar_dates.txt", old: "days,20260704", new: "week,20260704,2\ndays,20260704",
            code: "duplicate_key", line: 4, field: "date"),
        Fault(
            file: "calendar_dates.txt", old: "days,20260704,1",
            new: "days,20260704,1\ndays,20260705,3", code: "number_out_of_range", line: 5,
            field: "exception_type"),
        Fault(
            file: "shapes.txt", old: "1,2\nL", new: "1,7\nL", code: "decreasing_shape_distance",
            line: 4, field: "shape_dist_traveled"),
        Fault(
            file: "shapes.txt", old: "L,47.66", new: "P,47.1,-122.1,0,0\nL,47.66",
            code: "single_shape_point", line: 4, field: "shape_id"),
        Fault(
            file: "shapes.txt", old: "L,47.62", new: "L,97.62", code: "number_out_of_range",
            line: 3, field: "shape_pt_lat"),
        Fault(
            file: "agency.txt", old: "Los_Angeles",
            new: "Los_Angeles\n2,Other,https://o.org,Europe/Berlin",
            code: "inconsistent_agency_timezone", line: nil, field: "agency_timezone"),
        Fault(
            file: "trips.txt", old: "direction_id", new: "way", code: "unknown_column", line: 1,
            field: "way"),
        Fault(
            file: "stops.txt", old: "stop_name", new: "stop_id", code: "duplicated_column", line: 1,
            field: "stop_id"),
    ]

    @Test(
        "A fault is noted with file, line and field; other trips are unaffected", arguments: faults)
    func faultIsNoted(_ fault: Fault) throws {
        var small = SmallFeed()
        small.replace(fault.old, with: fault.new, in: fault.file)
        let feed = try small.read()
        let notice = try #require(
            feed.notices.kept.first { $0.code == fault.code }, "\(feed.notices.kept)")
        #expect(
            notice.file == fault.noticeFile ?? fault.file && notice.line == fault.line
                && notice.field == fault.field)
        #expect(!notice.message.isEmpty)
        let running = (0..<feed.trips.count).filter {
            feed.stopTimes.rows(of: TripIndex($0)).count > 1
        }
        #expect(running.count == fault.trips)
    }

    @Test("A file unknown to GTFS is noted once")
    func unknownFile() throws {
        var small = SmallFeed()
        small["my_notes.txt"] = "a,b\n"
        small["readme.md"] = "hello"
        let notice = try #require(try small.read().notices.kept.first)
        #expect(notice.code == "unknown_file" && notice.message.contains("my_notes.txt"))
        #expect(try small.read().notices.counts.count == 1)
    }

    @Test("Text that is not UTF-8 is noted; the rest is read")
    func foreignLetters() throws {
        var small = SmallFeed()
        let index = try #require(small.files["stops.txt"]?.lastIndex(of: UInt8(ascii: "y")))
        small.files["stops.txt"]?[index] = 0xe9
        let feed = try small.read()
        #expect(feed.notices.counts.map(\.code) == ["invalid_character"])
        #expect(feed.stops.count == 5)
    }

    @Test(
        "Twenty findings of a kind are kept and all are counted, with correct lines"
    )
    func manyFindings() throws {
        var small = SmallFeed()
        let good = small["stop_times.txt"]
        let rows = (0..<60_000).map { "T1,8:00:00,8:00:00,NO\($0),\($0),," }
        small["stop_times.txt"] = good + rows.joined(separator: "\n") + "\nT1,x,,B,99,,\n"
        #expect(small.files["stop_times.txt"]!.count > 1 << 20, "more than one part")
        let feed = try small.read()
        let count = try #require(feed.notices.counts.first { $0.code == "foreign_key_violation" })
        #expect(count.count == 60_000)
        #expect(feed.notices.kept.filter { $0.code == count.code }.count == FeedNotices.maxKept)
        let last = try #require(feed.notices.kept.first { $0.code == "invalid_time" })
        #expect(last.line == 60_010)
    }
}

@Suite struct HiddenCharacterTests {
    @Test(
        "Invisible characters are noted; letters of any script are not",
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
    func hiddenCharacters(
        in file: String, old: String, new: String, line: Int, field: String, letter: String
    ) throws {
        var small = SmallFeed()
        small.replace(old, with: new, in: file)
        let feed = try small.read()
        let notice = try #require(feed.notices.kept.first, "\(file)")
        // A headsign of many trips is noted once.
        #expect(feed.notices.counts.map(\.count) == [1])
        #expect(notice.code == "non_ascii_or_non_printable_char" && notice.severity == .warning)
        #expect(notice.file == file && notice.line == line && notice.field == field)
        #expect(notice.message.contains(letter), "\(notice)")
        small = SmallFeed()
        small.replace("Bay", with: "Ťuđman 東京 😀", in: "stops.txt")
        #expect(try small.read().notices.counts.isEmpty)
    }

    @Test("Text of a feed is shown shortened and without control characters")
    func hostileText() throws {
        var small = SmallFeed()
        small.replace(
            "B,9,1,6\nT2", with: "\u{1b}[2J\(String(repeating: "x", count: 500)),9,1,6\nT2",
            in: "stop_times.txt")
        let notices = try small.read().notices.kept
        #expect(notices.contains { $0.code == "foreign_key_violation" })
        for notice in notices {
            #expect(!notice.description.contains("\u{1b}") && notice.description.count < 300)
        }
    }
}
