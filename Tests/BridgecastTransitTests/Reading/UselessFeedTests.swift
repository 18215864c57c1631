// Feeds of which nothing can be used: the refusal names line and field, and has all that was found.
import BridgecastCore
@testable import BridgecastTransit
import Foundation
import Testing

@Suite struct UselessFeedTests {
    @Test("A feed without days or with a clock that nobody knows is refused")
    func uselessFeeds() throws {
        var small = SmallFeed()
        small.files["calendar.txt"] = nil
        small.files["calendar_dates.txt"] = nil
        #expect(throws: TransitFeedError.self) { try small.read() }
        small = SmallFeed()
        small.replace("America/Los_Angeles", with: "Seattle time", in: "agency.txt")
        #expect(small.refusal()?.problem == .unknownTimeZone("Seattle time"))
        small = SmallFeed()
        small["stops.txt"] = "stop_id,stop_lat,stop_lon\n"
        #expect(small.refusal()?.problem == .empty("stops.txt"))
        #expect(
            small.refusal()?.description == "small.zip: stops.txt has no rows; GTFS asks for some")
        small = SmallFeed()
        small.files["stops.txt"]?.insert(contentsOf: [0xff, 0xfe], at: 0)
        #expect { try small.read() } throws: { "\($0)".contains("UTF-16") }
    }

    @Test(
        "A feed of which no row can be used says the line and field of the first and has all of them",
        arguments: [
            (
                "stop_times.txt", "T1,-01:00:00,-01:00:00,A,-1,,",
                "line 2, stop_sequence: '-1' should be a number from 0 to 4294967295"
            ),
            (
                "stop_times.txt", "T1,600000:00:00,600000:00:00,A,1,,",
                "line 2, arrival_time: '600000:00:00' should be a time such as 25:10:00"
            ),
            ("trips.txt", "R9,week,T1,,,", "line 2, route_id: routes.txt has no 'R9'"),
            (
                "calendar.txt", "week,1,1,1,1,1,1,1,x,y",
                "line 2, start_date: 'x' should be a date such as 20261123"
            ),
        ])
    func uselessRows(_ name: String, _ row: String, _ wanted: String) throws {
        var small = SmallFeed()
        small.files["calendar_dates.txt"] = nil
        let header = try #require(small[name].split(separator: "\n").first)
        small[name] = "\(header)\n\(row)\n\(row)\n"
        let error = try #require(small.refusal())
        #expect(error.problem == .empty(name) && error.kind == .data)
        let words =
            "small.zip: \(name) has no row that can be used; the first finding: \(name), "
        #expect(error.description.hasPrefix(words + wanted), "\(error)")
        let others = error.notices.count(.error) - 1
        #expect(
            others > 0 && error.description.hasSuffix(" (\(others) more: bridgecast feed check)"))
        let found = error.notices.kept.filter { $0.file == name && $0.severity == .error }
        #expect(Set(found.compactMap(\.line)) == [2, 3])
    }

    @Test("Exceptions of days are named where they alone are there and none can be used")
    func uselessDates() throws {
        var small = SmallFeed()
        small.files["calendar.txt"] = nil
        small["calendar_dates.txt"] = "service_id,date,exception_type\nweek,20260732,1\n"
        let error = try #require(small.refusal())
        #expect(error.problem == .empty("calendar_dates.txt"))
        #expect("\(error)".contains("calendar_dates.txt, line 2, date: '20260732'"))
        #expect(!"\(error)".contains("feed check"), "there is no more to see")
    }

    @Test("A first line that cannot be told into fields is no empty file")
    func damagedHeader() throws {
        var small = SmallFeed()
        small["stops.txt"] = "\"stop_id\"x,stop_name\nA,B\n"
        let error = try #require(small.refusal())
        #expect("\(error)".contains("stops.txt, line 1: "), "\(error)")
        #expect(error.notices.counts.map(\.code) == ["csv_parsing_failed"])
        small = SmallFeed()
        small["calendar_dates.txt"] = "\"service_id\"x\n"
        #expect(try small.read().notices.counts.map(\.code).contains("csv_parsing_failed"))
        #expect(try !small.read().notices.counts.map(\.code).contains("empty_file"))
    }
}
