import BridgecastCore
@testable import BridgecastJourneys
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct JourneyStatisticsTests {
    private func seattle() throws -> TimeZone {
        try #require(TimeZone(identifier: "America/Los_Angeles"))
    }

    // MARK: Wilson

    /// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
    /// method 3.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ])
    func theWilsonIntervalHasItsPublishedValues(
        successes: Int, trials: Int, lower: Double, upper: Double
    ) throws {
        let interval = try #require(WilsonInterval(successes: successes, trials: trials))
        #expect(abs(interval.lower - lower) < 0.00005)
        #expect(abs(interval.upper - upper) < 0.00005)
    }

    @Test func withoutTrialsThereIsNoInterval() {
        #expect(WilsonInterval(successes: 0, trials: 0) == nil)
    }

    // MARK: A year

    /// Journeys of a year: two each working day, some at night, in both hours in which clocks change.
    private func year() -> [Journey] {
        var random = SeededGenerator(seed: 39)
        var journeys: [Journey] = []
        func add(_ start: Timestamp, from: String, to: String) {
            let stopped = Double.random(in: 0...1, using: &random)
            let delay = Double(Int.random(in: -300...1_500, using: &random)) / 60
            let hasForecast = Int.random(in: 0..<3, using: &random) > 0
            journeys.append(
                journey(
                    "j\(journeys.count)", at: start, delayMinutes: delay, from: from, to: to,
                    wasStopped: Int.random(in: 0..<4, using: &random) > 0
                        ? Double.random(in: 0...1, using: &random) < stopped : nil,
                    forecast: hasForecast ? forecast(stopped: stopped) : nil))
        }
        let first = Fixtures.timestamp("2026-01-01T00:00")
        for day in 0..<365 {
            let midnight = first.adding(seconds: Int64(day) * 86_400)
            let shift = Int64.random(in: 0..<1_800, using: &random)
            add(midnight.adding(seconds: 8 * 3_600 + shift), from: "home", to: "work")
            if day % 7 < 5 {
                add(midnight.adding(seconds: 17 * 3_600 + shift), from: "work", to: "home")
            }
            if day % 9 == 0 { add(midnight.adding(seconds: shift), from: "home", to: "gym") }
        }
        // 01:30 PST before clocks go forward, 03:30 PDT after; 01:30 PDT and 01:30 PST as they go back.
        for seconds: Int64 in [1_772_962_200, 1_772_965_800, 1_793_521_800, 1_793_525_400] {
            add(Timestamp(secondsSinceEpoch: seconds), from: "home", to: "gym")
        }
        journeys[5].isAbandoned = true
        journeys[5].actualArrival = nil
        return journeys.sorted { $0.start < $1.start }
    }

    @Test func aYearAcrossBothClockChangesMatchesFoundationsCalendar() throws {
        let zone = try seattle()
        let journeys = year()
        let now = Fixtures.timestamp("2026-12-31T23:59:59")
        let found = JourneyStatistics(of: journeys, range: .all, now: now, zone: zone)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var hours = [Int](repeating: 0, count: 24)
        var weekdays = [Int](repeating: 0, count: 7)
        var months: [String: Int] = [:]
        for journey in journeys {
            let parts = calendar.dateComponents(
                [.hour, .weekday, .month, .year], from: journey.start.date)
            hours[try #require(parts.hour)] += 1
            // Foundation counts from Sunday = 1.
            weekdays[(try #require(parts.weekday) + 5) % 7] += 1
            let month = try #require(parts.month)
            months["\(try #require(parts.year))-\(month < 10 ? "0" : "")\(month)", default: 0] += 1
        }
        #expect(found.hourlyPattern == hours)
        #expect(found.weeklyPattern == weekdays)
        #expect(found.monthlyTrend.count == 12)
        for month in found.monthlyTrend { #expect(months[month.month] == month.journeys) }
        #expect(found.journeys == journeys.count && found.abandoned == 1)
    }

    @Test func delaysRoutesAndForecastsMatchAPlainComputation() throws {
        let journeys = year()
        let now = Fixtures.timestamp("2026-12-31T23:59:59")
        let found = JourneyStatistics(of: journeys, range: .all, now: now, zone: try seattle())
        let delays = journeys.compactMap(\.delayMinutes).sorted()
        let mean = delays.reduce(0, +) / Double(delays.count)
        let middle = delays.count / 2
        let median =
            delays.count % 2 == 0 ? (delays[middle - 1] + delays[middle]) / 2 : delays[middle]
        #expect(abs(try #require(found.meanDelayMinutes) - mean) < 1e-9)
        #expect(abs(try #require(found.medianDelayMinutes) - median) < 1e-9)
        for route in found.routes {
            let own = journeys.filter { $0.route == route.id }
            let late = own.compactMap(\.delayMinutes)
            #expect(route.journeys == own.count && route.arrived == late.count)
            #expect(route.onTime == late.count { $0 <= 5 })
            #expect(route.lastUsed == own.last?.start)
        }
        #expect(found.routes.map(\.frequency) == [.daily, .daily, .monthly])
        let forecast = journeys.filter { $0.forecast != nil && $0.actualArrival != nil }
        let accuracy = try #require(found.forecasts)
        #expect(accuracy.journeys == forecast.count)
        let within = forecast.count { $0.delaySeconds ?? 0 <= 300 }
        #expect(abs(accuracy.p90Coverage - Double(within) / Double(forecast.count)) < 1e-12)
        let known = forecast.filter { $0.wasStopped != nil }
        let squares = known.map { journey in
            let outcome = journey.wasStopped == true ? 1.0 : 0
            let chance = journey.forecast?.probabilityStopped ?? .nan
            return (chance - outcome) * (chance - outcome)
        }
        let brier = squares.reduce(0, +) / Double(known.count)
        #expect(abs(try #require(accuracy.brierScore) - brier) < 1e-12)
        let rate = Double(known.count { $0.wasStopped == true }) / Double(known.count)
        #expect(abs(try #require(accuracy.referenceBrierScore) - rate * (1 - rate)) < 1e-12)
        #expect(try #require(accuracy.brierSkill) > 0)
    }

    @Test func aHundredThousandJourneysAreAllCounted() throws {
        let first = testNow.adding(minutes: -4_000_000)
        let chance = forecast(stopped: 0.3)
        let journeys: [Journey] = (0..<100_000).map { (index: Int) -> Journey in
            let start = first.adding(minutes: Double(index * 40))
            return journey(
                "j\(index)", at: start, delayMinutes: Double(index % 11),
                to: "place \(index % 50)", wasStopped: index % 3 == 0, forecast: chance)
        }
        let zone = try seattle()
        let found = JourneyStatistics(of: journeys, range: .all, now: testNow, zone: zone)
        #expect(found.journeys == 100_000 && found.routes.count == 50)
        #expect(found.hourlyPattern.reduce(0, +) == 100_000)
        #expect(found.medianDelayMinutes == 5 && found.forecasts?.journeys == 100_000)
    }

    // MARK: Ranges

    @Test func rangesBeginAtMidnightByThePersonsCalendar() throws {
        let zone = try seattle()
        let now = Fixtures.timestamp("2026-03-31T12:00")
        let expected: [(JourneyRange, String)] = [
            (.week, "2026-03-24T00:00"), (.month, "2026-02-28T00:00"),
            (.quarter, "2025-12-31T00:00"), (.year, "2025-03-31T00:00"),
        ]
        for (range, text) in expected {
            #expect(range.start(now: now, zone: zone) == Fixtures.timestamp(text))
        }
        #expect(JourneyRange.all.start(now: now, zone: zone) == nil)
    }

    /// In Santiago the clocks go forward at midnight: 6 September 2026 begins at 01:00.
    @Test func aDayWithoutMidnightBeginsAtItsFirstTime() throws {
        let zone = try #require(TimeZone(identifier: "America/Santiago"))
        var calendar = JourneyCalendar(zone)
        let date = try #require(CivilDate(year: 2026, month: 9, day: 6))
        let start = calendar.start(of: date)
        #expect(calendar.civil(at: start).day == date.dayNumber)
        #expect(calendar.civil(at: start.adding(seconds: -1)).day == date.dayNumber - 1)
    }

    @Test func theRangeLeavesOutWhatBeganBeforeIt() throws {
        let now = Fixtures.timestamp("2026-03-31T12:00")
        let journeys = [
            journey("a", at: Fixtures.timestamp("2026-03-23T23:59")),
            journey("b", at: Fixtures.timestamp("2026-03-24T00:00")),
        ]
        let zone = try seattle()
        let found = JourneyStatistics(of: journeys, range: .week, now: now, zone: zone)
        #expect(found.journeys == 1)
        // The order in which they come does not matter.
        #expect(
            JourneyStatistics(of: journeys.reversed(), range: .week, now: now, zone: zone) == found)
    }

    // MARK: Little data

    @Test func withoutJourneysNothingIsANumber() {
        let found = JourneyStatistics(of: [], range: .year, now: testNow, zone: .gmt)
        #expect(found.journeys == 0 && found.meanDelayMinutes == nil)
        #expect(found.medianDelayMinutes == nil && found.forecasts == nil)
        #expect(found.routes.isEmpty && found.busiestRoute == nil)
        #expect(found.peakHours.isEmpty && found.monthlyTrend.isEmpty)
        #expect(found.jsonText().contains("\"mean_delay_min\": null"))
    }

    @Test func aRouteWithoutArrivalsHasNoReliability() throws {
        var abandoned = journey("a", at: testNow.adding(minutes: -60))
        abandoned.actualArrival = nil
        abandoned.isAbandoned = true
        let found = JourneyStatistics(of: [abandoned], range: .all, now: testNow, zone: .gmt)
        let route = try #require(found.busiestRoute)
        #expect(route.reliability == nil && route.reliabilityLowerBound == nil)
        #expect(route.meanDelayMinutes == nil && route.frequency == .monthly)
    }

    @Test func aPersonWhoIsNeverStoppedHasNoSkillToCompareWith() throws {
        let one = journey(
            "a", at: testNow.adding(minutes: -60), wasStopped: false,
            forecast: forecast(stopped: 0.5))
        let found = JourneyStatistics(of: [one], range: .all, now: testNow, zone: .gmt)
        let accuracy = try #require(found.forecasts)
        #expect(accuracy.brierScore == 0.25 && accuracy.referenceBrierScore == 0)
        #expect(accuracy.brierSkill == nil)
    }

    @Test(arguments: [
        (8, 14, UsageFrequency.daily), (7, 14, .weekly), (1, 1, .monthly), (5, 7, .weekly),
        (1, 30, .monthly), (1, 31, .rarely), (52, 364, .weekly), (51, 364, .monthly),
    ])
    func frequencyFollowsItsRule(days: Int, span: Int, expected: UsageFrequency) {
        #expect(UsageFrequency(days: days, span: span) == expected)
    }

    @Test func theMedianIsThatOfASortedList() {
        var random = SeededGenerator(seed: 7)
        for count in 1...60 {
            var values = (0..<count).map { _ in Int64.random(in: -9...9, using: &random) }
            let sorted = values.sorted()
            let lower = Double(sorted[(count - 1) / 2])
            #expect(Median.value(of: &values) == (lower + Double(sorted[count / 2])) / 2)
        }
    }
}
