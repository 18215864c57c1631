// Tests for a clock that is off: by whole hours, judged by the bridges' rules, or by one hour for some days.
import BridgecastCore
import Foundation

/// Runs of days whose openings fit the daily pattern of the city's drawbridges far better some hours earlier or later.
///
/// The other tests compare records with their own rest. This one knows the rules (``DayShape``), so that it finds a
/// fault that all rows share, such as times in UTC. In the shipped records the strongest run scores 12, that of a
/// single bridge 16; a month in UTC scores at least 185.
enum WrongHours {
    private static let threshold = 40.0
    private static let shifts = (-12...12).filter { $0 != 0 }
    /// Bounds the score of one opening: a ship may be let through in closed hours.
    private static let maxGainPerOpening = 2.0
    /// Subtracted from the score of each day and of each opening.
    private static let dayPenalty = 0.5
    private static let openingPenalty = 0.05
    /// With the hours corrected, openings at night and in closed hours are at most this share of what they were.
    private static let maxRemainingRatio = 0.7
    /// The same as a share of all openings.
    private static let maxRemainingShare = 0.25
    /// Bridges have to agree: at least `minBridges` have a score of at least `minBridgeScore`.
    private static let minBridges = 2
    private static let minBridgeScore = 5.0
    /// Scores below 0 of single bridges add up to at most this share of the run's score.
    private static let maxOpposingShare = 0.05
    /// Added to a run on both sides, since a weekend is little evidence of the clock.
    private static let marginDays = 2

    private struct Run {
        let hours: Int
        let days: ClosedRange<Int>
        let score: Double
        /// Share of openings at night or in closed hours.
        let quietShare: Double
        /// The same with the hours corrected.
        let correctedQuietShare: Double
    }

    /// The strongest run of all bridges together, else that of each bridge.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        var shape = DayShape()
        let starts = BridgeIndex.all.filter { BridgeCatalogue[$0].rules.hasClosedWindows }
            .map { history.covered($0).map(ClockStart.init) }
        if let run = strongest(starts.flatMap(\.self), &shape) {
            let inside = starts.map { $0.filter { run.days.contains($0.day) } }
            let scores = inside.map { own in
                own.reduce(0) { $0 + gain($1, hours: run.hours, &shape) }
            }
            if scores.count(where: { $0 >= minBridgeScore }) >= minBridges,
                -scores.reduce(0, { $0 + min($1, 0) }) <= maxOpposingShare * run.score
            {
                return [finding(run, bridges: BridgeIndex.all, in: history.coverage)]
            }
        }
        return starts.compactMap { own in
            guard let bridge = own.first?.bridge, let run = strongest(own, &shape) else {
                return nil
            }
            return finding(run, bridges: [bridge], in: history.coverage)
        }
    }

    /// ln of how much likelier a start is some hours earlier than recorded.
    private static func gain(_ start: ClockStart, hours: Int, _ shape: inout DayShape) -> Double {
        let gain = shape.logDensity(of: start.moved(hours: -hours)) - shape.logDensity(of: start)
        return min(max(gain, -maxGainPerOpening), maxGainPerOpening)
    }

    private static func strongest(_ starts: [ClockStart], _ shape: inout DayShape) -> Run? {
        let byDay = Dictionary(grouping: starts, by: \.day).sorted { $0.key < $1.key }
        var best: (run: BestRun, hours: Int)?
        for hours in shifts {
            let sums = byDay.map { _, own in
                own.reduce(-dayPenalty) { $0 + gain($1, hours: hours, &shape) - openingPenalty }
            }
            guard let run = BestRun(sums), run.score > best?.run.score ?? threshold else {
                continue
            }
            best = (run, hours)
        }
        guard let (run, hours) = best else { return nil }
        let days = byDay[run.range].map(\.key)
        let own = byDay[run.range].flatMap(\.value)
        let quiet = Double(own.count { shape.isQuiet($0) })
        let remaining = Double(own.count { shape.isQuiet($0.moved(hours: -hours)) })
        let all = Double(own.count)
        guard let first = days.first, let last = days.last,
            remaining <= maxRemainingRatio * quiet, remaining <= maxRemainingShare * all
        else { return nil }
        return Run(
            hours: hours, days: first...last, score: run.score, quietShare: quiet / all,
            correctedQuietShare: remaining / all)
    }

    private static func finding(
        _ run: Run, bridges: [BridgeIndex], in coverage: Coverage
    ) -> RecordsFinding {
        let period = SeattleTime.period(
            ofDays: run.days.lowerBound - marginDays...run.days.upperBound + marginDays)
        let covered = coverage.clamped(to: period)
        let count = abs(run.hours)
        let isAhead = run.hours > 0
        let distance = count == 1 ? "an hour" : "\(count) hours"
        let zone = [7, 8].contains(run.hours) ? ", as times in UTC are" : ""
        func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }
        return RecordsFinding(
            kind: .clock, bridges: bridges.filter { !covered.periods[$0.rawValue].isEmpty },
            period: period, isSetAside: true,
            message: "the clock seems \(distance) \(isAhead ? "ahead" : "behind")\(zone): "
                + "\(percent(run.quietShare)) % of the openings begin at night or in closed hours; "
                + "\(distance) \(isAhead ? "earlier" : "later"), "
                + "\(percent(run.correctedQuietShare)) % would")
    }
}

