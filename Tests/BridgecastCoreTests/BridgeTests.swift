// The catalogue, the navigation rules and their closed periods, the traffic profiles.
import BridgecastTestSupport
import Testing
@testable import BridgecastCore

@Suite struct BridgeCatalogueTests {
    @Test(arguments: [
        ("Ballard", 2), ("ballard bridge", 2), ("FREMONT", 3), ("1st Ave S", 1),
        ("First Avenue South Bridge", 1), ("Lower Spokane St", 6), ("spokane", 6), ("21", 21),
        ("south park", 29), ("Montlake", 4),
    ])
    func namesAreFoundHoweverTheyAreSpelt(_ example: (String, Int)) throws {
        let index = try #require(BridgeCatalogue.index(named: example.0))
        #expect(BridgeCatalogue[index].id == BridgeID(example.1))
    }

    @Test(arguments: ["", "Bridge", "Aurora", "7"])
    func otherNamesAreNot(_ name: String) { #expect(BridgeCatalogue.index(named: name) == nil) }

    @Test func bridgesOfAWaterwayComeFromTheSeaInland() {
        let canal = BridgeCatalogue.along(.shipCanal).map { BridgeCatalogue[$0].name }
        #expect(canal == ["Ballard", "Fremont", "University", "Montlake"])
        let duwamish = BridgeCatalogue.along(.duwamish).map { BridgeCatalogue[$0].name }
        #expect(duwamish == ["Lower Spokane St", "1st Ave South", "South Park"])
    }
}

@Suite struct NavigationRulesTests {
    /// 33 CFR 117.1041 and 117.1051, at the edges of each window.
    @Test(arguments: [
        ("Ballard", "2026-02-20T06:59", false), ("Ballard", "2026-02-20T07:00", true),
        ("Fremont", "2026-02-20T08:59", true), ("University", "2026-02-20T09:00", false),
        ("Ballard", "2026-02-20T16:00", true), ("Ballard", "2026-02-20T18:00", false),
        ("Ballard", "2026-02-21T08:00", false),  // Saturday
        ("Ballard", "2026-02-16T08:00", false),  // Washington's Birthday
        ("Ballard", "2025-10-13T08:00", true),  // Columbus Day
        ("Montlake", "2026-02-20T09:30", true), ("Montlake", "2026-06-18T09:30", false),
        ("Montlake", "2026-02-20T18:45", true), ("Montlake", "2026-06-18T18:45", false),
        ("Montlake", "2026-04-30T09:30", false), ("Montlake", "2026-09-01T09:30", false),
        ("Montlake", "2026-04-29T09:30", true), ("Montlake", "2026-09-02T09:30", true),
        ("1st Ave South", "2026-02-20T06:00", true), ("1st Ave South", "2026-02-20T17:59", true),
        ("South Park", "2026-02-20T08:30", false), ("South Park", "2026-02-20T15:30", true),
        ("Lower Spokane St", "2026-02-20T08:00", false),
    ])
    func closedWindows(_ example: (String, String, Bool)) {
        let rules = BridgeCatalogue[Fixtures.bridge(example.0)].rules
        let civil = SeattleTime.civil(at: Fixtures.timestamp(example.1))
        #expect(rules.status(at: civil).isClosedToSmallVessels == example.2)
    }

    @Test func timesUntilAndSinceTheWindowsCountWithinTheDay() {
        let rules = BridgeCatalogue[Fixtures.bridge("Ballard")].rules
        func status(_ text: String) -> NavigationStatus {
            rules.status(at: SeattleTime.civil(at: Fixtures.timestamp(text)))
        }
        #expect(status("2026-02-20T06:30").minutesUntilWindowStarts == 30)
        #expect(status("2026-02-20T08:45").minutesUntilWindowEnds == 15)
        #expect(status("2026-02-20T09:10").minutesSinceWindowEnded == 10)
        #expect(status("2026-02-20T09:10").minutesUntilWindowStarts == 410)
        #expect(status("2026-02-20T18:25").minutesSinceWindowEnded == 25)
        #expect(status("2026-02-20T18:25").minutesUntilWindowStarts == nil)
        #expect(status("2026-02-20T23:10").needsNotice)
        #expect(status("2026-02-20T23:00").needsNotice && !status("2026-02-20T22:59").needsNotice)
        #expect(status("2026-02-20T06:59").needsNotice && !status("2026-02-20T07:00").needsNotice)
    }

