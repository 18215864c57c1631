// The sum of delays at several bridges: against a fine numerical convolution, and what it means for a stop.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Testing

struct DelaySumTests {
    @Test("One delay is exactly that delay")
    func oneDelay() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            let delay = Self.delay(&random)
            let sum = DelaySum(delay)
            #expect(abs(sum.expectedSeconds - delay.expectedSeconds) < 1e-9)
            for seconds in stride(from: 0.0, through: 3600, by: 37) {
                #expect(
                    abs(sum.cumulative(atSeconds: seconds) - delay.cumulative(atSeconds: seconds))
                        < 1e-12)
            }
            for probability in [0.5, 0.8, 0.9, 0.99] {
                #expect(
                    abs(sum.quantileSeconds(probability) - delay.quantileSeconds(probability))
                        < 1e-6)
            }
        }
    }

    @Test("The sum of two agrees with the integral over one of the distribution of the other")
    func twoDelays() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<10 {
            let (first, second) = (Self.delay(&random), Self.delay(&random))
            let sum = DelaySum(first).adding(second)
            #expect(
                abs(sum.expectedSeconds - first.expectedSeconds - second.expectedSeconds) < 1e-6)
            #expect(abs(sum.none - first[0] * second[0]) < 1e-12)
            for seconds in stride(from: 0.0, through: 7200, by: 180) {
                let exact = Self.cumulative(first, second, atSeconds: seconds)
                #expect(abs(sum.cumulative(atSeconds: seconds) - exact) < 2e-5, "\(seconds)")
            }
            let median = sum.quantileSeconds(0.9)
            #expect(abs(sum.cumulative(atSeconds: median) - 0.9) < 1e-9 || median == 0)
        }
    }

    @Test("The sum of three agrees with draws of three")
    func threeDelays() {
        var random = SeededGenerator(seed: 3)
        let delays = (0..<3).map { _ in Self.delay(&random) }
        let sum = DelaySum(delays[0]).adding(delays[1]).adding(delays[2])
        let draws = (0..<100_000).map { _ in
            delays.reduce(0) {
                $0 + $1.quantileSeconds(Double.random(in: 0..<1, using: &random))
            }
        }
        for seconds in [0.0, 60, 180, 600, 1800] {
            let share = Double(draws.count { $0 <= seconds }) / Double(draws.count)
            // Four standard deviations of a share of 100,000.
            #expect(abs(sum.cumulative(atSeconds: seconds) - share) < 0.0064, "\(seconds)")
        }
    }

    @Test("A stop feels the bridges before it, and those alone")
    func outlookByStop() throws {
        var random = SeededGenerator(seed: 4)
        let (first, second) = (Self.delay(&random), Self.delay(&random))
        let bridges = [
            Self.ahead(.fremont, after: 2, first), Self.ahead(.montlake, after: 5, second),
        ]
        #expect(bridges.outlook(atStop: 0) == nil)
        #expect(bridges.outlook(atStop: 2) == nil)
        for stop in 3...5 {
            let outlook = try #require(bridges.outlook(atStop: stop))
            #expect(outlook.meanSeconds == first.expectedSeconds)
            #expect(outlook.p80Seconds == first.quantileSeconds(0.8))
            #expect(outlook.probabilityDelayed == first.probabilityDelayed)
        }
        let both = try #require(bridges.outlook(atStop: 6))
        #expect(abs(both.meanSeconds - first.expectedSeconds - second.expectedSeconds) < 1e-6)
        #expect(
            abs(1 - both.probabilityDelayed - first[0] * second[0]) < 1e-12)
        #expect(both.p50Seconds <= both.p80Seconds && both.p80Seconds <= both.p90Seconds)
        let exact = 1 - Self.cumulative(first, second, atSeconds: 180)
        #expect(abs(both.probabilityOver3Minutes - exact) < 2e-5)
        // The far end of the trip is as late as the stop behind the bridge.
        #expect(bridges.outlook(atStop: 40) == both)
    }

    @Test("A bridge that no forecast reaches adds nothing, and alone says nothing")
    func outlookWithoutForecast() throws {
        var random = SeededGenerator(seed: 5)
        let known = Self.delay(&random)
        #expect([Self.ahead(.ballard, after: 1, nil)].outlook(atStop: 9) == nil)
        let mixed = [Self.ahead(.ballard, after: 1, nil), Self.ahead(.fremont, after: 3, known)]
        #expect(try #require(mixed.outlook(atStop: 9)).meanSeconds == known.expectedSeconds)
    }

    private static func ahead(
        _ bridge: BridgeIndex, after stop: Int, _ delay: DelayDistribution?
    ) -> BridgeAhead {
        BridgeAhead(
            bridge: bridge, arrival: Fixtures.moment("2017-11-29T15:00"), afterStop: stop,
            metres: Double(stop) * 400, delay: delay, reasons: [], evidence: .timetable)
    }

    private static func delay(_ random: inout SeededGenerator) -> DelayDistribution {
        DelayDistribution(
            [Float.random(in: 0...20, using: &random)]
                + (1..<DelayBins.count).map { _ in Float.random(in: 0...1, using: &random) })
    }

    /// P(X + Y <= t) by the midpoint rule over Y in steps of a second.
    private static func cumulative(
        _ first: DelayDistribution, _ second: DelayDistribution, atSeconds seconds: Double
    ) -> Double {
        stride(from: 0.0, to: 3600, by: 1).reduce(second[0] * first.cumulative(atSeconds: seconds))
        {
            let chance =
                second.cumulative(atSeconds: $1 + 1) - second.cumulative(atSeconds: $1)
            return $0 + chance * first.cumulative(atSeconds: seconds - $1 - 0.5)
        }
    }
}
