// When to leave: curves of departures are those of their rankings, end when cancelled, and have a limit.
import Bridgecast
import BridgecastTestSupport
import Testing

@Suite struct DepartureCurveTests: HostSuite {
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

    @Test func theCurveOfATripIsThatOfItsRankings() async throws {
        let trip = try Fixtures.seattle.trip(from: "Ballard", to: "Downtown")
        let situation = try busySituation()
        var planner = RoutePlanner(Fixtures.seattle)
        planner.mostRoutes = 50
        let window = DepartureWindow(from: now, until: now.adding(minutes: 20))
        let curve = try await inference.departures(of: trip, by: planner, window, in: situation)
        #expect(curve.points.count == 4 && curve.latest.isEmpty)
        for point in curve.points {
            let alone = try await inference.rank(
                trip, by: planner, leaving: point.departure, in: situation)
            // A curve has one route for each sequence of crossings.
            for score in alone where !score.route.id.contains(" by ") {
                let same = try #require(point.first { $0.route == score.route })
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

    @Test func aCancelledCurveEnds() async throws {
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
