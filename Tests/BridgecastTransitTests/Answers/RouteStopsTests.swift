// The stops of a route in one order, made of trips that stop at different ones.
import BridgecastCore
import Foundation
import Testing

@testable import BridgecastTransit
@testable import BridgecastTransitAnswers

@Suite struct RouteStopsTests {
    @Test("Stops of shorter trips stand after the stop that they follow, in each direction")
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
