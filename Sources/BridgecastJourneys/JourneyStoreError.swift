// Why a journal could not do its work.
public import BridgecastStore
public import BridgecastSupport

/// Why a journal could not do its work.
public struct JourneyStoreError: Failure {
    /// The journal's file.
    public let path: String
    /// What is wrong.
    public let problem: JourneyStoreProblem
    /// What names the key of an encrypted journal.
    public let keySource: JournalKeySource

    /// The kind of ``problem``.
    public var kind: FailureKind { problem.kind }
    /// What to do: of a file as of any store's, else what ``description`` says.
    public var recovery: String {
        if case .file(let problem) = problem { return problem.recovery }
        return kind.recovery
    }

    /// What is wrong and what to do, with the file where that is what is wrong.
    public var description: String {
        guard case .file(let problem) = problem else { return "\(problem)" }
        return "\(path): \(keySource.text(problem) ?? "\(self.problem)")"
    }

    init(
        path: String, _ problem: JourneyStoreProblem, keySource: JournalKeySource = .option
    ) {
        self.path = path
        self.problem = problem
        self.keySource = keySource
    }

    /// Runs a body whose errors become errors of this type.
    static func about<Result>(
        _ path: String, _ access: HistoryStore.Access, keySource: JournalKeySource = .option,
        _ body: () throws -> Result
    ) throws(JourneyStoreError) -> Result {
        do throws(JourneyStoreProblem) {
            return try HistoryStoreError.about(
                path, access, own: JourneyStoreProblem.init, file: JourneyStoreProblem.file, body)
        } catch {
            throw JourneyStoreError(path: path, error, keySource: keySource)
        }
    }
}

/// What names the key of an encrypted journal, for messages.
public enum JournalKeySource: Sendable, Equatable {
    /// `--key` of a command.
    case option
    /// The variable `BRIDGECAST_JOURNAL_KEY_FILE`.
    case environment
    /// `--people-key` of a service.
    case people

    /// What is wrong with the key and what to do; nil for another problem.
    fileprivate func text(_ problem: StoreProblem) -> String? {
        switch problem {
        case .encrypted:
            let names = self == .option ? "--key or BRIDGECAST_JOURNAL_KEY_FILE" : name
            return "the journal is encrypted; name the file of its key with \(names)"
        case .wrongKey:
            return
                "the journal is encrypted with another key than that of \(name); name its own there"
        case .notEncrypted:
            let command = self == .people ? "token encrypt" : "journey encrypt"
            return
                "the journal is not encrypted; leave out \(name), or encrypt it with `bridgecast \(command)`"
        default: return nil
        }
    }

    private var name: String {
        switch self {
        case .option: "--key"
        case .environment: "BRIDGECAST_JOURNAL_KEY_FILE"
        case .people: "--people-key"
        }
    }
}

/// What can be wrong with a journal or with what is asked of it.
public enum JourneyStoreProblem: Failure, Equatable {
    /// The file, as of any store.
    case file(StoreProblem)
    /// There is no file yet.
    case missing
    /// A journey is refused.
    case journey(JourneyProblem)
    /// A favourite is refused.
    case favourite(FavouriteProblem)
    /// A reminder is refused.
    case reminder(ReminderProblem)
    /// Settings are refused.
    case settings(SettingsProblem)
    /// The file of features cannot be used.
    case features(DocumentError)
    /// The settings forbid to keep it.
    case refused(SettingsRefusal)
    /// There are as many reminders as there may be.
    case tooManyReminders(max: Int)
    /// A journey of that id is kept already.
    case repeated(String)
    /// The journal is full, and all that it keeps is later.
    case olderThanKept
    /// A journey is under way already, with its name.
    case alreadyUnderWay(String)
    /// No journey is under way.
    case nothingUnderWay
    /// Nothing has this id or name.
    case unknown(String)
    /// Several ids begin so.
    case ambiguous(String)
    /// Another favourite has this name or is of the same trip or stop.
    case taken(String)
    /// There are as many favourites as there may be.
    case tooManyFavourites(max: Int)
    /// The maximum number of journeys is impossible.
    case badLimit(max: Int)
    /// An entry of a document cannot be added; ``JournalDocument/problem(of:)`` has its line.
    case conflict(JournalConflict)

    init?(_ error: any Error) {
        switch error {
        case let problem as JourneyStoreProblem: self = problem
        case let problem as JourneyProblem: self = .journey(problem)
        case let problem as FavouriteProblem: self = .favourite(problem)
        case let problem as ReminderProblem: self = .reminder(problem)
        case let problem as SettingsProblem: self = .settings(problem)
        case let conflict as JournalConflict: self = .conflict(conflict)
        default: return nil
        }
    }

    /// Decides exit codes.
    public var kind: FailureKind {
        switch self {
        case .file(let problem): problem.kind
        case .features(let error): error.kind
        case .missing: .missing
        case .conflict: .data
        default: .usage
        }
    }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .file(let problem): Self.text(problem)
        case .missing:
            "there is no journal yet; `bridgecast journey start` or `favourite add` creates it"
        case .journey(let problem): problem.description
        case .favourite(let problem): problem.description
        case .reminder(let problem): problem.description
        case .settings(let problem): problem.description
        case .features(let error): error.description
        case .refused(let refusal): "\(refusal.description); \(refusal.recovery)"
        case .tooManyReminders(let max): "there are \(max) reminders already; remove one first"
        case .repeated(let id): "a journey '\(printable(id))' is kept already"
        case .olderThanKept:
            "the journal is full, and every journey in it is later; raise `bridgecast journey limit`"
        case .alreadyUnderWay(let name):
            "'\(printable(name))' is under way; end it with `bridgecast journey stop`, or with --abandon"
        case .nothingUnderWay: "no journey is under way; `bridgecast journey start` begins one"
        case .unknown(let text): "nothing in the journal is '\(printable(text))'"
        case .ambiguous(let text): "several begin with '\(printable(text))'; write more of the id"
        case .taken(let name):
            "favourite '\(printable(name))' has that name or is of the same trip or stop"
        case .tooManyFavourites(let max): "there are \(max) favourites already; remove one first"
        case .badLimit(let max): "the limit must be 1 to \(max)"
        case .conflict(let conflict): conflict.text
        }
    }

    /// The text of a file's problem where a journal's differs from that of the history store.
    private static func text(_ problem: StoreProblem) -> String {
        switch problem {
        case .foreign: "not a journal of bridgecast, and not changed; choose another file"
        case .empty: "nothing is in it yet; `bridgecast journey start` begins the journal"
        case .outdated: "a journal of an older version; `bridgecast journey start` updates it"
        case .newer: "a journal of a newer version of bridgecast; use that one"
        case .encrypted: "the journal is encrypted; name the file of its key"
        case .notEncrypted: "the journal is not encrypted; leave out the key, or encrypt it"
        case .wrongKey: "the journal is encrypted with another key; name its own"
        case .damaged(let what): "the journal is damaged: \(what); restore an export"
        case .notAFile(let what): "is \(what), not a file; name a file, such as journeys.sqlite"
        case .busy: "another process is writing to the journal; try again"
        case .interrupted:
            "a write was interrupted, and rolling it back needs permission to write there; let the journal's owner read it"
        default: problem.description
        }
    }
}
