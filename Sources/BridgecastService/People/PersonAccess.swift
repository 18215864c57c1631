// Who may use the private resources below `/api/v1/me`, and the journal of each person.
internal import BridgecastCore
package import BridgecastJourneys
internal import BridgecastStore
internal import BridgecastSupport
internal import Foundation
internal import HTTPTypes
package import Logging
private import Synchronization

/// The resources that belong to a person: only their token opens them, and no cache and no other site gets their answers.
enum PrivateResources {
    static let base = "\(EndpointTable.base)/me"

    /// Whether a path is theirs, whether or not there is anything at it.
    static func contains(_ path: String) -> Bool { path == base || path.hasPrefix(base + "/") }
}

/// A person who has sent a valid token.
package struct AuthorisedPerson: Sendable {
    package let person: Person
    fileprivate let access: PersonAccess

    /// Their journal, opened if it is not; which may write and wait.
    ///
    /// - Throws: `JourneyStoreError`.
    var journal: JourneyStore { get throws { try access.journal(of: person) } }
}

/// Checks tokens, limits how often they are guessed and used, and opens journals.
package final class PersonAccess: Sendable {
    private let people: PeopleStore
    private let features: FeatureRollout?
    private let writes: JournalWrites
    /// Journals that are open, by the person's id.
    private let journals = Mutex<[String: JourneyStore]>([:])
    private let failures = RequestBuckets<ClientAddress>(
        perSecond: guessesPerSecond, burst: guessesAtOnce, maxKeys: maxKeys)
    private let requests = RequestBuckets<String>(
        perSecond: requestsPerSecond, burst: requestsAtOnce, maxKeys: maxKeys)

    /// Wrong tokens of one address.
    private static let guessesPerSecond = 0.1
    private static let guessesAtOnce = 10.0
    /// Requests of one person, from all addresses.
    private static let requestsPerSecond = 10.0
    private static let requestsAtOnce = 100.0
    private static let maxKeys = 65_536
    static let maxOpenJournals = 64

    /// Creates the access to the people of a folder.
    ///
    /// - Parameters:
    ///   - features: The people that have each feature; nil for all.
    ///   - log: Gets a line when journals can no longer be written, and when they can again.
    package init(_ people: PeopleStore, features: FeatureRollout? = nil, log: Logger? = nil) {
        self.people = people
        self.features = features
        writes = JournalWrites(log)
    }

    /// The person whose token a request has.
    ///
    /// - Parameter nanoseconds: The time of a monotonic clock.
    /// - Throws: ``Problem`` 401 without a valid token, 429 after too many wrong ones or too many requests, 503 while the file
    ///   of people is busy.
    func person(
        _ fields: HTTPFields, from client: ClientAddress, at nanoseconds: Int64
    ) throws -> AuthorisedPerson {
        guard let token = BearerToken.sent(in: fields) else {
            throw BearerToken.problem("your token is missing")
        }
        guard let person = try known(token) else {
            let decision = failures.take(client.counted, at: nanoseconds)
            throw decision?.problem("more wrong tokens than this address may send")
                ?? BearerToken.problem("your token is wrong")
        }
        let decision = requests.take(person.id, at: nanoseconds)
        if let problem = decision?.problem("more requests than you may send") { throw problem }
        return AuthorisedPerson(person: person, access: self)
    }

    private func known(_ token: String) throws -> Person? {
        do {
            return try people.person(withToken: token)
        } catch let error {
            guard case .file(.busy) = error.problem else { throw error }
            throw Problem(
                .overloaded, "the file of people is being written",
                recovery: "try again in a second", retryAfterSeconds: 1)
        }
    }

    fileprivate func journal(of person: Person) throws -> JourneyStore {
        if let open = journals.withLock({ $0[person.id] }) { return open }
        let opened = try opened(person)
        let (journal, evicted) = journals.withLock { journals -> (JourneyStore, JourneyStore?) in
            if let other = journals[person.id] { return (other, nil) }
            let evicted =
                journals.count < Self.maxOpenJournals
                ? nil : journals.keys.randomElement().flatMap { journals.removeValue(forKey: $0) }
            journals[person.id] = opened
            return (opened, evicted)
        }
        // A request in progress keeps its store open; it closes outside the lock, when the last one lets go.
        withExtendedLifetime(evicted) {}
        return journal
    }
}

