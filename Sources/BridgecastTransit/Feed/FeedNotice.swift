// What is wrong with a feed, row by row: counted, with examples, never fatal by itself and never silent.

/// A finding about a static or realtime feed.
public struct FeedNotice: Sendable, Hashable, Codable {
    /// How bad it is.
    public enum Severity: String, Sendable, Codable, Comparable {
        /// Worth knowing.
        case info
        /// Something was guessed or left as it is.
        case warning
        /// Rows or files were left out.
        case error

        private var rank: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
        /// info < warning < error.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
    }

    /// What kind it is, in the words of the validators that publishers use, such as `foreign_key_violation`.
    public let code: String
    /// How bad it is.
    public let severity: Severity
    /// The file within the feed, such as `stop_times.txt`; empty for the feed as a whole.
    public let file: String
    /// The line, from 1; nil where it is about no line.
    public let line: Int?
    /// The column, such as `stop_id`; empty where it is about no column.
    public let field: String
    /// What is wrong, in words, and what was made of it.
    public let message: String

    package init(
        _ severity: Severity, _ code: String, file: String = "", line: Int? = nil,
        field: String = "", _ message: String
    ) {
        (self.severity, self.code, self.file) = (severity, code, file)
        (self.line, self.field, self.message) = (line, field, message)
    }
}

extension FeedNotice: CustomStringConvertible {
    /// Such as `stop_times.txt, line 7, stop_id: no such stop 'x' (foreign_key_violation)`.
    public var description: String {
        let place = [
            file, line.map { "line \($0)" } ?? "", field,
        ].filter { !$0.isEmpty }.joined(separator: ", ")
        return (place.isEmpty ? "" : place + ": ") + message + " (\(code))"
    }
}

/// The findings about a feed: all are counted, of each kind and file the first are kept.
public struct FeedNotices: Sendable, Equatable {
    /// Kept of each code and file.
    public static let mostKept = 20

    /// How often something was found.
    public struct Count: Sendable, Hashable, Codable {
        /// As ``FeedNotice/code``.
        public let code: String
        /// As ``FeedNotice/severity``.
        public let severity: FeedNotice.Severity
        /// As ``FeedNotice/file``.
        public let file: String
        /// How often, 1 or more.
        public var count: Int
    }

    /// The first of each kind and file, in the order in which they were found.
    public private(set) var kept: [FeedNotice] = []
    /// How often each kind was found in each file, in the order of first findings.
    public private(set) var counts: [Count] = []

    package init() {}

    /// Adds a finding; its words are made only if it is kept.
    package mutating func add(
        _ severity: FeedNotice.Severity, _ code: String, file: String = "", line: Int? = nil,
        field: String = "", _ message: @autoclosure () -> String
    ) {
        let place = place(severity, code, file)
        counts[place].count += 1
        guard counts[place].count <= Self.mostKept else { return }
        kept.append(FeedNotice(severity, code, file: file, line: line, field: field, message()))
    }

    /// Adds other findings behind these, as far as there is room for them; all are counted.
    package mutating func add(_ others: FeedNotices) {
        var left: [String: Int] = [:]
        for count in others.counts {
            let place = self.place(count.severity, count.code, count.file)
            left[count.code + count.file] = Self.mostKept - counts[place].count
            counts[place].count += count.count
        }
        for notice in others.kept {
            let key = notice.code + notice.file
            guard let room = left[key], room > 0 else { continue }
            left[key] = room - 1
            kept.append(notice)
        }
    }

    /// Where a kind is counted.
    private mutating func place(
        _ severity: FeedNotice.Severity, _ code: String, _ file: String
    ) -> Int {
        if let place = counts.firstIndex(where: { $0.code == code && $0.file == file }) {
            return place
        }
        counts.append(Count(code: code, severity: severity, file: file, count: 0))
        return counts.count - 1
    }

    /// Findings as the cache has them.
    package init(kept: [FeedNotice], counts: [Count]) { (self.kept, self.counts) = (kept, counts) }

    /// How many findings of at least a severity there are.
    public func count(_ least: FeedNotice.Severity) -> Int {
        counts.filter { $0.severity >= least }.reduce(0) { $0 + $1.count }
    }
}
