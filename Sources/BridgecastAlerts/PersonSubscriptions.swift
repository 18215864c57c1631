// The alerts of people with tokens: one subscriber each, found by the person's id alone, with browsers, rules and a pause.
public import BridgecastCore
internal import BridgecastStore
public import BridgecastSupport
internal import GRDB

/// A person with a token, as the file of alerts knows them.
public struct AlertOwner: Hashable, Sendable {
    /// The person's id.
    public var id: String
    /// The person's name, for lists.
    public var name: String

    /// Creates an owner.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// The id of the person's subscriber; those of `alert add` have no slash.
    public var subscriber: String { "me/\(id)" }
}

/// A browser that a person's alerts go to.
public struct AlertBrowser: Hashable, Sendable, Identifiable {
    /// Of its endpoint, which itself is a secret: ``id(of:)``.
    public var id: String
    /// Where and how messages are sent to it.
    public var subscription: PushSubscription
    /// When it was added.
    public var addedAt: Timestamp

    /// How many a person may have.
    public static let maxPerPerson = 10

    /// Creates a browser.
    init(id: String, subscription: PushSubscription, addedAt: Timestamp) {
        self.id = id
        self.subscription = subscription
        self.addedAt = addedAt
    }

    /// 32 hexadecimal digits: the first half of the endpoint's SHA-256, which a page can compute, too.
    public static func id(of endpoint: String) -> String {
        hexadecimal(SHA256.hash(Array(endpoint.utf8)).prefix(16))
    }
}

extension AlertStore {
    /// Tests that a person may ask for in a minute.
    private static let maxTestsPerMinute = 3

    // MARK: The person

    /// A person's subscriber; nil before they have asked for anything.
    ///
    /// - Throws: ``AlertStoreError``.
    public func subscriber(of owner: AlertOwner) throws(AlertStoreError) -> Subscriber? {
        try reading { database in
            try Row.fetchOne(
                database, sql: "SELECT \(Subscriber.columns) FROM subscriber WHERE owner = ?",
                arguments: [owner.id]
            ).map(Subscriber.init)
        }
    }

    /// Changes what belongs to a person, whose subscriber is made if there is none.
    private func changing<Result>(
        _ owner: AlertOwner, _ body: (Database) throws -> Result
    ) throws(AlertStoreError) -> Result {
        try writing { database in
            // Folded names have no slash: no name that is typed finds it.
            try database.execute(
                sql: """
                    INSERT INTO subscriber (id, name, folded, address, owner)
                    VALUES (?1, ?2, ?1, ?3, ?4)
                    ON CONFLICT (id) DO UPDATE SET name = excluded.name
                    """,
                arguments: [
                    owner.subscriber, owner.name, try StoredJSON.text(AlertAddress.person),
                    owner.id,
                ])
            return try body(database)
        }
    }

    /// The ids of all people who have a subscriber.
    ///
    /// - Throws: ``AlertStoreError``.
    public func owners() throws(AlertStoreError) -> Set<String> {
        try reading {
            try String.fetchSet(
                $0, sql: "SELECT owner FROM subscriber WHERE owner IS NOT NULL")
        }
    }

