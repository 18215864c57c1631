// The one call from what is known to a ranking, and the tables behind it.
import Bridgecast
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RankingCallTests: HostSuite {
    @Test func anOldTableIsLookedUpAsTheOldTableItIs() async throws {
        var live = LiveSnapshot(asOf: now)
        try live.set(.fremont, state: .raised(since: now.adding(minutes: -1)))
        let route = route(.travel(Route.Travel(minutes: 2)), .crossing(.fremont))
        let table = try await inference.table(
            in: Situation.unknown(at: now).applying(live), reaching: 120)
        #expect(try table.rank([route], leaving: now)[0].probabilityStopped > 0.9)
        // Half an hour later that opening is long over.
        let later = try table.rank([route], leaving: now.adding(minutes: 30))
        #expect(later[0].probabilityStopped < 0.3 && later.issueTime == now)
        #expect(abs(later[0].crossings[0].leadMinutes - 32) < 0.1)
    }

    @Test func aTableThatCannotAnswerSaysSo() async throws {
        let near = route(.travel(Route.Travel(minutes: 2)), .crossing(.fremont))
        let far = route(.travel(Route.Travel(minutes: 80)), .crossing(.fremont), mode: .bike)
        let table = try await inference.table(
            in: .unknown(at: now), reaching: 60, modes: [.walk])
        #expect(throws: RankingError.table(.unknownMode(.car, known: [.walk]))) {
            try table.rank([near], leaving: now)
        }
        #expect(throws: RankingError.table(.tooShort(minutes: 220, reach: 60))) {
            try table.rank([far], leaving: now)
        }
        #expect(
            throws: RankingError.table(.beforeIssueTime(minutes: 5, now))
        ) { try table.rank([far], leaving: now.adding(minutes: -5)) }
    }

    @Test func aTripOnTheRoadsIsRankedAsItsRoutesAre() async throws {
        let trip = try Fixtures.seattle.trip(from: "Ballard", to: "Downtown")
        let ranking = try await inference.rank(
            trip, by: RoutePlanner(Fixtures.seattle), leaving: now, in: .unknown(at: now))
        let routes = ranking.map(\.route)
        let again = try await inference.rank(routes, leaving: now, in: .unknown(at: now))
        #expect(again.map(\.route.id) == ranking.map(\.route.id) && ranking.count > 2)
        let point = GeoPoint(latitude: 47.6686, longitude: -122.3762)
        let anchor = try Fixtures.seattle.anchor(point, for: .car)
        #expect(anchor == (try Fixtures.seattle.anchor("47.6686,-122.3762", for: .car)))
        #expect(throws: PlaceError.self) {
            try Fixtures.seattle.anchor(GeoPoint(latitude: .nan, longitude: 0), for: .car)
        }
    }

    /// If the work were done here nobody else would ever have a turn: nothing else in the loop waits.
    @MainActor @Test func heavyWorkIsNotDoneOnTheCallersActor() async throws {
        let inference = try inference
        var hadATurn = false
        Task { @MainActor in hadATurn = true }
        for _ in 0..<1_000 where !hadATurn {
            _ = try await inference.table(in: .unknown(at: now), reaching: 60)
        }
        #expect(hadATurn)
    }

    @Test func aFarDepartureIsForecastNowAndFromTheClockAlone() async throws {
        let route = route(.travel(Route.Travel(minutes: 2)), .crossing(.ballard))
        let departure = now.adding(minutes: 120)
        let situation = try busySituation()
        let ranking = try await inference.rank([route], leaving: departure, in: situation)
        #expect(ranking.issueTime == now && ranking.departure == departure)
        #expect(abs(ranking[0].crossings[0].leadMinutes - 122) < 0.1)
        let unknown = try await inference.rank([route], leaving: departure, in: .unknown(at: now))
        #expect(unknown[0].figures == ranking[0].figures)
        // In a year as well, and without the rows of the time between.
        let year = now.adding(minutes: ForecastTable.farthestDepartureMinutes)
        let late = try await inference.rank([route], leaving: year, in: situation)
        #expect(late[0].crossings[0].arrival > year && late[0].probabilityStopped > 0)
        let table = try await inference.table(
            for: RouteSet([route]), leaving: departure, in: situation)
        #expect(table.leadsMinutes.first == 120 && table.issueTime == now)
        #expect(throws: RankingError.table(.beforeFirstLead(minutes: 0, first: 120))) {
            try table.rank([route], leaving: now)
        }
        let same = try await inference.table(in: situation, leaving: departure, reaching: 62)
        #expect(same.leadsMinutes == table.leadsMinutes)
    }

    @Test func theBestByP90StandsWhereItsScorePutsIt() async throws {
        let trip = try Fixtures.seattle.trip(from: "Ballard", to: "Downtown")
        for weights in [
            RouteWeights.standard, RouteWeights([.p90Minutes: 1]),
            RouteWeights([.probabilityStopped: 1]),
        ] {
            for most in [0, 1, 2, 9] {
                var planner = RoutePlanner(Fixtures.seattle)
                planner.mostRoutes = most
                let ranking = try await inference.rank(
                    trip, by: planner, leaving: now, in: try busySituation(), weights: weights)
                #expect(ranking.map(\.score) == ranking.map(\.score).sorted())
                #expect((1...max(2, most + 2)).contains(ranking.count))
            }
        }
    }

    @Test func aTripOfOtherRoadsIsNotRankedOnThese() async throws {
        let other = try SmallRoads.network(
            [
                GeoPoint(latitude: 47.60, longitude: -122.33),
                GeoPoint(latitude: 47.61, longitude: -122.33),
            ], [SmallRoads.Road(0, 1)], places: ["A": 0, "B": 1])
        let trip = try other.trip(from: "A", to: "B")
        let own = RoutePlanner(other)
        let ranking = try await inference.rank(trip, by: own, leaving: now, in: .unknown(at: now))
        #expect(ranking.count == 1)
        await #expect(throws: RankingError.trip(.foreignNetwork("A"))) {
            try await inference.rank(
                trip, by: RoutePlanner(Fixtures.seattle), leaving: now, in: .unknown(at: now))
        }
        let seattle = try Fixtures.seattle.trip(from: "Ballard", to: "Downtown")
        #expect(throws: RankingError.trip(.foreignNetwork("Ballard"))) {
            try own.quickestMinutes(seattle, leaving: now)
        }
    }
}
