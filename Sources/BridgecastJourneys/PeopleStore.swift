// The people who share a service: a token for each, of which only a digest is kept, and a journal for each.
public import BridgecastCore
public import BridgecastStore
public import BridgecastSupport
public import Foundation
internal import GRDB

/// A person with a journal on a shared service.
public struct Person: Sendable, Equatable, Identifiable {
    /// Names the journal's file: letters, digits and `-`.
    public let id: String
    /// Unique by its letters and digits, ignoring case and accents.
    public let name: String
    /// When the token that is valid now was made.
    public let tokenMadeAt: Timestamp
}

/// The people of a service, in a private folder: `people.sqlite`, and a journal for each of them.
///
/// Each person has a file of their own, so that no query can reach another's journeys.
public final class PeopleStore: Sendable {
    private let database: DatabaseQueue
    private let folder: URL
    private let access: HistoryStore.Access
    private let journalKey: StoreKey?

    /// The name of the file with names and digests of tokens.
    public static let fileName = "people.sqlite"
    /// How many people there may be.
    public static let maxPeople = 10_000
    private static let maxNameLength = 80

    /// The location of the user's folder: `$XDG_DATA_HOME/bridgecast/people`, by default under `~/.local/share`; nil if the
    /// environment names neither an absolute XDG_DATA_HOME nor such a HOME.
    package static func defaultURL(environment: [String: String]) -> URL? {
        UserFolder.data.url(of: "people", environment: environment)
    }

