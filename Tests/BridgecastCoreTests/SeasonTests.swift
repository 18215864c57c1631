// The seasons of the climatology, and days that are covered in part.
import BridgecastTestSupport
import Testing
@testable import BridgecastCore

@Suite struct SeasonTests {
    private func date(_ year: Int, _ month: Int, _ day: Int) throws -> CivilDate {
        try #require(CivilDate(year: year, month: month, day: day))
    }

    @Test func summerComesAndGoesWithoutAJump() throws {
        #expect(try Season.summerShare(on: date(2026, 1, 15)) == 0)
        #expect(try Season.summerShare(on: date(2026, 4, 21)) == 0)
        #expect(try Season.summerShare(on: date(2026, 5, 6)) == 0.5)
        #expect(try Season.summerShare(on: date(2026, 7, 4)) == 1)
        #expect(try Season.summerShare(on: date(2026, 10, 1)) == 0.5)
        #expect(try Season.summerShare(on: date(2026, 12, 31)) == 0)
        for number in 0..<1461 {
            let day = try date(2024, 1, 1).adding(days: number)
            let change = Season.summerShare(on: day.adding(days: 1)) - Season.summerShare(on: day)
            #expect(abs(change) < 0.034, "\(day)")
        }
    }

    @Test func fremontOpensMoreOftenInSummer() throws {
        let climatology = Climatology(ClimatologyCounts(Fixtures.shippedHistory))
        let fremont = Fixtures.bridge("Fremont").rawValue
        // Both are Saturdays.
        let winter = try climatology.openingsPerDay(on: date(2016, 1, 16))[fremont]
        let spring = try climatology.openingsPerDay(on: date(2016, 5, 7))[fremont]
        let summer = try climatology.openingsPerDay(on: date(2016, 7, 16))[fremont]
        #expect(summer > 1.8 * winter, "\(winter), \(summer)")
        #expect(abs(spring - (winter + summer) / 2) < 0.1 * summer)
        let evening = 20 * 3600 + 1800
        let chances = try [date(2016, 1, 16), date(2016, 7, 16)].map {
            climatology.openProbability(
                of: Fixtures.bridge("Fremont"), at: CivilDateTime(date: $0, secondOfDay: evening))
        }
        #expect(chances[1] > 2 * chances[0])
    }

    @Test func aClimatologyWithoutSeasonsIsTheSameAllYear() throws {
        let climatology = Climatology(
            ClimatologyCounts(Fixtures.shippedHistory), slotsPerDay: 1440, isSeasonal: false)
        let winter = try date(2016, 1, 16)
        let summer = try date(2016, 7, 16)
        #expect(climatology.openingsPerDay(on: winter) == climatology.openingsPerDay(on: summer))
        for bridge in BridgeIndex.all {
            for second in stride(from: 0, to: 86_400, by: 3_600) {
                let chances = [winter, summer].map {
                    climatology.openProbability(
                        of: bridge, at: CivilDateTime(date: $0, secondOfDay: second))
                }
                #expect(chances[0] == chances[1])
            }
        }
    }

    /// Records of 6:00 to 22:00 alone give about the rate of whole days, of which those hours have nearly all openings.
    @Test func daysCoveredInPartHaveTheRateOfWholeDays() throws {
        let whole = Fixtures.shippedHistory
        let part = Fixtures.timestamp("2025-01-02T00:00")..<Fixtures.timestamp("2025-04-26T00:00")
        let all = OpeningHistory(
            records: whole.openings.flatMap(\.self), coverage: whole.coverage.clamped(to: part))
        var nights: [Range<Timestamp>] = []
        var day = SeattleTime.civil(at: part.lowerBound).date
        while SeattleTime.startOfDay(day) <= part.upperBound {
            let midnight = SeattleTime.startOfDay(day)
            nights.append(midnight.adding(minutes: -120)..<midnight.adding(minutes: 360))
            day = day.adding(days: 1)
        }
        let coverage = BridgeIndex.all.reduce(all.coverage) {
            $0.subtracting(nights, of: $1)
        }
        let daytime = OpeningHistory(records: whole.openings.flatMap(\.self), coverage: coverage)
        let winter = try date(2025, 2, 11)
        let rates = [all, daytime].map {
            Climatology(ClimatologyCounts($0)).openingsPerDay(on: winter)
        }
        let end = Fixtures.timestamp("2025-03-05T12:00")
        let situations = [all, daytime].map { SituationReader($0).situation(at: end) }
        for name in ["Ballard", "Fremont", "University", "Montlake"] {
            let bridge = Fixtures.bridge(name)
            let ratio = rates[1][bridge.rawValue] / rates[0][bridge.rawValue]
            #expect(abs(ratio - 1) < 0.1, "\(name): \(ratio)")
            let days = situations.map { $0[bridge].coveredDaysInFourWeeks.reduce(0, +) }
            #expect(abs(days[0] - 28) < 0.5 && abs(days[1] / days[0] - 0.92) < 0.02, "\(days)")
        }
    }

