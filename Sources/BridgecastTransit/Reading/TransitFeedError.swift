// Why a static feed as a whole was refused; problems of single rows are in FeedNotice.
public import BridgecastCore
public import BridgecastSupport

/// A refusal of a whole feed.
public struct TransitFeedError: Failure, Equatable {
    /// What is wrong with it; thrown by readers, which do not know the feed's path.
    public enum Problem: Error, Sendable, Equatable {
        case noSuchFile
        case unreadable(String)
        /// Neither a zip file nor a folder of text files; a description of what it is.
        case notAFeed(String)
        case damagedArchive(String)
        /// A file that is encrypted.
        case encrypted(String)
        /// A file or folder larger than the limit.
        case tooLarge(bytes: Int, max: Int)
        /// A zip file of `bytes` bytes that unpacks to more than the limit.
        case unpacksTooMuch(bytes: Int, max: Int)
        /// More rows than the limit.
        case tooManyRows(file: String, max: Int)
        case missingFile(String)
        case missingColumn(file: String, column: String)
        /// A file that cannot be read at all.
        case file(String, DocumentProblem)
        /// No agency has a time zone that the zone database knows.
        case unknownTimeZone(String)
        /// A file without a usable row; ``TransitFeedError/notices`` say why.
        case empty(String)
    }

    /// The file or folder.
    public let path: String
    /// What is wrong, and what to do about it.
    public let problem: Problem
    /// Findings until it was refused; empty if no file of it was opened.
    public let notices: FeedNotices

    package init(_ problem: Problem, in path: String, _ notices: FeedNotices = FeedNotices()) {
        self.problem = problem
        self.path = path
        self.notices = notices
    }

    /// Decides exit codes and statuses.
    public var kind: FailureKind {
        switch problem {
        case .noSuchFile: .missing
        case .unreadable: .io
        default: .data
        }
    }

    /// The path and ``message``, with a hint at further findings.
    public var description: String { "\(path): \(message)\(hint)" }
}

extension TransitFeedError {
    /// The problem; for a file without a usable row, with the first error in it.
    package var message: String {
        guard case .empty(let file) = problem else { return "\(problem)" }
        guard let first = firstError(in: file) else {
            return "\(file) has no rows; GTFS requires some"
        }
        return "\(problem); first error: \(first)"
    }

    /// How to see further errors; empty if there are none.
    private var hint: String {
        guard case .empty(let file) = problem, firstError(in: file) != nil else { return "" }
        let others = notices.count(.error) - 1
        return others < 1 ? "" : " (\(others) more: bridgecast feed check)"
    }

    private func firstError(in file: String) -> FeedNotice? {
        notices.kept.first { $0.file == file && $0.severity == .error }
    }
}

extension TransitFeedError.Problem: CustomStringConvertible {
    /// What is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .noSuchFile: "there is no such file or folder"
        case .unreadable(let reason): "cannot be read (\(printable(reason, maxLength: 120)))"
        case .notAFeed(let found): "\(found); a GTFS feed is a zip file or a folder of .txt files"
        case .damagedArchive(let reason):
            "a damaged zip file (\(printable(reason, maxLength: 120))); download it again"
        case .encrypted(let file):
            "\(printable(file)) is encrypted; unpack the zip file and give the folder"
        case .tooLarge(let bytes, let max): "\(bytes) bytes or more; the limit is \(Self.size(max))"
        case .unpacksTooMuch(let bytes, let max):
            "unpacks to more than \(Self.size(max)) from \(bytes) bytes: no timetable compresses so well"
        case .tooManyRows(let file, let max): "\(file) has more than \(max) rows"
        case .missingFile(let file): "\(file) is missing; GTFS requires it"
        case .missingColumn(let file, let column):
            "\(file), line 1: there is no column \(column), which GTFS requires"
        case .file(let file, let problem): "\(file): \(problem)"
        case .unknownTimeZone(let zone):
            "agency.txt: the zone database has no '\(printable(zone))'; agency_timezone should be such as America/Los_Angeles"
        case .empty(let file): "\(file) has no usable row"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 30 ? "\(bytes >> 20) MiB" : "\((bytes + 1) >> 30) GiB"
    }
}
