// Wherever a fault lies in the records, it is found, and little else is lost.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTraining
import Testing

@Suite struct RecordsReviewPropertyTests {
    /// A period of whole days in the stretch of 2025, which is covered without a gap.
    private func period(days: Int, _ random: inout SeededGenerator) -> Range<Timestamp> {
        let first = CivilDate(year: 2025, month: 1, day: 4)?.dayNumber ?? 0
        let day = Int.random(in: 0...(110 - days), using: &random) + first
        return SeattleTime.startOfDay(
            CivilDate(dayNumber: day))..<SeattleTime.startOfDay(CivilDate(dayNumber: day + days))
    }

    /// Covered days that a review set aside, inside a period and outside.
    private func daysSetAside(
        _ review: RecordsReview, _ history: OpeningHistory, _ bridge: BridgeIndex,
        _ period: Range<Timestamp>
    ) -> (inside: Double, outside: Double) {
        func minutes(_ coverage: Coverage) -> Double { coverage.minutes(of: bridge) }
        let inside =
            minutes(history.coverage.clamped(to: period))
            - minutes(review.usable.coverage.clamped(to: period))
        let all = minutes(history.coverage) - minutes(review.usable.coverage)
        return (inside / 1440, (all - inside) / 1440)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aMissingMonthIsFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var faulty = FaultyRecords()
        let month = period(days: 30, &random)
        faulty.drop(month)
        let review = RecordsReview(faulty.history)
        for bridge in BridgeIndex.all
        where faulty.coverage.clamped(to: month).minutes(of: bridge) > 0 {
            let days = daysSetAside(review, faulty.history, bridge, month)
            #expect(days.inside > 29.5 && days.outside < 6, "\(bridge) \(month) \(days)")
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aBridgeThatStopsForThreeWeeksIsFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var faulty = FaultyRecords()
        let weeks = period(days: 21, &random)
        let bridges: [BridgeIndex] = [.ballard, .fremont, .university, .firstAveSouth]
        let bridge = bridges[Int.random(in: 0..<4, using: &random)]
        faulty.drop(weeks, of: [bridge])
        let review = RecordsReview(faulty.history)
        for other in BridgeIndex.all {
            let days = daysSetAside(review, faulty.history, other, weeks)
            #expect(
                other == bridge ? days.inside > 20.9 && days.outside < 5 : days == (0, 0),
                "\(other) \(weeks) \(days)")
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aFortnightOfOneLengthIsFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var faulty = FaultyRecords()
        let weeks = period(days: 14, &random)
        faulty.setLength([1.0, 4, 7][Int.random(in: 0..<3, using: &random)], in: weeks)
        let review = RecordsReview(faulty.history)
        for bridge in [BridgeIndex.ballard, .fremont, .university, .firstAveSouth] {
            let days = daysSetAside(review, faulty.history, bridge, weeks)
            #expect(days.inside > 10 && days.outside < 4, "\(bridge) \(weeks) \(days)")
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func aWeekAnHourOffIsFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var faulty = FaultyRecords()
        // Ships that may pass at closed hours did so on three days of one week: its clock cannot be told.
        let ships = Fixtures.moment("2025-02-13T00:00")..<Fixtures.moment("2025-02-25T00:00")
        var week = period(days: 7, &random)
        while week.overlaps(ships) { week = period(days: 7, &random) }
        let ahead = Bool.random(using: &random)
        faulty.shift(week, minutes: ahead ? 60 : -60)
        let review = RecordsReview(faulty.history)
        let days = daysSetAside(review, faulty.history, .ballard, week)
        #expect(days.inside > 5 && days.outside < 7, "\(week) \(days)")
        let words = review.findings.first { $0.kind == .clock }?.words ?? ""
        #expect(words.contains(ahead ? "ahead" : "behind"), "\(week)")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aFortnightOnceMoreIsFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var faulty = FaultyRecords()
        let weeks = period(days: 14, &random)
        let early = weeks.lowerBound < Fixtures.moment("2025-02-20T00:00")
        let distance = Int.random(in: 15...40, using: &random) * (early ? 1 : -1)
        faulty.copy(weeks, days: distance)
        let review = RecordsReview(faulty.history)
        let target =
            FaultyRecords.later(
                weeks.lowerBound, distance)..<FaultyRecords.later(weeks.upperBound, distance)
        let days = daysSetAside(review, faulty.history, .fremont, target)
        #expect(days.inside > 12 && days.outside < 2, "\(weeks) \(distance) \(days)")
    }

    @Test(arguments: ["01-06", "01-20", "02-17", "03-03", "03-17"], [7, 10, 14, -7])
    func aFortnightCopiedNextToItselfOrOntoItselfKeepsWhatIsTrue(from: String, distance: Int) {
        var faulty = FaultyRecords()
        let start = Fixtures.moment("2025-\(from)T00:00")
        // The copy of these days would go where nothing is covered.
        guard FaultyRecords.later(start, distance) >= Fixtures.moment("2025-01-01T00:00") else {
            return
        }
        let weeks = start..<FaultyRecords.later(start, 14)
        let target =
            FaultyRecords.later(start, distance)..<FaultyRecords.later(weeks.upperBound, distance)
        faulty.copy(weeks, days: distance)
        let review = RecordsReview(faulty.history)
        let days = daysSetAside(review, faulty.history, .fremont, target)
        #expect(days.inside > 12.9 && days.outside < 2, "\(weeks) \(distance) \(days)")
        let own =
            distance > 0
            ? weeks.lowerBound..<target.lowerBound : target.upperBound..<weeks.upperBound
        #expect(daysSetAside(review, faulty.history, .fremont, own).inside < 1.1, "\(distance)")
    }
}
