// Which second ways a ranking shows beside a trip's routes, and that it stays on motorways.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastRoads
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct SecondWayTests {
    private let seattle = Fixtures.seattle

    private func ranking(
        _ from: String, _ to: String, _ hour: String, _ mode: Route.Mode = .car, most: Int = 4
    ) async throws -> TripRanking {
        let now = Fixtures.moment("2026-02-24T\(hour)")
        var planner = RoutePlanner(seattle)
        planner.mostRoutes = most
        return try await TrafficInference(contentsOf: Fixtures.model("bridgecast.int8.bcm")).rank(
            try seattle.trip(from: from, to: to, mode: mode), by: planner, leaving: now,
            in: .unknown(at: now))
    }

    @Test(arguments: [
        ("Alki", "Pioneer Square", "08:50", "Harbor Ave SW"),
        ("White Center", "SoDo", "12:00", "4th Ave S"),
        ("Capitol Hill", "Columbia City", "12:00", "Rainier Ave S"),
        ("Broadview", "Frelard", "17:40", "15th Ave NW"),
        ("West Seattle", "Downtown", "08:50", "SR 99"),
    ])
    func whatDriversWouldTakeInsteadIsShown(
        _ trip: (from: String, to: String, hour: String, road: String)
    ) async throws {
        let ranking = try await ranking(trip.from, trip.to, trip.hour)
        let best = try #require(ranking.path(of: ranking[0]))
        let second = try #require(
            ranking.dropFirst().first { score in
                ranking.path(of: score)?.directions(on: seattle).contains {
                    $0.name == trip.road
                } == true
            }, "\(ranking.map(\.route.name))")
        let path = try #require(ranking.path(of: second))
        #expect(path.crossings == best.crossings)
        #expect(second.route.id.contains(" by "))
    }

    @Test(arguments: [Route.Mode.car, .bike, .walk])
    func routesAreToldApart(_ mode: Route.Mode) async throws {
        let places = seattle.places.map(\.name)
        var random = SeededGenerator(seed: 23)
        var seconds = 0
        for _ in 0..<40 {
            let pair = places.shuffled(using: &random).prefix(2)
            let hour = ["00:20", "08:50", "15:20", "17:40"][Int.random(in: 0..<4, using: &random)]
            let ranking: TripRanking
            do {
                ranking = try await self.ranking(pair[0], pair[1], hour, mode)
            } catch RankingError.trip {
                continue
            } catch is PlaceError {
                continue
            }
            seconds += try expectToldApart(ranking)
        }
        #expect(seconds > 15)
    }

    // Two ways that are apart on the same road, from trials with random trips.
    @Test(arguments: [
        ("Central District", "Rainier Beach", "15:20", Route.Mode.car),
        ("Rainier Beach Station", "Franklin High School", "12:40", .walk),
        ("West Seattle High School", "SoDo", "13:50", .car),
        ("Queen Anne", "Capitol Hill", "18:30", .car),
        ("Columbia City Station", "Virginia Mason", "14:50", .bike),
    ])
    func waysThatAreApartOnOneRoadAreToldApart(
        _ trip: (from: String, to: String, hour: String, mode: Route.Mode)
    ) async throws {
        _ = try expectToldApart(try await ranking(trip.from, trip.to, trip.hour, trip.mode))
    }

    /// How many second ways there are.
    private func expectToldApart(_ ranking: TripRanking) throws -> Int {
        let ids = ranking.map(\.route.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(ranking.map(\.route.name)).count == ids.count, "\(ids)")
        #expect(ranking.map(\.score) == ranking.map(\.score).sorted())
        var seconds = 0
        for score in ranking where score.route.id.contains(" by ") {
            seconds += 1
            let path = try #require(ranking.path(of: score))
            let others = ranking.filter { $0.route.id != score.route.id }.compactMap(ranking.path)
            let apart = path.minutesApart(from: others, on: seattle)
            #expect(apart >= max(4, path.minutes / 4) - 1e-9, "\(score.route.name)")
            // It is called by a road that it takes.
            let road = try #require(score.route.id.split(separator: " by ").last)
            #expect(score.route.name.split(separator: ", ").contains(road), "\(score.route.id)")
            #expect(path.directions(on: seattle).contains { $0.name == road })
            // What ranks before its own route would be quicker, and lead where people are reluctant to go.
            let first = ranking.first {
                score.route.id.hasPrefix($0.route.id + " by ")
            }.flatMap(ranking.path)
            if let first { #expect(path.minutes >= first.minutes) }
        }
        return seconds
    }

    @Test func oneRouteIsOne() async throws {
        #expect(try await ranking("Alki", "Pioneer Square", "12:00", most: 1).count == 1)
    }

    @Test func theBestWayStaysOnItsFreeway() async throws {
        // The quickest way leaves the express lanes, goes through downtown and joins I-5 again for one exit.
        let trip = try seattle.trip(from: "Lake City", to: "Central Business District")
        let now = Fixtures.moment("2026-02-24T08:50")
        let paths = RouteSearch(seattle, mode: .car).paths(
            from: trip.origin, to: trip.destination, leaving: now
        ) { $0.minutes + 4 }
        let rejoining = try #require(paths.first)
        #expect(rejoining.rejoinsMotorway(on: seattle))
        let ranking = try await ranking("Lake City", "Central Business District", "08:50")
        for score in ranking {
            #expect(ranking.path(of: score)?.rejoinsMotorway(on: seattle) == false)
        }
        // Its crossing is not lost.
        #expect(ranking.contains { ranking.path(of: $0)?.crossings == rejoining.crossings })
    }
}
