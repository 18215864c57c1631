// Federal holidays as they were published, and the height of the sun over Seattle.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

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
        let sine = Daylight.sineOfSunElevation(at: Fixtures.moment(example.0))
        #expect(abs(asin(sine) * 180 / .pi - example.1) < 0.5)
    }

    /// Published sunset in Seattle on 2026-03-20: 19:19 PDT; the sun's centre is then at -0.83 degrees.
    @Test func sunsetAtTheEquinox() {
        let sine = Daylight.sineOfSunElevation(at: Fixtures.moment("2026-03-20T19:19"))
        #expect(abs(asin(sine) * 180 / .pi + 0.83) < 0.6)
    }
}
