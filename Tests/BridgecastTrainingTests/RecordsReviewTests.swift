// Records that contradict themselves are found, reported and set aside; the shipped ones do not. And wherever a fault
// is in the records, it is found, and little else is lost.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import Testing
@testable import BridgecastTraining

@Suite struct RecordsReviewTests {
    private let shipped = Fixtures.shippedHistory

    private func period(_ from: String, _ to: String) -> Range<Timestamp> {
        Fixtures.timestamp(from + "T00:00")..<Fixtures.timestamp(to + "T00:00")
    }

    @Test func nothingOfTheShippedRecordsIsSetAside() throws {
        let review = RecordsReview(shipped)
        #expect(review.findings.filter(\.isSetAside).isEmpty, "\(review.findings)")
        #expect(try review.accepted().coverage == shipped.coverage)
        #expect(review.setAsideShare == 0 && review.usable.count == shipped.count)
        // Two warnings in ten months.
        #expect(review.findings.count <= 2, "\(review.findings)")
        // A swing bridge was tested every five minutes on 2017-11-05.
        let tested = try #require(review.findings.first { $0.kind == .oneLength })
        #expect(tested.bridges == [.lowerSpokaneSt] && tested.description.contains("2017-11-05"))
    }

    @Test func weeksAddUpToTheRecords() {
        let weeks = RecordsReview(shipped).weeks
        for bridge in BridgeIndex.all {
            let own = weeks.filter { $0.bridge == bridge }
            #expect(own.reduce(0) { $0 + $1.openings } == shipped.covered(bridge).count)
            let hours = own.reduce(0) { $0 + $1.coveredHours }
            #expect(abs(hours - shipped.coverage.minutes(of: bridge) / 60) < 1e-6)
            #expect(own.allSatisfy { $0.monday.weekday == .monday && $0.coveredHours <= 169 })
        }
    }

