// Records that contradict themselves are found, told and set aside; the shipped ones do not.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTraining
import Testing

@Suite struct RecordsReviewTests {
    private let shipped = Fixtures.shippedHistory

    private func period(_ from: String, _ to: String) -> Range<Timestamp> {
        Fixtures.moment(from + "T00:00")..<Fixtures.moment(to + "T00:00")
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
        #expect(review.setAsideShare > 0.05 && review.setAsideShare < 0.15)
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

    @Test func weeksOfOneMinuteAreFoundBesideAnotherRun() {
        // Lower Spokane St has a run of tests already, and a stronger one.
        var faulty = FaultyRecords()
        let weeks = period("2018-01-22", "2018-02-05")
        faulty.setLength(1, in: weeks)
        let review = RecordsReview(faulty.history)
        #expect(review.usable.openings(of: .lowerSpokaneSt, overlapping: weeks).count <= 2)
    }

    @Test(arguments: [-60.0, 60])
    func aWeekAnHourOffIsSetAsideAndSaidWhichWay(minutes: Double) throws {
        var faulty = FaultyRecords()
        let week = period("2018-02-05", "2018-02-12")
        faulty.shift(week, minutes: minutes)
        let review = RecordsReview(faulty.history)
        let found = review.findings.filter(\.isSetAside)
        try #require(found.count == 1 && found[0].kind == .clock, "\(found)")
        #expect(found[0].words.contains(minutes > 0 ? "an hour ahead" : "an hour behind"))
        #expect(review.usable.coverage.clamped(to: week).isEmpty)
        #expect(review.setAsideShare < 0.05)
    }

    @Test func clocksThatFollowTheChangeInMarchAreNotOff() {
        // Both stretches of the shipped records go through one; a clock that stays behind is.
        #expect(!RecordsReview(shipped).findings.contains { $0.kind == .clock })
        var faulty = FaultyRecords()
        faulty.shift(period("2025-03-09", "2025-03-30"), minutes: -60)
        let found = RecordsReview(faulty.history).findings.filter { $0.kind == .clock }
        #expect(found.first?.words.contains("an hour behind") == true)
        #expect(found.allSatisfy { $0.period.lowerBound >= Fixtures.moment("2025-03-05T00:00") })
    }

    @Test func aFortnightOnceMoreIsSetAsideWhereItWasCopiedTo() throws {
        var faulty = FaultyRecords()
        faulty.copy(period("2025-01-13", "2025-01-27"), days: 28)
        let review = RecordsReview(faulty.history)
        let found = review.findings.filter(\.isSetAside)
        try #require(found.count == 1 && found[0].kind == .repetition, "\(found)")
        #expect(found[0].words.contains("28 days before"))
        #expect(found[0].period == period("2025-02-10", "2025-02-24"))
    }

    @Test func aBridgeWithTenOpeningsHarmsNobody() throws {
        var faulty = FaultyRecords()
        faulty.thin(.southPark, to: 10)
        let review = RecordsReview(faulty.history)
        #expect(review.findings.filter(\.isSetAside).isEmpty, "\(review.findings)")
        #expect(
            review.weeks.filter { $0.bridge == .southPark }.reduce(0) { $0 + $1.openings } == 10)
    }

    @Test func recordsThatContradictThemselvesMostlyAreRefused() throws {
        var faulty = FaultyRecords()
        faulty.setLength(1, in: period("2017-10-01", "2018-03-20"))
        let review = RecordsReview(faulty.history)
        let error = try #require(throws: RecordsReviewError.self) { try review.accepted() }
        #expect(error.kind == .data)
        for words in ["%", "at most one minute", "--coverage", "--keep-all-records"] {
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test func recordsWithoutAnythingHaveNothingOdd() {
        for history in [
            OpeningHistory(records: [], coverage: .empty), shipped.before(.earliest),
        ] {
            let review = RecordsReview(history)
            #expect(review.findings.isEmpty && review.weeks.isEmpty && review.setAsideShare == 0)
        }
    }
}
