// Faults that all rows of a file share, with no others to compare with, are found; sound months are kept.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
@testable import BridgecastTraining
import Testing

@Suite struct SharedFaultTests {
    private static let always = Timestamp.earliest..<Timestamp.latest
    /// The months of the shipped records.
    private static let months = [
        (2017, 10), (2017, 11), (2017, 12), (2018, 1), (2018, 2), (2018, 3), (2025, 1), (2025, 2),
        (2025, 3), (2025, 4), (2026, 1), (2026, 2),
    ].compactMap { year, month -> Range<Timestamp>? in
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        guard let first = CivilDate(year: year, month: month, day: 1),
            let end = CivilDate(year: next.0, month: next.1, day: 1)
        else { return nil }
        return SeattleTime.startOfDay(first)..<SeattleTime.startOfDay(end)
    }

    private func findings(_ faulty: FaultyRecords) -> [RecordsFinding] {
        RecordsReview(faulty.history).findings.filter(\.isSetAside)
    }

    private func expectRefusal(_ faulty: FaultyRecords, _ message: String) throws {
        let review = RecordsReview(faulty.history)
        let error = try #require(throws: RecordsReviewError.self) { try review.accepted() }
        #expect(error.kind == .data && error.description.contains(message), "\(error)")
    }

    @Test(arguments: months) func aSoundMonthIsKept(month: Range<Timestamp>) {
        var sound = FaultyRecords()
        sound.keep(month)
        #expect(sound.history.count > 150 && findings(sound).isEmpty, "\(findings(sound))")
    }

    @Test(arguments: months, [7.0, 8]) func aMonthInUTCIsRefused(
        month: Range<Timestamp>, hours: Double
    ) throws {
        var faulty = FaultyRecords()
        faulty.keep(month)
        faulty.shift(Self.always, minutes: hours * 60)
        try expectRefusal(faulty, "the clock seems \(Int(hours)) hours ahead, as times in UTC are")
    }

    @Test(arguments: [-8.0, -1, 1, 12]) func recordsThatAreAllHoursOffAreRefused(
        hours: Double
    ) throws {
        var faulty = FaultyRecords()
        faulty.shift(Self.always, minutes: hours * 60)
        let distance = abs(hours) == 1 ? "an hour" : "\(Int(abs(hours))) hours"
        try expectRefusal(faulty, "seems \(distance) \(hours > 0 ? "ahead" : "behind")")
    }

    @Test(arguments: months, [20.0, 60, 1440]) func aMonthWithEveryRowTwiceIsRefused(
        month: Range<Timestamp>, minutes: Double
    ) throws {
        var faulty = FaultyRecords()
        faulty.keep(month)
        faulty.putInAgain(after: [minutes])
        // A distance of a day is a copy of a stretch of less than ten days.
        let distance = [20: "20 minutes", 60: "1 hour", 1440: "1 day"][minutes] ?? ""
        try expectRefusal(faulty, "\(distance) before")
    }

    @Test(arguments: BridgeIndex.all, [20.0, 60, 1440])
    func everyRowOfOneBridgeTwiceIsReportedForIt(
        bridge: BridgeIndex, minutes: Double
    ) {
        var faulty = FaultyRecords()
        faulty.putInAgain(after: [minutes], of: [bridge])
        let review = RecordsReview(faulty.history)
        let found = review.findings.filter(\.isSetAside)
        #expect(found.allSatisfy { $0.kind == .repetition && $0.bridges == [bridge] }, "\(found)")
        #expect(found.first?.message.contains("openings appear twice") == true)
        let left = review.usable.coverage.minutes(of: bridge)
        #expect(left < 0.05 * faulty.coverage.minutes(of: bridge), "\(found)")
    }

