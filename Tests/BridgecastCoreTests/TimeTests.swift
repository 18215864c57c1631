// Civil time against Foundation's zone database, the recorded clock changes, and the calendar.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore

@Suite struct SeattleTimeTests {
    @Test func offsetsAgreeWithTheZoneDatabaseEveryHourFrom2007To2037() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let start = 1_167_609_600  // 2007-01-01T00:00:00Z
        let end = 2_145_916_800  // 2038-01-01T00:00:00Z
        var disagreements: [Int] = []
        for seconds in stride(from: start, to: end, by: 3600) {
            let expected = zone.secondsFromGMT(
                for: Date(timeIntervalSince1970: TimeInterval(seconds)))
            let time = Timestamp(secondsSinceEpoch: Int64(seconds))
            if SeattleTime.utcOffsetSeconds(at: time) != Int64(expected) {
                disagreements.append(seconds)
            }
        }
        #expect(disagreements.isEmpty)
    }

    @Test func theHourThatClocksRepeatHasTwoMeanings() throws {
        let civil = try #require(TimeText.parseFloating("2025-11-02T01:30:00"))
        #expect(
            SeattleTime.resolve(civil)
                == .ambiguous(
                    earlier: try TimeText.parse("2025-11-02T08:30:00Z"),
                    later: try TimeText.parse("2025-11-02T09:30:00Z")))
    }

    @Test func theHourThatClocksSkipHasNone() throws {
        for text in ["2026-03-08T02:00:00", "2026-03-08T02:59:59"] {
            let civil = try #require(TimeText.parseFloating(text))
            #expect(SeattleTime.resolve(civil) == .nonexistent)
        }
        let after = try #require(TimeText.parseFloating("2026-03-08T03:00:00"))
        #expect(SeattleTime.resolve(after) == .unique(try TimeText.parse("2026-03-08T10:00:00Z")))
    }

    @Test func everyTimeIsAmongTheMeaningsOfItsWallClock() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let time = Timestamp(
                secondsSinceEpoch: Int64.random(in: 1_200_000_000..<2_100_000_000, using: &random))
            let civil = SeattleTime.civil(at: time)
            #expect(
                SeattleTime.resolve(civil).candidates.contains(time),
                "\(time.secondsSinceEpoch)")
        }
    }

    /// Of the openings around two clock changes five are in the hour that occurred twice.
    @Test func recordedClockChangesResolveToTheirTrueUTC() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let days = [
            "2017-11-04", "2017-11-05", "2017-11-06", "2018-03-09", "2018-03-11", "2018-03-12",
        ]
        let records = try String(
            contentsOf: Fixtures.trainingData("openings-2017-2018.csv"), encoding: .utf8)
        let times = records.split(separator: "\"").map { String($0.prefix(19)) }
            .filter { days.contains(String($0.prefix(10))) }
        #expect(times.count > 400)
        for time in times {
            let civil = try #require(TimeText.parseFloating(time))
            // Of the times that may be meant, those at which the zone database has it on the clock.
            let asUTC = try TimeText.parse(time + "Z")
            let meanings = [Int64(7), 8].map { asUTC.adding(seconds: $0 * 3_600) }
            let truths = meanings.filter { meaning in
                meaning.adding(seconds: Int64(zone.secondsFromGMT(for: meaning.date))) == asUTC
            }
            #expect(truths.count == (time.hasPrefix("2017-11-05T01") ? 2 : 1), "\(time)")
            #expect(SeattleTime.resolve(civil).candidates == truths, "\(time)")
            #expect(truths.allSatisfy { SeattleTime.civil(at: $0) == civil }, "\(time)")
        }
    }

    /// From before the year 0 on: no day is left out, and each has the number of its parts.
    @Test func theDaysOfTwoThousandYearsFollowEachOther() {
        #expect(CivilDate(year: 1, month: 1, day: 1)?.dayNumber == -719_162)
        #expect(CivilDate(dayNumber: -719_468).parts == (0, 3, 1))
        var wrong: [Int] = []
        var (year, month, day) = CivilDate(dayNumber: -900_001).parts
        for number in -900_000...20_000 {
            let parts = CivilDate(dayNumber: number).parts
            let isNext =
                parts == (year, month, day + 1)
                || day >= 28 && parts == (year, month + 1, 1)
                || (month, day) == (12, 31) && parts == (year + 1, 1, 1)
            let again = CivilDate(uncheckedYear: parts.year, month: parts.month, day: parts.day)
            if !isNext || again.dayNumber != number { wrong.append(number) }
            (year, month, day) = parts
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }

    @Test func timesBefore1970HaveTheirWallClock() {
        let last = SeattleTime.civil(at: Timestamp(secondsSinceEpoch: -1))
        #expect(last.date == CivilDate(year: 1969, month: 12, day: 31))
        #expect(last.secondOfDay == 15 * 3_600 + 59 * 60 + 59)
        // 8:00 UTC is midnight.
        let midnight = SeattleTime.civil(at: Timestamp(secondsSinceEpoch: -86_400 + 8 * 3_600))
        #expect(midnight.date == CivilDate(year: 1969, month: 12, day: 31))
        #expect(midnight.secondOfDay == 0)
    }

    @Test func theSystemsClockWaitsForTheFutureOnly() async throws {
        let clock = SystemWallClock()
        try await clock.sleep(seconds: -5)
        let time = clock.monotonicSeconds + 0.5
        try await clock.sleep(untilMonotonicSeconds: time)
        #expect(clock.monotonicSeconds >= time)
        try await clock.sleep(untilMonotonicSeconds: time)
    }

    @Test func datesAgreeWithFoundationsCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: -10_000, through: 40_000, by: 7) {
            let date = Date(timeIntervalSince1970: TimeInterval(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let civil = CivilDate(dayNumber: day)
            #expect(civil.parts.year == parts.year)
            #expect(civil.parts.month == parts.month)
            #expect(civil.parts.day == parts.day)
            #expect((civil.weekday.rawValue + 1) % 7 + 1 == parts.weekday)
            #expect(civil.dayOfYear == calendar.ordinality(of: .day, in: .year, for: date))
            let again = CivilDate(
                year: civil.parts.year, month: civil.parts.month, day: civil.parts.day)
            #expect(again == civil)
        }
    }

    @Test(arguments: [(2026, 2, 29), (2026, 13, 1), (2026, 4, 31), (2026, 0, 1), (2100, 2, 29)])
    func impossibleDatesAreRefused(_ parts: (Int, Int, Int)) {
        #expect(CivilDate(year: parts.0, month: parts.1, day: parts.2) == nil)
    }
}

