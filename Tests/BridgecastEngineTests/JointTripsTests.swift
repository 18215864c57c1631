// Routes that are travelled together each take the time that they take alone.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct JointTripsTests: ScoresRoutes {
    /// Two bridges in both orders, one of them twice, and one of them alone.
    private var sharing: [Route] {
        [
            route(
                "north",
                [
                    travel(2, 0.9), .crossing(ballard), travel(5, 1.4), .crossing(fremont),
                    travel(6, 1.6),
                ]),
            route(
                "south",
                [
                    travel(4, 1.3), .crossing(fremont), travel(3, 1.1), .crossing(ballard),
                    travel(7, 1.7),
                ]),
            route("one", [travel(6, 1.6), .crossing(ballard), travel(8, 1.8)]),
            route("only", [.crossing(ballard)]),
        ]
    }

    @Test func everyRouteKeepsItsOwnDistribution() throws {
        let set = try RouteSet(sharing)
        let trips = JointTrips(
            set, with: Self.table, startMinutes: 0,
            density: Array(repeating: 0.4, count: set.tables.count))
        let times = try Self.table.travelTimes(of: sharing, leaving: Self.issueTime)
        for (number, time) in times.enumerated() where sharing[number].steps.count > 1 {
            let start = number * LatticePoints.count
            let drawn = trips.total[start..<start + LatticePoints.count].sorted()
            for level in stride(from: 0.05, through: 0.95, by: 0.05) {
                let minutes = time.quantileMinutes(level)
                let share =
                    Double(drawn.count { Double($0) <= minutes })
                    / Double(LatticePoints.count)
                #expect(abs(share - level) < 0.025, "\(sharing[number].id), P\(level): \(share)")
            }
        }
    }

    /// Whatever two forecasts say, the later arrival's delay is distributed as its own forecast says.
    @Test func theLaterArrivalKeepsItsForecast() throws {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<40 {
            let forecasts = (0..<2).map { _ in
                DelayDistribution(
                    (0..<DelayBins.count).map { _ in Float.random(in: 0...1, using: &random) })
            }
            let table = try ForecastTable(
                issueTime: Self.issueTime, leadsMinutes: [0, 10, 300]
            ) { _, lead, _ in lead < 10 ? forecasts[0] : forecasts[1] }
            let delays = CrossingDelays(
                [RouteSet.DelayKey(bridge: fremont, queues: true)], from: table, startMinutes: 0,
                lastMinute: 60, density: [Double.random(in: 0..<0.9, using: &random)])
            let arrival = Float.random(in: 0...30, using: &random)
            var drawn: [Double] = []
            for earlier in 0..<200 {
                let delay = delays.delay(at: 0, of: 0, (Float(earlier) + 0.5) / 200)
                for later in 0..<50 {
                    drawn.append(
                        Double(
                            delays.delay(
                                at: arrival, of: 0,
                                after: CrossingDelays.Arrival(minutes: 0, delay: delay),
                                (Float(later) + 0.5) / 50)))
                }
            }
            let own = try table.delay(at: fremont, leadMinutes: Double(arrival), mode: .car)
            for edge in [0.0] + DelayBins.edgesMinutes.dropFirst() {
                let share = Double(drawn.count { $0 <= edge }) / Double(drawn.count)
                #expect(abs(share - own.cumulative(atSeconds: edge * 60)) < 0.02, "\(edge) min")
            }
        }
    }

    @Test func whoComesAtTheSameMomentWaitsAsLong() throws {
        let delays = CrossingDelays(
            [RouteSet.DelayKey(bridge: ballard, queues: true)], from: Self.table, startMinutes: 0,
            lastMinute: 60, density: [0.3])
        for place in 0..<100 {
            let chance = (Float(place) + 0.5) / 100
            let earlier = CrossingDelays.Arrival(
                minutes: 3, delay: delays.delay(at: 3, of: 0, chance))
            for later in [Float(0.1), 0.5, 0.9] {
                let delay = delays.delay(at: 3, of: 0, after: earlier, later)
                #expect(abs(delay - earlier.delay) < 1e-3)
            }
        }
    }

    @Test func thePointsAreEvenInEveryDimension() {
        for dimension in [0, 1, 5, 40, 63, 64, 200] {
            let generator = LatticePoints.generator(dimension)
            let shares = Set(
                (0..<LatticePoints.count).map {
                    LatticePoints.share(ofPoint: $0, generator)
                })
            #expect(shares.count == LatticePoints.count)
        }
        let normal = LatticePoints.normal
        #expect(normal == normal.sorted() && normal.count == LatticePoints.count)
        // The quantile of 0.97509765625, from tables.
        #expect(abs(normal[998] - 1.9617) < 1e-3)
    }
}
