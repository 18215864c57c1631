// The words of each refusal of a feed: what is wrong and what to do.
internal import BridgecastCore

extension TransitFeedError {
    /// The problem in words; where no row of a file could be used, with what is wrong with the first.
    package var words: String {
        guard case .empty(let file) = problem else { return "\(problem)" }
        guard let first = firstError(in: file) else {
            return "\(file) has no rows; GTFS asks for some"
        }
        return "\(problem); the first finding: \(first)"
    }

    /// Where the other findings are to be had; empty without any.
    var elsewhere: String {
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
        case .unreadable(let words): "cannot be read (\(printable(words, most: 120)))"
        case .notAFeed(let words): "\(words); a GTFS feed is a zip file or a folder of .txt files"
        case .damagedArchive(let words):
            "a damaged zip file (\(printable(words, most: 120))); fetch it again"
        case .encrypted(let file):
            "\(printable(file)) is behind a password; unpack the zip file and give the folder"
        case .tooLarge(let bytes, let most):
            "\(bytes) bytes or more; at most \(Self.size(most)) are read"
        case .unpacksTooMuch(let bytes, let most):
            "unpacks to more than \(Self.size(most)) from \(bytes) bytes: no timetable is packed so tightly"
        case .tooManyRows(let file, let most): "\(file) has more than \(most) rows"
        case .missingFile(let file): "\(file) is missing; GTFS asks for it"
        case .missingColumn(let file, let column):
            "\(file), line 1: there is no column \(column), which GTFS asks for"
        case .file(let file, let problem): "\(file): \(problem)"
        case .unknownTimeZone(let zone):
            "agency.txt: the zone database has no '\(printable(zone))'; agency_timezone should be such as America/Los_Angeles"
        case .empty(let file): "\(file) has no row that can be used"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 30 ? "\(bytes >> 20) MiB" : "\((bytes + 1) >> 30) GiB"
    }
}
