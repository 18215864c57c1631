// Civil time against Foundation's zone database, the recorded clock changes, and the calendar.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct SeattleTimeTests {
    @Test func offsetsAgreeWithTheZoneDatabaseEveryHourFrom2007To2037() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let start = 1_167_609_600  // 2007-01-01T00:00:00Z
        let end = 2_145_916_800  // 2038-01-01T00:00:00Z
        var disagreements: [Int] = []
        for seconds in stride(from: start, to: end, by: 3600) {
            let expected = zone.secondsFromGMT(
                for: Date(timeIntervalSince1970: TimeInterval(seconds)))
            let moment = Timestamp(secondsSinceEpoch: Int64(seconds))
            if SeattleTime.utcOffsetSeconds(at: moment) != Int64(expected) {
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

    @Test func everyMomentIsAmongTheMeaningsOfItsWallClock() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let moment = Timestamp(
                secondsSinceEpoch: Int64.random(in: 1_200_000_000..<2_100_000_000, using: &random))
            let civil = SeattleTime.civil(at: moment)
            #expect(
                SeattleTime.resolve(civil).candidates.contains(moment),
                "\(moment.secondsSinceEpoch)")
        }
    }

    /// Of the openings around two clock changes five lie in the hour that was there twice.
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
            // Of the moments that may be meant, those at which the zone database has it on the clock.
            let asUTC = try TimeText.parse(time + "Z")
            let meanings = [Int64(7), 8].map { asUTC.adding(seconds: $0 * 3_600) }
            let truths = meanings.filter { moment in
                moment.adding(seconds: Int64(zone.secondsFromGMT(for: moment.date))) == asUTC
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

    @Test func momentsBefore1970HaveTheirWallClock() {
        let last = SeattleTime.civil(at: Timestamp(secondsSinceEpoch: -1))
        #expect(last.date == CivilDate(year: 1969, month: 12, day: 31))
        #expect(last.secondOfDay == 15 * 3_600 + 59 * 60 + 59)
        // 8:00 UTC is midnight.
        let midnight = SeattleTime.civil(at: Timestamp(secondsSinceEpoch: -86_400 + 8 * 3_600))
        #expect(midnight.date == CivilDate(year: 1969, month: 12, day: 31))
        #expect(midnight.secondOfDay == 0)
    }

    @Test(.timeLimit(.minutes(1))) func theSystemsClockWaitsForAMomentAndNotForThePast()
        async throws
    {
        let clock = SystemWallClock()
        try await clock.sleep(until: clock.now.adding(seconds: -5))
        let moment = clock.now.adding(seconds: 1)
        try await clock.sleep(until: moment)
        #expect(clock.now >= moment)
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

    @Test func repeatedAndSkippedHoursAreRefusedByName() {
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
            let moment = Timestamp(secondsSinceEpoch: 1_760_000_000 + Int64(hour) * 3_601)
            #expect(try TimeText.parse(TimeText.rfc3339(moment)) == moment)
        }
    }
}
