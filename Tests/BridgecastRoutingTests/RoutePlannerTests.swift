// The search against brute force: on small networks, all ways there are.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastEngine
@testable import BridgecastRoads
@testable import BridgecastRouting

@Suite struct RouteSearchTests {
    private static let departure = Fixtures.timestamp("2026-02-18T07:40")

    /// A random network of nine junctions with drawbridges and fixed crossings, connected by a ring.
    ///
    /// Each crossing is one road: two roads far apart under one crossing's name, of which a way may use one
    /// only, are no network that there can be.
    private static func network(_ random: inout SeededGenerator) throws -> RoadNetwork {
        let points = (0..<9).map { _ in
            GeoPoint(
                latitude: 47.55 + Double.random(in: 0..<0.06, using: &random),
                longitude: -122.40 + Double.random(in: 0..<0.06, using: &random))
        }
        var bridges = ["Fremont", "Ballard", "Montlake", "University"].shuffled(using: &random)
        var ends = (0..<9).map { ($0, ($0 + 1) % 9) }
        for _ in 0..<7 {
            let a = Int.random(in: 0..<9, using: &random)
            let b = Int.random(in: 0..<9, using: &random)
            // Two roads between the same junctions would lead back over each other.
            if a != b, !ends.contains(where: { $0 == (a, b) || $0 == (b, a) }) {
                ends.append((a, b))
            }
        }
        let roads = ends.map { a, b in
            // Trips begin and end on streets.
            let isStreet = (a, b) == (0, 1) || (a, b) == (4, 5)
            let kindOfWay = isStreet ? 0 : Int.random(in: 0..<7, using: &random)
            let bridge = 3..<6 ~= kindOfWay ? bridges.popLast() : nil
            let isSlow = Bool.random(using: &random)
            return SmallRoads.Road(
                a, b, kmh: isSlow ? 25 : 60, paceGroup: isSlow ? .local : .freewayInbound,
                crossing: kindOfWay == 6 ? "fixed \(a)-\(b)" : nil,
                bridge: bridge.map(Fixtures.bridge))
        }
        return try SmallRoads.network(
            points, roads, places: ["Start": 0, "End": 4], paces: slowMornings)
    }

    /// Fast roads are slow around eight on working days.
    private static let slowMornings = PaceTable(
        rows: (0..<2 * PaceTable.slotsPerDay).map { slot in
            var row = SIMD8<Float>(repeating: 1)
            if (30..<34).contains(slot) { row[Int(PaceGroup.freewayInbound.rawValue)] = 1.6 }
            return row
        })

    /// Delays that keep the order of those who wait: their chance changes slowly with the lead.
    private static func table(_ random: inout SeededGenerator) throws -> ForecastTable {
        let leads = ForecastTable.leads(upTo: 1_000)
        let chances = BridgeIndex.all.map { _ in
            let now = Double.random(in: 0..<0.9, using: &random)
            return (now: now, later: Double.random(in: 0..<0.3, using: &random))
        }
        return try ForecastTable(issueTime: departure, leadsMinutes: leads) { bridge, lead, _ in
            let (now, later) = chances[bridge.rawValue]
            let chance = Float(later + (now - later) * exp(-lead / 15))
            let shares: [Float] = [0.1, 0.1, 0.2, 0.2, 0.1, 0.1, 0.1, 0.05, 0.03, 0.015, 0.005]
            return DelayDistribution([1 - chance] + shares.map { $0 * chance })
        }
    }

    @Test func theBestByTheMeanAndByEveryQuantileAreAmongTheCandidates() throws {
        var checked = 0
        for seed: UInt64 in 0..<400 {
            var random = SeededGenerator(seed: seed)
            let network = try Self.network(&random)
            let table = try Self.table(&random)
            let trip = Trip(
                from: try network.anchor("Start", for: .car),
                to: try network.anchor("End", for: .car),
                mode: .car)
            let planner = RoutePlanner(network)
            let all = try table.rank(Self.allRoutes(network, trip), leaving: Self.departure)
            let candidates = try table.rank(
                try planner.candidates(trip, leaving: Self.departure, with: table).map(\.route),
                leaving: Self.departure)
            #expect(all.count >= candidates.count, "seed \(seed)")
            checked += all.count
            for figure in [\RouteFigures.expectedMinutes, \.p50Minutes, \.p80Minutes, \.p90Minutes]
                as [KeyPath<RouteFigures, Double> & Sendable]
            {
                let found = try #require(candidates.map { $0.figures[keyPath: figure] }.min())
                let best = try #require(all.map { $0.figures[keyPath: figure] }.min())
                // Two seconds for the grid that figures are summed on.
                #expect(found <= best + 2 / 60.0, "\(figure), seed \(seed)")
            }
            // What is shown has the best by mean and by P90.
            let shown = planner.ranksWorthShowing(candidates).map { candidates[$0] }
            for figure in [\RouteFigures.expectedMinutes, \.p90Minutes]
                as [KeyPath<RouteFigures, Double> & Sendable]
            {
                let best = candidates.map { $0.figures[keyPath: figure] }.min()
                let least = shown.map { $0.figures[keyPath: figure] }.min()
                #expect(least == best, "\(figure), seed \(seed)")
            }
        }
        #expect(checked > 1_000)
    }