    @Test func aMissingMonthIsTakenOutOfTheCoverage() throws {
        var faulty = FaultyRecords()
        let month = period("2025-02-01", "2025-03-01")
        faulty.drop(month)
        let review = RecordsReview(faulty.history)
        let finding = try #require(review.findings.first { $0.isSetAside })
        #expect(finding.kind == .silence && finding.bridges.count == 5)
        #expect(
            finding.description.contains("2025-02-28") || finding.description.contains("2025-03-01")
        )
        #expect(review.usable.coverage.clamped(to: month).isEmpty)
        #expect(review.usable.count == faulty.history.count)
        let minutes = [month, .earliest..<Timestamp.latest].map { period in
            let coverage = shipped.coverage.clamped(to: period)
            return BridgeIndex.all.reduce(0) { $0 + coverage.minutes(of: $1) }
        }
        #expect(abs(review.setAsideShare - minutes[0] / minutes[1]) < 0.01)
    }

    /// In 2016 only the days are covered.
    @Test func aSilenceGoesOnOverNightsWithoutCoverage() throws {
        var faulty = FaultyRecords()
        let month = period("2016-06-01", "2016-07-01")
        faulty.drop(month, of: [.fremont])
        let review = RecordsReview(faulty.history)
        #expect(review.findings.filter(\.isSetAside).map(\.bridges) == [[.fremont]])
        let left = review.usable.coverage.clamped(to: month)
        #expect(left.minutes(of: .fremont) == 0 && left.minutes(of: .ballard) > 25 * 960)
    }

    @Test func aBridgeThatStopsReportingLosesCoverageFromThenOn() throws {
        var faulty = FaultyRecords()
        let end = period("2025-03-20", "2025-05-01")
        faulty.drop(end, of: [.university])
        let review = RecordsReview(faulty.history)
        #expect(review.findings.filter(\.isSetAside).map(\.bridges) == [[.university]])
        let left = review.usable.coverage.clamped(to: end)
        #expect(left.minutes(of: .university) == 0 && left.minutes(of: .fremont) > 30 * 1440)
        #expect(
            review.usable.openings[BridgeIndex.fremont.rawValue].count
                == shipped.openings[BridgeIndex.fremont.rawValue].count)
    }

    @Test func aBridgeThatNeverReportedIsNotTakenToStayShut() {
        var faulty = FaultyRecords()
        faulty.drop(Timestamp.earliest..<Timestamp.latest, of: [.montlake])
        let review = RecordsReview(faulty.history)
        #expect(review.usable.coverage.minutes(of: .montlake) == 0)
        #expect(
            review.usable.coverage.minutes(of: .ballard) == shipped.coverage.minutes(of: .ballard))
    }

    @Test(arguments: [1.0, 0.5, 5.0])
    func weeksOfOneLengthAreSetAside(minutes: Double) {
        var faulty = FaultyRecords()
        let weeks = period("2025-03-10", "2025-03-24")
        faulty.setLength(minutes, in: weeks)
        let review = RecordsReview(faulty.history)
        let setAside = review.findings.filter(\.isSetAside)
        #expect(!setAside.isEmpty && setAside.allSatisfy { $0.kind == .oneLength })
        for bridge in [BridgeIndex.ballard, .fremont, .university, .firstAveSouth] {
            #expect(review.usable.openings(of: bridge, overlapping: weeks).count <= 2)
        }
    }

    @Test func weeksOfOneMinuteAreFoundNextToAnotherRun() {
        // Lower Spokane St has a run of tests already, and a stronger one.
        var faulty = FaultyRecords()
        let weeks = period("2018-01-22", "2018-02-05")
        faulty.setLength(1, in: weeks)
        let review = RecordsReview(faulty.history)
        #expect(review.usable.openings(of: .lowerSpokaneSt, overlapping: weeks).count <= 2)
    }

    @Test(arguments: [-60.0, 60])
    func aWeekAnHourOffIsSetAsideWithItsDirection(minutes: Double) throws {
        var faulty = FaultyRecords()
        let week = period("2018-02-05", "2018-02-12")
        faulty.shift(week, minutes: minutes)
        let review = RecordsReview(faulty.history)
        let found = review.findings.filter(\.isSetAside)
        try #require(found.count == 1 && found[0].kind == .clock, "\(found)")
        #expect(found[0].message.contains(minutes > 0 ? "an hour ahead" : "an hour behind"))
        #expect(review.usable.coverage.clamped(to: week).isEmpty)
        #expect(review.setAsideShare < 0.05)
    }

    @Test func clocksThatFollowTheChangeInMarchAreNotOff() {
        // Both stretches of the shipped records go through one; a clock that stays behind is.
        #expect(!RecordsReview(shipped).findings.contains { $0.kind == .clock })
        var faulty = FaultyRecords()
        faulty.shift(period("2025-03-09", "2025-03-30"), minutes: -60)
        let found = RecordsReview(faulty.history).findings.filter { $0.kind == .clock }
        #expect(found.first?.message.contains("an hour behind") == true)
        #expect(found.allSatisfy { $0.period.lowerBound >= Fixtures.timestamp("2025-03-05T00:00") })
    }

    @Test func aRepeatedFortnightIsSetAsideWhereItWasCopiedTo() throws {
        var faulty = FaultyRecords()
        faulty.copy(period("2025-01-13", "2025-01-27"), days: 28)
        let review = RecordsReview(faulty.history)
        let found = review.findings.filter(\.isSetAside)
        try #require(found.count == 1 && found[0].kind == .repetition, "\(found)")
        #expect(found[0].message.contains("28 days before"))
        #expect(found[0].period == period("2025-02-10", "2025-02-24"))
    }

    @Test func aBridgeWithTenOpeningsChangesNothing() throws {
        var faulty = FaultyRecords()
        faulty.thin(.southPark, to: 10)
        let review = RecordsReview(faulty.history)
        #expect(review.findings.filter(\.isSetAside).isEmpty, "\(review.findings)")
        #expect(
            review.weeks.filter { $0.bridge == .southPark }.reduce(0) { $0 + $1.openings } == 10)
    }

    @Test func recordsThatContradictThemselvesMostlyAreRefused() throws {
        var faulty = FaultyRecords()
        faulty.setLength(1, in: period("2015-08-01", "2018-03-20"))
        let review = RecordsReview(faulty.history)
        let error = try #require(throws: RecordsReviewError.self) { try review.accepted() }
        #expect(error.kind == .data)
        for text in ["%", "at most one minute", "--coverage", "--keep-all-records"] {
            #expect(error.description.contains(text), "\(error)")
        }
    }

    @Test func emptyRecordsHaveNoFindings() {
        for history in [
            OpeningHistory(records: [], coverage: .empty), shipped.before(.earliest),
        ] {
            let review = RecordsReview(history)
            #expect(review.findings.isEmpty && review.weeks.isEmpty && review.setAsideShare == 0)
        }
    }
}

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
        by review: RecordsReview, of history: OpeningHistory, _ bridge: BridgeIndex,
        in period: Range<Timestamp>
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
            let days = daysSetAside(by: review, of: faulty.history, bridge, in: month)
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
            let days = daysSetAside(by: review, of: faulty.history, other, in: weeks)
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
            let days = daysSetAside(by: review, of: faulty.history, bridge, in: weeks)
            #expect(days.inside > 10 && days.outside < 4, "\(bridge) \(weeks) \(days)")
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func aWeekAnHourOffIsFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var faulty = FaultyRecords()
        // Ships that may pass at closed hours did so on three days of one week: its clock is unknown.
        let ships = Fixtures.timestamp("2025-02-13T00:00")..<Fixtures.timestamp("2025-02-25T00:00")
        var week = period(days: 7, &random)
        while week.overlaps(ships) { week = period(days: 7, &random) }
        let ahead = Bool.random(using: &random)
        faulty.shift(week, minutes: ahead ? 60 : -60)
        let review = RecordsReview(faulty.history)
        let days = daysSetAside(by: review, of: faulty.history, .ballard, in: week)
        #expect(days.inside > 5 && days.outside < 7, "\(week) \(days)")
        let message = review.findings.first { $0.kind == .clock }?.message ?? ""
        #expect(message.contains(ahead ? "ahead" : "behind"), "\(week)")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aRepeatedFortnightIsFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var faulty = FaultyRecords()
        let weeks = period(days: 14, &random)
        let early = weeks.lowerBound < Fixtures.timestamp("2025-02-20T00:00")
        let distance = Int.random(in: 15...40, using: &random) * (early ? 1 : -1)
        faulty.copy(weeks, days: distance)
        let review = RecordsReview(faulty.history)
        let target =
            FaultyRecords.later(
                weeks.lowerBound, distance)..<FaultyRecords.later(weeks.upperBound, distance)
        let days = daysSetAside(by: review, of: faulty.history, .fremont, in: target)
        #expect(days.inside > 12 && days.outside < 2, "\(weeks) \(distance) \(days)")
    }

    @Test(arguments: ["01-06", "01-20", "02-17", "03-03", "03-17"], [7, 10, 14, -7])
    func aFortnightCopiedNextToOrOntoItselfKeepsTheOriginal(from: String, distance: Int) {
        var faulty = FaultyRecords()
        let start = Fixtures.timestamp("2025-\(from)T00:00")
        // The copy of these days would go where nothing is covered.
        guard FaultyRecords.later(start, distance) >= Fixtures.timestamp("2025-01-01T00:00") else {
            return
        }
        let weeks = start..<FaultyRecords.later(start, 14)
        let target =
            FaultyRecords.later(start, distance)..<FaultyRecords.later(weeks.upperBound, distance)
        faulty.copy(weeks, days: distance)
        let review = RecordsReview(faulty.history)
        let days = daysSetAside(by: review, of: faulty.history, .fremont, in: target)
        #expect(days.inside > 12.9 && days.outside < 2, "\(weeks) \(distance) \(days)")
        let own =
            distance > 0
            ? weeks.lowerBound..<target.lowerBound : target.upperBound..<weeks.upperBound
        #expect(
            daysSetAside(by: review, of: faulty.history, .fremont, in: own).inside < 1.1,
            "\(distance)")
    }
}
