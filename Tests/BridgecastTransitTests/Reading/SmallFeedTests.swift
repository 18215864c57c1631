// What a good feed becomes, whatever its files look like.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTransit
import Foundation
import Testing

@Suite struct SmallFeedTests {
    @Test("Every column of a good feed is where it belongs, and nothing is noted")
    func goodFeed() throws {
        let feed = try SmallFeed().read()
        #expect(feed.notices.counts.isEmpty)
        #expect(feed.zone.identifier == "America/Los_Angeles")
        let platform = feed[try #require(feed.stop("S2"))]
        #expect(platform.parent == feed.stop("S") && platform.platform == "2")
        #expect(platform.wheelchair == .inaccessible)
        #expect(feed[try #require(feed.stop("S1"))].wheelchair == .accessible, "as its station")
        #expect(feed[try #require(feed.stop("A"))].name == "Avenue \"A\", north")
        #expect(feed[try #require(feed.stop("B"))].wheelchair == .unknown)
        let station = try #require(feed.stop("S"))
        #expect(feed.children.of(station).map { feed.stops.ids[Int($0)] } == ["S1", "S2"])
        let route = feed[try #require(feed.route("R1"))]
        #expect(route.title == "1" && route.colour == "004b87" && route.agency == "Town Transit")
        let night = feed[try #require(feed.route("R2"))]
        #expect(night.title == "Night line" && night.kind == .bus && night.colour == nil)
        let trip = feed[try #require(feed.trip("T3"))]
        #expect(trip.headsign == "Central" && trip.direction == 1 && trip.shape == nil)
        let rows = feed.stopTimes.rows(of: trip.index)
        #expect(rows.map { feed.stopTimes.departures[$0] } == [89_400, 90_600])
        #expect(
            feed.shapes.points(of: try #require(feed.trip("T1").flatMap { feed[$0].shape })).count
                == 3)
    }

    @Test("Services run by the week, and by their exceptions against it")
    func days() throws {
        let feed = try SmallFeed().read()
        let (week, days) = (ServiceIndex(0), ServiceIndex(1))
        func runs(_ service: ServiceIndex, _ month: Int, _ day: Int) throws -> Bool {
            feed.services.isActive(
                service, on: try #require(CivilDate(year: 2026, month: month, day: day)))
        }
        #expect(try runs(week, 7, 2) && !runs(week, 7, 3) && runs(week, 7, 4) && !runs(week, 7, 5))
        #expect(try runs(days, 7, 4) && !runs(days, 7, 3) && !runs(days, 7, 6))
    }

    @Test("Each stop's calls come in order of departure")
    func calls() throws {
        var small = SmallFeed()
        small["stop_times.txt"] += "T3,24:40:00,24:40:00,A,0,,\n"
        let feed = try small.read()
        for stop in 0..<feed.stops.count {
            let rows = feed.calls.rows[
                Int(feed.calls.starts[stop])..<Int(feed.calls.starts[stop + 1])]
            let times = rows.map { feed.stopTimes.departures[Int($0)] }
            #expect(times == times.sorted())
            #expect(rows.allSatisfy { Int(feed.stopTimes.stops[Int($0)]) == stop })
        }
        #expect(feed.calls.rows.count == 9)
        let avenue = try #require(feed.stop("A")).position
        #expect(feed.calls.starts[avenue + 1] - feed.calls.starts[avenue] == 3)
    }

    @Test(
        "The same feed comes out of other line ends, a byte order mark, blanks, quotes, a subfolder and other letters in names",
        arguments: ["crlf", "bom", "blanks", "quotes", "subfolder", "capitals", "no last line end"])
    func otherSpellings(_ spelling: String) throws {
        var small = SmallFeed()
        for name in small.files.keys {
            switch spelling {
            case "crlf": small[name] = small[name].replacingOccurrences(of: "\n", with: "\r\n")
            case "bom": small.files[name]?.insert(contentsOf: [0xef, 0xbb, 0xbf], at: 0)
            case "blanks" where name != "stops.txt":
                small[name] = small[name].replacingOccurrences(of: ",", with: " , ")
            case "quotes" where name != "stops.txt":
                let lines = small[name].split(separator: "\n").map { line in
                    line.split(separator: ",", omittingEmptySubsequences: false)
                        .map { "\"\($0)\"" }.joined(separator: ",")
                }
                small[name] = lines.joined(separator: "\n") + "\n"
            case "no last line end": small.files[name]?.removeLast()
            default: break
            }
        }
        if spelling == "subfolder" {
            small.files = Dictionary(
                uniqueKeysWithValues: small.files.map { ("feed\\" + $0, $1) })
        }
        if spelling == "capitals" {
            small.files = Dictionary(
                uniqueKeysWithValues: small.files.map { ($0.capitalized, $1) })
        }
        let (feed, usual) = (try small.read(), try SmallFeed().read())
        #expect(feed.stopTimes.arrivals == usual.stopTimes.arrivals)
        #expect(feed.stopTimes.stops == usual.stopTimes.stops)
        #expect(feed.stops.ids == usual.stops.ids && feed.stops.names == usual.stops.names)
        #expect(feed.routes.colours == usual.routes.colours)
        #expect(feed.services.exceptionDays == usual.services.exceptionDays)
        let isNoted = feed.notices.counts.map(\.code) == ["invalid_input_files_in_subfolder"]
        #expect(feed.notices.counts.isEmpty || spelling == "subfolder" && isNoted)
    }

    @Test("A folder is read as its zip file is, and so is a folder in a folder")
    func folders() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let inner = folder.appendingPathComponent("google_transit")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        for (name, bytes) in SmallFeed().files {
            try Data(bytes).write(to: inner.appendingPathComponent(name))
        }
        let usual = try SmallFeed().read()
        for url in [folder, inner] {
            let feed = try TransitFeed(contentsOf: url)
            #expect(feed.stopTimes.departures == usual.stopTimes.departures)
            #expect(feed.trips.ids == usual.trips.ids)
        }
    }

    @Test("Optional files may be missing, and one of the two calendars")
    func missingOptionalFiles() throws {
        var small = SmallFeed()
        small.files["shapes.txt"] = nil
        small.files["calendar_dates.txt"] = nil
        small.replace("days,T3", with: "week,T3", in: "trips.txt")
        small.replace("0,L", with: "0,", in: "trips.txt")
        let feed = try small.read()
        #expect(feed.shapes.count == 0 && feed.trips.count == 3 && feed.notices.counts.isEmpty)
        small.files["calendar_dates.txt"] = SmallFeed().files["calendar_dates.txt"]
        small.files["calendar.txt"] = nil
        #expect(try small.read().services.count == 2)
    }

    @Test("Frequencies, transfers, directions and feed_info are read")
    func smallTables() throws {
        var small = SmallFeed()
        small["frequencies.txt"] =
            "trip_id,start_time,end_time,headway_secs,exact_times\nT2,12:00:00,14:00:00,600,1\nT1,6:00:00,7:00:00,300,\nT1,4:00:00,6:00:00,900,0\n"
        small["transfers.txt"] =
            "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nS1,S2,2,180\n"
        small["directions.txt"] = "route_id,direction_id,direction\nR1,0,North\nR1,1,South\n"
        small["feed_info.txt"] =
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version\nTown,https://example.org,en,20260101,20260630,7\n"
        let feed = try small.read()
        let trip = try #require(feed.trip("T1"))
        #expect(
            feed.trips.frequencies(of: trip).map { feed.frequencies[$0].startSeconds } == [
                14_400, 21_600,
            ])
        #expect(feed.trips.frequencies(of: try #require(feed.trip("T3"))).isEmpty)
        #expect(feed.transfers.map(\.leastSeconds) == [180])
        #expect(feed.directionName(1, of: try #require(feed.route("R1"))) == "South")
        #expect(feed.directionName(1, of: try #require(feed.route("R2"))) == nil)
        #expect(feed.info?.version == "7" && feed.info?.lastDay?.description == "2026-06-30")
        #expect(feed.notices.counts.isEmpty)
    }

    @Test(
        "Rows of frequencies for the same time: the later one begins where the other ends, in its own step"
    )
    func overlappingFrequencies() throws {
        var small = SmallFeed()
        small["frequencies.txt"] =
            "trip_id,start_time,end_time,headway_secs\nT1,6:00:00,7:00:00,600\nT1,6:45:00,8:00:00,1200\n"
            + String(repeating: "T2,6:00:00,7:00:00,60\n", count: 1000)
            + "T2,7:00:00,8:00:00,60\n"
        let feed = try small.read()
        func rows(_ id: String) throws -> [[Int32]] {
            feed.trips.frequencies(of: try #require(feed.trip(id))).map {
                [feed.frequencies[$0].startSeconds, feed.frequencies[$0].endSeconds]
            }
        }
        #expect(try rows("T1") == [[21_600, 25_200], [25_500, 28_800]])
        #expect(try rows("T2") == [[21_600, 25_200], [25_200, 28_800]])
        #expect(feed.notices.counts.map(\.code) == ["overlapping_frequency"])
        #expect(feed.notices.counts.map(\.count) == [1000])
    }

    @Test("A timetable that has ended or not begun is said on that day, and not before")
    func expiry() throws {
        var small = SmallFeed()
        small["feed_info.txt"] = "feed_publisher_name,feed_lang,feed_end_date\nTown,en,20261120\n"
        let feed = try small.read()
        func codes(_ year: Int, _ month: Int, _ day: Int) throws -> [String] {
            let today = try #require(CivilDate(year: year, month: month, day: day))
            return feed.notices(on: today).map(\.code)
        }
        #expect(try codes(2026, 6, 1) == [])
        #expect(try codes(2026, 11, 1) == ["feed_expiration_date30_days"])
        #expect(try codes(2026, 11, 23) == ["feed_expiration_date7_days"])
        #expect(try codes(2027, 1, 1) == ["expired_calendar", "feed_expiration_date7_days"])
        #expect(try codes(2025, 12, 31) == ["calendar_in_future"])
    }
}
