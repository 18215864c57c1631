// A bridge's openings by weekday and hour, counted from the files of records with Foundation's calendar alone; for
// OpeningPatternTests.
import BridgecastTestSupport
import Foundation
import Testing

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
        (format.timeZone, format.dateFormat) = (calendar.timeZone, "yyyy-MM-dd'T'HH:mm:ss")
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
        for name in ["openings-2017-2018.csv", "openings-2025-2026.csv"] {
            let text = try String(contentsOf: Fixtures.trainingData(name), encoding: .utf8)
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
