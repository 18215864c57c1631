// `feed check`, and what the commands of transit refuse.
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct FeedCheckTests {
    @Test("A timetable's report counts its rows and names line and field of errors")
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

    @Test("A refused timetable is reported by line and field too")
    func refused() async throws {
        try await TransitHome.with { transit in
            let times = try #require(SmallTransit.files["stop_times.txt"])
            let header = try #require(times.split(separator: "\n").first)
            try SmallTransit.write(
                header + "\nn-17:00,x,17:20:00,nowhere,9\nnone,17:20:00,17:20:00,nowhere,9\n",
                "stop_times.txt", in: transit.feed)
            let run = try await check(transit, transit.feed.path)
            #expect(run.code == 65 && run.errors.contains("stop_times.txt has no usable row"))
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

    @Test("An expired timetable is labelled")
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
            #expect(value(report, "counts", "vehicles_on_route") as? Int == 1)
            let lines = try await check(transit, try transit.vehicles(), "--format", "ndjson")
            let entity = try #require(lines.output.split(separator: "\n").last)
            let read = try JSONSerialization.jsonObject(with: Data(entity.utf8))
            #expect(value(read, "vehicle", "occupancy_status") as? Int == 2)
            #expect(value(read, "vehicle", "occupancy_percentage") is NSNull)
        }
    }

    @Test("Other files are refused by their kind")
    func noFeed() async throws {
        try await TransitHome.with { transit in
            let page = try transit.file(Array("<!DOCTYPE html><html></html>".utf8), "page")
            let run = try await check(transit, page)
            #expect(run.code == 65 && run.errors.contains("HTML"), "\(run.errors)")
            #expect(try await check(transit, "/nowhere").code == 66)
        }
    }

    @Test("A folder of realtime messages says what it holds and how to give it")
    func messages() async throws {
        try await TransitHome.with { transit in
            let folder = transit.home.appendingPathComponent("frames")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false)
            // The header of a message: version 2.0, and a time.
            let message: [UInt8] = [
                0x0a, 11, 0x0a, 3, 0x32, 0x2e, 0x30, 0x18, 0x80, 0xd8, 0xe2, 0xcc, 6,
            ]
            for name in ["1.pb", "2.pb", "3.pb"] { _ = try transit.file(message, "frames/" + name) }
            let run = try await check(transit, folder.path)
            #expect(run.code == 65 && run.errors.contains("3 files, realtime messages"))
            #expect(run.errors.contains("no timetable; check one of them"), "\(run.errors)")
            #expect(run.errors.contains("--updates, --vehicles or --alerts"), "\(run.errors)")
            let others = transit.home.appendingPathComponent("others")
            try FileManager.default.createDirectory(
                at: others, withIntermediateDirectories: false)
            _ = try transit.file(Array("%PDF".utf8), "others/a.pdf")
            let wrong = try await check(transit, others.path)
            #expect(wrong.errors.contains("none of its 1 files is a text file (.txt)"))
        }
    }

    private func check(_ transit: TransitHome, _ words: String...) async throws -> CommandRun {
        try await CommandRun(["feed", "check"] + words, home: transit.home)
    }
}

@Suite struct TransitRefusalTests {
    @Test(
        "Without a timetable a command says how to name one",
        arguments: ["board", "vehicles", "trip"])
    func noFeed(_ command: String) async throws {
        try await withHome { home in
            let words = [command, "1", "--vehicles", "/dev/null"]
            let run = try await CommandRun(words, home: home)
            #expect(run.code == 64 && run.errors.contains("--feed"), "\(run.errors)")
        }
    }

    @Test("The environment names the default timetable")
    func environment() async throws {
        try await TransitHome.with { transit in
            let run = try await CommandRun(
                ["board", "Interbay", "--at", TransitHome.now, "--no-bridges"],
                home: transit.home,
                environment: ["HOME": transit.home.path, "BRIDGECAST_FEED": transit.feed.path])
            #expect(run.code == 0 && run.output.contains("18:00"), "\(run.errors)")
        }
    }

