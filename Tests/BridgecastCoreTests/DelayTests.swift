// Queueing and delay distributions against simulation and numerical integration.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct QueueingDelayTests {
    /// A queue simulated car by car: arrivals at rate q, one departure every 1/s once it is down.
    @Test(arguments: [0.0, 0.3, 0.6, 0.85]) func agreesWithASimulatedQueue(_ density: Double) {
        let (opening, headway) = (300.0, 2.0)
        let spacing = density > 0 ? headway / density : .infinity
        var lastDeparture = opening - headway
        var arrival = 0.0
        while arrival < opening / (1 - density) + 60, arrival.isFinite {
            let departure = max(arrival, lastDeparture + headway, opening)
            lastDeparture = departure
            let expected = departure > arrival ? departure - arrival : 0
            let formula = QueueingDelay.seconds(
                openingSeconds: opening, arrivalSeconds: arrival, density: density)
            #expect(abs(formula - expected) <= headway + 1e-9, "arrival \(arrival)")
            arrival += spacing
        }
    }

    @Test func theLatestOpeningWhoseQueueStandsHolds() {
        let fremont = Fixtures.bridge("Fremont")
        let history = OpeningHistory(
            records: [
                Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:20"),
                Fixtures.opening("Fremont", "2026-02-20T12:25", "2026-02-20T12:26"),
            ], coverage: .empty)
        func delay(_ time: String, _ density: Double) -> Double {
            history.delaySeconds(
                arrivingAt: Fixtures.moment("2026-02-20T" + time), of: fremont, density: density)
        }
        #expect(delay("12:10", 0) == 600)
        #expect(delay("12:20", 0) == 0)
        #expect(delay("12:25", 0.6) == 60)
        // 60 s of closure, half a second of queue left for who comes 119 s after its start.
        #expect(abs(delay("12:26:59", 0.5) - 0.5) < 1e-9)
        let longQueue = 1200 - 0.4 * 1800
        #expect(abs(delay("12:30", 0.6) - longQueue) < 1e-9)
        #expect(history.isBlocked(at: Fixtures.moment("2026-02-20T12:19"), of: fremont))
        #expect(!history.isBlocked(at: Fixtures.moment("2026-02-20T12:20"), of: fremont))
    }
}

@Suite struct DelayDistributionTests {
    /// A distribution over all bins, some of them much likelier than others.
    private static func random(_ seed: UInt64) -> DelayDistribution {
        var random = SeededGenerator(seed: seed)
        func chance() -> Float { Float.random(in: 0...1, using: &random) }
        return DelayDistribution((0..<12).map { _ in chance() * chance() })
    }

    @Test(arguments: [
        (-5.0, 0), (0, 0), (0.5, 1), (60, 1), (61, 2), (300, 5), (360, 6), (480, 7), (900, 9),
        (1800, 10), (1801, 11), (9999, 11),
    ])
    func binsIncludeTheirUpperEdge(_ example: (Double, Int)) {
        #expect(DelayBins.bin(ofSeconds: example.0) == example.1)
    }

    @Test func quantilesInvertTheCumulativeDistribution() {
        for seed: UInt64 in 0..<200 {
            let delay = Self.random(seed)
            for level in stride(from: 0.01, through: 0.99, by: 0.07) {
                let seconds = delay.quantileSeconds(level)
                if seconds == 0 {
                    #expect(level <= delay[0] + 1e-12, "seed \(seed)")
                } else {
                    let reached = delay.cumulative(atSeconds: seconds)
                    #expect(abs(reached - level) < 1e-9, "seed \(seed)")
                }
            }
        }
    }

    @Test func certainFreePassageHasNoDelayAtAnyLevel() {
        for level in [0, 0.5, 1] { #expect(DelayDistribution.none.quantileSeconds(level) == 0) }
    }

    @Test func theExpectationIsTheIntegralOfTheTail() {
        for seed: UInt64 in 0..<50 {
            let delay = Self.random(seed)
            let integral = (0..<3600).reduce(0.0) {
                $0 + 1 - delay.cumulative(atSeconds: Double($1) + 0.5)
            }
            #expect(abs(delay.expectedSeconds - integral) < 0.5, "seed \(seed)")
        }
    }

    @Test func mixingIsLinear() {
        let (a, b) = (Self.random(1), Self.random(2))
        let mixed = a.mixed(with: b, weight: 0.25)
        for bin in 0..<12 { #expect(abs(mixed[bin] - (0.75 * a[bin] + 0.25 * b[bin])) < 1e-12) }
        #expect(abs(mixed.probabilities.reduce(0, +) - 1) < 1e-9)
    }
}
