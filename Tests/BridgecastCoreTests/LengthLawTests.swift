// The law of lengths: falling curves, consistent probabilities, delays against direct integration.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore

@Suite struct LengthLawTests {
    private let fremont = Fixtures.bridge("Fremont")

    private func situation(_ known: BridgeSituation) -> Situation {
        var situation = Situation.unknown(at: Fixtures.timestamp("2026-02-20T12:10"))
        situation[fremont] = known
        return situation
    }

    private func curve(_ known: BridgeSituation = .unknown) throws -> LengthSurvival {
        let law = try RoundLaw.law()
        return law.survival(
            of: fremont, LengthCovariates(fremont, in: situation(known), law))
    }

    @Test func theCurveStartsAtOneAndFalls() throws {
        let curve = try curve()
        #expect(curve[0] == 1 && curve.integral(to: 0) == 0)
        for half in 0..<300 {
            let now = Double(half) / 2
            let then = Double(half + 1) / 2
            #expect(curve[then] < curve[now] && curve[then] > 0)
            let area = curve.integral(to: then) - curve.integral(to: now)
            #expect(area > curve[then] / 2 && area < curve[now] / 2, "\(now) min")
        }
    }

    /// The same law in numpy: fixed numbers, a weekday at 12:10 of which nothing else is known.
    @Test func theCurveIsThatOfAnotherImplementation() throws {
        let curve = try curve()
        for (minute, expected) in [
            (1.0, 0.9763798769441087), (3, 0.75880561458478), (5, 0.3661465045805431),
            (7, 0.15840389462228216), (12, 0.019004847242861993), (20, 0.0028740865882865233),
            (60, 5.583422758072181e-06),
        ] {
            #expect(abs(curve[minute] / expected - 1) < 1e-9, "\(minute) min")
        }
    }

    @Test func survivalOfTwoStretchesIsAProduct() throws {
        let curve = try curve()
        for age in [0.0, 3.5, 12, 40, 59] {
            let both = curve.probabilityOutlasts(total: age + 9, elapsed: age)
            let first = curve.probabilityOutlasts(total: age + 4, elapsed: age)
            let second = curve.probabilityOutlasts(total: age + 9, elapsed: age + 4)
            #expect(abs(both - first * second) < 1e-12, "\(age) min")
        }
        // A span that has been up for a day is one of the tail.
        #expect(
            abs(
                curve.probabilityOutlasts(total: 1445, elapsed: 1440)
                    - curve.probabilityOutlasts(total: 35, elapsed: 30)) < 1e-9)
    }

    /// Where the curve is given, before its start and far beyond its last point.
    @Test(arguments: [
        (0.0, 0.0), (2.5, 3), (7, 11.25), (3, 0.4), (40, 12), (59, 61), (60, 60), (61, 62),
        (70, 3), (12, 85), (1440, 1441), (1440, 144),
    ])
    func delaysAtAnOpeningUnderWayAreItsChancesToOutlast(_ elapsed: Double, _ served: Double) throws
    {
        let curve = try curve()
        let delays = curve.delaysOutlast(served: served, elapsed: elapsed)
        for (bin, edge) in DelayBins.edgesMinutes.enumerated() {
            let expected = curve.probabilityOutlasts(total: edge + served, elapsed: elapsed)
            #expect(abs(delays[bin] - expected) < 1e-12, "from \(edge) min")
            #expect(delays[bin] <= 1)
        }
    }

    @Test func longOpeningsBeforeMakeTheNextOneLonger() throws {
        let start = Fixtures.timestamp("2026-02-20T11:30")
        func after(_ minutes: Double) throws -> Double {
            try curve(
                BridgeSituation(
                    state: .lowered,
                    recent: [KnownOpening(start: start, end: start.adding(minutes: minutes))]))[6]
        }
        #expect(try after(14) > after(3) + 0.02)
        var lately = BridgeSituation(state: .lowered)
        for _ in 0..<50 { lately.lengthsInFourWeeks.add(minutes: 20) }
        #expect(try curve(lately)[10] > curve()[10] + 0.01)
    }

    @Test func invalidParametersMakeNoLaw() {
        let good = RoundLaw.parameters
        #expect(LengthLaw(good) != nil && good.count == LengthLaw.parameterCount)
        #expect(LengthLaw(good.dropLast() + []) == nil)
        for (place, value) in [(0, Float.nan), (20, .infinity), (60, 31), (84, 1.5), (84, -0.5)] {
            var bad = good
            bad[place] = value
            #expect(LengthLaw(bad) == nil, "\(place): \(value)")
        }
    }

    /// The survival of those who meet an opening that began after the issue time, added up in small steps.
    @Test(arguments: [(2.0, 0.0), (10, 0.4), (60, 0.9), (0, 0.5), (59.5, 0), (60, 0), (200, 0)])
    func delaysAtOpeningsToComeAreThoseOfDirectIntegration(_ lead: Double, _ density: Double) throws
    {
        let curve = try curve()
        let shares = curve.delayShares(leadMinutes: lead, density: density)
        let steps = 4_000
        func longer(than wait: Double) -> Double {
            (0..<steps).reduce(0) { sum, step in
                let since = (Double(step) + 0.5) / Double(steps) * max(lead, 0.1)
                return sum + curve[wait + (1 - density) * since]
            }
        }
        let all = longer(than: 0)
        for (bin, edge) in DelayBins.edgesMinutes.enumerated() {
            let next =
                bin + 1 < DelayBins.edgesMinutes.count
                ? longer(than: DelayBins.edgesMinutes[bin + 1]) : 0
            let expected = (longer(than: edge) - next) / all
            #expect(abs(Double(shares[bin]) - expected) < 1e-5, "from \(edge) min")
        }
    }

    /// The forecast's prior takes them up: a span known to be down, and one of which nothing is known.
    @Test func shorterLeadsMeanLongerDelaysAtALoweredSpan() throws {
        var climatology = RandomModel.climatology
        climatology.lengthLaw = try RoundLaw.law()
        func meanBin(_ state: SpanState, lead: Double) -> Double {
            var batch = FeatureBatch()
            FeatureBuilder(climatology: climatology).append(
                fremont, leadMinutes: lead, density: 0,
                in: situation(BridgeSituation(state: state)), to: &batch)
            let found = DelayDistribution(batch.priorLogits.map { exp($0) })
            let delayed = (1..<DelayBins.count).map { (Double($0), found[$0]) }
            return delayed.reduce(0) { $0 + $1.0 * $1.1 } / delayed.reduce(0) { $0 + $1.1 }
        }
        #expect(meanBin(.lowered, lead: 1) > meanBin(.lowered, lead: 30) + 0.8)
        #expect(abs(meanBin(.unknown, lead: 1) - meanBin(.unknown, lead: 30)) < 1e-4)
    }
}

/// A law with round numbers: a hazard that rises and falls, bridges that differ, covariates that count.
enum RoundLaw {
    static let parameters: [Float] = {
        let base: [Float] = [-4, -3, -2, -1.5, -1, -0.75, -0.5, -0.5, -0.75, -1, -1.5, -2]
        let bridges = (0..<49).map { Float($0 % 5 - 2) / 8 }
        let known: [Float] = [-0.5, -0.25, 0.5, 0.25, -0.125, -0.25, -0.5, -0.5, 0.125, -0.25]
        return base + bridges + known + Array(repeating: 1.5, count: 7)
            + Array(repeating: 0.0625, count: 7)
    }()

    static func law() throws -> LengthLaw { try #require(LengthLaw(parameters)) }
}
