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

@Suite struct ClimatologyTests {
    private let fremont = Fixtures.bridge("Fremont")

    /// The definition of ``ClimatologyBaseline``, written out without any of the code under test.
    @Test func followsItsDefinitionOnTheRealRecords() throws {
        let history = Fixtures.shippedHistory.before(Fixtures.moment("2025-02-01T00:00"))
        let climatology = Climatology(ClimatologyCounts(history), slotsPerDay: 1440)
        var blocked = [Double](repeating: 0, count: 1440)
        var covered = blocked
        for period in history.coverage.periods[fremont.rawValue] {
            var moment = period.lowerBound
            while moment < period.upperBound {
                let civil = SeattleTime.civil(at: moment)
                if DayType(civil.date) == .weekday {
                    covered[civil.secondOfDay / 60] += 1.0 / 60
                    if history.isBlocked(at: moment, of: fremont) {
                        blocked[civil.secondOfDay / 60] += 1.0 / 60
                    }
                }
                moment = moment.adding(seconds: 1)
            }
        }
        for minute in stride(from: 5, to: 1440, by: 97) {
            var (sumBlocked, sumCovered, sumWeight) = (0.0, 0.0, 0.0)
            for offset in -75...75 {
                let weight = exp(-0.5 * Double(offset * offset) / 225)
                sumBlocked += weight * blocked[(minute + offset + 1440) % 1440]
                sumCovered += weight * covered[(minute + offset + 1440) % 1440]
                sumWeight += weight
            }
            let expected = (sumBlocked / sumWeight + 0.02) / (sumCovered / sumWeight + 1)
            let civil = CivilDateTime(
                date: try #require(CivilDate(year: 2026, month: 2, day: 20)),
                secondOfDay: minute * 60)
            let found = Double(climatology.openProbability(of: fremont, at: civil))
            #expect(abs(found - expected) < 1e-5 + 1e-4 * expected, "minute \(minute)")
        }
    }

    @Test func foldsAddUpToTheWhole() {
        let history = Fixtures.shippedHistory
        let folds = ClimatologyCounts.folds(of: history, count: 5) { $0.dayNumber % 5 }
        var sum = ClimatologyCounts()
        for fold in folds { sum.add(fold) }
        let whole = ClimatologyCounts(history)
        for (a, b) in zip(
            sum.blocked.values + sum.openings.values, whole.blocked.values + whole.openings.values)
        {
            #expect(abs(a - b) < 1e-6)
        }
    }

