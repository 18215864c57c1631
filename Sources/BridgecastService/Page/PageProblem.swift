// Why a folder is no page; thrown at the start, by those who read it.
package import BridgecastCore

/// What is wrong with a page's folder.
package enum PageProblem: Failure, Equatable {
    /// It has no index.html that can be read.
    case noIndex(String)
    /// It or a folder in it cannot be read.
    case unreadable(String)
    /// It has more files than a page has.
    case tooMuch(String, mostFiles: Int)

    /// Whose matter it is.
    package var kind: FailureKind {
        switch self {
        case .noIndex: .missing
        case .unreadable: .io
        case .tooMuch: .data
        }
    }

    /// The problem and its remedy, in one sentence.
    package var description: String {
        switch self {
        case .noIndex(let path):
            "\(printable(path, most: 200)): there is no index.html to show: name the page's folder, or use --no-page"
        case .unreadable(let path): "\(printable(path, most: 200)): the folder cannot be read"
        case .tooMuch(let path, let mostFiles):
            "\(printable(path, most: 200)): more than \(mostFiles) files: this is no folder of a page"
        }
    }
}
