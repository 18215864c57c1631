// Why the people of a service could not be read or changed.
public import BridgecastStore
public import BridgecastSupport

/// Why the people of a service could not be read or changed.
public struct PeopleStoreError: Failure {
    /// The file.
    public let path: String
    /// What is wrong.
    public let problem: PeopleStoreProblem

    /// The kind of ``problem``.
    public var kind: FailureKind { problem.kind }

    /// What is wrong and what to do, with the file where that is what is wrong.
    public var description: String {
        if case .file = problem { return "\(path): \(problem)" }
        return "\(problem)"
    }

    static func about<Result>(
        _ path: String, _ access: HistoryStore.Access, _ body: () throws -> Result
    ) throws(PeopleStoreError) -> Result {
        do throws(PeopleStoreProblem) {
            return try HistoryStoreError.about(
                path, access, own: { $0 as? PeopleStoreProblem }, file: PeopleStoreProblem.file,
                body)
        } catch {
            throw PeopleStoreError(path: path, problem: error)
        }
    }
}

/// What can be wrong with the people of a service.
public enum PeopleStoreProblem: Failure, Equatable {
    /// The file, as of any store.
    case file(StoreProblem)
    /// There is no such folder, or no file in it.
    case missing
    /// There is no person of this name.
    case unknown(String)
    /// There is a person of this name.
    case taken(String)
    /// A name is empty, too long, or has control characters.
    case badName(max: Int)
    /// There are as many people as there may be.
    case tooMany(max: Int)

    /// Decides exit codes.
    public var kind: FailureKind {
        switch self {
        case .file(let problem): problem.kind
        case .missing: .missing
        default: .usage
        }
    }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .file(.foreign):
            "not a file of people of bridgecast, and not changed; name another folder"
        case .file(let problem): problem.description
        case .missing: "there are no people yet; `bridgecast token add NAME` adds one"
        case .unknown(let name): "there is no '\(printable(name))'; see `bridgecast token list`"
        case .taken(let name): "there is a '\(printable(name))' already; choose another name"
        case .badName(let max):
            "a name has 1 to \(max) printable characters, with a letter or digit"
        case .tooMany(let max): "there are \(max) people already; remove one first"
        }
    }
}
