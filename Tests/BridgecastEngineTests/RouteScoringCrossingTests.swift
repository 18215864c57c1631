// What crossings add to a route: when they are reached, whom they stop, and the table and cells behind that.
import BridgecastCore
@testable import BridgecastEngine
import Foundation
import Testing

@Suite struct RouteScoringCrossingTests: ScoresRoutes {
    @Test func crossingsAreLookedUpWhenTheEarlierLegsArrive() throws {
        let route = route("late", [travel(30, 1), .crossing(fremont)])
        let crossing = try #require(
            try score(route, leaving: Self.issueTime.adding(minutes: 10)).crossings.first)
        #expect(abs(crossing.leadMinutes - 40) < 0.1)
        #expect(crossing.arrival == Self.issueTime.adding(minutes: crossing.leadMinutes))
        let expected = try Self.table.delay(at: fremont, leadMinutes: 40, mode: .car)
        #expect(abs(crossing.probabilityDelayed - expected.probabilityDelayed) < 0.001)
    }

    @Test func bikesDoNotQueue() throws {
        let steps = [travel(5, 1), .crossing(fremont)]
        let car = try score(route("car", steps), leaving: Self.issueTime)
        let bike = try score(route("bike", steps, mode: .bike), leaving: Self.issueTime)
        #expect(abs(bike.probabilityStopped - car.probabilityStopped / 2) < 1e-5)
        #expect(car.idlingCO2Grams > 0 && bike.idlingCO2Grams == 0)
    }

    @Test func routesOfNothingOrOnlyABridgeAreScored() throws {
        let none = try score(route("none", []), leaving: Self.issueTime)
        #expect(none.expectedMinutes == 0 && none.probabilityStopped == 0)
        let bridge = try score(
            route("bridge", [.crossing(fremont)]), leaving: Self.issueTime)
        let delay = try Self.table.delay(at: fremont, leadMinutes: 0, mode: .car)
        #expect(abs(bridge.expectedMinutes * 60 - delay.expectedSeconds) < 1)
        #expect(abs(bridge.probabilityStopped - delay.probabilityDelayed) < 1e-5)
    }

    @Test func theTableInterpolatesBetweenLeads() throws {
        let at = { (lead: Double) in
            try Self.table.delay(at: fremont, leadMinutes: lead, mode: .car).probabilityDelayed
        }
        #expect(abs(try at(12.5) - (try at(10) + at(15)) / 2) < 1e-9)
    }

    @Test func weightsOfCellsIntegrateCubicsOverEveryBinExactly() {
        let edges = DelayBins.edgesMinutes + [DelayBins.longestMinutes]
        for bin in 1..<DelayBins.count {
            let (low, high) = (edges[bin - 1], edges[bin])
            for power in 0...3 {
                let sum = DelayAtoms.shares.filter { $0.bin == bin }.reduce(0.0) {
                    $0 + Double($1.weight) * pow(Double(DelayAtoms.minutes[$1.atom]), Double(power))
                }
                let next = Double(power + 1)
                let exact = (pow(high, next) - pow(low, next)) / (next * (high - low))
                #expect(abs(sum - exact) < 1e-5 * max(1, exact), "bin \(bin), power \(power)")
            }
        }
    }
}
