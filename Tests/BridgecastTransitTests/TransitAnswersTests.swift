// The transit documents: widgets, alerts, the stops of a route, occupancy, and times by a timetable's clock.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastAnswers
@testable import BridgecastTransitAnswers
@testable import BridgecastTransit

@Suite struct LiveWidgetTests {
    /// 17:55, five minutes before the bus of 18:00.
    private static let time = Timestamp(secondsSinceEpoch: 1_771_638_900)

    @Test("Cancelled trips are no arrivals, and skipped stops are not a vehicle's next")
    func cancelledAndSkipped() throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        let seconds = Self.time.secondsSinceEpoch
        let message = """
            {"header": {"gtfs_realtime_version": "2.0", "timestamp": \(seconds)}, "entity": [
             {"id": "1", "trip_update": {"trip": {"trip_id": "n-18:00", "start_date": "20260220",
              "schedule_relationship": "CANCELED"}}},
             {"id": "2", "trip_update": {"trip": {"trip_id": "n-18:10", "start_date": "20260220"},
              "stop_time_update": [{"stop_sequence": 1, "schedule_relationship": "SKIPPED"},
               {"stop_sequence": 2, "arrival": {"delay": 0}}]}},
             {"id": "3", "vehicle": {"trip": {"trip_id": "n-18:10", "start_date": "20260220"},
              "vehicle": {"id": "v1"}, "timestamp": \(seconds),
              "position": {"latitude": 47.6481, "longitude": -122.3762}}}]}
            """
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        state.take(try RealtimeFeed.read(Array(message.utf8)).feed, of: "all", at: Self.time)
        let snapshot = TransitSnapshot(feed, state, asOf: Self.time, tracker: &tracker)
        let envelope = TransitEnvelope(snapshot, generatedAt: Self.time)
        let route = try #require(feed.route(SmallTransit.route))
        let south = try #require(feed.stop(SmallTransit.south))
        let widget = LiveWidgetDocument(
            route, VehicleDetails(stop: south), snapshot, envelope: envelope)
        let arrivals = widget.predictions.filter { $0.departure.tripID.hasPrefix("n-") }
        #expect(widget.predictions.count == 3)
        #expect(arrivals.allSatisfy { $0.departure.isServed && $0.countdownSeconds != nil })
        #expect(!arrivals.contains { $0.departure.tripID == "n-18:00" })
        let vehicle = VehicleEntry(0, snapshot, at: Self.time, bridges: nil)
        #expect(vehicle.next.map(\.stop.id) == [SmallTransit.north])
    }
}

@Suite struct PlatformAlertTests {
    private static let time = Timestamp(secondsSinceEpoch: 1_771_638_900)

    @Test("An alert for a platform is on its station's board, whatever leaves there")
    func platformAlert() throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        // A selector without any field selects nothing, not everything.
        let alerts = ["N1", "N2", SmallTransit.south, nil].map { stop in
            var selector = ServiceAlert.Selector()
            selector.stopID = stop
            let stop = stop ?? "none"
            var alert = ServiceAlert()
            alert.informed = [selector]
            alert.header = [.init(stop, language: "en")]
            return RealtimeEntity(id: stop, alert: alert)
        }
        var state = RealtimeState()
        var tracker = VehicleTracker()
        state.take(
            RealtimeFeed(timestamp: Self.time, entities: alerts), of: "alerts", at: Self.time)
        let snapshot = TransitSnapshot(feed, state, asOf: Self.time, tracker: &tracker)
        let station = try #require(feed.stop(SmallTransit.station))
        let envelope = TransitEnvelope(snapshot, generatedAt: Self.time)
        for limit in [0, 1, 50] {
            var query = BoardQuery()
            query.limit = limit
            let board = StopBoardDocument(
                snapshot.board(of: station, query), snapshot, envelope: envelope)
            #expect(board.alerts.map(\.header) == ["N1", "N2"])
        }
    }
}

