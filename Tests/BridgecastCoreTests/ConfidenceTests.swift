// Confidence, the weights of a ranking, and tables of forecasts.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ConfidenceTests {
    private let issueTime = Fixtures.timestamp("2026-02-20T12:00")

    private func confidence(
        _ name: String, lead: Double, known: Bool, newest: String? = "2026-02-20T12:00"
    ) -> Confidence {
        var situation =
            known
            ? SituationReader(Fixtures.shippedHistory).situation(at: issueTime)
            : .unknown(at: issueTime)
        let bridge = Fixtures.bridge(name)
        situation[bridge].recordedUntil = newest.map(Fixtures.timestamp) ?? .earliest
        return Confidence(
            bridge, leadMinutes: lead, in: situation,
            RandomModel.climatology)
    }

    @Test func followsTheStatedRule() {
        #expect(confidence("Fremont", lead: 20, known: true) == .high)
        #expect(confidence("Fremont", lead: 21, known: true) == .medium)
        #expect(confidence("Fremont", lead: 5, known: false) == .medium)
        #expect(confidence("Fremont", lead: 5, known: true, newest: nil) == .low)
        #expect(
            confidence("Lower Spokane St", lead: 5, known: true, newest: "2018-03-27T00:00") == .low
        )
        #expect(Confidence.low < .medium && Confidence.medium < .high)
    }

    /// A forecast based on this many days of records of one bridge.
    @Test(arguments: [(29, Confidence.low), (30, .medium), (59, .medium), (60, .high)])
    func recordsOfEnoughDaysAreAskedFor(_ example: (Int, Confidence)) {
        let fremont = Fixtures.bridge("Fremont")
        let start = issueTime.adding(minutes: -Double(example.0) * 1440)
        let history = OpeningHistory(
            records: [], coverage: Coverage(start..<issueTime.adding(minutes: 1), of: fremont))
        let climatology = Climatology(ClimatologyCounts(history))
        let found = Confidence(
            fremont, leadMinutes: 5, in: SituationReader(history).situation(at: issueTime),
            climatology)
        #expect(found == example.1)
    }
}

extension ConfidenceTests {
    /// A hundred days of winter, for arrivals in July.
    @Test(arguments: [(30.0, Confidence.medium), (31, .low)])
    func withoutDaysOfTheSeasonOnlyTheNextHalfHourIsTrusted(_ example: (Double, Confidence)) {
        let fremont = Fixtures.bridge("Fremont")
        let winter = Fixtures.timestamp("2025-12-01T00:00")
        let history = OpeningHistory(
            records: [],
            coverage: Coverage(winter..<winter.adding(minutes: 100 * 1440), of: fremont))
        let climatology = Climatology(ClimatologyCounts(history))
        #expect(abs(climatology.coveredDays[fremont.rawValue] - 100) < 0.01)
        var situation = Situation.unknown(at: Fixtures.timestamp("2026-07-10T12:00"))
        situation[fremont].recordedUntil = history.coverage.end(
            of: fremont, before: situation.issueTime)
        #expect(
            Confidence(fremont, leadMinutes: example.0, in: situation, climatology) == example.1)
        let july = SeattleTime.civil(at: situation.issueTime).date
        #expect(Confidence.isSeasonUnknown(on: july, to: climatology))
        let january = SeattleTime.civil(at: winter.adding(minutes: 40 * 1440)).date
        #expect(!Confidence.isSeasonUnknown(on: january, to: climatology))
    }
}

@Suite struct WeightAndTableTests {
    private let issueTime = Fixtures.timestamp("2026-02-20T12:00")

    @Test func theProbabilityOfBeingLateNeedsADeadline() throws {
        try RouteWeights.standard.validate(hasDeadline: false)
        let late = RouteWeights([.expectedMinutes: 1, .probabilityLate: 1])
        try late.validate(hasDeadline: true)
        #expect(throws: RouteWeightsError.lateWithoutDeadline) {
            try late.validate(hasDeadline: false)
        }
    }

    @Test func aTableCoversItsReachAndMixesBetweenLeads() throws {
        #expect(ForecastTable.leads(upTo: 60).last == 60)
        #expect(ForecastTable.leads(upTo: 61).last == 75)
        #expect(Array(ForecastTable.leads(upTo: 0).prefix(2)) == [0, 2])
        let leads = [0.0, 2, 5]
        let table = try ForecastTable(issueTime: issueTime, leadsMinutes: leads) { _, lead, _ in
            var bins = [Float](repeating: 0, count: DelayBins.count)
            bins[leads.firstIndex(of: lead) ?? 0] = 1
            return DelayDistribution(bins)
        }
        for (lead, expected) in [
            (0.0, [1.0, 0, 0]), (1, [0.5, 0.5, 0]), (2, [0, 1, 0]), (3.5, [0, 0.5, 0.5]),
            (5, [0, 0, 1]),
        ] {
            let found = try table.delay(at: .fremont, leadMinutes: lead, mode: .walk)
            for bin in 0..<3 { #expect(abs(found[bin] - expected[bin]) < 1e-9, "lead \(lead)") }
        }
    }

    @Test func aTableThrowsForWhatItCannotAnswer() throws {
        let table = try ForecastTable(
            issueTime: issueTime, leadsMinutes: [0, 30], modes: [.bike]
        ) { _, _, _ in .none }
        #expect(throws: ForecastTableError.tooShort(minutes: 31, reach: 30)) {
            try table.delay(at: .fremont, leadMinutes: 31, mode: .bike)
        }
        #expect(throws: ForecastTableError.beforeIssueTime(minutes: 1, issueTime)) {
            try table.delay(at: .fremont, arrival: issueTime.adding(minutes: -1), mode: .bike)
        }
        #expect(throws: ForecastTableError.unknownMode(.car, known: [.bike])) {
            try table.delay(at: .fremont, leadMinutes: 3, mode: .car)
        }
        // Who does not queue is as fast on foot.
        #expect(try table.delay(at: .fremont, leadMinutes: 3, mode: .walk) == .none)
        for leads in [[0, .nan, -5], [], [-1, 1], [0, 5, 5], [0, .infinity], [0, 1e9]] {
            #expect(throws: ForecastTableError.leads, "\(leads)") {
                try ForecastTable(issueTime: issueTime, leadsMinutes: leads) { _, _, _ in .none }
            }
        }
        #expect(throws: ForecastTableError.noMode) {
            try ForecastTable(issueTime: issueTime, leadsMinutes: [0], modes: []) { _, _, _ in .none
            }
        }
    }
}
