// The file of alerts: rules, people and the ledger, private to its owner. The ledger is in AlertLedger.swift, what people
// with tokens keep of their own in PersonSubscriptions.swift.
public import BridgecastCore
public import BridgecastStore
public import Foundation
internal import BridgecastSupport
internal import GRDB
private import Synchronization

/// Rules, people and what was sent to them, in a private file.
///
/// Only its owner may read it: its mode is 0600 from the first byte, that of its logs too. It is apart from the history
/// store, which is exported and backed up. A change is one transaction that is on the disk when it returns.
public final class AlertStore: Sendable {
    let database: DatabaseQueue
    /// The file.
    public let path: String
    let access: HistoryStore.Access
    private let emptiesLogRegularly: Bool
    private let hasRemovals = Atomic(false)

    /// The location of the user's alerts: `$XDG_DATA_HOME/bridgecast/alerts.sqlite`, by default under `~/.local/share`;
    /// nil if the environment names neither an absolute XDG_DATA_HOME nor such a HOME.
    package static func defaultURL(environment: [String: String]) -> URL? {
        UserFolder.data.url(of: "alerts.sqlite", environment: environment)
    }

    /// Opens a file of alerts; for writing, file and folder are created if missing.
    ///
    /// Another file is recognised before anything is written, and is not changed.
    ///
    /// - Parameter emptiesLogRegularly: Whether its user calls ``emptyLog(waits:)`` again and again: then a removal does not
    ///   wait for others that read.
    /// - Throws: ``AlertStoreError``.
    public init(
        _ url: URL, _ access: HistoryStore.Access, emptiesLogRegularly: Bool = false
    ) throws(AlertStoreError) {
        path = url.path
        self.access = access
        self.emptiesLogRegularly = emptiesLogRegularly
        database = try AlertStoreError.about(url.path, access) {
            try StoreFile(url: url).opened(
                access, as: AlertSchema.schema, missing: AlertStoreProblem.missing)
        }
    }

    /// Closes the file, which must not be used afterwards.
    public func close() { try? database.close() }

    /// Whether a file exists and is not empty.
    public static func isThere(_ url: URL) -> Bool { StoreFile(url: url).isThere }

    /// Checks that a file may be written, without a change of it.
    ///
    /// - Throws: ``AlertStoreError``.
    package static func checkWritable(_ url: URL) throws(AlertStoreError) {
        try AlertStoreError.about(url.path, .writing) { try StoreFile(url: url).checkWritable() }
    }

    func reading<Result>(_ body: (Database) throws -> Result) throws(AlertStoreError) -> Result {
        try AlertStoreError.about(path, access) { try database.read(body) }
    }

    func writing<Result>(_ body: (Database) throws -> Result) throws(AlertStoreError) -> Result {
        try AlertStoreError.about(path, access) { try database.write(body) }
    }

    /// Changes in one transaction that removes something, which is then in neither the file nor its log.
    ///
    /// Where another process reads it for longer than the removal waits, a running service empties the log later.
    func removing<Result>(_ body: (Database) throws -> Result) throws(AlertStoreError) -> Result {
        let result = try writing(body)
        try emptyLogAfterRemoval()
        return result
    }

    func emptyLogAfterRemoval() throws(AlertStoreError) {
        hasRemovals.store(true, ordering: .relaxed)
        try emptyLog(waits: !emptiesLogRegularly)
    }

    /// Whether this store has removed something that may still be in the log.
    public var hasRemovalsInLog: Bool { hasRemovals.load(ordering: .relaxed) }

    /// Moves the log into the file and empties it: nothing that was removed stays in it.
    ///
    /// - Parameter waits: Whether it waits for others that read what is in it, ten seconds at most.
    /// - Returns: Whether the log is empty now: not while others read, nor without room on the disk.
    /// - Throws: ``AlertStoreError``.
    @discardableResult
    public func emptyLog(waits: Bool = true) throws(AlertStoreError) -> Bool {
        try AlertStoreError.about(path, access) {
            do {
                let isEmpty = try database.emptyLog(waits: waits)
                if isEmpty { hasRemovals.store(false, ordering: .relaxed) }
                return isEmpty
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                // The change is on the disk, in the log.
                return false
            }
        }
    }

