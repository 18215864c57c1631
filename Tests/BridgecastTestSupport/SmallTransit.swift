// A small timetable over Ballard Bridge as files, and what realtime feeds say of it; for tests of boards and the service.
package import BridgecastCore
package import Foundation

/// A bus line from Interbay to Ballard and back, every ten minutes from 17:00 to 19:00, on all days of 2026, and once at
/// 25:10; a ferry without a trip; a stop without a place.
package enum SmallTransit {
    /// The stop south of the bridge, whose identifier needs encoding in paths.
    package static let south = "S/1 süd"
    /// The stop north of the bridge, a platform of ``station``.
    package static let north = "N1"
    /// The station north of the bridge.
    package static let station = "ballard"
    /// The bus line.
    package static let route = "15/Ä"

    /// The trip that leaves ``south`` at a time such as `18:10`.
    package static func trip(at time: String) -> String { "n-" + time }

    /// Writes the timetable into a new folder.
    package static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-transit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, name, in: folder) }
        return folder
    }

    /// Writes a file of a timetable's folder, in one step.
    package static func write(_ text: String, _ name: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name), options: .atomic)
    }

    /// The files of the timetable by name.
    package static let files: [String: String] = [
        "agency.txt": """
        agency_id,agency_name,agency_url,agency_timezone
        a,Small Transit,https://example.org,America/Los_Angeles
        """,
        "stops.txt": stops(named: "Ballard"),
        "routes.txt": """
        route_id,agency_id,route_short_name,route_long_name,route_type,route_color
        \(route),a,15,Interbay - Ballard,3,E74C3C
        ferry,a,,Nowhere,4,
        """,
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        daily,1,1,1,1,1,1,1,20260101,20261231
        """,
        "trips.txt": "route_id,service_id,trip_id,trip_headsign,direction_id,shape_id\n"
            + times.map {
                "\(route),daily,n-\($0),Ballard,0,north\n\(route),daily,s-\($0),Interbay,1,south\n"
            }.joined(),
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + times.map { time in
                let start = minutes(time)
                return """
                    n-\(time),\(clock(start)),\(clock(start)),\(south),1
                    n-\(time),\(clock(start + 8)),\(clock(start + 8)),N1,2
                    s-\(time),\(clock(start)),\(clock(start)),N2,1
                    s-\(time),\(clock(start + 8)),\(clock(start + 8)),\(south),2

                    """
            }.joined(),
        "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
            + (0...22).map { "north,47.\(6480 + $0 * 10),-122.3762,\($0)\n" }.joined()
            + (0...22).map { "south,47.\(6700 - $0 * 10),-122.3762,\($0)\n" }.joined(),
    ]

    /// stops.txt with another name for the station.
    package static func stops(named name: String) -> String {
        let quoted = { (name: String) in "\"\(name.replacing("\"", with: "\"\""))\"" }
        return """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
            \(south),Interbay,47.6500,-122.3762,0,,
            \(station),\(quoted(name)),47.6680,-122.3762,1,,
            N1,\(quoted(name + " 1")),47.6680,-122.3761,0,\(station),1
            N2,\(quoted(name + " 2")),47.6680,-122.3763,0,\(station),2
            lost,Lost,,,0,,
            """
    }

    private static let times = (0...12).map { clock(17 * 60 + $0 * 10, false) } + ["25:10"]

    private static func minutes(_ time: String) -> Int {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        return parts[0] * 60 + parts[1]
    }

    private static func clock(_ minutes: Int, _ hasSeconds: Bool = true) -> String {
        let text = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return text.joined(separator: ":") + (hasSeconds ? ":00" : "")
    }

    /// A message of trip updates as JSON: a trip that is `delaySeconds` late at its first stop.
    package static func tripUpdates(
        of trip: String, delaySeconds: Int, at time: Timestamp
    ) -> [UInt8] {
        Array(
            """
            {"header": {"gtfs_realtime_version": "2.0", "timestamp": \(time.secondsSinceEpoch)},
             "entity": [{"id": "1", "trip_update": {
               "trip": {"trip_id": "\(trip)", "start_date": "20260220"}, "vehicle": {"id": "v1"},
               "timestamp": \(time.secondsSinceEpoch),
               "stop_time_update": [{"stop_sequence": 1, "departure": {"delay": \(delaySeconds)}}]}}]}
            """.utf8)
    }

    /// A message of vehicle positions as JSON: a trip's bus somewhere on the line, half full.
    package static func vehicles(
        of trip: String, latitude: Double, at time: Timestamp
    ) -> [UInt8] {
        Array(
            """
            {"header": {"gtfs_realtime_version": "2.0", "timestamp": \(time.secondsSinceEpoch)},
             "entity": [{"id": "1", "vehicle": {
               "trip": {"trip_id": "\(trip)", "start_date": "20260220"}, "vehicle": {"id": "v1"},
               "position": {"latitude": \(latitude), "longitude": -122.3762},
               "timestamp": \(time.secondsSinceEpoch), "occupancy_status": 2}}]}
            """.utf8)
    }
}