/// The start of an opening on the wall clock.
struct ClockStart {
    let bridge: BridgeIndex
    let day: Int
    let second: Int

    init(_ opening: Opening) {
        let civil = SeattleTime.civil(at: opening.start)
        bridge = opening.bridge
        day = civil.date.dayNumber
        second = civil.secondOfDay
    }

    private init(_ bridge: BridgeIndex, _ seconds: Int) {
        self.bridge = bridge
        day = Int((Double(seconds) / 86_400).rounded(.down))
        second = seconds - day * 86_400
    }

    /// The start on a clock that is `hours` ahead.
    func moved(hours: Int) -> ClockStart {
        ClockStart(bridge, day * 86_400 + second + hours * 3_600)
    }

    var minute: Int { second / 60 }
    var week: Int { BridgeWeek.number(ofDay: day) }
    /// Of the bridge and the day type.
    var row: Int {
        let dayType = DayType(CivilDate(dayNumber: day))
        return bridge.rawValue * DayType.allCases.count + dayType.rawValue
    }
}

/// How likely an opening is at a time of the day, given only the bridge's closed hours.
///
/// Boats go by day, and on weekdays smaller ones wait through the closed hours. The shares are those of the shipped
/// records of bridges with closed hours, rounded; rough ones are enough for a clock that is hours off.
struct DayShape {
    private static let closedShare = 0.02
    private static let nightShare = 0.08
    private static let weekendNightShare = 0.04
    /// From 22:00 to 6:00, when no window is closed.
    private static let nightMinutes = 480.0

    private struct Day: Hashable {
        let bridge: BridgeIndex
        let number: Int
    }

    /// Cache of the days' closed windows.
    private var windows: [Day: [ClockWindow]] = [:]

    private enum Part { case closed, night, open }

    private mutating func windows(of start: ClockStart) -> [ClockWindow] {
        let day = Day(bridge: start.bridge, number: start.day)
        if let known = windows[day] { return known }
        let found = BridgeCatalogue[start.bridge].rules.closedWindows(
            on: CivilDate(dayNumber: start.day))
        windows[day] = found
        return found
    }

    private static func part(of start: ClockStart, _ windows: [ClockWindow]) -> Part {
        let minute = Double(start.second) / 60
        if windows.contains(where: { $0.startMinute <= minute && minute < $0.endMinute }) {
            return .closed
        }
        return (360..<1_320).contains(minute) ? .open : .night
    }

    /// Whether a start is at night or in a closed window.
    mutating func isQuiet(_ start: ClockStart) -> Bool {
        Self.part(of: start, windows(of: start)) != .open
    }

    /// ln of the density at a start, per minute of its day.
    mutating func logDensity(of start: ClockStart) -> Double {
        let windows = windows(of: start)
        let closed = windows.reduce(0) { $0 + $1.endMinute - $1.startMinute }
        let closedShare = closed > 0 ? Self.closedShare : 0
        let nightShare = closed > 0 ? Self.nightShare : Self.weekendNightShare
        return switch Self.part(of: start, windows) {
        case .closed: log(closedShare / closed)
        case .night: log(nightShare / Self.nightMinutes)
        case .open: log((1 - closedShare - nightShare) / (1_440 - Self.nightMinutes - closed))
        }
    }
}

/// Runs of days whose openings fit the pattern of the other records far better an hour earlier or later.
///
/// The score of an opening is ln of how much likelier it is an hour off, by minute of the day in all other weeks.
/// Times are Seattle's wall clock, which bridges and traffic keep through the changes in March and November.
/// In the shipped records the strongest run scores 9; a week an hour off usually scores 40, and seldom less than 15.
enum ClockShift {
    private static let threshold = 12.0
    /// Fewer openings give no pattern to compare with.
    private static let minOpenings = 1000
    /// Bounds the score of one opening: a tug may be let through in closed hours.
    private static let maxGainPerOpening = 2.0
    /// Bridges have to agree: at least `minBridges` have a score of at least `minBridgeScore`.
    private static let minBridges = 2
    private static let minBridgeScore = 1.5
    /// Subtracted from the score of each day, so that quiet days do not lengthen a run.
    private static let dayPenalty = 0.5
    /// Added to a run on both sides, since a weekend is little evidence of the clock.
    private static let marginDays = 2
    /// Days without any opening longer than this end a run.
    private static let maxPauseDays = 10