    @Test("Missing files, other files and wrong options have different exit codes")
    func codes() async throws {
        try await TransitHome.with { transit in
            let page = try transit.file(Array("<!DOCTYPE html><html></html>".utf8), "page.pb")
            let cases: [([String], Int32, String)] = [
                (["--updates", "/nowhere.pb"], 66, "/nowhere.pb"),
                (["--updates", page], 65, "HTML"),
                (["--updates", "ftp://example.org/x"], 64, "--updates"),
                (["--minutes", "0"], 64, "minutes"),
                (["--route", "999"], 64, "999"),
                (["--feed", "/other.zip"], 64, "twice"),
                (["--near", "47.65,-122.37"], 64, "contradict"),
                (["--at", "0001-01-01T07:50"], 64, "before 1970"),
            ]
            for (words, code, said) in cases {
                let run = try await CommandRun(
                    ["board", "Interbay", "--feed", transit.feed.path, "--at", TransitHome.now]
                        + words, home: transit.home)
                #expect(run.code == code, "\(words): \(run.code) \(run.errors)")
                #expect(run.errors.contains(said), "\(run.errors)")
            }
            let missing = try await CommandRun(
                ["board", "x", "--feed", "/nowhere.zip"], home: transit.home)
            #expect(missing.code == 66 && missing.errors.contains("/nowhere.zip"))
        }
    }

    @Test("An unknown stop is answered with the nearest names, an ambiguous one with identifiers")
    func names() async throws {
        try await TransitHome.with { transit in
            let unknown = try await transit.run("board", "Balard")
            #expect(
                unknown.code == 64 && unknown.errors.contains("is it Ballard"), "\(unknown.errors)")
            let many = try await transit.run("board", "a")
            #expect(many.code == 64 && many.errors.contains("Interbay"), "\(many.errors)")
            let far = try await transit.run("board", "--near", "10,10")
            #expect(far.code == 64 && far.errors.contains("50 km"))
            let trip = try await transit.run("trip", "n-18:01", at: TransitHome.now)
            #expect(trip.code == 64 && trip.errors.contains("n-18:0"), "\(trip.errors)")
        }
    }

    @Test("A time that clocks showed twice or never is refused by name")
    func clockChanges() async throws {
        try await TransitHome.with { transit in
            for (time, word) in [
                ("2026-11-01T01:30", "twice"), ("2026-03-08T02:30", "never"),
                ("yesterday", "RFC 3339"),
            ] {
                let run = try await transit.run("board", "Interbay", at: time)
                #expect(run.code == 64 && run.errors.contains(word), "\(run.errors)")
            }
        }
    }

    @Test("Vehicles that are given as trip updates have a note")
    func otherKind() async throws {
        try await TransitHome.with { transit in
            let vehicles = try transit.vehicles()
            let words = ["board", "Interbay", "--no-bridges"]
            let wrong = try await CommandRun(
                words + ["--feed", transit.feed.path, "--at", TransitHome.now]
                    + ["--updates", vehicles, "--updates", vehicles], home: transit.home)
            #expect(wrong.code == 0, "\(wrong.errors)")
            for id in ["trip_updates", "trip_updates_2"] {
                #expect(
                    wrong.errors.contains(
                        "note: \(id): holds vehicle positions, no trip updates; used as"),
                    "\(wrong.errors)")
            }
            let right = try await transit.run(
                "board", "Interbay", "--no-bridges", "--vehicles", vehicles, "--updates",
                try transit.updates(late: 60))
            #expect(!right.errors.contains("holds"), "\(right.errors)")
        }
    }

    @Test("A recorded feed of another time has a note")
    func otherTime() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run(
                "board", "Interbay", "--no-bridges", "--updates", try transit.updates(late: 240),
                at: "2026-02-21T17:55")
            #expect(run.errors.contains("--at 2026-02-20T17:55:00-08:00 shows that one"))
        }
    }
}