    @Test(arguments: BridgeIndex.all, [17.0, 45])
    func everyRowOfABridgeWithFewOpeningsTwiceIsReportedForIt(
        bridge: BridgeIndex, minutes: Double
    ) {
        for count in [30, 40, 59] {
            var faulty = FaultyRecords()
            faulty.keepFirst(count, of: bridge)
            #expect(!findings(faulty).contains { $0.kind == .repetition }, "sound")
            faulty.putInAgain(after: [minutes], of: [bridge])
            let found = findings(faulty).filter { $0.kind == .repetition }
            #expect(!found.isEmpty && found.allSatisfy { $0.bridges == [bridge] }, "\(found)")
            #expect(
                found.first?.message.contains("\(Int(minutes)) minutes before or after") == true)
        }
    }

    /// A few weeks with one opening a day at the same time are no rows that were entered twice.
    @Test(arguments: [1, 2]) func aRegularSeriesIsNoFault(days: Int) {
        let start = Fixtures.timestamp("2026-01-01T12:00")
        let openings = (0..<40).map { number in
            let time = start.adding(minutes: Double(number * days) * 1440)
            return Opening(bridge: .fremont, start: time, end: time.adding(minutes: 5))
        }
        let history = OpeningHistory(
            records: openings, coverage: .inferred(from: openings))
        #expect(DoubledRows.findings(in: history).isEmpty)
    }

    @Test func everyRowOfTwoBridgesTwiceIsReportedForEach() {
        var faulty = FaultyRecords()
        faulty.putInAgain(after: [60], of: [.ballard, .fremont])
        #expect(findings(faulty).map(\.bridges) == [[.fremont], [.ballard]])
    }

    @Test(arguments: [[60.0, 120], [60, 180], [20, 60]]) func everyRowThreeTimesIsRefused(
        minutes: [Double]
    ) throws {
        var faulty = FaultyRecords()
        faulty.putInAgain(after: minutes)
        try expectRefusal(faulty, "openings appear twice: ")
    }

    @Test(arguments: BridgeIndex.all) func theSoundRecordsOfOneBridgeAreKept(bridge: BridgeIndex) {
        for month in Self.months + [Self.always] {
            var sound = FaultyRecords()
            sound.keep(bridge)
            sound.keep(month)
            let found =
                DoubledRows.findings(in: sound.history) + Repetition.findings(in: sound.history)
            #expect(found.isEmpty, "\(found)")
        }
    }

    @Test func timesInUTCThroughSummerAndWinterAreOneFinding() throws {
        var faulty = FaultyRecords()
        faulty.showUTC()
        let found = findings(faulty)
        try #require(found.count == 1 && found[0].kind == .clock, "\(found)")
        #expect(found[0].message.contains("7 hours ahead, as times in UTC are"))
        #expect(RecordsReview(faulty.history).usable.coverage.isEmpty)
    }

    @Test func oneFileInUTCIsDistinguishedFromTheOther() throws {
        let later = Fixtures.timestamp("2025-01-01T00:00")..<Timestamp.latest
        var faulty = FaultyRecords()
        faulty.shift(later, minutes: 480)
        let review = RecordsReview(faulty.history)
        let found = try #require(review.findings.first { $0.message.contains("8 hours ahead") })
        #expect(found.kind == .clock && found.bridges.count == 6)
        #expect(review.usable.coverage.clamped(to: later).isEmpty)
        let earlier = faulty.coverage.clamped(to: Timestamp.earliest..<later.lowerBound)
        #expect(review.usable.coverage == earlier)
    }

    @Test(arguments: [BridgeIndex.ballard, .fremont, .university, .firstAveSouth])
    func theClockOfOneBridgeIsDistinguishedFromTheOthers(bridge: BridgeIndex) throws {
        var faulty = FaultyRecords()
        faulty.shift(Self.always, minutes: 480, of: [bridge])
        let found = findings(faulty)
        try #require(found.count == 1 && found[0].kind == .clock, "\(found)")
        #expect(found[0].bridges == [bridge] && found[0].message.contains("8 hours ahead"))
    }

    @Test func openingsAtAnyTimeOfTheDayHaveNoWrongHours() {
        var random = SeededGenerator(seed: 1)
        let shipped = Fixtures.shippedHistory
        let spread = shipped.openings.joined().map { opening in
            let day = SeattleTime.startOfDay(SeattleTime.civil(at: opening.start).date)
            let start = day.adding(minutes: Double(Int.random(in: 0..<1440, using: &random)))
            return Opening(
                bridge: opening.bridge, start: start,
                end: start.adding(minutes: opening.minutes ?? 5))
        }
        let history = OpeningHistory(records: spread, coverage: shipped.coverage)
        #expect(WrongHours.findings(in: history).isEmpty)
        #expect(DoubledRows.findings(in: history).isEmpty)
    }
}