    /// The runs of days in each direction that chance does not explain.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let starts = BridgeIndex.all.flatMap { history.covered($0).map(ClockStart.init) }
        guard starts.count >= minOpenings else { return [] }
        let pattern = StartPattern(starts)
        let weeks = Dictionary(grouping: starts) { [$0.week, $0.row] }
        return [-60, 60].flatMap { minutes in
            var scores: [Int: [Double]] = [:]
            for start in starts {
                let own = weeks[[start.week, start.row]] ?? []
                let moved = (start.minute + minutes + 1440) % 1440
                let gain =
                    pattern.logDensity(of: start, at: moved, without: own)
                    - pattern.logDensity(of: start, at: start.minute, without: own)
                let none = Array(repeating: 0.0, count: BridgeCatalogue.count)
                scores[start.day, default: none][start.bridge.rawValue] += min(
                    max(gain, -maxGainPerOpening), maxGainPerOpening)
            }
            return findings(scores, minutes: minutes, in: history.coverage)
        }
    }

    /// - Parameter scores: By day and bridge.
    private static func findings(
        _ scores: [Int: [Double]], minutes: Int, in coverage: Coverage
    ) -> [RecordsFinding] {
        var sums: [Double] = []
        var days: [Int] = []
        for day in scores.keys.sorted() {
            if let last = days.last, day - last > maxPauseDays {
                sums.append(-.infinity)
                days.append(day)
            }
            sums.append((scores[day] ?? []).reduce(-dayPenalty, +))
            days.append(day)
        }
        return BestRun.all(sums, above: threshold).compactMap { run in
            finding(
                run, days: Array(days[run.range]), scores: scores, minutes: minutes, in: coverage)
        }
    }

    private static func finding(
        _ run: BestRun, days: [Int], scores: [Int: [Double]], minutes: Int, in coverage: Coverage
    ) -> RecordsFinding? {
        guard let first = days.first, let last = days.last, first < last else { return nil }
        let agreeing = BridgeIndex.all.count { bridge in
            days.reduce(0) { $0 + (scores[$1]?[bridge.rawValue] ?? 0) } >= minBridgeScore
        }
        guard agreeing >= minBridges else { return nil }
        let period = SeattleTime.period(ofDays: first - marginDays...last + marginDays)
        let covered = coverage.clamped(to: period)
        let direction = minutes < 0 ? "ahead" : "behind"
        return RecordsFinding(
            kind: .clock, bridges: BridgeIndex.all.filter { !covered.periods[$0.rawValue].isEmpty },
            period: period, isSetAside: true,
            message:
                "the clock seems an hour \(direction): the openings fit the pattern of other weeks far "
                + "better an hour \(minutes < 0 ? "earlier" : "later") "
                + "(score \(Int(run.score)), limit \(Int(threshold)))")
    }
}

/// The density of starts over the minutes of a day, smoothed by a Gaussian of 8 minutes.
///
/// Seattle's closed hours are its sharpest edges: on weekdays the Ship Canal's bridges need not open from 7 to 9 and
/// from 16 to 18.
struct StartPattern {
    private static let smoothingMinutes = 8.0
    private static let reach = 40
    /// The share of openings that come at any time of the day.
    private static let floor = 0.1
    /// Openings spread evenly over the day that are added to those of each bridge.
    private static let evenOpenings = 20.0

    private let kernel: [Double]
    private var sums: [[Double]]
    private var counts: [Double]

    init(_ starts: [ClockStart]) {
        let raw = (-Self.reach...Self.reach).map {
            exp(-0.5 * pow(Double($0) / Self.smoothingMinutes, 2))
        }
        let total = raw.reduce(0, +)
        kernel = raw.map { $0 / total }
        let rows = BridgeCatalogue.count * DayType.allCases.count
        sums = Array(repeating: Array(repeating: 0, count: 1440), count: rows)
        counts = Array(repeating: 0, count: rows)
        for start in starts {
            let row = start.row
            counts[row] += 1
            for offset in -Self.reach...Self.reach {
                sums[row][(start.minute + offset + 1440) % 1440] += kernel[offset + Self.reach]
            }
        }
    }

    /// ln of the density at a minute of the day for a start, without the starts of its own week.
    ///
    /// - Parameter own: The starts of its week, bridge and day type.
    func logDensity(of start: ClockStart, at minute: Int, without own: [ClockStart]) -> Double {
        let nearby = own.reduce(0) { $0 + weight(minute - $1.minute) }
        let row = start.row
        let count = counts[row] - Double(own.count)
        let known = sums[row][minute] - nearby + Self.evenOpenings / 1440
        let density = max(known, 0) / (count + Self.evenOpenings)
        return log((1 - Self.floor) * density + Self.floor / 1440)
    }

    private func weight(_ distance: Int) -> Double {
        let around = abs(distance) % 1440
        let near = min(around, 1440 - around)
        return near <= Self.reach ? kernel[near + Self.reach] : 0
    }
}
