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

    @Test func theirMeanIsAboutTheExpectedDelay() {
        // Half of all cases wait, evenly up to a minute and up to five.
        let delay = DelayDistribution([0.5, 0.25, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0])
        let mean = delay.quantilesSeconds.reduce(0, +) / 20
        #expect(abs(mean - delay.expectedSeconds) < 0.5)
        #expect(delay.quantilesSeconds.filter { $0 == 0 }.count == 10)
    }
}