    @Test func whatIsTakenAwayIsAsIfItHadNeverBeenAdded() {
        let folds = ClimatologyCounts.folds(of: Fixtures.shippedHistory, count: 3) {
            $0.dayNumber % 3
        }
        var (less, sum) = (ClimatologyCounts(Fixtures.shippedHistory), ClimatologyCounts())
        less.subtract(folds[1])
        sum.add(folds[0])
        sum.add(folds[2])
        for (a, b) in zip(
            less.blocked.values + less.openings.values, sum.blocked.values + sum.openings.values)
        {
            #expect(abs(a - b) < 1e-6)
        }
        let bridge = Fixtures.bridge("Ballard")
        #expect(
            less.coveredDays(of: bridge, on: .weekend) == sum.coveredDays(of: bridge, on: .weekend))
        #expect(less.coveredDays(of: bridge, on: .weekend) > 20)
    }

    /// What a day expects is what its parts expect, wherever it is cut.
    @Test func expectedOpeningsAddUpOverTheDay() throws {
        let date = try #require(CivilDate(year: 2026, month: 2, day: 20))
        let bridge = Fixtures.bridge("Fremont")
        func expected(_ from: Int, _ to: Int) -> Double {
            Double(
                RandomModel.climatology.expectedOpenings(
                    bridge, on: .weekday, from: CivilDateTime(date: date, secondOfDay: from * 60),
                    to: CivilDateTime(date: date, secondOfDay: to * 60)))
        }
        let day = expected(0, 1_439)
        #expect(day > 3 && day < 12)
        for cut in [1, 400, 601, 965, 1_300] {
            #expect(abs(expected(0, cut) + expected(cut, 1_439) - day) < 1e-4, "cut at \(cut)")
        }
    }

    @Test func aBridgeWithoutRecordsGetsAPooledForecast() {
        let before = Fixtures.shippedHistory
        let spokane = Fixtures.bridge("Lower Spokane St")
        let recent = OpeningHistory(
            records: before.openings.flatMap(\.self),
            coverage: before.coverage.clamped(
                to: Fixtures.moment("2025-01-01T00:00")..<Fixtures.moment("2026-03-01T00:00")))
        let climatology = Climatology(ClimatologyCounts(recent))
        #expect(climatology.coveredDays[spokane.rawValue] == 0)
        let civil = SeattleTime.civil(at: Fixtures.moment("2026-02-20T12:00"))
        let pooled = climatology.openProbability(of: spokane, at: civil)
        let others = BridgeIndex.all.filter { $0 != spokane }.map {
            climatology.openProbability(of: $0, at: civil)
        }
        #expect(abs(pooled - others.reduce(0, +) / 6) < 1e-6)
    }

    @Test func thePriorIsADistributionWhoseUnqueuedPartIsTheOpenProbability() {
        let climatology = RandomModel.climatology
        for probability in [Float(0.001), 0.05, 0.4] {
            let free = climatology.delay(fremont, openProbability: probability, density: 0)
            #expect(abs(free.probabilityDelayed - Double(probability)) < 1e-6)
            let queued = climatology.delay(fremont, openProbability: probability, density: 0.6)
            #expect(queued.probabilityDelayed > free.probabilityDelayed)
            #expect(abs(queued.probabilities.reduce(0, +) - 1) < 1e-6)
        }
    }

    @Test func longerOpeningsAreLessLikelyToLast() {
        let climatology = RandomModel.climatology
        for elapsed in stride(from: 0.0, through: 90, by: 3) {
            var last = 1.0
            for further in stride(from: 0.0, through: 60, by: 2) {
                let probability = climatology.probabilityOutlasts(
                    fremont, total: elapsed + further, elapsed: elapsed)
                #expect(probability > 0 && probability <= last + 1e-12)
                last = probability
            }
        }
    }
}

@Suite struct DelayPriorTests {
    private let fremont = Fixtures.bridge("Fremont")
    private let climatology = RandomModel.climatology

    /// The prior of an arrival at Fremont for a situation.
    private func prior(
        _ known: BridgeSituation, lead: Double, density: Float
    ) -> DelayDistribution {
        var situation = Situation.unknown(at: Fixtures.moment("2026-02-20T12:10"))
        situation[fremont] = known
        var batch = FeatureBatch()
        FeatureBuilder(climatology: climatology).append(
            fremont, leadMinutes: lead, density: density, in: situation, to: &batch)
        return DelayDistribution(batch.priorLogits.map { exp($0) })
    }

    private func raised(at time: String) -> BridgeSituation {
        let start = Fixtures.moment("2026-02-20T" + time)
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
    @Test func behindARaisedSpanTheDelayFollowsTheQueueingFormula() {
        let (elapsed, lead, density) = (2.0, 4.0, 0.5)
        let found = prior(raised(at: "12:08"), lead: lead, density: Float(density))
        for (bin, edge) in DelayBins.edgesMinutes.enumerated() where bin > 0 {
            let longer = climatology.probabilityOutlasts(
                fremont, total: edge + (1 - density) * (elapsed + lead), elapsed: elapsed)
            let tail = (bin + 1..<DelayBins.count).reduce(0) { $0 + found[$1] }
            #expect(abs(tail - longer) < 0.03, "more than \(edge) min")
        }
    }

    @Test func afterAnOpeningItsQueueIsCertainAndThenGone() {
        let start = Fixtures.moment("2026-02-20T12:00")
        let known = BridgeSituation(
            state: .lowered, observedSince: start.adding(minutes: -300),
            recent: [KnownOpening(start: start, end: Fixtures.moment("2026-02-20T12:09"))])
        // 9 min - 0.4 x 12 min = 4.2 min for one who arrives at 12:12.
        let queued = prior(known, lead: 2, density: 0.6)
        #expect(queued[DelayBins.bin(ofSeconds: 252)] > 0.97)
        #expect(prior(known, lead: 2, density: 0).probabilityDelayed < 0.2)
        #expect(prior(known, lead: 20, density: 0.6).probabilityDelayed < 0.3)
    }
}
