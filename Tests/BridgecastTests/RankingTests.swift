// Rankings and departure curves through the public calls of the library.
import Bridgecast
import BridgecastRouting
import BridgecastTestSupport
import Foundation
import Testing

/// The README's library example: nothing but `import Bridgecast`.
@Suite struct LibraryUseTests {
    @Test func readmeExampleRanksRoutes() async throws {
        let routes = [
            Route(
                id: "fremont", name: "Over Fremont Bridge", origin: "Home", destination: "Work",
                mode: .car,
                steps: [
                    .travel(Route.Travel(meanMinutes: 1, spreadMinutes: 0.2)),
                    .crossing(.fremont),
                    .travel(Route.Travel(meanMinutes: 8, spreadMinutes: 1)),
                ]),
            Route(
                id: "aurora", name: "Over Aurora Bridge", origin: "Home", destination: "Work",
                mode: .car, steps: [.travel(Route.Travel(meanMinutes: 10.5, spreadMinutes: 1))]),
        ]
        let now = Fixtures.timestamp("2026-02-20T12:00")
        func best(_ state: SpanState) async throws -> String? {
            // The README's lines.
            let inference = try TrafficInference(
                contentsOf: Fixtures.model("bridgecast.int8.bcm"))
            var live = LiveSnapshot(asOf: now)
            try live.set(.fremont, state: state)
            let situation = Situation.unknown(at: now).applying(live)
            let ranking = try await inference.rank(routes, leaving: now, in: situation)
            return ranking.first?.route.id
        }
        #expect(try await best(.lowered) == "fremont")
        #expect(try await best(.raised(since: now.adding(minutes: -1))) == "aurora")
    }
}

