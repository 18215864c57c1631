// Queueing and delay distributions against simulation and numerical integration.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore

@Suite struct QueueingDelayTests {
    /// A queue simulated car by car: arrivals at rate q, one departure every 1/s once it is down.
    @Test(arguments: [0.0, 0.3, 0.6, 0.85]) func agreesWithASimulatedQueue(_ density: Double) {
        let opening = 300.0
        let headway = 2.0
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

    @Test func theLatestOpeningWithAQueueCounts() {
        let fremont = Fixtures.bridge("Fremont")
        let history = OpeningHistory(
            records: [
                Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:20"),
                Fixtures.opening("Fremont", "2026-02-20T12:25", "2026-02-20T12:26"),
            ], coverage: .empty)
        func delay(_ time: String, _ density: Double) -> Double {
            history.delaySeconds(
                arrivingAt: Fixtures.timestamp("2026-02-20T" + time), of: fremont, density: density)
        }
        #expect(delay("12:10", 0) == 600)
        #expect(delay("12:20", 0) == 0)
        #expect(delay("12:25", 0.6) == 60)
        // 60 s of closure, half a second of queue left for who comes 119 s after its start.
        #expect(abs(delay("12:26:59", 0.5) - 0.5) < 1e-9)
        let longQueue = 1200 - 0.4 * 1800
        #expect(abs(delay("12:30", 0.6) - longQueue) < 1e-9)
        #expect(history.isBlocked(at: Fixtures.timestamp("2026-02-20T12:19"), of: fremont))
        #expect(!history.isBlocked(at: Fixtures.timestamp("2026-02-20T12:20"), of: fremont))
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
        let a = Self.random(1)
        let b = Self.random(2)
        let mixed = a.mixed(with: b, weight: 0.25)
        for bin in 0..<12 { #expect(abs(mixed[bin] - (0.75 * a[bin] + 0.25 * b[bin])) < 1e-12) }
        #expect(abs(mixed.probabilities.reduce(0, +) - 1) < 1e-9)
    }
}

@Suite struct DelayQuantileTests {
    @Test func theLevelsAreTheMiddlesOfTwentieths() {
        #expect(QuantileLevels.all.count == 20)
        for (place, level) in QuantileLevels.all.enumerated() {
            #expect(abs(level - (0.025 + 0.05 * Double(place))) < 1e-12)
        }
    }

    @Test func allQuantilesAtOnceAreThoseOneByOne() {
        var random = SeededGenerator(seed: 4)
        var distributions = [DelayDistribution.none]
        for _ in 0..<300 {
            // Bins of nothing are jumped over.
            let bins = (0..<DelayBins.count).map { _ in
                Bool.random(using: &random) ? Float.random(in: 0...1, using: &random) : 0
            }
            if bins.contains(where: { $0 > 0 }) { distributions.append(DelayDistribution(bins)) }
        }
        for delay in distributions {
            let all = delay.quantilesSeconds
            #expect(all.count == QuantileLevels.count && all == all.sorted())
            for (level, seconds) in zip(QuantileLevels.all, all) {
                #expect(abs(seconds - delay.quantileSeconds(level)) < 1e-6)
            }
        }
        #expect(DelayDistribution.none.quantilesSeconds == Array(repeating: 0, count: 20))
    }

    /// Against the definition: the seconds at which so large a share of all delays is reached, found by halving.
    @Test func quantilesIfDelayedAreThoseOfTheDelayedAlone() throws {
        var random = SeededGenerator(seed: 5)
        for round in 0..<60 {
            // From one in a million to nearly all.
            let chance = Float(pow(10, -Double(round % 7)) * 0.999)
            let shares = (1..<DelayBins.count).map { _ in Float.random(in: 0.01...1, using: &random)
            }
            let sum = shares.reduce(0, +)
            let delay = DelayDistribution([1 - chance] + shares.map { $0 / sum * chance })
            let all = try #require(delay.quantilesSecondsIfDelayed)
            #expect(all.count == QuantileLevels.count)
            let stopped = delay.probabilities.dropFirst().reduce(0, +)
            for (level, seconds) in zip(QuantileLevels.all, all) {
                var low = 0.0
                var high = DelayBins.longestMinutes * 60
                for _ in 0..<60 {
                    let middle = (low + high) / 2
                    let exceed = 1 - delay.cumulative(atSeconds: middle)
                    if exceed > stopped * (1 - level) { low = middle } else { high = middle }
                }
                #expect(abs(seconds - low) < 0.01, "chance \(chance), level \(level)")
            }
        }
        #expect(DelayDistribution.none.quantilesSecondsIfDelayed == nil)
    }

    @Test func withACertainDelayBothKindsOfQuantilesAgree() throws {
        let delay = DelayDistribution([0, 0, 1, 2, 0, 0, 3, 0, 0, 0, 1, 0])
        let stopped = try #require(delay.quantilesSecondsIfDelayed)
        for (one, other) in zip(delay.quantilesSeconds, stopped) {
            #expect(abs(one - other) < 1e-9)
        }
        let mean = stopped.reduce(0, +) / 20
        #expect(abs(mean - delay.expectedSecondsIfDelayed) < 10)
    }

    @Test func theirMeanIsAboutTheExpectedDelay() {
        // Half of all cases wait, evenly up to a minute and up to five.
        let delay = DelayDistribution([0.5, 0.25, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0])
        let mean = delay.quantilesSeconds.reduce(0, +) / 20
        #expect(abs(mean - delay.expectedSeconds) < 0.5)
        #expect(delay.quantilesSeconds.filter { $0 == 0 }.count == 10)
    }
}

@Suite struct DelayPriorTests {
    private let fremont = Fixtures.bridge("Fremont")
    private let climatology = RandomModel.climatology

    /// The prior of an arrival at Fremont for a situation.
    private func prior(
        _ known: BridgeSituation, lead: Double, density: Float
    ) -> DelayDistribution {
        var situation = Situation.unknown(at: Fixtures.timestamp("2026-02-20T12:10"))
        situation[fremont] = known
        var batch = FeatureBatch()
        FeatureBuilder(climatology: climatology).append(
            fremont, leadMinutes: lead, density: density, in: situation, to: &batch)
        return DelayDistribution(batch.priorLogits.map { exp($0) })
    }

    private func raised(at time: String) -> BridgeSituation {
        let start = Fixtures.timestamp("2026-02-20T" + time)
        return BridgeSituation(
            state: .raised(since: start), recent: [KnownOpening(start: start, end: nil)])
    }

    @Test func aRaisedSpanIsMetWithTheProbabilityThatItStaysUp() {
        for lead in [0.0, 2, 5, 10] {
            let expected = climatology.probabilityOutlasts(fremont, total: 2 + lead, elapsed: 2)
            let found = prior(raised(at: "12:08"), lead: lead, density: 0).probabilityDelayed
            #expect(
                found >= expected - 1e-6 && found <= expected + 0.1 * (1 - expected), "lead \(lead)"
            )
        }
    }

    /// The waiting times of many openings that outlast their age, by the queueing formula.
    @Test func afterARaisedSpanTheDelayFollowsTheQueueingFormula() {
        let elapsed = 2.0
        let lead = 4.0
        let density = 0.5
        let found = prior(raised(at: "12:08"), lead: lead, density: Float(density))
        for (bin, edge) in DelayBins.edgesMinutes.enumerated() where bin > 0 {
            let longer = climatology.probabilityOutlasts(
                fremont, total: edge + (1 - density) * (elapsed + lead), elapsed: elapsed)
            let tail = (bin + 1..<DelayBins.count).reduce(0) { $0 + found[$1] }
            #expect(abs(tail - longer) < 0.03, "more than \(edge) min")
        }
    }

    @Test func afterAnOpeningItsQueueIsCertainAndThenGone() {
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let known = BridgeSituation(
            state: .lowered, observedSince: start.adding(minutes: -300),
            recent: [KnownOpening(start: start, end: Fixtures.timestamp("2026-02-20T12:09"))])
        // 9 min - 0.4 x 12 min = 4.2 min for one who arrives at 12:12.
        let queued = prior(known, lead: 2, density: 0.6)
        #expect(queued[DelayBins.bin(ofSeconds: 252)] > 0.97)
        #expect(prior(known, lead: 2, density: 0).probabilityDelayed < 0.2)
        #expect(prior(known, lead: 20, density: 0.6).probabilityDelayed < 0.3)
    }
}