    /// Removes the people who are not among those of a folder, with their browsers and rules, and all that was sent to them;
    /// and the browsers that were added with a token before the one that is valid now.
    ///
    /// The file keeps whose people it has. Where none of them is in the folder, and they were in another one, nothing is
    /// removed: a service was started with the wrong folder.
    ///
    /// - Parameters:
    ///   - owners: All of ``owners()``, read before the people were: one who was added since has not left.
    ///   - people: When the token of each person of the folder was made, by the person's id.
    /// - Returns: How many people were removed; nil if they are of another folder.
    /// - Throws: ``AlertStoreError``.
    public func removeLeavers(
        among owners: Set<String>, except people: [String: Timestamp], of folder: String
    ) throws(AlertStoreError) -> Int? {
        guard !owners.isEmpty else { return 0 }
        let leavers = owners.subtracting(people.keys)
        var changes = 0
        let count: Int? = try writing { database in
            let before = database.totalChangesCount
            defer { changes = database.totalChangesCount - before }
            let known = try String.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?",
                arguments: [Self.peopleFolder])
            if let known, known != folder, leavers == owners { return nil }
            if known != folder {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                    arguments: [Self.peopleFolder, folder])
            }
            for owner in leavers {
                try Self.remove(AlertOwner(id: owner, name: "").subscriber, from: database)
            }
            for (person, tokenMadeAt) in people where owners.contains(person) {
                try database.cachedStatement(
                    sql: "DELETE FROM browser WHERE subscriber = ? AND addedAt < ?"
                ).execute(arguments: [
                    AlertOwner(id: person, name: "").subscriber, tokenMadeAt.secondsSinceEpoch,
                ])
            }
            return leavers.count
        }
        if changes > 0 { try emptyLogAfterRemoval() }
        return count
    }

    /// The setting with the folder of the people whose alerts are in the file.
    private static let peopleFolder = "peopleFolder"

    // MARK: Browsers

    /// The browsers that a subscriber's alerts go to, the oldest first.
    ///
    /// - Throws: ``AlertStoreError``.
    public func browsers(of subscriber: String) throws(AlertStoreError) -> [AlertBrowser] {
        try reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(AlertBrowser.columns) FROM browser WHERE subscriber = ?
                    ORDER BY addedAt, rowid
                    """, arguments: [subscriber]
            ).map(AlertBrowser.init)
        }
    }

    /// Has a person's alerts sent to a browser, too.
    ///
    /// The same endpoint again replaces what is kept of it, also that of another person: who has the browser now gets what
    /// is sent to it.
    ///
    /// - Parameter former: The id of this browser under an endpoint that it had before; nil for none.
    /// - Throws: ``AlertStoreError``, also if the person has too many.
    public func add(
        _ subscription: PushSubscription, replacing former: String? = nil, to owner: AlertOwner,
        now: Timestamp
    ) throws(AlertStoreError) -> AlertBrowser {
        let browser = AlertBrowser(
            id: AlertBrowser.id(of: subscription.endpoint), subscription: subscription,
            addedAt: now)
        try changing(owner) { database in
            try AlertAddress.push(subscription).validate()
            try database.execute(
                sql: "DELETE FROM browser WHERE id = ? OR id = ? AND subscriber = ?",
                arguments: [browser.id, former, owner.subscriber])
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM browser WHERE subscriber = ?",
                arguments: [owner.subscriber])
            guard count ?? 0 < AlertBrowser.maxPerPerson else {
                throw AlertStoreProblem.tooManyBrowsers(max: AlertBrowser.maxPerPerson)
            }
            try database.execute(
                sql: """
                    INSERT INTO browser (id, subscriber, subscription, addedAt)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    browser.id, owner.subscriber, try StoredJSON.text(subscription),
                    now.secondsSinceEpoch,
                ])
        }
        // What was kept of the endpoint before is gone, too.
        try emptyLogAfterRemoval()
        return browser
    }

    /// Has a subscriber's alerts sent to a browser no more.
    ///
    /// - Throws: ``AlertStoreError``, also if the subscriber has no such browser.
    @discardableResult
    public func removeBrowser(
        _ id: String, of subscriber: String
    ) throws(AlertStoreError) -> AlertBrowser {
        try removing { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    DELETE FROM browser WHERE id = ? AND subscriber = ?
                    RETURNING \(AlertBrowser.columns)
                    """, arguments: [id, subscriber])
            guard let row else { throw AlertStoreProblem.unknown(id) }
            return try AlertBrowser(row: row)
        }
    }

    // MARK: Rules and pause

    /// A person's rules, in the order in which they were made.
    ///
    /// - Throws: ``AlertStoreError``.
    public func rules(of owner: AlertOwner) throws(AlertStoreError) -> [AlertRule] {
        try reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(AlertRule.columns) FROM rule WHERE subscriber = ?
                    ORDER BY createdAt, rowid
                    """, arguments: [owner.subscriber]
            ).map(AlertRule.init)
        }
    }

    /// Adds a rule of a person, unless they have one that says the same.
    ///
    /// - Parameter rule: Makes the rule of a subscriber's id.
    /// - Returns: The rule that is there now, and whether it is the new one.
    /// - Throws: ``AlertStoreError``.
    public func add(
        to owner: AlertOwner, _ rule: (_ subscriber: String) -> AlertRule
    ) throws(AlertStoreError) -> (rule: AlertRule, isNew: Bool) {
        try changing(owner) { try Self.add(rule(owner.subscriber), to: $0) }
    }

    /// Removes a rule of a person, named by its whole id, and what waits to be sent because of it.
    ///
    /// - Throws: ``AlertStoreError``, also if the rule is another's.
    public func removeRule(
        _ id: String, of owner: AlertOwner
    ) throws(AlertStoreError) -> AlertRule {
        try removing { database in
            let rule = try Row.fetchOne(
                database,
                sql: "SELECT \(AlertRule.columns) FROM rule WHERE id = ? AND subscriber = ?",
                arguments: [id, owner.subscriber]
            ).map(AlertRule.init)
            guard let rule else { throw AlertStoreProblem.unknown(id) }
            try Self.remove(rule, from: database)
            return rule
        }
    }

    /// Pauses a person's alerts, or ends their pause.
    ///
    /// - Parameter end: When the pause ends; nil to end it now.
    /// - Throws: ``AlertStoreError``.
    public func pause(_ owner: AlertOwner, until end: Timestamp?) throws(AlertStoreError) {
        try changing(owner) { database in
            try database.execute(
                sql: "UPDATE subscriber SET pausedUntil = ? WHERE id = ?",
                arguments: [end?.secondsSinceEpoch, owner.subscriber])
        }
    }

    // MARK: Ledger

    /// Adds an alert that shows whether a person's alerts arrive.
    ///
    /// - Throws: ``AlertStoreError``, also after some within a minute.
    public func addTest(to owner: AlertOwner, now: Timestamp) throws(AlertStoreError) {
        try changing(owner) { database in
            let count = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM alert
                    WHERE subscriber = ? AND rule = ? AND decidedAt > ?
                    """,
                arguments: [
                    owner.subscriber, Self.testRule, now.secondsSinceEpoch - 60,
                ])
            guard count ?? 0 < Self.maxTestsPerMinute else {
                throw AlertStoreProblem.tooManyTests(max: Self.maxTestsPerMinute)
            }
            try Self.insertTest(
                to: owner.subscriber, text: "Alerts arrive here. This one was asked for.", now: now,
                into: database)
        }
    }

    /// The newest entries of a person, the newest first.
    ///
    /// - Parameter count: How many at most.
    /// - Throws: ``AlertStoreError``.
    public func log(
        of owner: AlertOwner, max count: Int
    ) throws(AlertStoreError) -> [LedgerEntry] {
        try entries(
            "WHERE subscriber = ? ORDER BY number DESC LIMIT ?", [owner.subscriber, count])
    }
}

/// Why a person gets no stream.
public enum AlertStreamRefusal: Failure, Equatable {
    /// The service does not deliver alerts now.
    case notOpen
    /// The person has as many open.
    case tooMany(max: Int)

    /// Always ``FailureKind/io``.
    public var kind: FailureKind { .io }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .notOpen: "no alerts are delivered now; try again in a few seconds"
        case .tooMany(let max): "you have \(max) streams open already; close one first"
        }
    }
}