    /// All ways without a junction or a crossing twice.
    private static func allRoutes(_ network: RoadNetwork, _ trip: Trip) -> [Route] {
        let map = network.map
        let clock = TripClock(departure, network.paces)
        var routes: [Route] = []
        func go(_ node: Int, _ seen: Set<Int>, _ pieces: [Path.Piece], at time: Double) {
            if node == 4 {
                routes.append(
                    Path(pieces: pieces).route(
                        on: network, id: "\(routes.count)", origin: "Start", destination: "End",
                        mode: .car))
                return
            }
            for number in map.departing(node) {
                let arc = map.arcs[number]
                let crossing = arc.crossing == RoadArc.noCrossing ? nil : Int(arc.crossing)
                guard !seen.contains(Int(arc.head)),
                    crossing == nil || !pieces.contains(where: { $0.crossing == crossing })
                else { continue }
                let end = clock.arrival(Double(arc.carDeciseconds), arc.paceGroup, at: time)
                let piece = Path.Piece(
                    arc: number, start: 0, end: 1, metres: Double(arc.metres),
                    minutes: (end - time) / 60, crossing: crossing)
                go(Int(arc.head), seen.union([Int(arc.head)]), pieces + [piece], at: end)
            }
        }
        go(0, [0], [], at: clock.departure)
        return routes
    }

    @Test func theQuickestPathIsThereWhateverTheLimit() throws {
        let network = Fixtures.seattle
        let origin = try network.anchor("Ballard", for: .car)
        let destination = try network.anchor("Downtown", for: .car)
        func paths(_ limit: Double?) -> [Path] {
            network.paths(
                from: origin, to: destination, mode: .car, leaving: Self.departure
            ) { _ in limit }
        }
        let all = paths(40)
        #expect(all.count > 3 && all.map(\.minutes) == all.map(\.minutes).sorted())
        for limit in [nil, 0, -5, all[0].minutes / 2] { #expect(paths(limit) == [all[0]]) }
    }

    /// On days of both kinds, before holidays and over midnight, with forecasts that reach less and more far: what is
    /// searched once for a time of day is what a search of that day finds.
    @Test func candidatesOfManyDaysAreThoseOfEachDay() throws {
        var random = SeededGenerator(seed: 5)
        var searched = 0
        for _ in 0..<12 {
            let network = try Self.network(&random)
            let trip = Trip(
                from: try network.anchor("Start", for: .car),
                to: try network.anchor("End", for: .car), mode: .car)
            let planner = RoutePlanner(network)
            var many = TripCandidates(trip, by: planner)
            for day in ["2026-02-12", "2026-02-13", "2026-02-16", "2026-02-17", "2026-02-18"] {
                for clock in ["07:40", "23:55"] {
                    let departure = Fixtures.timestamp("\(day)T\(clock)")
                    let quick = Double.random(in: 0..<0.95, using: &random)
                    let table = try ForecastTable(
                        issueTime: departure, leadsMinutes: ForecastTable.leads(upTo: 1_000)
                    ) { _, _, _ in
                        DelayDistribution(
                            [Float(1 - quick)] + Array(repeating: Float(quick / 11), count: 11))
                    }
                    let expected = try planner.candidates(trip, leaving: departure, with: table)
                    let found = try many.leaving(departure, with: table)
                    #expect(found.map(\.route) == expected.map(\.route), "\(day) \(clock)")
                    searched += expected.count
                }
            }
        }
        #expect(searched > 200)
    }

    @Test func tripsThatLeadNowhereAreRefused() throws {
        let network = Fixtures.seattle
        let ballard = try network.anchor("Ballard", for: .car)
        #expect(throws: RankingError.trip(.samePlace("Ballard"))) {
            try RoutePlanner(Fixtures.seattle).quickestMinutes(
                Trip(from: ballard, to: ballard, mode: .car), leaving: Self.departure)
        }
        var random = SeededGenerator(seed: 9)
        let carsOnly = try Self.network(&random)
        #expect(throws: PlaceError.self) { try carsOnly.anchor("Start", for: .walk) }
        // A street from which one gets nowhere.
        let island = try SmallRoads.network(
            [(47.60, -122.33), (47.61, -122.33), (47.60, -122.36), (47.61, -122.36)].map {
                GeoPoint(latitude: $0.0, longitude: $0.1)
            }, [SmallRoads.Road(0, 1), SmallRoads.Road(2, 3)], places: ["Here": 0, "There": 2])
        let trip = try island.trip(from: "Here", to: "There")
        #expect(throws: RankingError.trip(.noWay(from: "Here", to: "There", mode: .car))) {
            try RoutePlanner(island).quickestMinutes(trip, leaving: Self.departure)
        }
    }

    @Test func theLatestDepartureIsTheLastThatIsSureEnough() throws {
        var random = SeededGenerator(seed: 4)
        let table = try Self.table(&random)
        let network = Fixtures.seattle
        let trip = Trip(
            from: try network.anchor("Fremont", for: .car),
            to: try network.anchor("Downtown", for: .car), mode: .car)
        let deadline = Self.departure.adding(minutes: 75)
        let planner = RoutePlanner(network)
        let window = DepartureWindow(
            from: Self.departure, until: deadline, arriveBy: deadline, confidence: 0.9)
        let curve = try DepartureCurve(window, .standard) { departure throws(RankingError) in
            let routes = try planner.candidates(
                trip, leaving: departure, with: table
            ).map(\.route)
            return DepartureCurve.Candidates(
                routes: routes, set: try RouteSet.packing(routes), forecasts: table)
        }
        #expect(curve.points.count == 15)
        let latest = try #require(curve.latest.first)
        #expect(latest.score.probabilityOnTime ?? 0 >= 0.9)
        for minutes in 1...20 {
            let later = try table.rank(
                planner.candidates(
                    trip, leaving: latest.departure.adding(minutes: Double(minutes)),
                    with: table
                ).map(\.route),
                leaving: latest.departure.adding(minutes: Double(minutes)),
                arriveBy: max(deadline, latest.departure.adding(minutes: Double(minutes))))
            #expect(
                later.allSatisfy { ($0.probabilityOnTime ?? 0) < 0.905 }, "\(minutes) min later")
        }
        #expect(curve.latest.map(\.departure) == curve.latest.map(\.departure).sorted(by: >))
    }
}

