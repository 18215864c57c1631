// What a situation says of a bridge's last four weeks, counted again from the records.
import BridgecastCore
import BridgecastTestSupport
import Testing

@Suite struct FourWeeksTests {
    @Test func nothingIsCoveredWhereNothingIsKnown() {
        #expect(BridgeSituation.unknown.coveredDaysInFourWeeks == [0, 0])
        #expect(BridgeSituation.unknown.openingsInFourWeeks == 0)
    }

    /// The 28 days before today, whatever the hour; days without coverage and their openings do not count.
    @Test(arguments: [
        "2026-02-20T00:00", "2026-02-20T12:34", "2025-01-12T23:59", "2018-03-13T05:00",
    ])
    func openingsAndCoveredDaysAreThoseOfTheDaysBefore(_ time: String) {
        let (history, moment) = (Fixtures.shippedHistory, Fixtures.moment(time))
        let situation = SituationReader(history).situation(at: moment)
        let today = SeattleTime.civil(at: moment).date.dayNumber
        for bridge in BridgeIndex.all {
            var (days, openings) = ([0.0, 0.0], 0)
            for day in (today - 28)..<today {
                let date = CivilDate(dayNumber: day)
                let (start, end) = (
                    SeattleTime.startOfDay(date), SeattleTime.startOfDay(date.adding(days: 1))
                )
                let covered = history.coverage.clamped(to: start..<end).minutes(of: bridge)
                guard covered > 0 else { continue }
                days[DayType(date).rawValue] += covered / 1440
                openings += history.openings[bridge.rawValue].count {
                    (start..<end).contains($0.start)
                        && history.coverage.contains($0.start, of: bridge)
                }
            }
            let name = BridgeCatalogue[bridge].name
            #expect(situation[bridge].openingsInFourWeeks == openings, "\(name)")
            // An opening's length is known once it is over, so that it counts on the day of its end.
            let over = history.openings[bridge.rawValue].filter { opening in
                guard let end = opening.end, history.coverage.contains(opening.start, of: bridge)
                else { return false }
                let day = SeattleTime.civil(at: end).date
                let whole =
                    SeattleTime.startOfDay(day)..<SeattleTime.startOfDay(day.adding(days: 1))
                return (today - 28..<today).contains(day.dayNumber)
                    && history.coverage.clamped(to: whole).minutes(of: bridge) > 0
            }
            let lengths = situation[bridge].lengthsInFourWeeks
            #expect(lengths.count == over.count, "\(name)")
            #expect(lengths.longCount == over.count { $0.minutes ?? 0 >= 12 }, "\(name)")
            for (found, expected) in zip(situation[bridge].coveredDaysInFourWeeks, days) {
                #expect(abs(found - expected) < 1e-4, "\(name)")
            }
        }
    }

    /// Coverage that ends in the middle of a day, with an opening on that day.
    @Test func theLastDayMayBeHalfCovered() {
        let fremont = Fixtures.bridge("Fremont")
        var periods = Coverage.empty.periods
        periods[fremont.rawValue] = [
            Fixtures.moment("2026-02-18T00:00")..<Fixtures.moment("2026-02-20T12:00")
        ]
        let history = OpeningHistory(
            records: [Fixtures.opening("Fremont", "2026-02-20T11:00", "2026-02-20T11:05")],
            coverage: Coverage(periods: periods))
        let situation = SituationReader(history).situation(at: Fixtures.moment("2026-02-21T08:00"))
        #expect(situation[fremont].openingsInFourWeeks == 1)
        #expect(situation[fremont].coveredDaysInFourWeeks == [2.5, 0])
    }
}
