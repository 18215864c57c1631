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
        /// Nothing could be used.
        case empty(String)
    }

    /// The file or folder.
    public let path: String
    /// What is wrong, and what to do about it.
    public let problem: Problem

    package init(_ problem: Problem, in path: String) {
        (self.problem, self.path) = (problem, path)
    }

    /// Whose matter it is.
    public var kind: FailureKind {
        switch problem {
        case .noSuchFile: .missing
        case .unreadable: .io
        default: .data
        }
    }

    /// The file, and the problem in words.
    public var description: String { "\(path): \(problem)" }
}
