// Openings by weekday and hour against the files of records, read and counted without any of the code under test.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct OpeningPatternTests {
    private static let end = Fixtures.timestamp("2026-03-01T00:00")

    private static func hour(
        _ weekday: Weekday, _ hour: Int, of pattern: OpeningPattern
    ) -> OpeningPattern.Hour {
        pattern.hours[weekday.rawValue * 24 + hour]
    }

    @Test(arguments: [BridgeIndex.ballard, .fremont])
    func agreesWithACountOverTheFiles(_ bridge: BridgeIndex) throws {
        let pattern = OpeningPattern(of: bridge, in: Fixtures.shippedHistory, before: Self.end)
        let count = try FileCount(of: BridgeCatalogue[bridge].id.rawValue)
        #expect(pattern.openings == count.starts.reduce(0, +) && pattern.openings > 1_900)
        #expect(Double(pattern.coveredSeconds) == count.covered.reduce(0, +))
        for (place, hour) in pattern.hours.enumerated() {
            #expect(hour.weekday.rawValue * 24 + hour.hour == place)
            #expect(hour.openings == count.starts[place])
            #expect(Double(hour.coveredSeconds) == count.covered[place])
            #expect(Double(hour.raisedSeconds) == count.raised[place])
            let share = try #require(hour.raisedShare)
            #expect(abs(share - count.raised[place] / count.covered[place]) < 1e-12)
            let rate = try #require(hour.openingsPerHour)
            #expect(abs(rate * count.covered[place] - 3600 * Double(count.starts[place])) < 1e-6)
            let lengths = count.lengths[place].sorted()
            guard !lengths.isEmpty else {
                #expect(hour.medianSeconds == nil)
                continue
            }
            let median = try #require(hour.medianSeconds)
            #expect(lengths.count { $0 < median } <= lengths.count / 2)
            #expect(lengths.count { $0 > median } <= lengths.count / 2)
        }
        #expect(pattern.hours.count == 168)
    }

    @Test func laterRecordsDoNotCount() {
        let history = Fixtures.shippedHistory
        // The second one is in the middle of an opening of Ballard Bridge.
        for text in ["2018-01-13T00:00", "2026-02-20T18:02", "2026-02-21T00:00"] {
            let end = Fixtures.timestamp(text)
            for bridge in BridgeIndex.all {
                #expect(
                    OpeningPattern(of: bridge, in: history, before: end)
                        == OpeningPattern(of: bridge, in: history.before(end), before: end))
            }
        }
        let raised = OpeningPattern(
            of: .ballard, in: history, before: Fixtures.timestamp("2026-02-20T18:02"))
        #expect(raised.interval?.upperBound == Fixtures.timestamp("2026-02-20T18:02"))
    }

    @Test func theRepeatedHourCountsTwiceAndTheSkippedHourNever() throws {
        let autumn = SeattleTime.startOfDay(try #require(CivilDate(year: 2025, month: 11, day: 2)))
        let spring = SeattleTime.startOfDay(try #require(CivilDate(year: 2026, month: 3, day: 8)))
        let lengths: [(Timestamp, Int64)] = [(autumn, 25), (spring, 23)]
        for (start, hours) in lengths {
            let coverage = Coverage(start..<start.adding(seconds: hours * 3600), of: .fremont)
            // Two and a half hours after midnight: in the repeated hour, or at half past three.
            let up = start.adding(minutes: 150)
            let opening = Opening(bridge: .fremont, start: up, end: up.adding(minutes: 6))
            let pattern = OpeningPattern(
                of: .fremont, in: OpeningHistory(records: [opening], coverage: coverage),
                before: .latest)
            #expect(pattern.coveredSeconds == hours * 3600)
            let one = Self.hour(.sunday, 1, of: pattern)
            let two = Self.hour(.sunday, 2, of: pattern)
            let three = Self.hour(.sunday, 3, of: pattern)
            if start == autumn {
                #expect(one.coveredSeconds == 7200 && one.openings == 1)
                #expect(one.openingsPerHour == 0.5 && one.raisedShare == 0.05)
                #expect(two.coveredSeconds == 3600 && two.openingsPerHour == 0)
            } else {
                #expect(two.coveredSeconds == 0)
                #expect(two.openingsPerHour == nil && two.raisedShare == nil)
                #expect(three.openings == 1 && three.medianSeconds == 360)
                #expect(three.raisedShare == 0.1)
            }
        }
    }

    @Test func timeThatIsNotCoveredDoesNotCount() throws {
        let period = Fixtures.timestamp("2026-02-18T08:30")..<Fixtures.timestamp("2026-02-18T09:15")
        let history = OpeningHistory(
            records: [
                Fixtures.opening("Fremont", "2026-02-18T08:20", "2026-02-18T08:36"),
                Fixtures.opening("Fremont", "2026-02-18T08:50", "2026-02-18T08:54"),
                Fixtures.opening("Fremont", "2026-02-18T09:12", "2026-02-18T09:20"),
                Fixtures.opening("Fremont", "2026-02-18T11:00", "2026-02-18T11:05"),
            ], coverage: Coverage(period, of: .fremont))
        let pattern = OpeningPattern(of: .fremont, in: history, before: Self.end)
        #expect(pattern.openings == 2 && pattern.interval == period)
        #expect(pattern.medianSeconds == 360)
        let eight = Self.hour(.wednesday, 8, of: pattern)
        let nine = Self.hour(.wednesday, 9, of: pattern)
        #expect(eight.coveredSeconds == 1800 && eight.raisedSeconds == 600 && eight.openings == 1)
        #expect(nine.coveredSeconds == 900 && nine.raisedSeconds == 180)
        #expect(nine.medianSeconds == 480, "its end is known, though it was not covered")
        let others = pattern.hours.filter { $0.coveredSeconds == 0 }
        #expect(others.count == 166)
        #expect(others.allSatisfy { $0.openingsPerHour == nil && $0.raisedShare == nil })
        let nowhere = OpeningPattern(of: .ballard, in: history, before: Self.end)
        #expect(nowhere.interval == nil && nowhere.openings == 0 && nowhere.medianSeconds == nil)
    }
}

/// A count over the files, an hour at a time; each list has 168 hours from Monday on.
struct FileCount {
    private(set) var starts = [Int](repeating: 0, count: 168)
    private(set) var covered = [Double](repeating: 0, count: 168)
    private(set) var raised = [Double](repeating: 0, count: 168)
    private(set) var lengths = [[Double]](repeating: [], count: 168)

    private var calendar = Calendar(identifier: .gregorian)
    private let format = DateFormatter()

    private struct CoverageFile: Decodable {
        struct Period: Decodable {
            let from: String
            let to: String
            let bridges: [String]
        }
        let periods: [Period]
    }

    /// Counts the openings of a bridge with one of the city's numbers.
    init(of bridge: Int) throws {
        calendar.timeZone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        format.timeZone = calendar.timeZone
        format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
        let openings = try openings(of: bridge)
        for period in try periods(of: bridge) {
            count(period, openings.filter { $0.start < period.end && $0.end > period.start })
        }
    }

    private mutating func count(_ period: DateInterval, _ openings: [DateInterval]) {
        for opening in openings where opening.start >= period.start {
            starts[place(opening.start)] += 1
            lengths[place(opening.start)].append(opening.duration)
        }
        // Seattle is whole hours from UTC, so that its hours begin with those of UTC.
        let first = (period.start.timeIntervalSince1970 / 3600).rounded(.down) * 3600
        for seconds in stride(from: first, to: period.end.timeIntervalSince1970, by: 3600) {
            let start = Date(timeIntervalSince1970: seconds)
            let hour = DateInterval(start: start, duration: 3600)
            guard let inside = hour.intersection(with: period) else { continue }
            covered[place(start)] += inside.duration
            raised[place(start)] += openings.reduce(0) {
                $0 + ($1.intersection(with: inside)?.duration ?? 0)
            }
        }
    }

    private func place(_ date: Date) -> Int {
        // Sunday is 1 in Foundation.
        (calendar.component(.weekday, from: date) + 5) % 7 * 24
            + calendar.component(.hour, from: date)
    }

    private func date(_ text: some StringProtocol) throws -> Date {
        try #require(format.date(from: String(text.prefix(19))))
    }

    private func periods(of bridge: Int) throws -> [DateInterval] {
        let file = try JSONDecoder().decode(
            CoverageFile.self, from: Data(contentsOf: Fixtures.trainingData("coverage.json")))
        return try file.periods.filter { $0.bridges.contains("\(bridge)") }.map {
            DateInterval(start: try date($0.from), end: try date($0.to))
        }
    }

    private func openings(of bridge: Int) throws -> [DateInterval] {
        var found: [DateInterval] = []
        for file in Fixtures.recordFiles {
            let text = try String(contentsOf: file, encoding: .utf8)
            for line in text.split(whereSeparator: \.isNewline).dropFirst() {
                let fields = line.split(separator: "\",\"")
                guard fields[2] == "\(bridge)" else { continue }
                found.append(DateInterval(start: try date(fields[3]), end: try date(fields[4])))
            }
        }
        // What was recorded in pieces less than three minutes apart is one opening.
        return found.sorted { $0.start < $1.start }.reduce(into: []) { joined, next in
            guard let last = joined.last, next.start <= last.end + 180 else {
                return joined.append(next)
            }
            joined[joined.count - 1] = DateInterval(start: last.start, end: max(last.end, next.end))
        }
    }
}
