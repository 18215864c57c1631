// The climatology against its definition, written out once more on the real records.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

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
