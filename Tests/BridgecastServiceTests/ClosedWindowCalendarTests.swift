// Calendars of closed windows: the form of RFC 5545, and the days and hours of the rules.
import BridgecastAnswers
import BridgecastCore
import BridgecastTestSupport
import Testing

struct ClosedWindowCalendarTests {
    private static func calendar(_ bridge: BridgeIndex, at now: String) -> String {
        ClosedWindowCalendar(of: bridge, at: Fixtures.timestamp(now)).text
    }

    /// The content lines, unfolded.
    private static func lines(_ text: String) -> [String] {
        text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    }

    @Test("Lines end in CR LF and hold at most 75 octets", arguments: BridgeIndex.all)
    func form(bridge: BridgeIndex) {
        let text = Self.calendar(bridge, at: "2026-02-20T12:00")
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n"))
        #expect(text.hasSuffix("END:VCALENDAR\r\n"))
        let physical = text.split(separator: "\r\n")
        #expect(
            physical.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\n") && !$0.contains("\r") })
        let lines = Self.lines(text)
        #expect(lines.allSatisfy { $0.contains(":") })
        for part in ["VEVENT", "VTIMEZONE"] {
            #expect(lines.count { $0 == "BEGIN:" + part } == lines.count { $0 == "END:" + part })
        }
        // Texts escape what separates values.
        let locations = lines.filter { $0.hasPrefix("LOCATION:") }
        #expect(locations.allSatisfy { $0.hasSuffix(" Bridge\\, Seattle") })
    }

    /// Days and hours as the events spell them out, day by day.
    private static func windows(_ text: String) throws -> Set<String> {
        var found: Set<String> = []
        var event: [String: [String]] = [:]
        for line in lines(text) {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            let name = String(parts[0].split(separator: ";")[0])
            if line == "BEGIN:VEVENT" { event = [:] }
            event[name, default: []].append(parts[1])
            guard line == "END:VEVENT" else { continue }
            let start = try #require(event["DTSTART"]?.last)
            let end = try #require(event["DTEND"]?.last)
            let rule = try #require(event["RRULE"]?.last)
            #expect(rule.hasPrefix("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL="))
            let until = try #require(rule.split(separator: "=").last)
            var day = try #require(Self.date(start.prefix(8)))
            let last = try #require(Self.localDate(until))
            let gone = Set((event["EXDATE"] ?? []).map { String($0.prefix(8)) })
            while day <= last {
                let digits = "\(day)".filter { $0 != "-" }
                if day.weekday != .saturday, day.weekday != .sunday, !gone.contains(digits) {
                    found.insert("\(digits) \(start.suffix(6)) \(end.suffix(6))")
                }
                day = day.adding(days: 1)
            }
        }
        return found
    }

    /// The date in Seattle of a time such as `20270101T000000Z`.
    private static func localDate(_ text: some StringProtocol) -> CivilDate? {
        let parts = text.split(separator: "T")
        guard parts.count == 2, parts[1].hasSuffix("Z"), let date = date(parts[0]),
            let clock = Int(parts[1].dropLast())
        else { return nil }
        let second = clock / 10_000 * 3600 + clock / 100 % 100 * 60 + clock % 100
        return SeattleTime.civil(
            at: Timestamp(secondsSinceEpoch: Int64(date.dayNumber) * 86_400 + Int64(second))
        ).date
    }

    private static func date(_ digits: some StringProtocol) -> CivilDate? {
        let digits = String(digits)
        guard digits.count == 8, let year = Int(digits.prefix(4)),
            let month = Int(digits.dropFirst(4).prefix(2)), let day = Int(digits.suffix(2))
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    @Test(
        "This year and the next match the rules on every day",
        arguments: BridgeIndex.all)
    func days(bridge: BridgeIndex) throws {
        let found = try Self.windows(Self.calendar(bridge, at: "2026-02-20T12:00"))
        var expected: Set<String> = []
        var day = try #require(CivilDate(year: 2026, month: 1, day: 1))
        while day.parts.year < 2028 {
            for period in BridgeCatalogue[bridge].rules.closedPeriods(on: day) {
                let clock = [period.lowerBound, period.upperBound].map {
                    TimeText.clock($0).filter { $0 != ":" } + "00"
                }
                expected.insert("\(day) \(clock[0]) \(clock[1])".filter { $0 != "-" })
            }
            day = day.adding(days: 1)
        }
        #expect(found.symmetricDifference(expected).isEmpty)
        #expect(expected.isEmpty == (bridge == .lowerSpokaneSt))
    }

    @Test("Holidays except Columbus Day are left out; Montlake's summer has its own hours")
    func knownDays() throws {
        let montlake = try Self.windows(Self.calendar(.montlake, at: "2026-02-20T12:00"))
        #expect(montlake.contains("20260429 070000 100000"))
        #expect(montlake.contains("20260430 070000 090000"))
        #expect(montlake.contains("20260430 153000 183000"))
        #expect(montlake.contains("20260902 153000 190000"))
        let fremont = try Self.windows(Self.calendar(.fremont, at: "2026-02-20T12:00"))
        #expect(!fremont.contains { $0.hasPrefix("20260703") })  // Independence Day, observed
        #expect(!fremont.contains { $0.hasPrefix("20261126") })  // Thanksgiving
        #expect(fremont.contains("20261012 160000 180000"))  // Columbus Day
        #expect(!fremont.contains { $0.hasPrefix("20260221") })  // a Saturday
    }

    @Test(
        "Events keep their identifiers; calendars of one day are equal")
    func stableIdentifiers() {
        func identifiers(_ now: String) -> Set<String> {
            Set(Self.lines(Self.calendar(.montlake, at: now)).filter { $0.hasPrefix("UID:") })
        }
        let early = identifiers("2026-02-20T12:00")
        let late = identifiers("2026-11-05T12:00")
        #expect(early == late)
        #expect(
            early.count
                == Self.lines(Self.calendar(.montlake, at: "2026-02-20T12:00"))
                .count { $0 == "BEGIN:VEVENT" })
        #expect(identifiers("2027-01-01T00:00").intersection(early).count == early.count / 2)
        #expect(
            early.isDisjoint(
                with: Set(
                    Self.lines(Self.calendar(.fremont, at: "2026-02-20T12:00")).filter {
                        $0.hasPrefix("UID:")
                    })))
        #expect(
            Self.calendar(.montlake, at: "2026-02-20T00:10")
                == Self.calendar(.montlake, at: "2026-02-20T23:50"))
    }
}
