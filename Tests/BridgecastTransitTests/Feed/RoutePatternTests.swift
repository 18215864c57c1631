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
            #expect(patterns.all.map(\.number) == Array(patterns.all.indices))
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
}
