// The law of lengths learned from records: simulated ones whose law is known, and the shipped ones.
@testable import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTraining
import Foundation
import Testing

@Suite struct LengthFitTests {
    /// Openings an hour apart, each lowered in any minute with a chance that depends on its age alone.
    private func simulated(_ hazard: (Int) -> Double) -> OpeningHistory {
        var random = SeededRandom(seed: 3)
        var openings: [Opening] = []
        let start = Fixtures.timestamp("2026-01-01T00:00")
        let fremont = Fixtures.bridge("Fremont")
        for hour in 0..<4_000 {
            var minutes = 0
            while minutes < 60, random.uniform() >= hazard(minutes) { minutes += 1 }
            let time = start.adding(minutes: Double(hour) * 70)
            openings.append(
                Opening(
                    bridge: fremont, start: time,
                    end: time.adding(minutes: Double(minutes) + 0.5)))
        }
        var periods = Coverage.empty.periods
        periods[fremont.rawValue] = [start..<start.adding(minutes: 280_001)]
        return OpeningHistory(records: openings, coverage: Coverage(periods: periods))
    }

    @Test func theHazardOfSimulatedOpeningsIsFoundAgain() throws {
        func hazard(_ minute: Int) -> Double { minute < 3 ? 0.05 : minute < 10 ? 0.3 : 0.1 }
        let law = try #require(LengthFit.law(of: simulated(hazard)))
        let fremont = Fixtures.bridge("Fremont")
        let curve = law.survival(
            of: fremont,
            LengthCovariates(
                fremont, in: .unknown(at: Fixtures.timestamp("2026-02-20T12:00")), law))
        var expected = 1.0
        for minute in 0..<20 {
            expected *= 1 - hazard(minute)
            #expect(abs(curve[Double(minute + 1)] - expected) < 0.03, "minute \(minute + 1)")
        }
        // Once it has been up for 12 minutes, a tenth goes with every minute.
        let more = curve.probabilityOutlasts(total: 17, elapsed: 12)
        #expect(abs(more - pow(0.9, 5)) < 0.08)
    }

    @Test func theSameRecordsGiveTheSameLawAndNoneGiveNone() {
        let history = simulated { _ in 0.2 }
        #expect(LengthFit.law(of: history) == LengthFit.law(of: history))
        #expect(LengthFit.law(of: OpeningHistory(records: [], coverage: .empty)) == nil)
    }

    /// Log loss of how much longer openings of the last fortnight lasted at an age, by the law and by the old table.
    ///
    /// A length of whole minutes is taken as the minute that ends there.
    private func loss(atAge age: Double) throws -> (law: Double, table: Double, count: Int) {
        let from = Fixtures.timestamp("2026-02-15T00:00")
        let history = Fixtures.shippedHistory
        let law = try #require(Self.law)
        let table = Self.table
        let reader = SituationReader(history)
        var sums = (law: 0.0, table: 0.0)
        var count = 0
        for bridge in BridgeIndex.all {
            for opening in history.openings[bridge.rawValue] where opening.start >= from {
                guard let minutes = opening.minutes, minutes > age,
                    history.coverage.contains(opening.start, of: bridge)
                else { continue }
                let situation = reader.situation(at: opening.start.adding(minutes: age))
                let curve = law.survival(
                    of: bridge, LengthCovariates(bridge, in: situation, law))
                let before = minutes.rounded(.up) - 1
                sums.law -= log(
                    curve.probabilityOutlasts(total: before, elapsed: age)
                        - curve.probabilityOutlasts(total: before + 1, elapsed: age))
                sums.table -= log(
                    table.probabilityOutlasts(bridge, total: before, elapsed: age)
                        - table.probabilityOutlasts(bridge, total: before + 1, elapsed: age))
                count += 1
            }
        }
        return (sums.law / Double(count), sums.table / Double(count), count)
    }

    private static let fitted = Fixtures.shippedHistory.before(
        Fixtures.timestamp("2026-02-14T00:00"))
    private static let law = LengthFit.law(of: fitted)
    private static let table = Climatology(ClimatologyCounts(fitted))

    @Test(arguments: [0.0, 5])
    func theLawPredictsTheLastFortnightsLengthsBetterThanTheTable(_ age: Double) throws {
        let loss = try loss(atAge: age)
        #expect(loss.count > 15)
        #expect(loss.law < loss.table - 0.01, "\(loss)")
    }
}