    /// A number that changes when another process or connection has changed the file.
    ///
    /// - Throws: ``AlertStoreError``.
    public func version() throws(AlertStoreError) -> Int {
        try reading { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }

    // MARK: Rules and people

    /// All rules of people whose address still works, in the order in which they were made.
    ///
    /// - Throws: ``AlertStoreError``.
    public func rules() throws(AlertStoreError) -> [AlertRule] {
        try reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(AlertRule.columns) FROM rule WHERE subscriber IN
                        (SELECT id FROM subscriber WHERE isGone = 0)
                    ORDER BY createdAt, rowid
                    """
            ).map(AlertRule.init)
        }
    }

    /// The journals whose reminders rules are about.
    ///
    /// - Throws: ``AlertStoreError``.
    public func reminderJournals() throws(AlertStoreError) -> Set<ReminderJournal> {
        let people = Dictionary(
            try subscribers().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return Set(
            try rules().compactMap { rule in
                people[rule.subscriber].flatMap(rule.reminderJournal)
            })
    }

    /// The people whose address still works, by name.
    ///
    /// - Throws: ``AlertStoreError``.
    public func subscribers() throws(AlertStoreError) -> [Subscriber] {
        try reading { try Self.subscribers(in: $0) }
    }

    private static func subscribers(in database: Database) throws -> [Subscriber] {
        try Row.fetchAll(
            database,
            sql: "SELECT \(Subscriber.columns) FROM subscriber WHERE isGone = 0 ORDER BY folded"
        ).map(Subscriber.init)
    }

    /// The person of a name, ignoring case, accents and blanks; nil if there is none.
    private static func subscriber(_ name: String, in database: Database) throws -> Subscriber? {
        try Row.fetchOne(
            database,
            sql: "SELECT \(Subscriber.columns) FROM subscriber WHERE folded = ? AND isGone = 0",
            arguments: [foldedName(name)]
        ).map(Subscriber.init)
    }

    /// What adding a rule did.
    public struct Addition: Sendable, Equatable {
        /// The rule.
        public let rule: AlertRule
        /// Its subscriber.
        public let subscriber: Subscriber
        /// Whether the subscriber is new.
        public let isNewSubscriber: Bool
        /// Whether the rule is new; one that was there is not added again.
        public let isNewRule: Bool
    }

    /// Adds a rule of a person.
    ///
    /// - Parameters:
    ///   - name: The person; one of another name is a new one.
    ///   - address: Where a new person's alerts go; nil for a person who has an address.
    ///   - isSecretNew: Whether the secret in the address was made for a new person: one who has the rest of the address keeps
    ///     their own.
    ///   - rule: Makes the rule of a person's id.
    /// - Throws: ``AlertStoreError``, also if the person has another address.
    public func add(
        to name: String, _ address: AlertAddress?, isSecretNew: Bool = false,
        _ rule: (_ subscriber: String) -> AlertRule
    ) throws(AlertStoreError) -> Addition {
        try writing { database in
            let known = try Self.subscriber(name, in: database)
            if let known, let address {
                let isKnown =
                    known.address == address
                    || isSecretNew && known.address.isSame(as: address)
                guard isKnown else { throw AlertStoreProblem.taken(name) }
            }
            let subscriber = try known ?? Self.insert(name, address, into: database)
            let (rule, isNew) = try Self.add(rule(subscriber.id), to: database)
            return Addition(
                rule: rule, subscriber: subscriber, isNewSubscriber: known == nil, isNewRule: isNew)
        }
    }

    /// Adds a rule, unless its subscriber has one that says the same.
    ///
    /// - Returns: The rule that is there now, and whether it is the new one.
    static func add(
        _ rule: AlertRule, to database: Database
    ) throws -> (rule: AlertRule, isNew: Bool) {
        try rule.validate()
        if let same = try self.rule(sayingTheSameAs: rule, in: database) { return (same, false) }
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM rule WHERE subscriber = ?",
            arguments: [rule.subscriber])
        guard count ?? 0 < AlertRule.maxPerSubscriber else {
            throw AlertStoreProblem.tooManyRules(max: AlertRule.maxPerSubscriber)
        }
        if rule.isAboutReminders {
            // Two would announce each deadline twice.
            let other = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM rule WHERE subscriber = ? AND subject = ?",
                arguments: [rule.subscriber, try StoredJSON.text(rule.subject)])
            guard other == 0 else { throw AlertStoreProblem.sameReminders }
        }
        try rule.insert(into: database)
        return (rule, true)
    }

    private static func rule(
        sayingTheSameAs rule: AlertRule, in database: Database
    ) throws -> AlertRule? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(AlertRule.columns) FROM rule
                WHERE subscriber = ? AND subject = ? AND days = ? AND startMinute = ?
                    AND endMinute = ? AND priority = ?
                ORDER BY createdAt, rowid
                """,
            arguments: [
                rule.subscriber, try StoredJSON.text(rule.subject), rule.hours.dayBits,
                rule.hours.startMinute, rule.hours.endMinute, rule.priority.rawValue,
            ]
        ).map(AlertRule.init)
    }

