// Why a file of alerts could not do its work.
public import BridgecastStore
public import BridgecastSupport

/// Why a file of alerts could not do its work.
public struct AlertStoreError: Failure {
    /// The file.
    public let path: String
    /// What is wrong.
    public let problem: AlertStoreProblem

    /// The kind of ``problem``.
    public var kind: FailureKind { problem.kind }

    /// What is wrong and what to do, with the file where that is what is wrong.
    public var description: String {
        if case .file = problem { return "\(path): \(problem)" }
        return "\(problem)"
    }

    init(path: String, _ problem: AlertStoreProblem) {
        self.path = path
        self.problem = problem
    }

    /// Runs a body whose errors become errors of this type.
    static func about<Result>(
        _ path: String, _ access: HistoryStore.Access, _ body: () throws -> Result
    ) throws(AlertStoreError) -> Result {
        do throws(AlertStoreProblem) {
            return try HistoryStoreError.about(
                path, access, own: AlertStoreProblem.init, file: AlertStoreProblem.file, body)
        } catch {
            throw AlertStoreError(path: path, error)
        }
    }
}

/// What can be wrong with a file of alerts or with what is asked of it.
public enum AlertStoreProblem: Failure, Equatable {
    /// The file, as of any store.
    case file(StoreProblem)
    /// There is no file yet.
    case missing
    /// A rule is refused.
    case rule(AlertRuleProblem)
    /// An address is refused.
    case address(AlertAddressProblem)
    /// Nothing has this id or name.
    case unknown(String)
    /// Several ids begin so.
    case ambiguous(String)
    /// A person has another address already.
    case taken(String)
    /// A person that is not known has no address.
    case noAddress(String)
    /// A person has as many rules as they may have.
    case tooManyRules(max: Int)
    /// A person is alerted to the reminders of this journal already.
    case sameReminders
    /// A person has alerts sent to as many browsers as they may have.
    case tooManyBrowsers(max: Int)
    /// A person has asked for as many tests as they may in a minute.
    case tooManyTests(max: Int)
    /// Another process delivers from this file.
    case inUse

    init?(_ error: any Error) {
        switch error {
        case let problem as AlertStoreProblem: self = problem
        case let problem as AlertRuleProblem: self = .rule(problem)
        case let problem as AlertAddressProblem: self = .address(problem)
        default: return nil
        }
    }

    /// Decides exit codes.
    public var kind: FailureKind {
        switch self {
        case .file(let problem): problem.kind
        case .missing: .missing
        case .inUse: .io
        default: .usage
        }
    }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .file(let problem): Self.text(problem)
        case .missing: "there are no alerts yet; `bridgecast alert add` creates the file"
        case .rule(let problem): problem.description
        case .address(let problem): problem.description
        case .unknown(let text):
            "no rule or person is '\(printable(text))'; see `bridgecast alert list`"
        case .ambiguous(let text): "several begin with '\(printable(text))'; write more of the id"
        case .taken(let name):
            "'\(printable(name))' has another address; name another person with --person, or remove this one first"
        case .noAddress(let name):
            "'\(printable(name))' has no address yet; write --webhook, --ntfy, --command, --stream, --push or --mqtt"
        case .tooManyRules(let max): "this person has \(max) rules already; remove one first"
        case .sameReminders:
            "there is a rule about these reminders already, at other hours or of another priority; remove it first"
        case .tooManyBrowsers(let max):
            "alerts go to \(max) browsers of this person already; switch one off first"
        case .tooManyTests(let max): "\(max) tests were sent in the last minute; wait one"
        case .inUse: "another service delivers from this file; end it first, or name another file"
        }
    }

    /// The text of a file's problem where it differs from that of the history store.
    private static func text(_ problem: StoreProblem) -> String {
        switch problem {
        case .foreign: "not a file of alerts of bridgecast, and not changed; choose another file"
        case .empty: "nothing is in it yet; `bridgecast alert add` begins it"
        case .outdated: "a file of alerts of an older version; `bridgecast alert add` updates it"
        case .newer: "a file of alerts of a newer version of bridgecast; use that one"
        case .damaged(let what):
            "the file of alerts is damaged: \(what); remove it and add the rules again"
        case .notAFile(let what): "is \(what), not a file; name a file, such as alerts.sqlite"
        case .busy: "another process is writing to the file of alerts; try again"
        case .interrupted:
            "a write was interrupted, and rolling it back needs permission to write there; let the file's owner read it"
        default: problem.description
        }
    }
}