@Suite struct RankingCallTests: HostSuite {
    @Test func oldTablesKeepTheirIssueTime() async throws {
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

    @Test func tablesThatCannotAnswerThrow() async throws {
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

    @Test func tripsAreRankedAsTheirRoutes() async throws {
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

    /// If the work were done on the main actor, the task would never run: nothing else in the loop suspends.
    @MainActor @Test func heavyWorkLeavesTheCallersActor() async throws {
        let inference = try inference
        var hasRun = false
        Task { @MainActor in hasRun = true }
        for _ in 0..<1_000 where !hasRun {
            _ = try await inference.table(in: .unknown(at: now), reaching: 60)
        }
        #expect(hasRun)
    }

    @Test func farDeparturesAreForecastByClimatology() async throws {
        let route = route(.travel(Route.Travel(minutes: 2)), .crossing(.ballard))
        let departure = now.adding(minutes: 120)
        let situation = try busySituation()
        let ranking = try await inference.rank([route], leaving: departure, in: situation)
        #expect(ranking.issueTime == now && ranking.departure == departure)
        #expect(abs(ranking[0].crossings[0].leadMinutes - 122) < 0.1)
        let unknown = try await inference.rank([route], leaving: departure, in: .unknown(at: now))
        #expect(unknown[0].figures == ranking[0].figures)
        // In a year as well, and without the rows of the time between.
        let year = now.adding(minutes: ForecastTable.maxDepartureMinutes)
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

    @Test func theBestByP90IsRankedByItsScore() async throws {
        let trip = try Fixtures.seattle.trip(from: "Ballard", to: "Downtown")
        for weights in [
            RouteWeights.standard, RouteWeights([.p90Minutes: 1]),
            RouteWeights([.probabilityStopped: 1]),
        ] {
            for limit in [0, 1, 2, 9] {
                var planner = RoutePlanner(Fixtures.seattle)
                planner.maxRoutes = limit
                let ranking = try await inference.rank(
                    trip, by: planner, leaving: now, in: try busySituation(), weights: weights)
                #expect(ranking.map(\.score) == ranking.map(\.score).sorted())
                #expect((1...max(2, limit + 2)).contains(ranking.count))
            }
        }
    }

    @Test func tripsOfOtherRoadsAreRefused() async throws {
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

@Suite struct DepartureCurveTests: HostSuite {
    @Test func departuresOfGivenRoutesAreCompared() async throws {
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

    /// In order and each as if asked alone; one without a way does not fail the others.
    @Test func manyTripsAreRankedInOneCall() async throws {
        let seattle = Fixtures.seattle
        let planner = RoutePlanner(seattle)
        let requests = [
            TripRequest(from: "Ballard", to: "Downtown"),
            TripRequest(from: "Fremont", to: "Fremont"),
            TripRequest(from: "West Seattle", to: "Capitol Hill", mode: .bike),
        ]
        let sent = try JSONDecoder().decode(
            [TripRequest].self, from: JSONEncoder().encode(requests))
        let trips = try (0..<4).flatMap { _ in try sent.map { try seattle.trip($0) } }
        let situation = try busySituation()
        let answers = try await inference.rank(trips, by: planner, leaving: now, in: situation)
        #expect(answers.count == trips.count)
        for (number, answer) in answers.enumerated() {
            guard number % 3 != 1 else {
                #expect(throws: RankingError.trip(.samePlace("Fremont"))) { try answer.get() }
                continue
            }
            let alone = try await inference.rank(
                trips[number], by: planner, leaving: now, in: situation)
            #expect(try answer.get().ranking == alone.ranking)
        }
        let none: [Trip] = []
        #expect(try await inference.rank(none, by: planner, leaving: now, in: situation).isEmpty)
    }

    /// What is not ranked at the deadline says so.
    @Test func manyTripsAreGivenUpTogether() async throws {
        let seattle = Fixtures.seattle
        let planner = RoutePlanner(seattle)
        let trips = Array(
            repeating: try seattle.trip(from: "Ballard", to: "Downtown"), count: 5)
        let answers = try await inference.within(.zero) {
            await $0.rank(trips, by: planner, leaving: now, in: .unknown(at: now))
        }
        for answer in answers {
            #expect(throws: RankingError.forecast(.deadlineExceeded)) { _ = try answer.get() }
        }
        #expect(answers.count == 5)
    }

    @Test func tripCurvesMatchTheirRankings() async throws {
        let trip = try Fixtures.seattle.trip(from: "Ballard", to: "Downtown")
        let situation = try busySituation()
        var planner = RoutePlanner(Fixtures.seattle)
        planner.maxRoutes = 50
        let window = DepartureWindow(from: now, until: now.adding(minutes: 20))
        let curve = try await inference.departures(of: trip, by: planner, window, in: situation)
        #expect(curve.points.count == 4 && curve.latest.isEmpty)
        for point in curve.points {
            let alone = try await inference.rank(
                trip, by: planner, leaving: point.departure, in: situation)
            // A curve has one route for each sequence of crossings.
            for score in alone where !score.route.id.contains(" by ") {
                let same = try #require(point.first { $0.route.id == score.route.id })
                #expect(abs(same.expectedMinutes - score.expectedMinutes) < 1e-3)
                #expect(abs(same.p95Minutes - score.p95Minutes) < 1e-3)
            }
        }
    }

    /// With a deadline that has passed, everything is late; the ranking still says what was asked.
    @Test func departuresAfterTheDeadlineAreLate() async throws {
        let route = route(.travel(Route.Travel(minutes: 4)), mode: .walk)
        let deadline = now.adding(minutes: 11)
        let window = DepartureWindow(
            from: now, until: now.adding(minutes: 30), arriveBy: deadline, confidence: 0.5)
        let curve = try await inference.departures(of: [route], window, in: .unknown(at: now))
        #expect(curve.points.map(\.deadline) == Array(repeating: deadline, count: 6))
        #expect(curve.points.last?.first?.probabilityOnTime == 0)
        #expect(try #require(curve.latest.first).departure == now.adding(minutes: 7))
    }

    @Test func cancelledCurvesEnd() async throws {
        let inference = try inference
        let trip = try Fixtures.seattle.trip(from: "Shoreline", to: "White Center")
        let window = DepartureWindow(from: now, until: now.adding(minutes: 1_440))
        let task = Task { [now] in
            try await inference.departures(
                of: trip, by: RoutePlanner(Fixtures.seattle), window, in: .unknown(at: now))
        }
        task.cancel()
        await #expect(throws: RankingError.forecast(.cancelled)) { try await task.value }
    }

    @Test func tooLargeCurvesAreRefused() async throws {
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

@Suite struct ShownRoutesTests: HostSuite {
    private func shown(_ from: String, _ to: String, _ hour: String) async throws -> [String] {
        let time = Fixtures.timestamp("2026-02-24T\(hour)")
        let trip = try Fixtures.seattle.trip(from: from, to: to)
        return try await inference.rank(
            trip, by: RoutePlanner(Fixtures.seattle), leaving: time, in: .unknown(at: time)
        ).map(\.route.id)
    }

    @Test(arguments: [
        ("West Seattle", "Ballard", "12:00", "West Seattle Bridge + Ballard Bridge"),
        ("Georgetown", "Ballard", "12:00", "Ballard Bridge"),
        ("Ballard", "West Seattle", "17:40", "Fremont Bridge + West Seattle Bridge"),
        ("Greenwood", "SoDo", "12:00", "Aurora Bridge"),
        ("Crown Hill", "Georgetown", "12:00", "Ballard Bridge"),
        ("Ballard", "Downtown", "12:00", "Fremont Bridge"),
        ("Fremont", "Belltown", "12:00", "Fremont Bridge"),
        ("Fremont", "Downtown", "08:50", "Fremont Bridge"),
    ])
    func goodRoutesAreShown(_ trip: (String, String, String, String)) async throws {
        #expect(try await shown(trip.0, trip.1, trip.2).contains(trip.3))
    }

    @Test(arguments: [
        ("Laurelhurst", "Madison Park", "08:50", "I-5 express lanes"),
        ("Madison Valley", "University Village", "17:40", "I-5 express lanes"),
        ("Queen Anne", "University District", "08:50", "Montlake Bridge"),
        ("West Seattle", "Downtown", "12:00", "Lower Spokane St Bridge"),
    ])
    func routesFarBehindAreNotShown(
        _ trip: (String, String, String, String)
    ) async throws {
        let shown = try await shown(trip.0, trip.1, trip.2)
        #expect(!shown.isEmpty && !shown.contains(trip.3))
    }
}
