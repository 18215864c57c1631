// Why a static feed as a whole was refused; what is wrong with single rows are notices.
// Belongs here: zip files and folders of GTFS into a TransitFeed; not: what is made of it.
public import BridgecastCore

/// A refusal of a whole feed.
public struct TransitFeedError: Failure, Equatable {
    /// What is wrong with it; thrown by readers, which do not know what their file is called.
    public enum Problem: Error, Sendable, Equatable {
        case noSuchFile
        case unreadable(String)
        /// Neither a zip file nor a folder of text files; what it is instead.
        case notAFeed(String)
        case damagedArchive(String)
        /// A file behind a password.
        case encrypted(String)
        /// A file larger than any feed.
        case tooLarge(bytes: Int, most: Int)
        /// A feed that unpacks to more than any feed does.
        case unpacksTooMuch(bytes: Int, most: Int)
        /// More rows than are read.
        case tooManyRows(file: String, most: Int)
        case missingFile(String)
        case missingColumn(file: String, column: String)
        /// A file that cannot be read at all.
        case file(String, DocumentProblem)
        /// No agency has a clock that the zone database knows.
        case unknownTimeZone(String)
        /// A file without a row that could be used; ``TransitFeedError/notices`` tell why.
        case empty(String)
    }

    /// The file or folder.
    public let path: String
    /// What is wrong, and what to do about it.
    public let problem: Problem
    /// What was found in the feed before it was refused, row by row; empty if no file of it was opened.
    public let notices: FeedNotices

    package init(_ problem: Problem, in path: String, _ notices: FeedNotices = FeedNotices()) {
        (self.problem, self.path, self.notices) = (problem, path, notices)
    }

    /// Whose matter it is.
    public var kind: FailureKind {
        switch problem {
        case .noSuchFile: .missing
        case .unreadable: .io
        default: .data
        }
    }

    /// The file, the problem in words, and where it lies in single rows the first of them.
    public var description: String { "\(path): \(words)\(elsewhere)" }
}
