// Patterns of lines, their service classes, and finding lines and stops by name.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit

@Suite struct RoutePatternTests {
    private let feed: TransitFeed

    init() throws {
        feed = try TransitFeed(
            contentsOf: Fixtures.checkout.appendingPathComponent(
                "models/transit/sound-transit-montlake.zip"))
    }

    @Test func patternsPartTheTripsOfALine() throws {
        for row in 0..<feed.routes.count {
            let route = RouteIndex(row)
            let patterns = feed.patterns(of: route)
            let trips = (0..<feed.trips.count).map { TripIndex($0) }.filter {
                feed.route(of: $0) == route
            }
            #expect(patterns.all.map(\.trips).reduce(0, +) == trips.count)
            #expect(Set(patterns.all.map(\.id)).count == patterns.all.count)
            for trip in trips {
                let pattern = try #require(patterns.pattern(of: trip))
                let rows = feed.stopTimes.rows(of: trip)
                #expect(pattern.stops.map(\.number) == Array(feed.stopTimes.stops[rows]))
                #expect(pattern.direction == feed[trip].direction)
            }
            // The pattern with the highest number of trips is the main one of its direction.
            for direction in Set(patterns.all.map(\.direction)) {
                let own = patterns.all.filter { $0.direction == direction }
                #expect(own.filter(\.isMain).count == 1 && own[0].isMain)
                #expect(own[0].trips == own.map(\.trips).max())
            }
        }
        let first = feed.patterns(of: RouteIndex(0))
        #expect(feed.patterns(of: RouteIndex(0)) === first, "they are made once")
    }

    @Test(
        arguments: [
            (["541 EXPRESS", "Overlake - University"], ServiceClass.express),
            (["Local", ""], .local), (["L1", "Limited"], .limited),
            (["", "Baby Bullet"], .express),
            (["542", "Redmond - University District"], nil), (["Expressway", "Localities"], nil),
            (["", ""], nil),
        ] as [([String], ServiceClass?)])
    func namesStateAServiceClassByAWordOfTheirOwn(_ example: ([String], ServiceClass?)) {
        #expect(ServiceClass(statedBy: example.0[0], example.0[1]) == example.1)
    }

    @Test func theBestMatchesAreFirst() throws {
        #expect(NameMatch("542", "542") == .equal && NameMatch("5421", "542") == .beginning)
        #expect(NameMatch("Montlake Blvd NE", "blvd") == .word)
        #expect(NameMatch("Montlake Fwy", "lake") == .contained)
        #expect(NameMatch("Über-Straße", "straße") == .word && NameMatch("Pine", "x") == nil)
        let found = feed.stops(matching: "MONTLAKE").map { feed[$0].name }
        #expect(!found.isEmpty && found.allSatisfy { $0.lowercased().contains("montlake") })
        let ranks = found.compactMap { NameMatch($0, "montlake") }
        #expect(ranks == ranks.sorted())
        let lines = feed.routes(matching: "542").map { feed[$0].title }
        #expect(lines.first?.contains("542") == true)
        #expect(feed.routes(matching: " Redmond ").map { feed[$0].title }.contains("542"))
        #expect(feed.routes(matching: nil).count == feed.routes.count)
        let stop = try #require(feed.stop("25243"))
        #expect(feed.routes(at: stop).count == 4)
    }

    @Test func tripsByLineAreFoundOnce() {
        #expect(feed.lineTrips === feed.lineTrips)
        for row in 0..<feed.routes.count {
            let own = (0..<feed.trips.count).map { TripIndex($0) }.filter {
                feed.route(of: $0).position == row
            }
            #expect(Array(feed.lineTrips.trips(of: RouteIndex(row))) == own)
        }
    }
}

@Suite struct PatternIdentityTests {
    /// The identities of the patterns of line L by their stops.
    private func ids(_ timetable: TextTimetable) throws -> [[String]: Int] {
        let feed = try timetable.feed()
        let patterns = feed.patterns(of: try #require(feed.route("L"))).all
        return Dictionary(
            uniqueKeysWithValues: patterns.map { ($0.stops.map { feed[$0].id }, $0.id) })
    }

    @Test func patternsKeepTheirIdentityInANewerTimetable() throws {
        var timetable = TextTimetable()
        let before = try ids(timetable)
        #expect(before.count == 2)
        // Another pattern comes before them, and rows of stops and trips move.
        timetable.files["stops.txt"]?.replace(
            "S,Central,47.60", with: "D,Dogwood,47.625,-122.34,0,,,\nS,Central,47.60")
        timetable.files["trips.txt"]?.replace(
            "L,week,north-8", with: "L,week,b1,,0,1\nL,week,b2,,0,1\nL,week,b3,,0,1\nL,week,north-8"
        )
        for (trip, hour) in [("b1", 10), ("b2", 11), ("b3", 12)] {
            timetable.files["stop_times.txt", default: ""] +=
                "\n\(trip),\(hour):00:00,\(hour):00:00,S1,1,0\n\(trip),\(hour):10:00,\(hour):10:00,D,2,0"
        }
        let after = try ids(timetable)
        #expect(after.count == 3)
        for (stops, id) in before { #expect(after[stops] == id, "\(stops)") }
    }

    @Test func anotherWayOrAnotherStopIsAnotherPattern() throws {
        let ground = Ground()
        func id(
            _ points: [(Double, Double)], stop: String = "b", at east: Double = 900
        ) throws -> Int {
            let trip = MadeTrip(
                id: "t", shape: points.map { ground.point($0.0, $0.1) },
                stops: [("a", 0), (stop, east)].map { id, east in
                    MadeTrip.Stop(
                        id: id, point: ground.point(east, 0), arrival: 36_000 + Int(east),
                        departure: 36_000 + Int(east))
                })
            let feed = try MadeFeed.feed([trip])
            return try #require(feed.patterns(of: RouteIndex(0)).all.first).id
        }
        let id0 = try id([(0, 0), (1000, 0)])
        #expect(try id([(0, 0), (1000, 0)]) == id0)
        #expect(try id([(0, 0), (500, 90), (1000, 0)]) != id0)
        #expect(try id([(0, 0), (1000, 0)], stop: "c") != id0)
        // Without a shape it goes from stop to stop.
        #expect(try id([]) != id([], at: 950))
        #expect((0..<1 << 53).contains(id0), "readers of JSON keep it")
    }
}
