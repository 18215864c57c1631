// `feed check`: what a feed holds, what is wrong with it and where.
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct FeedCheckTests {
    @Test("A timetable's report counts its rows and names line and field of what is wrong")
    func timetable() async throws {
        try await TransitHome.with { transit in
            let good = try await check(transit, transit.feed.path, "--format", "json")
            let report = try JSONSerialization.jsonObject(with: Data(good.output.utf8))
            #expect(value(report, "counts", "stop_times") as? Int == 56)
            #expect(value(report, "counts", "trips") as? Int == 28)
            #expect(value(report, "last_day") as? String == "2026-12-31")
            #expect(value(report, "bridges", 0, "bridge") as? String == "Ballard")
            let times = try #require(SmallTransit.files["stop_times.txt"])
            try SmallTransit.write(
                times + "n-17:00,17:20:00,17:20:00,nowhere,9\n", "stop_times.txt", in: transit.feed)
            let bad = try await check(transit, transit.feed.path)
            #expect(bad.code == 0 && bad.output.contains("foreign_key_violation"), "\(bad.output)")
            #expect(bad.output.contains("stop_times.txt, line 58, stop_id"), "\(bad.output)")
            let strict = try await check(transit, transit.feed.path, "--strict")
            #expect(strict.code == 65)
        }
    }

    @Test("A timetable that is refused is reported by line and field all the same")
    func refused() async throws {
        try await TransitHome.with { transit in
            let times = try #require(SmallTransit.files["stop_times.txt"])
            let header = try #require(times.split(separator: "\n").first)
            try SmallTransit.write(
                header + "\nn-17:00,x,17:20:00,nowhere,9\nnone,17:20:00,17:20:00,nowhere,9\n",
                "stop_times.txt", in: transit.feed)
            let run = try await check(transit, transit.feed.path)
            #expect(run.code == 65 && run.errors.contains("stop_times.txt has no row"))
            #expect(!run.errors.contains("feed check"), "it would send to itself: \(run.errors)")
            #expect(run.output.contains("2 x foreign_key_violation"), "\(run.output)")
            #expect(run.output.contains("stop_times.txt, line 2, stop_id"), "\(run.output)")
            #expect(run.output.contains("stop_times.txt, line 3, trip_id"), "\(run.output)")
            let json = try await check(transit, transit.feed.path, "--format", "json")
            let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            #expect(json.code == 65)
            let found = (value(report, "notices") as? [[String: Any]] ?? [])
                .filter { $0["code"] as? String == "foreign_key_violation" }
            #expect(found.map { $0["line"] as? Int } == [2, 3])
            #expect((value(report, "refused") as? String)?.contains("line 2, stop_id") == true)
            let lines = try await check(transit, transit.feed.path, "--format", "ndjson")
            let wrong = lines.output.split(separator: "\n")
                .filter { $0.contains("foreign_key_violation") }
            #expect(lines.code == 65 && wrong.count == 2)
            let board = try await transit.run("board", "Interbay")
            #expect(board.code == 65 && board.errors.contains("line 2, stop_id"), "\(board.errors)")
        }
    }

    @Test("A timetable that is over is said to be")
    func expired() async throws {
        try await TransitHome.with { transit in
            let calendar = try #require(SmallTransit.files["calendar.txt"])
            try SmallTransit.write(
                calendar.replacing("2026", with: "2017"), "calendar.txt", in: transit.feed)
            let run = try await check(transit, transit.feed.path)
            #expect(run.code == 0 && run.output.contains("expired_calendar"), "\(run.output)")
            #expect(run.output.contains("the timetable ended on 2017-12-31"))
            let lines = try await check(transit, transit.feed.path, "--format", "ndjson")
            #expect(lines.output.contains(#""code":"expired_calendar""#), "\(lines.output)")
        }
    }

    @Test("A realtime feed's report counts entities, and against its timetable runs and vehicles")
    func realtime() async throws {
        try await TransitHome.with { transit in
            let run = try await check(
                transit, try transit.vehicles(), "--feed", transit.feed.path, "--format", "json")
            let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            #expect(value(report, "form") as? String == "json")
            #expect(value(report, "counts", "vehicles_with_occupancy") as? Int == 1)
            #expect(value(report, "counts", "vehicles_on_their_line") as? Int == 1)
            let lines = try await check(transit, try transit.vehicles(), "--format", "ndjson")
            let entity = try #require(lines.output.split(separator: "\n").last)
            let read = try JSONSerialization.jsonObject(with: Data(entity.utf8))
            #expect(value(read, "vehicle", "occupancy_status") as? Int == 2)
            #expect(value(read, "vehicle", "occupancy_percentage") is NSNull)
        }
    }

    @Test("What is no feed is named for what it is")
    func noFeed() async throws {
        try await TransitHome.with { transit in
            let page = try transit.file(Array("<!DOCTYPE html><html></html>".utf8), "page")
            let run = try await check(transit, page)
            #expect(run.code == 65 && run.errors.contains("HTML"), "\(run.errors)")
            #expect(try await check(transit, "/nowhere").code == 66)
        }
    }

    private func check(_ transit: TransitHome, _ words: String...) async throws -> CommandRun {
        try await CommandRun(["feed", "check"] + words, home: transit.home)
    }
}
