// The 20 quantiles of a delay that pictures are drawn from.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

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
    @Test func thoseOfTheDelayedAreTheDelaysThatSoManyOfThemDoNotExceed() throws {
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
                var (low, high) = (0.0, DelayBins.longestMinutes * 60)
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

    @Test func ofADelayThatIsCertainBothAreTheSame() throws {
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
