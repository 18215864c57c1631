// Closed windows as moments: seasons, weekends, holidays, and the next one from any minute of a week.
import BridgecastCore
import BridgecastTestSupport
import Testing

@Suite struct ClosedPeriodTests {
    private func periods(_ name: String, _ text: String) throws -> [Range<Timestamp>] {
        let date = try #require(TimeText.parseDate(text))
        return BridgeCatalogue[Fixtures.bridge(name)].rules.closedPeriods(on: date)
    }

    private func range(_ from: String, _ to: String) -> Range<Timestamp> {
        Fixtures.moment(from)..<Fixtures.moment(to)
    }

    @Test func aWeekdayHasBothAndADayOffHasNone() throws {
        #expect(
            try periods("Ballard", "2026-02-20") == [
                range("2026-02-20T07:00", "2026-02-20T09:00"),
                range("2026-02-20T16:00", "2026-02-20T18:00"),
            ])
        #expect(
            try periods("Montlake", "2026-06-18").last
                == range("2026-06-18T15:30", "2026-06-18T18:30"))
        // A Saturday, and Washington's Birthday.
        for date in ["2026-02-21", "2026-02-16"] {
            #expect(try periods("Ballard", date).isEmpty)
        }
        #expect(try periods("Lower Spokane St", "2026-02-20").isEmpty)
    }

    @Test(arguments: [
        ("Ballard", "2026-02-20T06:59", "2026-02-20T07:00"),
        ("Ballard", "2026-02-20T07:00", "2026-02-20T07:00"),
        ("Ballard", "2026-02-20T08:59", "2026-02-20T07:00"),
        ("Ballard", "2026-02-20T09:00", "2026-02-20T16:00"),
        // On Friday evening the next one is on Monday, which is more than a day away.
        ("Ballard", "2026-02-20T18:00", nil), ("Ballard", "2026-02-22T07:00", nil),
        ("Ballard", "2026-02-22T07:01", "2026-02-23T07:00"),
        ("Ballard", "2026-02-15T20:00", nil),
        // A day of 23 hours is over sooner.
        ("Ballard", "2026-03-08T07:00", nil), ("Ballard", "2026-03-08T07:01", "2026-03-09T07:00"),
        ("Montlake", "2026-02-20T18:02", "2026-02-20T15:30"),
        ("Lower Spokane St", "2026-02-20T07:00", nil),
    ])
    func theNextIsTheOneThatHoldsOrBeginsWithinADay(_ example: (String, String, String?)) {
        let rules = BridgeCatalogue[Fixtures.bridge(example.0)].rules
        let next = rules.nextClosedPeriod(from: Fixtures.moment(example.1))
        #expect(next?.lowerBound == example.2.map(Fixtures.moment))
    }

    @Test(arguments: BridgeIndex.all) func itAgreesWithTheStatusOfEveryMinute(
        _ bridge: BridgeIndex
    ) {
        let rules = BridgeCatalogue[bridge].rules
        // Two weeks around the change of clocks, with both kinds of days.
        for minute in stride(from: 0, to: 14 * 1440, by: 7) {
            let moment = Fixtures.moment("2026-03-02T00:00").adding(minutes: Double(minute))
            let status = rules.status(at: SeattleTime.civil(at: moment))
            let next = rules.nextClosedPeriod(from: moment)
            #expect((next?.contains(moment) ?? false) == status.isClosedToSmallVessels)
            if let left = status.minutesUntilWindowEnds {
                #expect(next?.upperBound.minutes(since: moment) == left)
            } else if let wait = status.minutesUntilWindowStarts {
                #expect(next?.lowerBound.minutes(since: moment) == wait)
            }
        }
    }
}
