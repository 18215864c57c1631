// Curves of departures on Seattle's roads: few searches, and the figures of a search at every departure.
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastEngine
@testable import BridgecastRoads
@testable import BridgecastRouting

@Suite struct CurveCandidateTests {
    private static let morning = Fixtures.timestamp("2026-02-24T06:35")
    private let planner = RoutePlanner(Fixtures.seattle)

    private func inference() throws -> TrafficInference {
        try TrafficInference(contentsOf: Fixtures.model("bridgecast.int8.bcm"))
    }

    @Test(arguments: [
        ("Ballard", "Capitol Hill", Route.Mode.car), ("Fremont", "South Lake Union", .car),
        ("West Seattle", "Downtown", .car), ("University District", "Montlake", .bike),
    ])
    func aCurveHasTheFiguresOfARankingAtEveryDeparture(
        _ from: String, _ to: String, _ mode: Route.Mode
    ) async throws {
        let inference = try inference()
        let trip = try Fixtures.seattle.trip(from: from, to: to, mode: mode)
        let situation = Situation.unknown(at: Self.morning)
        let window = DepartureWindow(from: Self.morning, until: Self.morning.adding(minutes: 300))
        let curve = try await inference.departures(of: trip, by: planner, window, in: situation)
        #expect(curve.points.count == 60)
        for point in curve.points.enumerated() where point.offset % 7 == 0 {
            let ranking = try await inference.rank(
                trip, by: planner, leaving: point.element.departure, in: situation)
            let best = try #require(ranking.ranking.map(\.expectedMinutes).min())
            let found = try #require(point.element.map(\.expectedMinutes).min())
            // A tenth of a minute: the tables of forecasts of both begin at different times.
            #expect(abs(found - best) < 0.1, "at \(point.element.departure)")
        }
    }

    /// At both ends, and at most an hour apart.
    @Test(arguments: [(5.0, 1), (8, 2), (10, 2), (65, 2), (67, 3), (1440, 25)])
    func roadsAreSearchedEveryHour(_ minutes: Double, _ expected: Int) throws {
        let trip = try Fixtures.seattle.trip(from: "Fremont", to: "South Lake Union")
        let window = DepartureWindow(
            from: Self.morning, until: Self.morning.adding(minutes: minutes))
        var candidates = CurveCandidates(trip, by: planner, window)
        var searched: [Timestamp] = []
        var departure = window.from
        while departure < window.until {
            let routes = try candidates.routes(leaving: departure) { time throws(RankingError) in
                searched.append(time)
                var ways = try planner.search(trip, leaving: time)
                let path = try planner.quickest(&ways, trip)
                return FoundRoutes(shortest: [planner.planned(path, trip)], slackMinutes: 5)
            }
            #expect(routes.count == 1 || routes.count == 2)
            departure = departure.adding(minutes: DepartureCurve.stepMinutes)
        }
        #expect(searched.count == expected && searched.first == window.from, "\(searched)")
        #expect(searched.last == departure.adding(minutes: -DepartureCurve.stepMinutes))
        for (earlier, later) in zip(searched, searched.dropFirst()) {
            #expect(later.minutes(since: earlier) <= CurveCandidates.maxSearchStepMinutes)
        }
    }
}

@Suite struct PathTimerTests {
    @Test(arguments: Route.Mode.allCases)
    func aPathTakesWhatItsSearchSays(_ mode: Route.Mode) throws {
        let network = Fixtures.seattle
        let trip = try network.trip(from: "Ballard", to: "Georgetown", mode: mode)
        for time in ["2026-02-24T07:55", "2026-02-24T17:20", "2026-02-28T23:50"] {
            let departure = Fixtures.timestamp(time)
            let paths = network.paths(
                from: trip.origin, to: trip.destination, mode: mode, leaving: departure
            ) { $0.minutes + 10 }
            #expect(!paths.isEmpty)
            for path in paths {
                let planned = PlannedRoute(
                    path, on: network, from: "Ballard", to: "Georgetown", mode: mode)
                let times = PathTimer(path, on: network, mode: mode)
                    .times(network.clock(departure, mode))
                #expect(abs(times.minutes - path.minutes) < 1e-9)
                #expect(abs(times.costMinutes - path.costMinutes) < 1e-9)
                let route = planned.route(taking: times)
                #expect(route.steps.count == planned.route.steps.count)
                for (new, old) in zip(route.steps, planned.route.steps) {
                    guard case .travel(let new) = new, case .travel(let old) = old else {
                        #expect(new == old)
                        continue
                    }
                    #expect(abs(new.meanMinutes - old.meanMinutes) < 1e-9)
                }
            }
        }
    }

    /// The same roads at another hour: what the search at that hour says of them.
    @Test func aPathIsTimedAtOtherHours() throws {
        let network = Fixtures.seattle
        let trip = try network.trip(from: "Fremont", to: "South Lake Union")
        let hours = ["2026-02-24T03:00", "2026-02-24T08:10", "2026-02-24T17:20"].map {
            Fixtures.timestamp($0)
        }
        let found = hours.map { hour in
            network.paths(
                from: trip.origin, to: trip.destination, mode: .car, leaving: hour
            ) { $0.minutes + 10 }
        }
        var compared = 0
        for path in found[0] {
            let timer = PathTimer(path, on: network, mode: .car)
            for (hour, others) in zip(hours, found) {
                for other in others where other.pieces.map(\.arc) == path.pieces.map(\.arc) {
                    #expect(
                        abs(timer.times(network.clock(hour, .car)).minutes - other.minutes) < 1e-9)
                    compared += 1
                }
            }
        }
        #expect(compared > found[0].count, "no other hour has one of the ways of the night")
    }
}
