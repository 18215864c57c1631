// Starts on the edge of a quarter-hourly job: the city's records of September 2026 have them, the shipped ones do not.
import BridgecastCore
import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTraining

@Suite struct EdgeStartsTests {
    private static let september: OpeningHistory = {
        let file = Fixtures.checkout.appendingPathComponent(
            "Tests/Samples/records/openings-2026-09.json")
        guard let records = try? RecordFile(file, now: Fixtures.timestamp("2026-11-01T00:00"))
        else {
            preconditionFailure("the sample of September 2026 cannot be read")
        }
        return OpeningHistory(
            records: records.openings, coverage: .inferred(from: records.openings))
    }()

    /// The shipped records as a job would have them that writes down when it first saw a span up, at minutes `edge`,
    /// `edge` + 15 ...
    private func jobbed(
        _ period: Range<Timestamp>, _ edge: Int64, of bridges: [BridgeIndex]
    ) -> OpeningHistory {
        let shipped = Fixtures.shippedHistory
        let openings = shipped.openings.joined().map { opening -> Opening in
            guard bridges.contains(opening.bridge), period.contains(opening.start),
                let end = opening.end
            else { return opening }
            let last = end.secondsSinceEpoch - 1
            let seen = Timestamp(secondsSinceEpoch: last - (last - edge * 60) % 900)
            return Opening(bridge: opening.bridge, start: max(opening.start, seen), end: end)
        }
        return OpeningHistory(records: openings, coverage: shipped.coverage)
    }

    private let winter =
        Fixtures.timestamp("2025-01-06T00:00")..<Fixtures.timestamp("2025-03-03T00:00")

    @Test func recordsOfTheJobAreFoundByBridgeAndCounted() throws {
        let findings = EdgeStarts.findings(in: Self.september)
        #expect(findings.map(\.bridges) == [[.ballard], [.fremont]])
        #expect(findings.allSatisfy { $0.edgeMinute == 6 && $0.kind == .edgeStarts })
        #expect(findings.allSatisfy { !$0.isSetAside && $0.changesUse })
        let fremont = try #require(findings.last)
        // All openings on the named days count.
        let named = Self.september.openings[BridgeIndex.fremont.rawValue]
            .filter { fremont.period.contains($0.start) }
        #expect(fremont.message.hasPrefix("38 of \(named.count) "), "\(fremont)")
        #expect(fremont.message.contains("start at :06, :21, :36 or :51"), "\(fremont)")
        #expect(fremont.period.upperBound == Fixtures.timestamp("2026-09-25T00:00"))
    }

    @Test func theShippedRecordsHaveNone() {
        #expect(EdgeStarts.findings(in: Fixtures.shippedHistory).isEmpty)
        // At Montlake many begin in the minute after a half hour, and few in that after the other quarters.
        let montlake = Fixtures.shippedHistory.openings[BridgeIndex.montlake.rawValue]
        #expect(montlake.count { $0.start.secondsSinceEpoch / 60 % 30 == 1 } > 50)
    }

    @Test(arguments: [0, 1, 5, 9, 14] as [Int64])
    func theEdgeMayBeAnyMinute(edge: Int64) {
        let bridges: [BridgeIndex] = [.fremont, .university]
        let findings = EdgeStarts.findings(in: jobbed(winter, edge, of: bridges))
        #expect(findings.map(\.bridges) == bridges.map { [$0] }, "\(findings)")
        for finding in findings {
            #expect(finding.edgeMinute == Int(edge))
            #expect(abs(finding.period.lowerBound.minutes(since: winter.lowerBound)) < 8 * 1440)
            #expect(abs(finding.period.upperBound.minutes(since: winter.upperBound)) < 8 * 1440)
        }
    }

