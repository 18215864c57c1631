// A small timetable as its publisher would write it, which tests change; and the zip file it comes in.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTransit
import Foundation

/// The files of a feed by name; a good one unless a test says otherwise.
struct SmallFeed {
    /// By name; what a test changes.
    var files: [String: [UInt8]]

    /// A station with two platforms, a stop, two routes, three trips.
    init() { files = Self.good.mapValues { Array($0.utf8) } }

    /// A file as text.
    subscript(name: String) -> String {
        get { String(decoding: files[name] ?? [], as: UTF8.self) }
        set { files[name] = Array(newValue.utf8) }
    }

    /// Changes a piece of a file, which has to be there.
    mutating func replace(_ old: String, with new: String, in name: String) {
        precondition(self[name].contains(old), "a test changes what is not there")
        self[name] = self[name].replacingOccurrences(of: old, with: new)
    }

    /// What a zip file of it is read as.
    func read() throws(TransitFeedError) -> TransitFeed {
        try TransitFeed(zip: StoredZip.bytes(files), name: "small.zip")
    }

    /// Its refusal, which is expected; nil if it is read.
    func refusal() -> TransitFeedError? {
        do throws(TransitFeedError) {
            _ = try read()
            return nil
        } catch {
            return error
        }
    }

    private static let good = [
        "agency.txt": """
        agency_id,agency_name,agency_url,agency_timezone
        1,Town Transit,https://example.org,America/Los_Angeles

        """,
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,wheelchair_boarding
        S,Central,47.60,-122.33,1,,,1
        S1,Central,47.6001,-122.33,0,S,1,
        S2,Central,47.5999,-122.33,0,S,2,2
        A,"Avenue ""A"", north",47.62,-122.33,,,,
        B,Bay,47.66,-122.33,0,,,0

        """,
        "routes.txt": """
        route_id,agency_id,route_short_name,route_long_name,route_type,route_color
        R1,1,1,Central - Bay,3,004B87
        R2,1,,Night line,702,

        """,
        "trips.txt": """
        route_id,service_id,trip_id,trip_headsign,direction_id,shape_id
        R1,week,T1,Bay,0,L
        R1,week,T2,Bay,0,L
        R2,days,T3,Central,1,

        """,
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,shape_dist_traveled
        T1,8:00:00,8:01:00,S1,1,0,0
        T1,8:10:00,8:10:00,A,5,0,2
        T1,8:30:00,8:30:00,B,9,1,6
        T2,9:00:00,9:01:00,S1,1,0,0
        T2,9:10:00,9:10:00,A,5,0,2
        T2,9:30:00,9:30:00,B,9,1,6
        T3,24:50:00,24:50:00,B,1,,
        T3,25:10:00,25:10:00,S2,2,,

        """,
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        week,1,1,1,1,1,0,0,20260101,20261231

        """,
        "calendar_dates.txt": """
        service_id,date,exception_type
        week,20260704,1
        week,20260703,2
        days,20260704,1

        """,
        "shapes.txt": """
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
        L,47.60,-122.33,0,0
        L,47.62,-122.33,1,2
        L,47.66,-122.33,2,6

        """,
    ]
}

/// Writes zip files without packing them, as PKWARE's APPNOTE.TXT has them (sections 4.3.7, 4.3.12 and 4.3.16).
enum StoredZip {
    /// A zip file of files by name, in the order of names.
    static func bytes(_ files: [String: [UInt8]]) -> [UInt8] {
        bytes(files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// A zip file of files in an order, in which names may come twice.
    static func bytes(_ files: [(name: String, bytes: [UInt8])], flags: Int = 0) -> [UInt8] {
        var zip = [UInt8]()
        var directory = [UInt8]()
        for (name, bytes) in files {
            let name = Array(name.utf8)
            let common =
                little(20, 2) + little(flags, 2) + little(0, 2) + little(0, 4)
                + little(Int(checksum(bytes)), 4) + little(bytes.count, 4) + little(bytes.count, 4)
                + little(name.count, 2) + little(0, 2)
            directory +=
                little(0x0201_4b50, 4) + little(20, 2) + common + little(0, 2) + little(0, 2)
                + little(0, 2) + little(0, 4) + little(zip.count, 4) + name
            zip += little(0x0403_4b50, 4) + common + name + bytes
        }
        let end =
            little(0x0605_4b50, 4) + little(0, 4) + little(files.count, 2) + little(files.count, 2)
            + little(directory.count, 4) + little(zip.count, 4) + little(0, 2)
        return zip + directory + end
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { rest, _ in
            rest & 1 == 1 ? 0xedb8_8320 ^ rest >> 1 : rest >> 1
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