    /// Opens a folder; for writing, it is created if missing.
    ///
    /// - Parameter journalKey: The key by which all journals are encrypted; nil if they are not. The file of people is not
    ///   encrypted.
    /// - Throws: ``PeopleStoreError``.
    public init(
        _ folder: URL, _ access: HistoryStore.Access, journalKey: StoreKey? = nil
    ) throws(PeopleStoreError) {
        self.journalKey = journalKey
        let url = folder.appendingPathComponent(Self.fileName)
        self.folder = folder
        self.access = access
        database = try PeopleStoreError.about(url.path, access) {
            if access == .writing {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            return try StoreFile(url: url).opened(
                access, as: PeopleSchema.schema, missing: PeopleStoreProblem.missing)
        }
    }

    /// Closes the store, which must not be used afterwards.
    public func close() { try? database.close() }

    /// The file of a person's journal.
    public func journal(of person: Person) -> URL { journal(ofID: person.id) }

    /// The file of the journal of the person of an id.
    public func journal(ofID id: String) -> URL {
        folder.appendingPathComponent("\(id).sqlite")
    }

    /// The absolute path of the folder, where the journals of people are.
    public var folderPath: String { folder.absoluteURL.path }

    /// Whether a file is in this folder.
    public func isInFolder(_ path: String) -> Bool { path.hasPrefix(folderPath + "/") }

    /// The person whose journal a file of this folder is.
    ///
    /// - Complexity: O(log n)
    /// - Throws: ``PeopleStoreError``, also if the person was removed.
    public func person(withJournalAt path: String) throws(PeopleStoreError) -> Person {
        try person(ofID: URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    }

    /// The person of an id.
    ///
    /// - Complexity: O(log n)
    /// - Throws: ``PeopleStoreError``, also if the person was removed.
    public func person(ofID id: String) throws(PeopleStoreError) -> Person {
        try about {
            let found = try self.database.read {
                try Row.fetchOne(
                    $0, sql: "SELECT id, name, tokenMadeAt FROM person WHERE id = ?",
                    arguments: [id]
                ).map(Person.init)
            }
            guard let found else { throw PeopleStoreProblem.unknown(id) }
            return found
        }
    }

    /// Opens a person's journal, which is created if missing; an encrypted one is bound to the person.
    ///
    /// - Parameters:
    ///   - rollout: The people that have each feature; nil for all.
    ///   - noteWrite: Called after each change with the file's problem, nil if there was none.
    /// - Throws: ``JourneyStoreError``.
    public func openJournal(
        of person: Person, _ access: HistoryStore.Access = .writing,
        rollout: FeatureRollout? = nil,
        noteWrite: @escaping @Sendable (StoreProblem?) -> Void = { _ in }
    ) throws(JourneyStoreError) -> JourneyStore {
        try JourneyStore(
            journal(of: person), access, key: journalKey, keySource: .people, isBoundToName: true,
            features: PersonFeatures(rollout, of: person.id), noteWrite: noteWrite)
    }

    /// Checks that every journal is encrypted with the key, or that none is encrypted if there is no key.
    ///
    /// - Complexity: O(n); the beginning of each journal is read.
    /// - Throws: ``PeopleStoreError``, or ``JourneyStoreError`` of the first journal that is not.
    public func checkJournals() throws {
        for person in try people() {
            try JourneyStore.checkKey(journalKey, from: .people, of: journal(of: person))
        }
    }

    /// Reads every journal that has been begun, as a service does that opens it.
    ///
    /// - Returns: How many.
    /// - Complexity: O(n); encrypted ones are decrypted.
    /// - Throws: ``PeopleStoreError``, or ``JourneyStoreError`` of the first journal that cannot be read.
    public func readJournals() throws -> Int {
        let begun = try people().filter { HistoryStore.isThere(journal(of: $0)) }
        for person in begun {
            do throws(JourneyStoreError) {
                try openJournal(of: person, .reading).close()
            } catch {
                // A service, which opens it for writing, updates it.
                guard error.problem == .file(.outdated) else { throw error }
            }
        }
        return begun.count
    }

    /// Encrypts the journals of all people, each bound to its person; each is encrypted completely or not at all.
    ///
    /// - Returns: How many were encrypted, were already, and are not there yet.
    /// - Throws: ``PeopleStoreError``, or ``JourneyStoreError`` of the first journal that could not be encrypted.
    public func encryptJournals(
        with key: StoreKey
    ) throws -> (encrypted: Int, already: Int, missing: Int) {
        var counts = (encrypted: 0, already: 0, missing: 0)
        for person in try people() {
            let url = journal(of: person)
            guard HistoryStore.isThere(url) else {
                counts.missing += 1
                continue
            }
            if try JourneyStore.encrypt(url, with: key, isBoundToName: true) {
                counts.encrypted += 1
            } else {
                counts.already += 1
            }
        }
        return counts
    }

    /// A number that changes when another process or connection has changed the file.
    ///
    /// - Throws: ``PeopleStoreError``.
    public func version() throws(PeopleStoreError) -> Int {
        try about {
            try self.database.read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        }
    }

    /// All people, by name.
    ///
    /// - Throws: ``PeopleStoreError``.
    public func people() throws(PeopleStoreError) -> [Person] {
        try about {
            try self.database.read {
                try Row.fetchAll(
                    $0, sql: "SELECT id, name, tokenMadeAt FROM person ORDER BY folded"
                )
                .map(Person.init)
            }
        }
    }

    /// The person with a token; nil if there is none.
    ///
    /// Only digests are compared, so that the time it takes says nothing of how much of a token is right.
    /// - Complexity: O(log n)
    /// - Throws: ``PeopleStoreError``.
    public func person(withToken text: String) throws(PeopleStoreError) -> Person? {
        guard let digest = PersonToken.digest(text) else { return nil }
        return try about {
            try self.database.read {
                try Row.fetchOne(
                    $0, sql: "SELECT id, name, tokenMadeAt FROM person WHERE tokenDigest = ?",
                    arguments: [digest]
                ).map(Person.init)
            }
        }
    }

    /// Adds a person.
    ///
    /// - Returns: Their token, which is not stored.
    /// - Throws: ``PeopleStoreError``.
    public func add(_ name: String, now: Timestamp) throws(PeopleStoreError) -> String {
        let token = PersonToken.random()
        try about {
            guard Journey.isText(name), name.unicodeScalars.count <= Self.maxNameLength,
                !foldedName(name).isEmpty, name.unicodeScalars.allSatisfy(\.isPrintable)
            else { throw PeopleStoreProblem.badName(max: Self.maxNameLength) }
            try self.changing { database in
                let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM person") ?? 0
                guard count < Self.maxPeople else {
                    throw PeopleStoreProblem.tooMany(max: Self.maxPeople)
                }
                guard try Self.find(name, in: database) == nil else {
                    throw PeopleStoreProblem.taken(name)
                }
                try database.execute(
                    sql: """
                        INSERT INTO person (id, name, folded, tokenDigest, tokenMadeAt)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        UUID().uuidString.lowercased(), name, foldedName(name),
                        PersonToken.digest(token), now.secondsSinceEpoch,
                    ])
            }
        }
        return token
    }

    /// Gives a person another token; the one before is worth nothing from now on.
    ///
    /// - Throws: ``PeopleStoreError``.
    public func renew(_ name: String, now: Timestamp) throws(PeopleStoreError) -> String {
        let token = PersonToken.random()
        try about {
            try self.changing { database in
                let person = try Self.known(name, in: database)
                try database.execute(
                    sql: "UPDATE person SET tokenDigest = ?, tokenMadeAt = ? WHERE id = ?",
                    arguments: [PersonToken.digest(token), now.secondsSinceEpoch, person.id])
            }
        }
        return token
    }

    /// Removes a person, whose token is worth nothing from now on; the journal's file stays.
    ///
    /// - Throws: ``PeopleStoreError``.
    public func remove(_ name: String) throws(PeopleStoreError) -> Person {
        try about {
            try self.changing { database in
                let person = try Self.known(name, in: database)
                try database.execute(
                    sql: "DELETE FROM person WHERE id = ?", arguments: [person.id])
                return person
            }
        }
    }

    /// Changes in one transaction; what was there before does not stay in the log.
    private func changing<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let result = try database.write(body)
        try database.emptyLog()
        return result
    }

    private static func known(_ name: String, in database: Database) throws -> Person {
        guard let person = try find(name, in: database) else {
            throw PeopleStoreProblem.unknown(name)
        }
        return person
    }

    private static func find(_ name: String, in database: Database) throws -> Person? {
        try Row.fetchOne(
            database, sql: "SELECT id, name, tokenMadeAt FROM person WHERE folded = ?",
            arguments: [foldedName(name)]
        ).map(Person.init)
    }

    private func about<Result>(
        _ body: () throws -> Result
    ) throws(PeopleStoreError) -> Result {
        try PeopleStoreError.about(
            folder.appendingPathComponent(Self.fileName).path, access, body)
    }
}

/// A token is `bcp_` and 256 random bits; of those no part can be guessed from a part, so that a plain digest protects them.
enum PersonToken {
    private static let prefix = "bcp_"
    private static let byteCount = 32

    static func random() -> String {
        prefix + hexadecimal(randomBytes(byteCount))
    }

    /// The digest that is kept; nil for what cannot be a token.
    static func digest(_ token: String) -> Data? {
        guard token.hasPrefix(prefix), token.utf8.count == prefix.utf8.count + 2 * byteCount else {
            return nil
        }
        return Data(SHA256.hash(token.utf8))
    }
}

extension Person {
    fileprivate init(row: Row) throws {
        let values = StoreRow(row)
        guard let id = try values.text(0), Journey.isID(id), let name = try values.text(1) else {
            throw values.damage("an impossible text")
        }
        self.init(id: id, name: name, tokenMadeAt: try values.time(2))
    }
}

/// The table and its mark in the file's header.
private enum PeopleSchema {
    /// Its application id is "BCPE".
    static let schema = PrivateSchema(
        applicationID: 0x4243_5045,
        steps: [
            """
            CREATE TABLE person (
                id TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE,
                tokenDigest BLOB NOT NULL UNIQUE, tokenMadeAt INTEGER NOT NULL
            ) STRICT;
            """
        ])
}
