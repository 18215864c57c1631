// Rows have the right labels, cover every bridge, and include incomplete situations.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
@testable import BridgecastTraining
import Testing

@Suite struct SamplerTests {
    private let history = Fixtures.shippedHistory

    @Test func rowsAreLabelledWithWhatHappened() {
        let climatology = RandomModel.climatology
        let sampler = Sampler(validatingOn: history, climatology: climatology)
        let from = Fixtures.timestamp("2026-02-20T00:00")
        let to = Fixtures.timestamp("2026-02-21T00:00")
        let samples = sampler.protocolRows(in: from..<to)
        // 288 issue times, 6 bridges with records, 8 leads, with and without queueing.
        #expect(samples.count == 288 * 6 * 8 * 2)
        let blocked = zip(samples.bins, samples.isUnqueued).count { $0.0 > 0 && $0.1 }
        let expected = BridgeIndex.all.reduce(0) { sum, bridge in
            guard history.coverage.contains(from, of: bridge) else { return sum }
            return sum
                + stride(from: 0, to: 1440, by: 5).reduce(0) { count, minute in
                    count
                        + Sampler.protocolLeadsMinutes.count { lead in
                            history.isBlocked(
                                at: from.adding(minutes: Double(minute) + lead), of: bridge)
                        }
                }
        }
        #expect(blocked == expected && blocked > 100)
    }

    @Test func trainingRowsCoverEveryBridgeWithRecordsAndIncompleteSituations() {
        var random = SeededRandom(seed: 2)
        let samples = Sampler(trainingOn: history).trainingRows(everyMinutes: 120, random: &random)
        let features = samples.batch.rows.dense()
        let width = FeatureSchema.count
        for bridge in 0..<BridgeCatalogue.count {
            let count = (0..<samples.count).count {
                features[$0 * width + bridge] == 1
            }
            #expect(count > 200, "\(BridgeCatalogue.seattle[bridge].name)")
        }
        let known = FeatureSchema.features.firstIndex { $0.name == "own.stateKnown" } ?? 0
        let unknown = (0..<samples.count).count { features[$0 * width + known] == 0 }
        #expect(unknown > samples.count / 20 && unknown < samples.count / 4)
        // A third of the rows are as live, where University has no sensor.
        let university = Fixtures.bridge("University").rawValue
        let own = (0..<samples.count).filter { features[$0 * width + university] == 1 }
        let silent = own.count { features[$0 * width + known] == 0 }
        #expect(silent > own.count * 35 / 100 && silent < own.count / 2)
    }

    /// A hundred whole days of Fremont, and as many from 6:00 to 22:00.
    @Test func partsOfDaysAreDrawnASixthAsOften() {
        func count(_ coverage: Coverage) -> Double {
            var random = SeededRandom(seed: 3)
            let history = OpeningHistory(records: [], coverage: coverage)
            let rows = Sampler(trainingOn: history).trainingRows(everyMinutes: 20, random: &random)
            return Double(rows.count)
        }
        let whole = PartsOfDays.whole.minutes(of: .fremont)
        let parts = PartsOfDays.both.minutes(of: .fremont) - whole
        let onWhole = count(PartsOfDays.whole)
        let ratio = (count(PartsOfDays.both) - onWhole) / parts / (onWhole / whole)
        #expect(abs(ratio * 6 - 1) < 0.1, "\(ratio)")
        // Without whole days all count alike.
        let alone = count(PartsOfDays.alone) / parts / (onWhole / whole)
        #expect(abs(alone - 1) < 0.1, "\(alone)")
    }

    @Test func rowsWithoutADelayAreThinnedAlone() {
        func rows(_ share: Double) -> SampleSet {
            var random = SeededRandom(seed: 3)
            return Sampler(trainingOn: history).trainingRows(
                everyMinutes: 60, undelayedShare: share, random: &random)
        }
        let all = rows(1)
        let few = rows(0.25)
        let delayed = [all, few].map { $0.bins.count { $0 > 0 } }
        #expect(abs(Double(delayed[1]) / Double(delayed[0]) - 1) < 0.08)
        let ratio = Double(few.count - delayed[1]) / Double(all.count - delayed[0])
        #expect(abs(ratio - 0.25) < 0.02)
    }
}

/// Coverage of Fremont: a hundred days of 2025, and as many of 2016 from 6:00 to 22:00.
private enum PartsOfDays {
    private static func date(_ year: Int, _ day: Int) -> CivilDate {
        CivilDate(year: year, month: 1, day: 5)?.adding(days: day) ?? CivilDate(dayNumber: 0)
    }

    static let whole = Coverage(
        SeattleTime.startOfDay(date(2025, 0))..<SeattleTime.startOfDay(date(2025, 100)),
        of: .fremont)

    static let alone = BridgeIndex.fremont.covered(
        (0..<100).map { day in
            let midnight = SeattleTime.startOfDay(date(2016, day))
            return midnight.adding(minutes: 360)..<midnight.adding(minutes: 1320)
        })

    static let both = BridgeIndex.fremont.covered(
        alone.periods[BridgeIndex.fremont.rawValue] + whole.periods[BridgeIndex.fremont.rawValue])
}

extension BridgeIndex {
    fileprivate func covered(_ periods: [Range<Timestamp>]) -> Coverage {
        var all = Coverage.empty.periods
        all[rawValue] = periods
        return Coverage(periods: all)
    }
}

@Suite struct WholeDaysTests {
    @Test func recordsOfPartsOfDaysAreLeftOutWhereThereAreOthers() {
        let both = OpeningHistory(records: [], coverage: PartsOfDays.both)
        #expect(both.ofWholeDays.coverage == PartsOfDays.whole)
        let alone = OpeningHistory(records: [], coverage: PartsOfDays.alone)
        #expect(alone.ofWholeDays.coverage == PartsOfDays.alone)
    }

    /// A feed that was not read for a minute of each day, and the day on which clocks go forward.
    @Test func aShortBreakLeavesADayWhole() {
        let breaks = (0..<100).map { day in
            let noon = Fixtures.timestamp("2025-01-05T12:00").adding(minutes: Double(day) * 1440)
            return noon..<noon.adding(minutes: 1)
        }
        let coverage = PartsOfDays.both.subtracting(breaks, of: .fremont)
        let kept = OpeningHistory(records: [], coverage: coverage).ofWholeDays.coverage
        #expect(kept == PartsOfDays.whole.subtracting(breaks, of: .fremont))
        let spring =
            Fixtures.timestamp("2025-03-09T00:00")..<Fixtures.timestamp("2025-03-10T00:00")
        #expect(WholeDays.periods(in: Coverage(spring)) == [spring])
    }

    @Test func aBridgeWithPartsOfDaysAloneKeepsThem() {
        var periods = PartsOfDays.both.periods
        let parts = PartsOfDays.alone.periods[BridgeIndex.fremont.rawValue]
        periods[BridgeIndex.ballard.rawValue] = parts
        let history = OpeningHistory(records: [], coverage: Coverage(periods: periods))
        let kept = history.ofWholeDays.coverage
        #expect(kept.minutes(of: .ballard) == PartsOfDays.alone.minutes(of: .fremont))
        #expect(kept.minutes(of: .fremont) == PartsOfDays.whole.minutes(of: .fremont))
    }
}