    @Test func montlakeOpensOnlyOnTheHalfHourInTheAfternoon() {
        let rules = BridgeCatalogue[Fixtures.bridge("Montlake")].rules
        func status(_ text: String) -> Bool {
            rules.status(at: SeattleTime.civil(at: Fixtures.timestamp(text))).isHalfHourOnly
        }
        #expect(status("2026-02-20T12:30") && status("2026-02-20T15:29"))
        #expect(!status("2026-02-20T12:29") && !status("2026-02-20T15:30"))
        #expect(!status("2026-02-21T13:00"))
    }
}

@Suite struct TrafficProfileTests {
    @Test(arguments: BridgeIndex.all) func meetsThePublishedSums(_ bridge: BridgeIndex) {
        let counts = BridgeCatalogue[bridge].traffic
        let shares = TrafficProfile(counts).hourlyShares[DayType.weekday.rawValue]
        #expect(shares.allSatisfy { $0 > 0 })
        #expect(abs(shares.reduce(0, +) - 1) < 1e-12)
        #expect(shares[..<12].max() == counts.morningPeakShare)
        #expect(shares[12...].max() == counts.eveningPeakShare)
        let windows = (0...16).map { shares[$0..<$0 + 8].reduce(0, +) }
        #expect(abs((windows.max() ?? 0) - counts.busiestEightHourShare) < 1e-9)
        let weekend = TrafficProfile(counts).hourlyShares[DayType.weekend.rawValue]
        #expect(abs(weekend.reduce(0, +) - 1) < 1e-12)
    }

    @Test(arguments: BridgeIndex.all) func densityIsADegreeOfSaturation(_ bridge: BridgeIndex) {
        let night = TrafficProfile.density(of: bridge, at: Fixtures.timestamp("2026-02-20T03:00"))
        let rush = TrafficProfile.density(of: bridge, at: Fixtures.timestamp("2026-02-20T17:30"))
        #expect(night > 0 && night < 0.1)
        #expect(rush > 2 * night && rush < 1)
    }

    @Test func aGivenDensityReplacesTheProfile() {
        var traffic = TrafficDensity()
        let fremont = Fixtures.bridge("Fremont")
        let time = Fixtures.timestamp("2026-02-20T03:00")
        let isAccepted = traffic.set(0.7, for: fremont)
        #expect(isAccepted)
        #expect(traffic.density(of: fremont, at: time) == 0.7)
        let ballard = Fixtures.bridge("Ballard")
        #expect(
            traffic.density(of: ballard, at: time)
                == TrafficProfile.density(of: ballard, at: time))
        for wrong in [-0.1, 1, .nan, .infinity] {
            let isAccepted = traffic.set(wrong, for: fremont)
            #expect(!isAccepted)
        }
        #expect(traffic.density(of: fremont, at: time) == 0.7)
    }
}

@Suite struct ClosedPeriodTests {
    private func periods(_ name: String, _ text: String) throws -> [Range<Timestamp>] {
        let date = try #require(TimeText.parseDate(text))
        return BridgeCatalogue[Fixtures.bridge(name)].rules.closedPeriods(on: date)
    }

    private func range(_ from: String, _ to: String) -> Range<Timestamp> {
        Fixtures.timestamp(from)..<Fixtures.timestamp(to)
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
        let next = rules.nextClosedPeriod(from: Fixtures.timestamp(example.1))
        #expect(next?.lowerBound == example.2.map(Fixtures.timestamp))
    }

    @Test(arguments: BridgeIndex.all) func itAgreesWithTheStatusOfEveryMinute(
        _ bridge: BridgeIndex
    ) {
        let rules = BridgeCatalogue[bridge].rules
        // Two weeks around the change of clocks, with both kinds of days.
        for minute in stride(from: 0, to: 14 * 1440, by: 7) {
            let time = Fixtures.timestamp("2026-03-02T00:00").adding(minutes: Double(minute))
            let status = rules.status(at: SeattleTime.civil(at: time))
            let next = rules.nextClosedPeriod(from: time)
            #expect((next?.contains(time) ?? false) == status.isClosedToSmallVessels)
            if let left = status.minutesUntilWindowEnds {
                #expect(next?.upperBound.minutes(since: time) == left)
            } else if let wait = status.minutesUntilWindowStarts {
                #expect(next?.lowerBound.minutes(since: time) == wait)
            }
        }
    }
}