    @Test func halfHoursAloneAreNoJob() {
        // Every opening of some weeks that starts up to ten minutes after a half hour starts on it.
        let moved = Fixtures.shippedHistory.openings.joined().map { opening -> Opening in
            let late = opening.start.secondsSinceEpoch % 1_800
            guard winter.contains(opening.start), late < 600 else { return opening }
            return Opening(
                bridge: opening.bridge, start: opening.start.adding(seconds: -late),
                end: opening.end)
        }
        let history = OpeningHistory(records: moved, coverage: Fixtures.shippedHistory.coverage)
        #expect(EdgeStarts.findings(in: history).isEmpty)
    }

    @Test func theMinutesBeforeEachEdgeAreUnknownAndTheOpeningsStay() throws {
        let review = RecordsReview(Self.september)
        #expect(review.setAsideShare == 0 && review.usable.count == Self.september.count)
        let usable = review.usable
        // 18:06 to 18:07 at Fremont on the 18th.
        let edge = Fixtures.timestamp("2026-09-18T18:06")
        func isCovered(_ minutes: Double) -> Bool {
            usable.coverage.contains(edge.adding(minutes: minutes), of: .fremont)
        }
        #expect([-5, -1, 0, 10, 15].allSatisfy { !isCovered($0) })
        #expect([-6, 1, 9].allSatisfy(isCovered))
        // Time is lost at every edge, whether or not an opening is there, so that what is left is no selection.
        let share =
            usable.coverage.minutes(of: .fremont) / Self.september.coverage.minutes(of: .fremont)
        #expect(share > 0.6 && share < 0.68, "\(share)")
        #expect(usable.observation == Self.september.coverage)
        let longer = Self.september.before(Fixtures.timestamp("2026-09-20T00:00"))
        #expect(
            review.applied(to: longer).coverage
                == usable.before(Fixtures.timestamp("2026-09-20T00:00")).coverage)
    }

    @Test func raisedMinutesKeepTheirShareAndLengthsAreNotLearned() {
        let bridges: [BridgeIndex] = [.fremont]
        let faulty = jobbed(winter, 6, of: bridges)
        let usable = RecordsReview(faulty).usable
        func share(_ history: OpeningHistory) -> Double {
            let times = ProtocolClock.minutes(in: winter).filter {
                history.coverage.contains($0, of: .fremont)
            }
            let raised = times.count { history.isBlocked(at: $0, of: .fremont) }
            return Double(raised) / Double(times.count)
        }
        let truth = share(Fixtures.shippedHistory)
        #expect(share(faulty) < 0.88 * truth)
        #expect(abs(share(usable) - truth) < 0.08 * truth, "\(share(usable)) \(truth)")
        #expect(
            usable.doubtedStarts.contains(
                winter.lowerBound.adding(minutes: 14 * 1440), of: .fremont))
        let law = LengthFit.law(of: usable)
        #expect(law != nil && law != LengthFit.law(of: faulty))
    }

    @Test func aSituationHasTheOpeningWithoutASinceAndItsEnd() throws {
        let usable = RecordsReview(Self.september).usable
        let reader = SituationReader(usable)
        // From 18:51 to 18:58 on the 19th, if the records were right.
        let during = reader.situation(at: Fixtures.timestamp("2026-09-19T18:54"))[.fremont]
        #expect(during.state == .raised(since: nil))
        #expect(during.recent.allSatisfy { $0.end != nil })
        let after = reader.situation(at: Fixtures.timestamp("2026-09-19T18:59"))[.fremont]
        #expect(after.state == .lowered)
        #expect(after.recent.first?.end == Fixtures.timestamp("2026-09-19T18:58"))
        // The past is observed without a gap, and its openings count, but their lengths do not.
        #expect(
            after.observedSince
                == Self.september.coverage.periods[BridgeIndex.fremont.rawValue].first?.lowerBound)
        #expect(after.openingsToday >= 15 && after.openingsInFourWeeks > 15)
        #expect(after.lengthsInFourWeeks.count < after.openingsInFourWeeks)
    }
}
