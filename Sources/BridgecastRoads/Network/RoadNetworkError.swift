// Why a road network's file was refused.
public import BridgecastCore

/// Why a road network's file was refused; each says where and what to do.
public enum RoadNetworkError: Failure, Equatable {
    /// It cannot be read.
    case unreadable(file: String, reason: String, isMissing: Bool)
    /// Not a network file at all.
    case format(file: String, problem: String)
    /// Of another version of the format.
    case version(file: String, found: Int, known: Int)
    /// Shorter or longer than it says, or its bytes are not those that were written.
    case damaged(file: String, problem: String)
    /// Something in it cannot be: a section, where in it, and what is wrong.
    case content(file: String, section: String, index: Int, problem: String)

    /// Whose matter it is.
    public var kind: FailureKind {
        switch self {
        case .unreadable(_, _, let isMissing): isMissing ? .missing : .io
        case .format, .version, .damaged, .content: .data
        }
    }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .unreadable(let file, let reason, _): "\(file): \(reason)"
        case .format(let file, let problem):
            "\(file): not a road network (\(problem)); make one with 'bridgecast roads import'"
        case .version(let file, let found, let known):
            "\(file): version \(found) of the network format, this program reads \(known); "
                + "import the roads anew with 'bridgecast roads import'"
        case .damaged(let file, let problem): "\(file): damaged: \(problem); copy or import it anew"
        case .content(let file, let section, let index, let problem):
            "\(file): \(section)[\(index)]: \(problem); import the roads anew"
        }
    }
}
