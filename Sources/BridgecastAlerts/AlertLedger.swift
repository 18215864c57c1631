// The ledger of alerts: each is written down before it is sent, and so is what became of it.
public import BridgecastCore
internal import BridgecastStore
internal import BridgecastSupport
internal import Foundation
internal import GRDB

/// An alert in the ledger.
public struct LedgerEntry: Hashable, Sendable {
    /// Increases from alert to alert.
    public let number: Int64
    /// The alert.
    public let alert: Alert
    /// When it was decided on, by the system's clock.
    public let decidedAt: Timestamp
    /// What became of it.
    public internal(set) var status: AlertStatus
    /// How often it was sent.
    public internal(set) var attempts: Int
    /// The message that it was sent in last; nil before the first.
    public internal(set) var message: String?
    /// When its status changed, by the system's clock.
    public internal(set) var changedAt: Timestamp
    /// Why it has its status; nil if there is nothing to add.
    public internal(set) var detail: String?
}

extension AlertStore {
    /// How long entries are kept, days: long enough that an agency's alert which comes back a year later is the same.
    private static let keptDays: Int64 = 400
    /// The name of the setting that holds the time of the last board.
    private static let lastBoard = "lastBoard"

    /// What a planner remembers.
    ///
    /// - Throws: ``AlertStoreError``.
    public func memory() throws(AlertStoreError) -> AlertMemory {
        try reading { database in
            var memory = AlertMemory()
            memory.openings = try Row.fetchAll(
                database, sql: "SELECT \(SeenOpening.columns) FROM opening ORDER BY seenAt, rowid"
            ).map(SeenOpening.init)
            memory.disarmed = try String.fetchSet(database, sql: "SELECT rule FROM disarmed")
            memory.announcements = try Row.fetchAll(
                database, sql: "SELECT \(KeptAnnouncement.columns) FROM announcement"
            ).map(KeptAnnouncement.init)
            memory.lastAt = try Int64.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?",
                arguments: [Self.lastBoard]
            ).map { Timestamp(secondsSinceEpoch: $0) }
            return memory
        }
    }

    /// Keeps a plan, all of it or nothing; only then may its alerts be sent.
    ///
    /// - Parameter now: The time by the system's clock.
    /// - Returns: The entries that wait to be sent: not those that are in the ledger already.
    /// - Throws: ``AlertStoreError``.
    public func record(
        _ plan: AlertPlan, now: Timestamp
    ) throws(AlertStoreError) -> [LedgerEntry] {
        try writing { database in
            for opening in plan.openings { try opening.insert(into: database) }
            for announcement in plan.announcements { try announcement.insert(into: database) }
            for (rule, isArmed) in plan.isArmed {
                try database.cachedStatement(
                    sql: isArmed
                        ? "DELETE FROM disarmed WHERE rule = ?"
                        : "INSERT OR IGNORE INTO disarmed (rule) VALUES (?)"
                ).execute(arguments: [rule])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                arguments: [Self.lastBoard, plan.at.secondsSinceEpoch])
            return try plan.alerts.compactMap { planned in
                try Self.insert(planned, now: now, into: database)
            }
        }
    }

    /// Nil for an alert that is in the ledger already, or that is not to be sent.
    ///
    /// One that was missed because the clock was ahead is sent when its time comes.
    private static func insert(
        _ planned: PlannedAlert, now: Timestamp, into database: Database
    ) throws -> LedgerEntry? {
        let alert = planned.alert
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO alert (rule, occasion, kind, subscriber, priority, at, bridge, title,
                    text, link, decidedAt, status, changedAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (rule, occasion, kind) DO UPDATE SET status = excluded.status,
                    at = excluded.at, decidedAt = excluded.decidedAt, title = excluded.title,
                    text = excluded.text, changedAt = excluded.changedAt
                WHERE alert.status = 'missed' AND excluded.status = 'waiting'
                RETURNING number
                """)
        let number = try Int64.fetchOne(
            statement,
            arguments: [
                alert.identity.rule, alert.identity.occasion, alert.identity.kind.name,
                alert.subscriber, alert.priority.rawValue, alert.at.secondsSinceEpoch,
                alert.bridge.map { BridgeCatalogue[$0].id.rawValue }, alert.title, alert.text,
                alert.link, now.secondsSinceEpoch, planned.status.rawValue, now.secondsSinceEpoch,
            ])
        guard let number, planned.status == .waiting else { return nil }
        return LedgerEntry(
            number: number, alert: alert, decidedAt: now, status: .waiting, attempts: 0,
            message: nil, changedAt: now, detail: nil)
    }

    /// Adds an alert that shows whether a person's alerts arrive.
    ///
    /// - Throws: ``AlertStoreError``.
    public func addTest(to name: String, now: Timestamp) throws(AlertStoreError) {
        let people = try subscribers()
        try writing { database in
            guard
                let person = people.first(where: {
                    $0.owner == nil && foldedName($0.name) == foldedName(name)
                })
            else { throw AlertStoreProblem.unknown(name) }
            try Self.insertTest(
                to: person.id,
                text: "Alerts arrive here. This one was asked for with `bridgecast alert test`.",
                now: now, into: database)
        }
    }

    static func insertTest(
        to subscriber: String, text: String, now: Timestamp, into database: Database
    ) throws {
        let identity = AlertIdentity(
            rule: testRule, occasion: UUID().uuidString.lowercased(), kind: .test)
        let alert = Alert(
            identity: identity, subscriber: subscriber, priority: .normal, at: now,
            title: "A test of Bridgecast's alerts", text: text)
        _ = try insert(PlannedAlert(alert: alert), now: now, into: database)
    }

    /// The name in the ledger of the rule that tests are of.
    static let testRule = "test"

    // MARK: Sending

    /// The entries that wait to be sent, in order.
    ///
    /// - Throws: ``AlertStoreError``.
    public func waiting() throws(AlertStoreError) -> [LedgerEntry] {
        try entries("WHERE status = 'waiting' ORDER BY number", [])
    }

    /// Writes down that entries are about to be sent, each in a message; returns when that is on the disk.
    ///
    /// - Parameter messages: The ids of messages by the numbers of entries.
    /// - Returns: The numbers of those that still wait: another process may have removed some.
    /// - Throws: ``AlertStoreError``.
    func begin(
        _ messages: [Int64: String], now: Timestamp
    ) throws(AlertStoreError) -> Set<Int64> {
        try writing { database in
            var begun: Set<Int64> = []
            for (number, message) in messages {
                try database.cachedStatement(
                    sql: """
                        UPDATE alert SET status = 'sending', attempts = attempts + 1, message = ?,
                            changedAt = ?
                        WHERE number = ? AND status = 'waiting'
                        """
                ).execute(arguments: [message, now.secondsSinceEpoch, number])
                if database.changesCount == 1 { begun.insert(number) }
            }
            return begun
        }
    }

    /// What became of some entries.
    struct Settlement: Sendable {
        let numbers: [Int64]
        let status: AlertStatus
        let detail: String?
    }

    /// Writes down what became of entries.
    ///
    /// - Throws: ``AlertStoreError``.
    func finish(_ settlements: [Settlement], now: Timestamp) throws(AlertStoreError) {
        try writing { database in
            for settlement in settlements {
                for number in settlement.numbers {
                    try database.cachedStatement(
                        sql: """
                            UPDATE alert SET status = ?, detail = ?, changedAt = ?
                            WHERE number = ? AND status IN ('waiting', 'sending')
                            """
                    ).execute(arguments: [
                        settlement.status.rawValue, settlement.detail, now.secondsSinceEpoch,
                        number,
                    ])
                }
            }
        }
    }

    /// Settles what an earlier process left: what it was sending may have arrived, so it is not sent again.
    ///
    /// Call it before anything is sent, while no other process sends.
    ///
    /// - Returns: How many are unknown now.
    /// - Throws: ``AlertStoreError``.
    @discardableResult
    public func recover(now: Timestamp) throws(AlertStoreError) -> Int {
        try removing { database in
            try database.execute(
                sql: """
                    UPDATE alert SET status = 'unknown', detail = 'interrupted', changedAt = ?
                    WHERE status = 'sending'
                    """, arguments: [now.secondsSinceEpoch])
            let count = database.changesCount
            let oldest = now.adding(seconds: -Self.keptDays * 86_400).secondsSinceEpoch
            try database.execute(
                sql: "DELETE FROM alert WHERE decidedAt < ? AND status NOT IN ('waiting')",
                arguments: [oldest])
            try database.execute(
                sql: "DELETE FROM announcement WHERE deadline < ?", arguments: [oldest])
            return count
        }
    }

    // MARK: The log

    /// The newest entries, the oldest of them first.
    ///
    /// - Parameters:
    ///   - status: Only those of a status; nil for all.
    ///   - count: How many at most.
    /// - Throws: ``AlertStoreError``.
    public func log(
        status: AlertStatus? = nil, max count: Int = 50
    ) throws(AlertStoreError) -> [LedgerEntry] {
        let filter = status.map { "WHERE status = '\($0.rawValue)'" } ?? ""
        return try entries("\(filter) ORDER BY number DESC LIMIT ?", [count]).reversed()
    }

    /// What was sent to a person after a number, in order, each alert as a message of its own.
    ///
    /// - Parameter count: How many at most, the newest.
    /// - Throws: ``AlertStoreError``.
    package func sentMessages(
        to subscriber: String, after number: Int64, max count: Int
    ) throws(AlertStoreError) -> [AlertMessage] {
        try entries(
            """
            WHERE subscriber = ? AND number > ? AND status IN ('sending', 'delivered', 'unknown')
            ORDER BY number DESC LIMIT ?
            """, [subscriber, number, count]
        ).reversed().map { entry in
            AlertMessage(
                id: entry.message ?? entry.alert.identity.digest, of: [entry],
                sentAt: entry.changedAt)
        }
    }

    func entries(
        _ clause: String, _ arguments: StatementArguments
    ) throws(AlertStoreError) -> [LedgerEntry] {
        try reading { database in
            try Row.fetchAll(
                database, sql: "SELECT \(LedgerEntry.columns) FROM alert \(clause)",
                arguments: arguments
            ).map(LedgerEntry.init)
        }
    }
}