    /// At a bridge that was watched for an hour, and went up in it.
    @Test func aFewCoveredMinutesDoNotDecideAboutTheRestOfTheDay() throws {
        let hour = Fixtures.timestamp("2026-01-20T03:00")..<Fixtures.timestamp("2026-01-20T04:00")
        let fremont = Fixtures.bridge("Fremont")
        let climatology = Climatology(
            ClimatologyCounts(
                OpeningHistory(
                    records: [Fixtures.opening("Fremont", "2026-01-20T03:10", "2026-01-20T03:20")],
                    coverage: Coverage(hour, of: fremont))))
        let day = try date(2026, 1, 20)
        for hour in [0, 6, 12, 18] {
            let chance = climatology.openProbability(
                of: fremont, at: CivilDateTime(date: day, secondOfDay: hour * 3600))
            #expect(chance > 0.001 && chance < 0.08, "\(hour): \(chance)")
        }
    }

    /// The stated shares of the hours are those of the records that cover all hours.
    @Test func theHoursSharesAreThoseOfTheRecords() {
        let history = Fixtures.shippedHistory
        let start = Fixtures.timestamp("2017-10-01T00:00")
        var openings = [Double](repeating: 0, count: 24)
        var covered = openings
        for bridge in BridgeIndex.all {
            for period in history.coverage.periods[bridge.rawValue] where period.lowerBound > start
            {
                var time = period.lowerBound
                while time < period.upperBound {
                    covered[SeattleTime.civil(at: time).hour] += 1
                    time = time.adding(minutes: 1)
                }
                for opening in history.openings[bridge.rawValue]
                where period.contains(opening.start) {
                    openings[SeattleTime.civil(at: opening.start).hour] += 1
                }
            }
        }
        let rates = zip(openings, covered).map { $0 / $1 }
        let sum = rates.reduce(0, +)
        for hour in 0..<24 {
            #expect(abs(FourWeeks.hourlyShares[hour] - rates[hour] / sum) < 0.002, "\(hour)")
        }
        #expect(abs(FourWeeks.hourlyShares.reduce(0, +) - 1) < 1e-9)
        #expect(FourWeeks.shareOfDay(before: 86_400) == FourWeeks.hourlyShares.reduce(0, +))
        #expect(FourWeeks.shareOfDay(before: 0) == 0)
    }
}

@Suite struct KnownNeighbourTests {
    /// Behind a silent University, Fremont's openings are seen at Montlake as those of the next bridge.
    @Test func theNextKnownBridgeIsTheNeighbour() throws {
        let montlake = Fixtures.bridge("Montlake")
        let university = Fixtures.bridge("University")
        let fremont = Fixtures.bridge("Fremont")
        var situation = SituationReader(Fixtures.shippedHistory)
            .situation(at: Fixtures.timestamp("2018-02-12T12:00"))
        func next(_ offset: Int) -> BridgeIndex? {
            NeighbourContext.bridge(atOffset: offset, from: montlake, in: situation)
        }
        #expect(next(-1) == university && next(-2) == fremont && next(1) == nil)
        situation[university] = .unknown
        #expect(next(-1) == fremont && next(-2) == Fixtures.bridge("Ballard") && next(-3) == nil)
        situation[fremont].recent = [
            KnownOpening(start: situation.issueTime.adding(minutes: -10), end: nil)
        ]
        situation[fremont].state = .raised(since: situation.issueTime.adding(minutes: -10))
        var batch = FeatureBatch()
        FeatureBuilder(climatology: RandomModel.climatology).append(
            montlake, leadMinutes: 10, density: 0, in: situation, to: &batch)
        let values = zip(FeatureSchema.features, batch.rows.dense())
            .filter { $0.1 != 0 }.map(\.0.name)
        #expect(values.contains("convoy.seaward1.raised"))
        #expect(!values.contains { $0.hasPrefix("convoy.seaward3") })
    }
}
