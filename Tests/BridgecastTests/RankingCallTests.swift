// The one call from what is known to a ranking, and the tables behind it.
import Bridgecast
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RankingCallTests {
    private let now = Fixtures.moment("2026-02-20T12:00")
    private var inference: TrafficInference {
        get throws { try TrafficInference(contentsOf: Fixtures.model("bridgecast.int8.bcm")) }
    }

    @Test func anOldTableIsLookedUpAsTheOldTableItIs() async throws {
        var live = LiveSnapshot(asOf: now)
        try live.set(.fremont, state: .raised(since: now.adding(minutes: -1)))
        let route = Route(
            id: "a", name: "a", origin: "Home", destination: "Work", mode: .car,
            steps: [.travel(Route.Travel(minutes: 2)), .crossing(.fremont)])
        let table = try await inference.table(
            in: Situation.unknown(at: now).applying(live), reaching: 120)
        #expect(try table.rank([route], leaving: now)[0].probabilityStopped > 0.9)
        // Half an hour later that opening is long over.
        let later = try table.rank([route], leaving: now.adding(minutes: 30))
        #expect(later[0].probabilityStopped < 0.3 && later.issueTime == now)
        #expect(abs(later[0].crossings[0].leadMinutes - 32) < 0.1)
    }

    @Test func aTableThatCannotAnswerSaysSo() async throws {
        let near = Route(
            id: "a", name: "a", origin: "Home", destination: "Work", mode: .car,
            steps: [.travel(Route.Travel(minutes: 2)), .crossing(.fremont)])
        let far = Route(
            id: "b", name: "b", origin: "Home", destination: "Work", mode: .bike,
            steps: [.travel(Route.Travel(minutes: 80)), .crossing(.fremont)])
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

    @Test func departuresAreComparedForRoutesOfOnesOwn() async throws {
        let routes = [
            Route(
                id: "bridge", name: "bridge", origin: "Home", destination: "Work", mode: .car,
                steps: [
                    .travel(Route.Travel(minutes: 4)), .crossing(.fremont),
                    .travel(Route.Travel(minutes: 6)),
                ]),
            Route(
                id: "way round", name: "way round", origin: "Home", destination: "Work",
                mode: .car, steps: [.travel(Route.Travel(minutes: 16))]),
        ]
        let deadline = now.adding(minutes: 40)
        let window = DepartureWindow(from: now, until: deadline, arriveBy: deadline)
        let curve = try await inference.departures(of: routes, window, in: .unknown(at: now))
        #expect(
            curve.points.map(\.departure) == (0..<8).map { now.adding(minutes: 5 * Double($0)) })
        #expect(curve.latest.map(\.score.route.id) == ["bridge", "way round"])
        for latest in curve.latest {
            let again = try await inference.rank(
                routes, leaving: latest.departure.adding(minutes: 1), arriveBy: deadline,
                in: .unknown(at: now))
            let same = try #require(again.first { $0.route.id == latest.score.route.id })
            #expect(try #require(same.probabilityOnTime) < 0.9)
            #expect(try #require(latest.score.probabilityOnTime) >= 0.9)
        }
    }

    @Test func aTripOnTheRoadsIsRankedAsItsRoutesAre() async throws {
        let trip = try RoadNetwork.seattle.trip(from: "Ballard", to: "Downtown")
        let ranking = try await inference.rank(trip, leaving: now, in: .unknown(at: now))
        let routes = ranking.map(\.route)
        let again = try await inference.rank(routes, leaving: now, in: .unknown(at: now))
        #expect(again.map(\.route.id) == ranking.map(\.route.id) && ranking.count > 2)
        let point = GeoPoint(latitude: 47.6686, longitude: -122.3762)
        let anchor = try RoadNetwork.seattle.anchor(point, for: .car)
        #expect(anchor == (try RoadNetwork.seattle.anchor("47.6686,-122.3762", for: .car)))
        #expect(throws: PlaceError.self) {
            try RoadNetwork.seattle.anchor(GeoPoint(latitude: .nan, longitude: 0), for: .car)
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

    /// Every state known, and Ballard raised.
    private func busySituation() throws -> Situation {
        var live = LiveSnapshot(asOf: now)
        for bridge in BridgeIndex.all {
            try live.set(bridge, state: .lowered, observedSince: now.adding(minutes: -300))
        }
        try live.set(.ballard, state: .raised(since: now), observedSince: now.adding(minutes: -300))
        return Situation.unknown(at: now).applying(live)
    }

    @Test func aFarDepartureIsForecastNowAndFromTheClockAlone() async throws {
        let route = Route(
            id: "a", name: "a", origin: "Home", destination: "Work", mode: .car,
            steps: [.travel(Route.Travel(minutes: 2)), .crossing(.ballard)])
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

    @Test func theCurveOfATripIsThatOfItsRankings() async throws {
        let trip = try RoadNetwork.seattle.trip(from: "Ballard", to: "Downtown")
        let situation = try busySituation()
        var planner = RoutePlanner()
        planner.mostRoutes = 50
        let window = DepartureWindow(from: now, until: now.adding(minutes: 20))
        let curve = try await inference.departures(of: trip, by: planner, window, in: situation)
        #expect(curve.points.count == 4 && curve.latest.isEmpty)
        for point in curve.points {
            let alone = try await inference.rank(
                trip, by: planner, leaving: point.departure, in: situation)
            for score in alone {
                let same = try #require(point.first { $0.route == score.route })
                #expect(abs(same.expectedMinutes - score.expectedMinutes) < 1e-3)
                #expect(abs(same.p95Minutes - score.p95Minutes) < 1e-3)
            }
        }
    }

    /// With a deadline that has passed, everything is late; the ranking still says what was asked.
    @Test func departuresAfterTheDeadlineAreLate() async throws {
        let route = Route(
            id: "a", name: "a", origin: "Home", destination: "Work", mode: .walk,
            steps: [.travel(Route.Travel(minutes: 4))])
        let deadline = now.adding(minutes: 11)
        let window = DepartureWindow(
            from: now, until: now.adding(minutes: 30), arriveBy: deadline, confidence: 0.5)
        let curve = try await inference.departures(of: [route], window, in: .unknown(at: now))
        #expect(curve.points.map(\.deadline) == Array(repeating: deadline, count: 6))
        #expect(curve.points.last?.first?.probabilityOnTime == 0)
        #expect(try #require(curve.latest.first).departure == now.adding(minutes: 7))
    }

    @Test func theBestByP90StandsWhereItsScorePutsIt() async throws {
        let trip = try RoadNetwork.seattle.trip(from: "Ballard", to: "Downtown")
        for weights in [
            RouteWeights.standard, RouteWeights([.p90Minutes: 1]),
            RouteWeights([.probabilityStopped: 1]),
        ] {
            for most in [0, 1, 2, 9] {
                var planner = RoutePlanner()
                planner.mostRoutes = most
                let ranking = try await inference.rank(
                    trip, by: planner, leaving: now, in: try busySituation(), weights: weights)
                #expect(ranking.map(\.score) == ranking.map(\.score).sorted())
                #expect((1...max(2, most + 2)).contains(ranking.count))
            }
        }
    }

    @Test func aCancelledCurveEnds() async throws {
        let inference = try inference
        let trip = try RoadNetwork.seattle.trip(from: "Shoreline", to: "Burien")
        let window = DepartureWindow(from: now, until: now.adding(minutes: 1_440))
        let task = Task { [now] in
            try await inference.departures(of: trip, window, in: .unknown(at: now))
        }
        task.cancel()
        await #expect(throws: RankingError.forecast(.cancelled)) { try await task.value }
    }

    @Test func aTripOfOtherRoadsIsNotRankedOnThese() async throws {
        let other = try RoadNetwork(
            json: Data(
                """
                {"name": "other", "classes": {"street": {"kmh": 30, "modes": ["car"]}},
                 "nodes": {"a": [47.60, -122.33], "b": [47.61, -122.33]},
                 "roads": [{"name": "1st", "class": "street", "nodes": ["a", "b"]}],
                 "places": [{"name": "A", "node": "a"}, {"name": "B", "node": "b"}]}
                """.utf8))
        let trip = try other.trip(from: "A", to: "B")
        let own = RoutePlanner(other)
        let ranking = try await inference.rank(trip, by: own, leaving: now, in: .unknown(at: now))
        #expect(ranking.count == 1)
        await #expect(throws: RankingError.trip(.foreignNetwork("A"))) {
            try await inference.rank(trip, leaving: now, in: .unknown(at: now))
        }
        let seattle = try RoadNetwork.seattle.trip(from: "Ballard", to: "Downtown")
        #expect(throws: RankingError.trip(.foreignNetwork("Ballard"))) {
            try own.quickestMinutes(seattle, leaving: now)
        }
    }

    @Test func aCurveTooLargeToHoldIsRefused() async throws {
        let routes = (0..<1_000).map { number in
            Route(
                id: "\(number)", name: "", origin: "a", destination: "b", mode: .car,
                steps: [.travel(Route.Travel(minutes: 5))])
        }
        let window = DepartureWindow(from: now, until: now.adding(minutes: 1_440))
        await #expect(throws: RankingError.curveTooLarge(scores: 288_000, limit: 200_000)) {
            try await inference.departures(of: routes, window, in: .unknown(at: now))
        }
    }
}
