// Real feeds, value by value against the plainest reading of their files that there is.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
@testable import BridgecastTransit
import Foundation
import Testing

@Suite struct RealFeedTests {
    /// A file of a zip file, split at line ends and commas.
    private func rows(_ feed: String, _ name: String) throws -> [[String: String]] {
        let bytes = try #require(try TransitSamples.files(of: url(feed))[name])
        let lines = String(decoding: bytes, as: UTF8.self)
            .replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
            .map { Self.fields($0) }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }

    /// Quotes in these files surround whole fields and are never doubled.
    private static func fields(_ line: Substring) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }

    private static let shipped = "the shipped timetable"
    private static let feeds = [
        "caltrain/gtfs-2026.zip", "caltrain/gtfs-2016.zip", shipped,
        "specification/gtfs-sample-feed.zip",
    ]

    private func url(_ feed: String) -> URL {
        feed == Self.shipped ? TransitSamples.shippedTimetable : TransitSamples.url(feed)
    }

    @Test("Every stop time equals the file's", arguments: feeds)
    func stopTimes(_ name: String) throws {
        let feed = try TransitFeed(contentsOf: url(name))
        let rows = try rows(name, "stop_times.txt")
        var seen = 0
        for row in rows {
            let trip = try #require(feed.trip(row["trip_id"] ?? ""))
            let sequence = try #require(UInt32(row["stop_sequence"] ?? ""))
            let table = feed.stopTimes
            let place = table.rows(of: trip).first { table.sequences[$0] == sequence }
            guard let place else { continue }
            seen += 1
            #expect(feed.stops.ids[Int(table.stops[place])] == row["stop_id"])
            if let arrival = Self.seconds(row["arrival_time"]) {
                #expect(table.arrivals[place] == arrival)
            }
            if let departure = Self.seconds(row["departure_time"]) {
                #expect(table.departures[place] == departure)
            }
            if let text = row["shape_dist_traveled"], let distance = Float(text) {
                #expect(table.distances[place] == distance)
            }
            let headsign = table.headsign(ofRow: place).map(feed.headsign) ?? feed[trip].headsign
            if let own = row["stop_headsign"], !own.isEmpty { #expect(headsign == own) }
            let flags = StopTimeTable.Flags(rawValue: table.flags[place])
            #expect(flags.contains(.noPickUp) == (row["pickup_type"] == "1"))
            #expect(flags.contains(.noDropOff) == (row["drop_off_type"] == "1"))
        }
        #expect(seen == feed.stopTimes.count)
        #expect(seen == rows.count, "no row is lost")
    }

    @Test("Every stop, trip and shape point equals the file's", arguments: feeds)
    func otherTables(_ name: String) throws {
        let feed = try TransitFeed(contentsOf: url(name))
        let stops = try rows(name, "stops.txt")
        #expect(feed.stops.count == stops.count)
        for row in stops {
            let stop = feed[try #require(feed.stop(row["stop_id"] ?? ""))]
            #expect(stop.name == row["stop_name"])
            #expect(stop.point?.latitude == Double(row["stop_lat"] ?? ""))
            #expect(stop.point?.longitude == Double(row["stop_lon"] ?? ""))
            #expect(stop.parent.map { feed[$0].id } ?? "" == row["parent_station"] ?? "")
            #expect(stop.platform == row["platform_code"] ?? "")
        }
        let trips = try rows(name, "trips.txt")
        #expect(feed.trips.count == trips.count)
        for row in trips {
            let trip = feed[try #require(feed.trip(row["trip_id"] ?? ""))]
            #expect(
                feed[trip.route].id == row["route_id"]
                    && trip.headsign == row["trip_headsign"] ?? "")
            #expect(trip.direction == row["direction_id"].flatMap { Int($0) })
            #expect(feed.services.ids[trip.service.position] == row["service_id"])
        }
        let points = try rows(name, "shapes.txt")
        #expect(feed.shapes.latitudes.count == points.count)
        let ids = Dictionary(grouping: points) { $0["shape_id"] ?? "" }
        for (id, rows) in ids {
            let shape = try #require(feed.shapes.ids.position(of: id))
            let sorted = rows.sorted {
                (Int($0["shape_pt_sequence"] ?? "") ?? 0)
                    < (Int($1["shape_pt_sequence"] ?? "") ?? 0)
            }
            for (point, row) in zip(feed.shapes.points(of: ShapeIndex(shape)), sorted) {
                #expect(abs(point.latitude - (Double(row["shape_pt_lat"] ?? "") ?? 0)) < 6e-8)
                #expect(abs(point.longitude - (Double(row["shape_pt_lon"] ?? "") ?? 0)) < 6e-8)
            }
        }
    }

    private static func seconds(_ text: String?) -> Int32? {
        let parts = (text ?? "").split(separator: ":").compactMap { Int32($0) }
        return parts.count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : nil
    }

    @Test("The known problems of these feeds are found, and no others")
    func notices() throws {
        let codes = try Self.feeds.map { name in
            try TransitFeed(contentsOf: url(name)).notices.counts
                .map { "\($0.code) \($0.count)" }
        }
        #expect(codes[0] == ["unknown_file 4"])
        #expect(codes[1].isEmpty)
        #expect(codes[2] == ["unknown_column 2"])
        #expect(codes[3] == ["unknown_column 1", "invalid_row_length 13"])
    }

    @Test("Files that agencies publish instead of a feed are recognised")
    func otherFiles() throws {
        let message = try TransitSamples.bytes("caltrain/vehiclepositions.pb")
        for (bytes, words) in [
            (message, "GTFS-realtime"), (Array(#"{"stations": []}"#.utf8), "JSON"),
            (Array("not valid pb data".utf8), "a GTFS feed is"),
        ] {
            try withFile(bytes, "feed.zip") { file in
                #expect { try TransitFeed(contentsOf: file) } throws: {
                    "\($0)".contains(words) && ($0 as? TransitFeedError)?.kind == .data
                }
            }
        }
    }
}
