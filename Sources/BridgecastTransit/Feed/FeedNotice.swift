// Problems of a feed, row by row: counted, with examples, never fatal by themselves.
public import BridgecastCore

/// A finding about a static or realtime feed.
public struct FeedNotice: Sendable, Hashable, Codable {
    /// How bad it is.
    public enum Severity: String, Sendable, Codable, Comparable {
        /// Information; nothing was changed.
        case info
        /// Something was guessed or left unchanged.
        case warning
        /// Rows or files were left out.
        case error

        private var rank: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
        /// info < warning < error.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
    }

    /// The kind, named as gtfs-validator does, such as `foreign_key_violation`.
    public let code: String
    /// How serious it is.
    public let severity: Severity
    /// File within the feed, such as `stop_times.txt`; empty for the feed as a whole.
    public let file: String
    /// Line number from 1; nil if it concerns no line.
    public let line: Int?
    /// Column, such as `stop_id`; empty if it concerns no column.
    public let field: String
    /// What is wrong, and how it was handled.
    public let message: String

    package init(
        _ severity: Severity, _ code: String, file: String = "", line: Int? = nil,
        field: String = "", _ message: String
    ) {
        self.severity = severity
        self.code = code
        self.file = file
        self.line = line
        self.field = field
        self.message = message
    }
}

extension FeedNotice: CustomStringConvertible {
    /// Such as `stop_times.txt, line 7, stop_id: no such stop 'x' (foreign_key_violation)`.
    public var description: String {
        let location = [file, line.map { "line \($0)" } ?? "", field].filter { !$0.isEmpty }.joined(
            separator: ", ")
        return (location.isEmpty ? "" : location + ": ") + message + " (\(code))"
    }
}

/// The findings about a feed: all are counted; the first ``maxKept`` of each kind and file are kept.
public struct FeedNotices: Sendable, Equatable {
    /// Findings kept of each code and file.
    public static let maxKept = 20

    /// The number of findings of one kind in one file.
    public struct Count: Sendable, Hashable, Codable {
        /// As ``FeedNotice/code``.
        public let code: String
        /// As ``FeedNotice/severity``.
        public let severity: FeedNotice.Severity
        /// As ``FeedNotice/file``.
        public let file: String
        /// At least 1.
        public var count: Int
    }

    /// The first findings of each kind and file, in the order found.
    public private(set) var kept: [FeedNotice] = []
    /// The number of findings of each kind and file, in the order of the first of each.
    public private(set) var counts: [Count] = []

    package init() {}

    /// Adds a finding; its message is built only if it is kept.
    package mutating func add(
        _ severity: FeedNotice.Severity, _ code: String, file: String = "", line: Int? = nil,
        field: String = "", _ message: @autoclosure () -> String
    ) {
        let index = index(severity, code, file: file)
        counts[index].count += 1
        guard counts[index].count <= Self.maxKept else { return }
        kept.append(FeedNotice(severity, code, file: file, line: line, field: field, message()))
    }

    /// Appends other findings, as far as there is room for them; all are counted.
    package mutating func add(_ others: FeedNotices) {
        var left: [String: Int] = [:]
        for count in others.counts {
            let index = self.index(count.severity, count.code, file: count.file)
            left[count.code + count.file] = Self.maxKept - counts[index].count
            counts[index].count += count.count
        }
        for notice in others.kept {
            let key = notice.code + notice.file
            guard let room = left[key], room > 0 else { continue }
            left[key] = room - 1
            kept.append(notice)
        }
    }

    /// The index in ``counts`` of a kind, which is appended if it is new.
    private mutating func index(
        _ severity: FeedNotice.Severity, _ code: String, file: String
    ) -> Int {
        if let index = counts.firstIndex(where: { $0.code == code && $0.file == file }) {
            return index
        }
        counts.append(Count(code: code, severity: severity, file: file, count: 0))
        return counts.count - 1
    }

    /// The number of findings of at least a severity.
    public func count(_ minSeverity: FeedNotice.Severity) -> Int {
        counts.filter { $0.severity >= minSeverity }.reduce(0) { $0 + $1.count }
    }
}

extension TransitFeed {
    /// Findings about the feed's validity on a day: `expired_calendar` and `calendar_in_future` for the whole timetable,
    /// `feed_expiration_date7_days` and `feed_expiration_date30_days` for feed_info.txt.
    public func notices(on today: CivilDate) -> [FeedNotice] {
        var found: [FeedNotice] = []
        if let period = services.period, today > period.upperBound {
            found.append(
                FeedNotice(
                    .warning, "expired_calendar", file: CalendarColumn.file, field: "end_date",
                    "the timetable ended on \(period.upperBound); download a newer one"))
        } else if let period = services.period, today < period.lowerBound {
            found.append(
                FeedNotice(
                    .info, "calendar_in_future", file: CalendarColumn.file, field: "start_date",
                    "the timetable begins on \(period.lowerBound)"))
        } else if services.period == nil {
            found.append(
                FeedNotice(
                    .warning, "expired_calendar", file: CalendarColumn.file,
                    "no service runs on any day"))
        }
        if let last = info?.lastDay, today.adding(days: 30) > last {
            let days = today.adding(days: 7) > last ? 7 : 30
            found.append(
                FeedNotice(
                    .warning, "feed_expiration_date\(days)_days", file: InfoColumn.file,
                    field: "feed_end_date", "the feed is valid until \(last); download a newer one")
            )
        }
        return found
    }
}
