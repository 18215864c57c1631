// The bytes of one file of a feed, wherever it lies; used by LineParts.

/// A file that is being read.
enum FeedStream: ~Copyable {
    case zip(ZipStream)
    case file(OpenFile)

    /// Appends the next bytes, at most so many; how many there were, 0 at the end.
    borrowing func append(
        _ wanted: Int, to bytes: inout [UInt8]
    ) throws(TransitFeedError.Problem) -> Int {
        switch self {
        case .zip(let stream): try stream.append(wanted, to: &bytes)
        case .file(let file): try file.append(wanted, to: &bytes)
        }
    }
}
