// The search against brute force: on small networks, all ways there are.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RouteSearchTests {
    private static let departure = Fixtures.moment("2026-02-18T07:40")

    /// A random network of nine nodes with drawbridges and fixed crossings, connected by a ring.
    ///
    /// Each crossing is one road: two roads far apart under one crossing's name, of which a way may use one
    /// only, are no network that there can be.
    private static func network(_ random: inout SeededGenerator) throws -> RoadNetwork {
        let nodes = (0..<9).map { number in
            let latitude = 47.55 + Double.random(in: 0..<0.1, using: &random)
            let longitude = -122.40 + Double.random(in: 0..<0.1, using: &random)
            return "\"n\(number)\": [\(latitude), \(longitude)]"
        }
        var bridges = ["Fremont", "Ballard", "Montlake", "University"].shuffled(using: &random)
        var roads = (0..<9).map { ($0, ($0 + 1) % 9) }
        for _ in 0..<7 {
            let a = Int.random(in: 0..<9, using: &random)
            let b = Int.random(in: 0..<9, using: &random)
            if a != b { roads.append((a, b)) }
        }
        let lines = roads.map { a, b in
            let kindOfWay = Int.random(in: 0..<7, using: &random)
            let bridge = 3..<6 ~= kindOfWay ? bridges.popLast() : nil
            let way =
                kindOfWay == 6
                ? ", \"crossing\": \"fixed \(a)-\(b)\""
                : bridge.map { ", \"bridge\": \"\($0)\"" } ?? ""
            let kind = Bool.random(using: &random) ? "slow" : "fast"
            return
                "{\"name\": \"\(a)-\(b)\", \"class\": \"\(kind)\", \"nodes\": [\"n\(a)\", \"n\(b)\"]\(way)}"
        }
        let factors = (0..<24).map { $0 == 8 ? "0.6" : "1" }.joined(separator: ", ")
        return try RoadNetwork(
            json: Data(
                """
                {"name": "random", "classes": {
                  "slow": {"kmh": 25, "modes": ["car"]},
                  "fast": {"kmh": 60, "modes": ["car"], "weekday": [\(factors)]}},
                 "nodes": {\(nodes.joined(separator: ", "))}, "roads": [\(lines.joined(separator: ", "))],
                 "places": [{"name": "Start", "node": "n0"}, {"name": "End", "node": "n4"}]}
                """.utf8))
    }

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
                try planner.candidates(trip, leaving: Self.departure, with: table),
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
            let shown = planner.worthShowing(candidates)
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

    /// All ways without a node or a crossing twice.
    private static func allRoutes(_ network: RoadNetwork, _ trip: Trip) -> [Route] {
        let end = trip.destination.entries[0].node
        var routes: [Route] = []
        func go(_ node: Int, _ seen: Set<Int>, _ pieces: [Path.Piece], _ minutes: Double) {
            if node == end {
                routes.append(
                    Path(pieces: pieces).route(
                        on: network, id: "\(routes.count)", origin: "Start", destination: "End",
                        mode: .car))
                return
            }
            for edge in network.edges[network.firstEdge[node]..<network.firstEdge[node + 1]]
            where !seen.contains(edge.to)
                && (edge.crossing == nil || !pieces.contains { $0.crossing == edge.crossing })
            {
                let time = network.minutes(
                    edge.metres, edge.roadClass, .car,
                    entering: DayClock(departure).adding(minutes: minutes))
                let piece = Path.Piece(
                    road: network.roads[edge.road], metres: edge.metres, minutes: time,
                    crossing: edge.crossing, end: network.points[edge.to])
                go(edge.to, seen.union([edge.to]), pieces + [piece], minutes + time)
            }
        }
        let start = trip.origin.entries[0].node
        go(start, [start], [], 0)
        return routes
    }

    @Test func theQuickestPathIsThereWhateverTheLimit() throws {
        let network = RoadNetwork.seattle
        let search = RouteSearch(network, mode: .car)
        let origin = try network.anchor("Ballard", for: .car)
        let destination = try network.anchor("Downtown", for: .car)
        func paths(_ limit: Double?) -> [Path] {
            search.paths(from: origin, to: destination, leaving: Self.departure) { _ in limit }
        }
        let all = paths(40)
        #expect(all.count > 3 && all.map(\.minutes) == all.map(\.minutes).sorted())
        for limit in [nil, 0, -5, all[0].minutes / 2] { #expect(paths(limit) == [all[0]]) }
    }

    @Test func tripsThatLeadNowhereAreRefused() throws {
        let network = RoadNetwork.seattle
        let ballard = try network.anchor("Ballard", for: .car)
        #expect(throws: RankingError.trip(.samePlace("Ballard"))) {
            try RoutePlanner().quickestMinutes(
                Trip(from: ballard, to: ballard, mode: .car), leaving: Self.departure)
        }
        var random = SeededGenerator(seed: 9)
        let carsOnly = try Self.network(&random)
        let trip = Trip(
            from: try carsOnly.anchor("Start", for: .walk),
            to: try carsOnly.anchor("End", for: .walk),
            mode: .walk)
        #expect(throws: RankingError.trip(.noWay(from: "Start", to: "End", mode: .walk))) {
            try RoutePlanner(carsOnly).quickestMinutes(trip, leaving: Self.departure)
        }
    }

    @Test func theLatestDepartureIsTheLastThatIsSureEnough() throws {
        var random = SeededGenerator(seed: 4)
        let table = try Self.table(&random)
        let network = RoadNetwork.seattle
        let trip = Trip(
            from: try network.anchor("Fremont", for: .car),
            to: try network.anchor("Downtown", for: .car), mode: .car)
        let deadline = Self.departure.adding(minutes: 75)
        let planner = RoutePlanner(network)
        let window = DepartureWindow(
            from: Self.departure, until: deadline, arriveBy: deadline, confidence: 0.9)
        let curve = try DepartureCurve(window, .standard) { departure throws(RankingError) in
            let routes = try planner.candidates(trip, leaving: departure, with: table)
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
                    with: table),
                leaving: latest.departure.adding(minutes: Double(minutes)),
                arriveBy: max(deadline, latest.departure.adding(minutes: Double(minutes))))
            #expect(
                later.allSatisfy { ($0.probabilityOnTime ?? 0) < 0.905 }, "\(minutes) min later")
        }
        #expect(curve.latest.map(\.departure) == curve.latest.map(\.departure).sorted(by: >))
    }
}