@Suite struct SecondWayTests {
    private let seattle = Fixtures.seattle

    private func ranking(
        _ from: String, _ to: String, _ hour: String, mode: Route.Mode = .car, most: Int = 4
    ) async throws -> RankedRoutes {
        let now = Fixtures.timestamp("2026-02-24T\(hour)")
        var planner = RoutePlanner(seattle)
        planner.maxRoutes = most
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
    func alternativesOfDriversAreShown(
        _ trip: (from: String, to: String, hour: String, road: String)
    ) async throws {
        let ranking = try await ranking(trip.from, trip.to, trip.hour)
        let best = try #require(ranking[0].path)
        let second = try #require(
            ranking.dropFirst().first { score in
                score.path?.directions(on: seattle).contains {
                    $0.name == trip.road
                } == true
            }, "\(ranking.map(\.route.name))")
        let path = try #require(second.path)
        #expect(path.crossings == best.crossings)
        #expect(second.route.id.contains(" by "))
    }

    @Test(arguments: [Route.Mode.car, .bike, .walk])
    func routesHaveDistinctNames(_ mode: Route.Mode) async throws {
        let places = seattle.places.map(\.name)
        var random = SeededGenerator(seed: 23)
        var seconds = 0
        for _ in 0..<40 {
            let pair = places.shuffled(using: &random).prefix(2)
            let hour = ["00:20", "08:50", "15:20", "17:40"][Int.random(in: 0..<4, using: &random)]
            let ranking: RankedRoutes
            do {
                ranking = try await self.ranking(pair[0], pair[1], hour, mode: mode)
            } catch RankingError.trip {
                continue
            } catch is PlaceError {
                continue
            }
            seconds += try expectDistinctNames(ranking)
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
    func separateWaysOnOneRoadHaveDistinctNames(
        _ trip: (from: String, to: String, hour: String, mode: Route.Mode)
    ) async throws {
        _ = try expectDistinctNames(
            try await ranking(trip.from, trip.to, trip.hour, mode: trip.mode))
    }

    /// How many second ways there are.
    private func expectDistinctNames(_ ranking: RankedRoutes) throws -> Int {
        let ids = ranking.map(\.route.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(ranking.map(\.route.name)).count == ids.count, "\(ids)")
        #expect(ranking.map(\.score) == ranking.map(\.score).sorted())
        var seconds = 0
        for score in ranking where score.route.id.contains(" by ") {
            seconds += 1
            let path = try #require(score.path)
            let others = ranking.filter { $0.route.id != score.route.id }.compactMap(\.path)
            let apart = path.minutesApart(from: others, on: seattle)
            #expect(apart >= max(4, path.minutes / 4) - 1e-9, "\(score.route.name)")
            // It is called by a road that it takes.
            let road = try #require(score.route.id.split(separator: " by ").last)
            #expect(score.route.name.split(separator: ", ").contains(road), "\(score.route.id)")
            #expect(path.directions(on: seattle).contains { $0.name == road })
            // What ranks before its own route would be quicker, and lead where people are reluctant to go.
            let first = ranking.first {
                score.route.id.hasPrefix($0.route.id + " by ")
            }?.path
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
        let now = Fixtures.timestamp("2026-02-24T08:50")
        let paths = seattle.paths(
            from: trip.origin, to: trip.destination, mode: .car, leaving: now
        ) { $0.minutes + 4 }
        let rejoining = try #require(paths.first)
        #expect(rejoining.rejoinsMotorway(on: seattle))
        let ranking = try await ranking("Lake City", "Central Business District", "08:50")
        for score in ranking {
            #expect(score.path?.rejoinsMotorway(on: seattle) == false)
        }
        // Its crossing is not lost.
        #expect(ranking.contains { $0.path?.crossings == rejoining.crossings })
    }
}
