// The queue that an opening leaves, and sums of delays.
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastTransit

struct BridgeQueueTests {
    private static let ten = Fixtures.timestamp("2026-02-18T10:00:00")

    private static func at(_ seconds: Int) -> Timestamp { ten.adding(seconds: Int64(seconds)) }

    /// Half saturated approaches, and openings at seconds after ten; one without an end is still up.
    private static func knowledge(
        _ openings: [(start: Int, end: Int?)], at seconds: Int
    ) throws -> BridgeKnowledge {
        let now = at(seconds)
        var situation = Situation.unknown(at: now)
        situation[.montlake].recent = openings.reversed().map {
            KnownOpening(start: at($0.start), end: $0.end.map(at))
        }
        let up = openings.last.flatMap { $0.end == nil ? at($0.start) : nil }
        situation[.montlake].state = up.map { .raised(since: $0) } ?? .lowered
        var traffic = TrafficDensity()
        let isSet = traffic.set(0.5, for: .montlake)
        #expect(isSet)
        let table = try ForecastTable(
            issueTime: now, leadsMinutes: [0, 120], modes: [.car]
        ) { _, _, _ in SoundTransitDay.someDelay }
        return BridgeKnowledge(
            table, situation: situation, climatology: RandomModel.climatology, traffic: traffic)
    }

    private static func hold(_ knowledge: BridgeKnowledge, from seconds: Double) -> BridgeHold? {
        knowledge.hold(
            at: .montlake, from: Double(ten.secondsSinceEpoch) + seconds)
    }

    private static func queue(lowered: Int, until: Double) -> BridgeHold {
        .queue(lowered: at(lowered), until: Double(ten.secondsSinceEpoch) + until)
    }

    @Test("An arrival a after an opening of length D began is over after D - (1 - rho) a")
    func oneOpening() throws {
        let knowledge = try Self.knowledge([(0, 300)], at: 400)
        #expect(Self.hold(knowledge, from: -1) == nil)
        #expect(Self.hold(knowledge, from: 0) == Self.queue(lowered: 300, until: 300))
        #expect(Self.hold(knowledge, from: 100) == Self.queue(lowered: 300, until: 350))
        // After the opening, into its queue.
        #expect(Self.hold(knowledge, from: 400) == Self.queue(lowered: 300, until: 500))
        #expect(Self.hold(knowledge, from: 599) == Self.queue(lowered: 300, until: 599.5))
        #expect(Self.hold(knowledge, from: 601) == nil)
    }

    @Test("While the bridge is up again the previous queue does not move")
    func twoOpenings() throws {
        let over = try Self.knowledge([(0, 300), (420, 600)], at: 700)
        #expect(Self.hold(over, from: 200) == Self.queue(lowered: 300, until: 400))
        // It would have been over the bridge at 430, ten seconds after it went up again.
        #expect(Self.hold(over, from: 260) == Self.queue(lowered: 600, until: 610))
        #expect(Self.hold(over, from: 500) == Self.queue(lowered: 600, until: 640))
        let up = try Self.knowledge([(0, 300), (420, nil)], at: 500)
        #expect(Self.hold(up, from: 200) == Self.queue(lowered: 300, until: 400))
        #expect(Self.hold(up, from: 260) == .raised)
        #expect(Self.hold(up, from: 430) == .raised)
    }

    @Test("The earliest held arrival agrees with a search")
    func beginnings() throws {
        func beginning(_ openings: [(Int, Int?)], at seconds: Int) throws -> Int? {
            let now = Double(Self.at(seconds).secondsSinceEpoch)
            let knowledge = try Self.knowledge(openings, at: seconds)
            return knowledge.firstHeld(by: .montlake, at: now, knowsStates: true)
                .map { Int($0) - Int(Self.ten.secondsSinceEpoch) }
        }
        #expect(try beginning([], at: 100) == nil)
        #expect(try beginning([(0, nil)], at: 100) == 0)
        #expect(try beginning([(0, 300)], at: 599) == 0)
        #expect(try beginning([(0, 300)], at: 601) == nil)
        // The queue of the first stood when the bridge went up again.
        #expect(try beginning([(0, 300), (420, nil)], at: 500) == 0)
        #expect(try beginning([(0, 300), (700, nil)], at: 800) == 700)
        #expect(try beginning([(0, 300), (700, 760)], at: 1000) == nil)
    }

    @Test("A known delay keeps its mean, from half a minute to 45 minutes")
    func knownDelay() {
        for seconds in stride(from: 30.0, through: 2700, by: 7) {
            let delay = DelayDistribution(aboutSeconds: seconds)
            #expect(abs(delay.expectedSeconds - seconds) < 0.01)
            #expect(delay.probabilityDelayed == 1)
            #expect(delay.probabilities.count { $0 > 0 } <= 2)
        }
        #expect(DelayDistribution(aboutSeconds: 3).expectedSeconds == 30)
        #expect(DelayDistribution(aboutSeconds: 9000).expectedSeconds == 2700)
    }
}

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
            let first = Self.delay(&random)
            let second = Self.delay(&random)
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

    @Test("Only bridges before a stop count")
    func outlookByStop() throws {
        var random = SeededGenerator(seed: 4)
        let first = Self.delay(&random)
        let second = Self.delay(&random)
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
        // The far end of the trip is as late as the stop after the bridge.
        #expect(bridges.outlook(atStop: 40) == both)
    }

    @Test("A bridge beyond the forecast adds nothing, and alone gives no outlook")
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
            bridge: bridge, arrival: Fixtures.timestamp("2017-11-29T15:00"), afterStop: stop,
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