@Suite struct TimeTextTests {
    @Test func readsOffsetsAndSeattleTime() throws {
        let expected = Timestamp(secondsSinceEpoch: 1_771_638_600)
        for text in [
            "2026-02-20T17:50:00-08:00", "2026-02-21T01:50:00Z", "2026-02-20T17:50",
            "2026-02-20 17:50:00", "2026-02-20T17:50:00.000", "2026-02-21T03:20+01:30",
        ] {
            #expect(try TimeText.parse(text) == expected, "\(text)")
        }
        #expect(TimeText.rfc3339(expected) == "2026-02-20T17:50:00-08:00")
    }

    @Test(arguments: ["0001-01-01T00:00:00-08:00", "9999-12-31T23:59:59-08:00"])
    func theFirstAndTheLastYearAreWhole(_ text: String) throws {
        #expect(TimeText.rfc3339(try TimeText.parse(text)) == text)
        #expect(try TimeText.parse(String(text.prefix(19))) == TimeText.parse(text))
    }

    @Test func repeatedAndSkippedHoursThrowTheirOwnErrors() {
        #expect(throws: TimeTextError.ambiguous("2025-11-02T01:30")) {
            try TimeText.parse("2025-11-02T01:30")
        }
        #expect(throws: TimeTextError.nonexistent("2026-03-08T02:30")) {
            try TimeText.parse("2026-03-08T02:30")
        }
    }

    @Test(arguments: [
        "", "now", "2026-02-20", "2026-02-30T10:00", "2026-02-20T24:00", "2026-02-20T10:60",
        "2026-02-20T10:00:00+0800", "2026-02-20T10:00:00Zulu", "2026-2-20T10:00",
        "２０２６-02-20T10:00",
    ])
    func otherTextsAreRefused(_ text: String) {
        #expect(throws: TimeTextError.unreadable(text)) { try TimeText.parse(text) }
    }

    @Test func writtenTimesReadBackThroughoutTheYear() throws {
        for hour in 0..<9_000 {
            let time = Timestamp(secondsSinceEpoch: 1_760_000_000 + Int64(hour) * 3_601)
            #expect(try TimeText.parse(TimeText.rfc3339(time)) == time)
        }
    }
}

@Suite struct FederalHolidayTests {
    /// Observed dates as published by the Office of Personnel Management, Columbus Day left out.
    private static let published: [Int: [String]] = [
        2017: [
            "01-02", "01-16", "02-20", "05-29", "07-04", "09-04", "11-10", "11-23", "12-25",
        ],
        2021: [
            "01-01", "01-18", "02-15", "05-31", "06-18", "07-05", "09-06", "11-11", "11-25",
            "12-24", "12-31",
        ],
        2026: [
            "01-01", "01-19", "02-16", "05-25", "06-19", "07-03", "09-07", "11-11", "11-26",
            "12-25",
        ],
    ]

    @Test(arguments: published.keys.sorted())
    func agreeWithThePublishedCalendar(_ year: Int) throws {
        let first = try #require(CivilDate(year: year, month: 1, day: 1))
        let found = (0..<365).map { first.adding(days: $0) }.filter(FederalHolidays.contains)
        let expected = try #require(Self.published[year])
        #expect(found.map(\.description) == expected.map { "\(year)-\($0)" })
    }

    @Test func columbusDayCountsAsAWeekday() throws {
        let date = try #require(CivilDate(year: 2025, month: 10, day: 13))
        #expect(DayType(date) == .weekday)
    }
}

@Suite struct DaylightTests {
    /// Noon elevations from latitude and declination: 90 - 47.65 +- 23.44 degrees.
    @Test(arguments: [("2026-06-21T13:10", 65.8), ("2025-12-21T12:08", 18.9)])
    func noonElevationAtTheSolstices(_ example: (String, Double)) {
        let sine = Daylight.sineOfSunElevation(at: Fixtures.timestamp(example.0))
        #expect(abs(asin(sine) * 180 / .pi - example.1) < 0.5)
    }

    /// Published sunset in Seattle on 2026-03-20: 19:19 PDT; the sun's centre is then at -0.83 degrees.
    @Test func sunsetAtTheEquinox() {
        let sine = Daylight.sineOfSunElevation(at: Fixtures.timestamp("2026-03-20T19:19"))
        #expect(abs(asin(sine) * 180 / .pi + 0.83) < 0.6)
    }
}