    private static func insert(
        _ name: String, _ address: AlertAddress?, into database: Database
    ) throws -> Subscriber {
        guard let address else { throw AlertStoreProblem.noAddress(name) }
        try address.validate()
        let subscriber = Subscriber(
            id: UUID().uuidString.lowercased(), name: name, address: address)
        // The name of a person whose address no longer works is free.
        try database.execute(
            sql: "DELETE FROM subscriber WHERE folded = ? AND isGone = 1",
            arguments: [foldedName(name)])
        try database.execute(
            sql: "INSERT INTO subscriber (id, name, folded, address) VALUES (?, ?, ?, ?)",
            arguments: [
                subscriber.id, name, foldedName(name), try StoredJSON.text(address),
            ])
        return subscriber
    }

    /// Removes the rule of an id, or of the beginning of one, and what waits to be sent because of it.
    ///
    /// - Returns: The rule.
    /// - Throws: ``AlertStoreError``.
    public func removeRule(_ text: String) throws(AlertStoreError) -> AlertRule {
        try removing { database in
            let all = try Row.fetchAll(
                database, sql: "SELECT \(AlertRule.columns) FROM rule"
            ).map(AlertRule.init)
            let found = text.isEmpty ? [] : all.filter { $0.id.hasPrefix(text) }
            guard let rule = found.first else { throw AlertStoreProblem.unknown(text) }
            guard found.count == 1 else { throw AlertStoreProblem.ambiguous(text) }
            try Self.remove(rule, from: database)
            return rule
        }
    }

    static func remove(_ rule: AlertRule, from database: Database) throws {
        try database.execute(sql: "DELETE FROM rule WHERE id = ?", arguments: [rule.id])
        try database.execute(
            sql: "DELETE FROM alert WHERE rule = ? AND status = 'waiting'", arguments: [rule.id])
        try removeStrayAnnouncements(from: database)
    }

    /// Removes a person, their rules, and all that was sent to them.
    ///
    /// - Returns: The person.
    /// - Throws: ``AlertStoreError``.
    public func removeSubscriber(_ name: String) throws(AlertStoreError) -> Subscriber {
        try removing { database in
            guard let subscriber = try Self.subscriber(name, in: database) else {
                throw AlertStoreProblem.unknown(name)
            }
            try Self.remove(subscriber.id, from: database)
            return subscriber
        }
    }

    /// Removes a subscriber and all that is kept about it.
    static func remove(_ id: String, from database: Database) throws {
        for table in ["rule", "alert", "browser"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE subscriber = ?", arguments: [id])
        }
        try database.execute(sql: "DELETE FROM subscriber WHERE id = ?", arguments: [id])
        try removeStrayAnnouncements(from: database)
    }

    /// Pauses a person's alerts, or ends their pause.
    ///
    /// - Parameter end: When the pause ends; nil to end it now.
    /// - Throws: ``AlertStoreError``.
    public func pause(_ name: String, until end: Timestamp?) throws(AlertStoreError) {
        try writing { database in
            guard let subscriber = try Self.subscriber(name, in: database) else {
                throw AlertStoreProblem.unknown(name)
            }
            try database.execute(
                sql: "UPDATE subscriber SET pausedUntil = ? WHERE id = ?",
                arguments: [end?.secondsSinceEpoch, subscriber.id])
        }
    }

    /// Forgets a person whose address no longer exists: nothing is sent to them any more.
    ///
    /// - Throws: ``AlertStoreError``.
    func markGone(_ id: String) throws(AlertStoreError) {
        try removing { database in
            try database.execute(
                sql: "UPDATE subscriber SET isGone = 1, address = '' WHERE id = ?", arguments: [id])
            try database.execute(sql: "DELETE FROM rule WHERE subscriber = ?", arguments: [id])
            try Self.removeStrayAnnouncements(from: database)
        }
    }

    /// Removes what was announced by rules that are no longer there.
    private static func removeStrayAnnouncements(from database: Database) throws {
        try database.execute(
            sql: "DELETE FROM announcement WHERE rule NOT IN (SELECT id FROM rule)")
    }

    // MARK: Settings

    /// The setting with the secret key by which push services of browsers know this service.
    package static let pushKey = "pushKey"
    /// The setting with its public key in base64url, which browsers need to subscribe.
    package static let publicPushKey = "publicPushKey"

    /// The public key for subscriptions of browsers; nil before the first service has run.
    ///
    /// - Throws: ``AlertStoreError``.
    public func publicPushKey() throws(AlertStoreError) -> String? {
        try reading { database in
            try Data.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?",
                arguments: [Self.publicPushKey]
            ).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// A value that is made once and kept, such as a key; a new file has none.
    ///
    /// - Parameter make: Makes the value of a file that has none.
    /// - Throws: ``AlertStoreError``.
    public func setting(
        _ name: String, orMake make: () -> [UInt8]
    ) throws(AlertStoreError) -> [UInt8] {
        try writing { database in
            let known = try Data.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
            if let known { return Array(known) }
            let value = make()
            try database.execute(
                sql: "INSERT INTO setting (name, value) VALUES (?, ?)",
                arguments: [name, Data(value)])
            return value
        }
    }
}