extension PersonAccess {
    private func opened(_ person: Person) throws(JourneyStoreError) -> JourneyStore {
        do {
            return try people.openJournal(of: person, rollout: features) { [writes] in
                writes.note($0, of: person.id)
            }
        } catch {
            if case .file(let problem) = error.problem { writes.note(problem, of: person.id) }
            throw error
        }
    }
}

/// Whether the journals can be written: the log gets a line when that changes, not with each request.
final class JournalWrites: Sendable {
    private let log: Logger?
    /// What is wrong with the journals that could not be written last, by the person's id.
    private let failing = Mutex<[String: StoreProblem]>([:])

    init(_ log: Logger?) { self.log = log }

    /// Notes a change of a person's journal.
    ///
    /// - Parameter problem: Why it failed; nil if it did not.
    func note(_ problem: StoreProblem?, of person: String) {
        // Anything else is damage, or another writer.
        guard problem == nil || problem?.kind == .io else { return }
        let hasChanged = failing.withLock { failing in
            let wasFailing = !failing.isEmpty
            failing[person] = problem
            // A disk that one journal has room on is not full for the others.
            if problem == nil { failing = failing.filter { $0.value != .full } }
            return wasFailing == failing.isEmpty
        }
        guard hasChanged else { return }
        if let problem {
            log?.error(
                "the journals of people cannot be written; they can be read",
                metadata: ["reason": "\(problem)"])
        } else {
            log?.notice("the journals of people are written again")
        }
    }
}

/// A token in the field `Authorization` (RFC 6750).
enum BearerToken {
    /// The token that was sent; nil for none.
    ///
    /// The case of the scheme does not matter (RFC 9110, 11.1).
    static func sent(in fields: HTTPFields) -> String? {
        let sent = fields[.authorization] ?? ""
        let scheme = sent.prefix { $0 != " " }
        guard scheme.lowercased() == "bearer" else { return nil }
        return String(sent.dropFirst(scheme.count).drop { $0 == " " })
    }

    static func problem(_ detail: String) -> Problem {
        var problem = Problem(
            .unauthorised, detail, recovery: "send it as Authorization: Bearer TOKEN")
        problem.fields[.wwwAuthenticate] = "Bearer realm=\"bridgecast\""
        return problem
    }
}

extension Problem {
    /// What a journal refuses.
    ///
    /// - Throws: The error itself where the request is not to blame.
    init(_ error: JourneyStoreError) throws {
        let code: Code =
            switch error.problem {
            case .unknown, .missing, .nothingUnderWay: .notFound
            case .file(.busy), .file(.full): .overloaded
            case .file: throw error
            default: .unprocessable
            }
        let base = PrivateResources.base
        let (detail, recovery) =
            switch error.problem {
            case .file(.full):
                ("\(error.problem)", "make room on the service's disk; what is kept can be read")
            case .file: ("\(error.problem)", "try again in a second")
            // Their texts name commands.
            case .alreadyUnderWay(let name):
                ("'\(printable(name))' is under way", "end it: POST \(base)/journeys/stop")
            case .olderThanKept:
                ("your journal is full, and all in it is later", "remove a journey first")
            case .nothingUnderWay:
                ("no journey is under way", "begin one: POST \(base)/journeys/start")
            case .refused(let refusal):
                (refusal.description, "\(refusal.change): PATCH \(base)/settings")
            case .journey(.tooLong):
                (
                    "\(error.problem)",
                    "a journey under way ends with at, or with abandoned=true: POST \(base)/journeys/stop"
                )
            default: ("\(error.problem)", "look at \(base)/journeys and \(base)/favourites")
            }
        self.init(
            code, detail, recovery: recovery,
            retryAfterSeconds: code == .overloaded ? 1 : nil)
    }

    /// Runs what opens or uses a journal.
    static func catchingJournal<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as JourneyStoreError {
            throw try Problem(error)
        }
    }
}

extension SettingsRefusal {
    /// The change of settings that allows it.
    fileprivate var change: String {
        switch self {
        case .trackingIsOff: "switch it on with tracks_journeys=true"
        case .noHistoryConsent: "give it with keeps_history=true"
        case .coordinates: "name a place, or allow it with keeps_location=true"
        }
    }
}
