// A small feed read in many forms, and stop times in any order.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastTransit

@Suite struct SmallFeedTests {
    @Test("Every column of a good feed is read without notices")
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

    @Test("Services run by the week and by exceptions")
    func days() throws {
        let feed = try SmallFeed().read()
        let week = ServiceIndex(0)
        let days = ServiceIndex(1)
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
        "Line ends, a byte order mark, blanks, quotes and subfolders do not matter",
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
        let feed = try small.read()
        let usual = try SmallFeed().read()
        #expect(feed.stopTimes.arrivals == usual.stopTimes.arrivals)
        #expect(feed.stopTimes.stops == usual.stopTimes.stops)
        #expect(feed.stops.ids == usual.stops.ids && feed.stops.names == usual.stops.names)
        #expect(feed.routes.colours == usual.routes.colours)
        #expect(feed.services.exceptionDays == usual.services.exceptionDays)
        let isNoted = feed.notices.counts.map(\.code) == ["invalid_input_files_in_subfolder"]
        #expect(feed.notices.counts.isEmpty || spelling == "subfolder" && isNoted)
    }

    @Test("A folder reads like its zip file, and so does a nested folder")
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
        #expect(feed.transfers.map(\.minSeconds) == [180])
        #expect(feed.directionName(try #require(feed.route("R1")), 1) == "South")
        #expect(feed.directionName(try #require(feed.route("R2")), 1) == nil)
        #expect(feed.info?.version == "7" && feed.info?.lastDay?.description == "2026-06-30")
        #expect(feed.notices.counts.isEmpty)
    }

    @Test(
        "An overlapping frequency begins at the end of the other"
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

    @Test("A timetable that has ended or not begun is noted on that day")
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

@Suite struct StopTimeOrderTests {
    @Test("Rows in any order make the same timetable", arguments: 0..<6)
    func anyOrder(_ seed: UInt64) throws {
        var small = SmallFeed()
        var random = SeededGenerator(seed: seed)
        for name in ["stop_times.txt", "shapes.txt"] {
            var lines = small[name].split(separator: "\n")
            let header = lines.removeFirst()
            lines.shuffle(using: &random)
            small[name] = ([header] + lines).joined(separator: "\n") + "\n"
        }
        let feed = try small.read()
        let usual = try SmallFeed().read()
        #expect(feed.stopTimes.starts == usual.stopTimes.starts)
        #expect(feed.stopTimes.arrivals == usual.stopTimes.arrivals)
        #expect(feed.stopTimes.departures == usual.stopTimes.departures)
        #expect(feed.stopTimes.stops == usual.stopTimes.stops)
        #expect(feed.stopTimes.sequences == usual.stopTimes.sequences)
        #expect(feed.stopTimes.flags == usual.stopTimes.flags)
        #expect(feed.shapes.latitudes == usual.shapes.latitudes)
        #expect(feed.notices.counts.isEmpty)
    }

    /// What T1 is, with stops of its own between.
    private func times(_ rows: String) throws -> [Int32] {
        var small = SmallFeed()
        let lines = small["stop_times.txt"].split(separator: "\n")
        small["stop_times.txt"] = ([lines[0]] + lines[4...]).joined(separator: "\n") + "\n" + rows
        let feed = try small.read()
        let trip = try #require(feed.trip("T1"))
        let range = feed.stopTimes.rows(of: trip)
        for row in range {
            let isFilled = StopTimeTable.Flags(rawValue: feed.stopTimes.flags[row])
                .contains(.interpolated)
            #expect(isFilled == (row != range.first && row != range.last))
        }
        return range.map { feed.stopTimes.arrivals[$0] }
    }

    @Test("Missing times are interpolated by the feed's distances")
    func byGivenDistance() throws {
        let rows = "T1,8:00:00,8:00:00,S1,1,,0\nT1,,,A,2,,5\nT1,9:00:00,9:00:00,B,3,,6\n"
        #expect(try times(rows) == [28_800, 28_800 + 3_000, 32_400])
    }

    @Test("Invalid distances are ignored, and times go by the stops")
    func byNoDistance() throws {
        for (near, far) in [("1e300", "1e301"), ("-1e300", "5"), ("3e38", "4e38")] {
            let rows =
                "T1,8:00:00,8:00:00,S1,1,,0\nT1,,,A,2,,\(near)\nT1,9:00:00,9:00:00,B,3,,\(far)\n"
            #expect(
                try times(rows) == [28_800, 28_800 + Int32((3600.0 * 199 / 599).rounded()), 32_400])
        }
    }

    @Test("Without distances times are interpolated by the stops")
    func byPlaces() throws {
        // Central at 47.6001, A at 47.62, B at 47.66, all on one meridian: 199 and 400 parts of 599.
        let rows = "T1,8:00:00,8:00:00,S1,1,,\nT1,,,A,2,,\nT1,9:00:00,9:00:00,B,3,,\n"
        #expect(
            try times(rows) == [28_800, 28_800 + Int32((3600.0 * 199 / 599).rounded()), 32_400])
    }

    @Test("Without any distance times are interpolated evenly")
    func evenly() throws {
        let rows =
            "T1,8:00:00,8:00:00,B,1,,\nT1,,,B,2,,\nT1,,,B,3,,\nT1,8:30:00,8:30:00,B,4,,\n"
        #expect(try times(rows) == [28_800, 29_400, 30_000, 30_600])
    }

    @Test("Arrival or departure alone is enough")
    func oneOfTwo() throws {
        var small = SmallFeed()
        small.replace("T1,8:10:00,8:10:00", with: "T1,,8:10:00", in: "stop_times.txt")
        small.replace("T2,9:10:00,9:10:00", with: "T2,9:10:00,", in: "stop_times.txt")
        let feed = try small.read()
        let usual = try SmallFeed().read()
        #expect(feed.stopTimes.arrivals == usual.stopTimes.arrivals)
        #expect(feed.stopTimes.departures == usual.stopTimes.departures)
        #expect(feed.stopTimes.flags == usual.stopTimes.flags)
    }

    @Test("Times and distances never decrease within a trip")
    func neverBackwards() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            var small = SmallFeed()
            small["stop_times.txt"] =
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                + (0..<12).map { _ in Self.row(&random) }.joined()
                + "T2,1:00:00,1:00:00,A,1,\nT2,2:00:00,2:00:00,B,2,\n"
            let table = try small.read().stopTimes
            let rows = table.rows(of: TripIndex(0))
            for row in rows {
                #expect(table.departures[row] >= table.arrivals[row])
                guard row + 1 < rows.upperBound else { continue }
                #expect(table.arrivals[row + 1] >= table.departures[row])
                #expect(table.sequences[row + 1] > table.sequences[row])
            }
            let distances = rows.compactMap { row -> Float? in
                table.distances.isEmpty || table.distances[row].isNaN ? nil : table.distances[row]
            }
            #expect(distances == distances.sorted())
        }
    }

    private static func row(_ random: inout SeededGenerator) -> String {
        func time() -> String {
            Bool.random(using: &random) ? "" : "\(Int.random(in: 0...30, using: &random)):00:00"
        }
        let distance = Bool.random(using: &random) ? "" : "\(Int.random(in: 0...9, using: &random))"
        let stop = ["S1", "A", "B"].randomElement(using: &random) ?? "A"
        return
            "T1,\(time()),\(time()),\(stop),\(Int.random(in: 0...15, using: &random)),\(distance)\n"
    }
}
