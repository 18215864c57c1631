// A small timetable as text for tests of departures: a station of two platforms, a line there and back, a shuttle by
// headways, a night bus; and shorthand for realtime updates of it.
import BridgecastCore
import BridgecastTestSupport
import Foundation

@testable import BridgecastTransit

/// A timetable made of a few lines of text.
struct TextTimetable {
    /// By file name.
    var files: [String: String] = [
        "agency.txt": """
        agency_id,agency_name,agency_url,agency_timezone
        40,Sound,https://example.org,America/Los_Angeles
        """,
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,wheelchair_boarding
        S,Central,47.60,-122.33,1,,,1
        S1,Central,47.6001,-122.33,0,S,1,1
        S2,Central,47.6002,-122.33,0,S,2,1
        A,Ash,47.61,-122.33,0,,,1
        B,Beech,47.62,-122.33,0,,,2
        C,Cedar,47.63,-122.33,0,,,
        """,
        "routes.txt": """
        route_id,agency_id,route_short_name,route_long_name,route_type
        L,40,L,Line,3
        N,40,N,Night,3
        F,40,F,Shuttle,3
        """,
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        week,1,1,1,1,1,0,0,20260105,20261231
        daily,1,1,1,1,1,1,1,20260105,20261231
        """,
        "calendar_dates.txt": "service_id,date,exception_type\nweek,20260525,2\n",
        "trips.txt": """
        route_id,service_id,trip_id,trip_headsign,direction_id,wheelchair_accessible
        L,week,north-8,Cedar,0,1
        L,week,north-9,Cedar,0,1
        L,week,south-8,Central,1,1
        N,daily,night,Cedar,0,
        F,daily,shuttle,Ash,0,
        """,
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type
        north-8,08:00:00,08:00:00,S1,10,0
        north-8,08:10:00,08:11:00,A,20,0
        north-8,08:20:00,08:20:00,B,30,0
        north-8,08:30:00,08:30:00,C,40,0
        north-9,09:00:00,09:00:00,S1,10,0
        north-9,09:10:00,09:11:00,A,20,0
        north-9,09:20:00,09:20:00,B,30,0
        north-9,09:30:00,09:30:00,C,40,0
        south-8,08:05:00,08:05:00,C,1,0
        south-8,08:15:00,08:15:00,B,2,1
        south-8,08:25:00,08:25:00,A,3,0
        south-8,08:35:00,08:35:00,S2,4,0
        night,25:10:00,25:10:00,S1,1,0
        night,25:40:00,25:40:00,C,2,0
        shuttle,00:00:00,00:00:00,S2,1,0
        shuttle,00:05:00,00:06:00,A,2,0
        shuttle,00:12:00,00:12:00,B,3,0
        """,
        "frequencies.txt": """
        trip_id,start_time,end_time,headway_secs,exact_times
        shuttle,10:00:00,11:00:00,600,0
        """,
    ]

    /// The timetable, read as any other.
    func feed() throws -> TransitFeed {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            try Data((text + "\n").utf8).write(to: folder.appendingPathComponent(name))
        }
        return try TransitFeed(contentsOf: folder)
    }

    /// A Wednesday on which everything runs, at a time of day in Seattle.
    static func time(_ clock: String, _ date: String = "2026-02-18") -> Timestamp {
        Fixtures.timestamp(date + "T" + clock)
    }
}

extension TransitSnapshot {
    /// A snapshot with updates and vehicles that were fetched just now.
    static func of(
        _ feed: TransitFeed, at time: Timestamp, _ updates: [TripUpdate] = [],
        vehicles: [VehicleReport] = []
    ) -> TransitSnapshot {
        var state = RealtimeState()
        var tracker = VehicleTracker()
        var message = RealtimeFeed(timestamp: time)
        message.entities = updates.enumerated().map {
            RealtimeEntity(id: "u\($0.offset)", tripUpdate: $0.element)
        }
        state.take(message, of: "trip_updates", at: time)
        message.entities = vehicles.enumerated().map {
            RealtimeEntity(id: "v\($0.offset)", vehicle: $0.element)
        }
        state.take(message, of: "vehicles", at: time)
        return TransitSnapshot(feed, state, asOf: time, tracker: &tracker)
    }

    /// The board of a stop by its identifier.
    func board(
        _ stop: String, at time: Timestamp? = nil, _ query: BoardQuery = BoardQuery()
    )
        -> [Departure]
    {
        feed.stop(stop).map { board(of: $0, at: time, query).departures } ?? []
    }

    /// Trips with the clock times at which they are expected, such as `north-8 08:05`.
    func lines(
        _ stop: String, at time: Timestamp? = nil, _ query: BoardQuery = BoardQuery()
    )
        -> [String]
    {
        board(stop, at: time, query).map {
            $0.tripID + " " + ($0.expected.map { feed.zone.clockText($0) } ?? "-")
        }
    }
}

extension TripUpdate {
    /// An update of a trip.
    static func of(
        _ trip: String, _ stops: [StopTimeUpdate] = [], _ relationship: TripRelationship? = nil,
        date: String? = "20260218", change: (inout TripUpdate) -> Void = { _ in }
    ) -> TripUpdate {
        var update = TripUpdate()
        update.trip.tripID = trip
        update.trip.startDate = date
        update.trip.relationship = relationship
        update.stops = stops
        change(&update)
        return update
    }
}

extension StopTimeUpdate {
    /// An update of a stop by its sequence.
    static func at(
        _ sequence: Int, delay: Int? = nil, arrivalDelay: Int? = nil, time: Timestamp? = nil,
        _ relationship: Relationship? = nil, change: (inout StopTimeUpdate) -> Void = { _ in }
    ) -> StopTimeUpdate {
        var update = StopTimeUpdate()
        update.sequence = sequence
        update.relationship = relationship
        if let arrivalDelay { update.arrival = StopTimeEvent(delaySeconds: arrivalDelay) }
        if delay != nil || time != nil {
            update.departure = StopTimeEvent(delaySeconds: delay, time: time)
        }
        change(&update)
        return update
    }
}

extension VehicleReport {
    /// A vehicle on a trip.
    static func on(
        _ trip: String, date: String? = "20260218", seenAt: Timestamp? = nil,
        change: (inout VehicleReport) -> Void = { _ in }
    ) -> VehicleReport {
        var report = VehicleReport()
        var selector = TripSelector()
        selector.tripID = trip
        selector.startDate = date
        report.trip = selector
        report.timestamp = seenAt
        change(&report)
        return report
    }
}