@Suite struct RouteStopsTests {
    @Test("Stops of shorter trips come after the stop they follow, in each direction")
    func merging() throws {
        var timetable = TextTimetable()
        timetable.files["trips.txt", default: ""] += "\nL,week,branch,Dogwood,0,1"
        timetable.files["stops.txt", default: ""] += "\nD,Dogwood,47.625,-122.34,0,,,"
        timetable.files["stop_times.txt", default: ""] +=
            "\nbranch,10:00:00,10:00:00,S1,1,0\nbranch,10:10:00,10:10:00,A,2,0\nbranch,10:15:00,10:15:00,D,3,0"
        let feed = try timetable.feed()
        let route = try #require(feed.route("L"))
        let stops = RouteStops(of: route, in: feed)
        #expect(stops.directions.map(\.number) == [0, 1])
        #expect(stops.directions[0].stops.map { feed[$0].id } == ["S1", "A", "D", "B", "C"])
        #expect(stops.directions[1].stops.map { feed[$0].id } == ["C", "B", "A", "S2"])
        #expect(stops.directions[0].headsigns == ["Cedar", "Dogwood"])
        #expect(stops.directions[0].trips == 3)
        // Each stop once, although both directions use some.
        #expect(stops.all.map { feed[$0].id } == ["S1", "A", "D", "B", "C", "S2"])
    }
}

@Suite struct OccupancyLevelTests {
    @Test("Each number has a text and a colour; nil is no data, never empty")
    func levels() {
        let expected: [(String, String?)] = [
            ("Low", "green"), ("Low", "green"), ("Moderate", "yellow"), ("High", "orange"),
            ("High", "orange"), ("Very crowded", "red"), ("Very crowded", "red"), ("no data", nil),
            ("not boardable", nil),
        ]
        for (number, entry) in expected.enumerated() {
            let level = OccupancyLevel(Occupancy(rawValue: number))
            #expect(level.text == entry.0 && level.colourName == entry.1, "\(number)")
        }
        #expect(OccupancyLevel(nil).text == "no data")
    }
}

@Suite struct ZonedTimeTextTests {
    private func written(_ time: Timestamp, by text: inout ZonedTimeText) -> String {
        var json = JSONWriter()
        text.append(time, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(
        "Times have the zone's offset, around every change of clocks",
        arguments: [
            "America/Los_Angeles", "America/Regina", "Asia/Kathmandu", "Australia/Lord_Howe",
            "America/St_Johns", "UTC", "Africa/Monrovia",
        ])
    func asTheZone(_ identifier: String) throws {
        let zone = try #require(TransitZone(identifier))
        var text = ZonedTimeText(zone)
        // Days around the changes of clocks of 2026 on both halves of the earth, and times since 1901.
        let days: [Int64] = [1_772_900_000, 1_793_500_000, 1_775_300_000, 1_790_900_000]
        var times = (0..<2000).map { days[Int($0 % 4)] + $0 * 7919 % 172_800 }
        times += (0..<500).map { -2_170_000_000 + $0 * 12_345_679 }
        for time in times.map(Timestamp.init(secondsSinceEpoch:)) {
            #expect(
                written(time, by: &text) == "\"\(zone.rfc3339(time))\"",
                "\(time.secondsSinceEpoch)")
        }
    }

    @Test("A change within a quarter of an hour is followed to the second")
    func withinAQuarter() throws {
        // Newfoundland's clocks were set at 00:01 until 2011; on 2006-10-29 that was 02:31 UTC.
        let zone = try #require(TransitZone("America/St_Johns"))
        let change: Int64 = 1_162_089_060
        #expect(
            zone.utcOffsetSeconds(at: Timestamp(secondsSinceEpoch: change - 1))
                != zone.utcOffsetSeconds(at: Timestamp(secondsSinceEpoch: change)))
        var text = ZonedTimeText(zone)
        for second in change - 1000...change + 1000 {
            let time = Timestamp(secondsSinceEpoch: second)
            #expect(written(time, by: &text) == "\"\(zone.rfc3339(time))\"")
        }
    }
}
