// The words of each refusal of a feed: what is wrong and what to do.
internal import BridgecastCore

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
        case .empty(let file):
            "\(file) has no row that can be used; what is wrong with them: bridgecast feed check"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 30 ? "\(bytes >> 20) MiB" : "\((bytes + 1) >> 30) GiB"
    }
}
