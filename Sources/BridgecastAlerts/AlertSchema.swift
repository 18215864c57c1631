// The tables of a file of alerts, how it is recognised, and the values of its rows.
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import Foundation
internal import GRDB

/// The schema and its mark in the file's header.
enum AlertSchema {
    /// Its application id is "BCAL".
    static let schema = PrivateSchema(applicationID: 0x4243_414C, steps: steps)

    /// One step a version.
    ///
    /// Times are seconds since 1970. An alert is the same alert by its rule, occasion and kind.
    private static let steps = [
        """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE subscriber (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE,
            address TEXT NOT NULL, pausedUntil INTEGER, isGone INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE rule (
            id TEXT PRIMARY KEY, subscriber TEXT NOT NULL REFERENCES subscriber(id),
            subject TEXT NOT NULL, days INTEGER NOT NULL, startMinute INTEGER NOT NULL,
            endMinute INTEGER NOT NULL, priority INTEGER NOT NULL, createdAt INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX ruleSubscriber ON rule(subscriber);
        CREATE TABLE alert (
            number INTEGER PRIMARY KEY AUTOINCREMENT, rule TEXT NOT NULL, occasion TEXT NOT NULL,
            kind TEXT NOT NULL, subscriber TEXT NOT NULL, priority INTEGER NOT NULL,
            at INTEGER NOT NULL, bridge INTEGER, title TEXT NOT NULL, text TEXT NOT NULL, link TEXT,
            decidedAt INTEGER NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
            message TEXT, changedAt INTEGER NOT NULL, detail TEXT, UNIQUE (rule, occasion, kind)
        ) STRICT;
        CREATE INDEX alertOpen ON alert(status) WHERE status IN ('waiting', 'sending');
        CREATE INDEX alertSubscriber ON alert(subscriber, number);
        CREATE TABLE opening (
            bridge INTEGER NOT NULL, start INTEGER NOT NULL, isStartKnown INTEGER NOT NULL,
            isRaised INTEGER NOT NULL, elapsedSeconds REAL NOT NULL, seenAt INTEGER NOT NULL,
            minutesUp INTEGER NOT NULL, PRIMARY KEY (bridge, start)
        ) STRICT;
        CREATE TABLE disarmed (rule TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE announcement (
            rule TEXT NOT NULL, reminder TEXT NOT NULL, deadline INTEGER NOT NULL,
            sequence INTEGER NOT NULL, departure INTEGER, PRIMARY KEY (rule, reminder)
        ) STRICT, WITHOUT ROWID;
        """,
        // People with tokens: the owner is the person's id.
        """
        ALTER TABLE subscriber ADD COLUMN owner TEXT;
        CREATE UNIQUE INDEX subscriberOwner ON subscriber(owner) WHERE owner IS NOT NULL;
        CREATE TABLE browser (
            id TEXT PRIMARY KEY, subscriber TEXT NOT NULL REFERENCES subscriber(id),
            subscription TEXT NOT NULL, addedAt INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX browserSubscriber ON browser(subscriber);
        """,
        // Rules of people about their own reminders had the journal's path, which a moved folder changes: one each stays.
        """
        UPDATE rule SET subject = '{"ownReminders":{}}'
            WHERE subject LIKE '{"reminders":%' AND subscriber IN
                (SELECT id FROM subscriber WHERE owner IS NOT NULL);
        DELETE FROM rule WHERE subject = '{"ownReminders":{}}' AND rowid NOT IN
            (SELECT min(rowid) FROM rule WHERE subject = '{"ownReminders":{}}' GROUP BY subscriber);
        """,
    ]
}

// MARK: - Rows

extension Subscriber {
    static let columns = "id, name, address, pausedUntil, owner"

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        guard let id = try values.text(0), let name = try values.text(1),
            let address: AlertAddress = StoredJSON.value(try values.text(2))
        else { throw values.damage("an impossible person") }
        self.init(
            id: id, name: name, address: address, pausedUntil: try values.optionalTime(3),
            owner: try values.text(4))
    }
}

extension AlertBrowser {
    static let columns = "id, subscription, addedAt"

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        guard let id = try values.text(0),
            let subscription: PushSubscription = StoredJSON.value(try values.text(1))
        else { throw values.damage("an impossible browser") }
        self.init(id: id, subscription: subscription, addedAt: try values.time(2))
    }
}

extension AlertRule {
    static let columns =
        "id, subscriber, subject, days, startMinute, endMinute, priority, createdAt"

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        let start = Int(try values.integer(4))
        let end = Int(try values.integer(5))
        guard let id = try values.text(0), let subscriber = try values.text(1),
            let subject: Subject = StoredJSON.value(try values.text(2)),
            (0..<1440).contains(start), (1...1440).contains(end),
            let priority = AlertPriority(rawValue: Int(try values.integer(6)))
        else { throw values.damage("an impossible rule") }
        let bits = Int(try values.integer(3))
        let days = Weekday.allCases.filter { bits >> $0.rawValue & 1 == 1 }
        self.init(
            id: id, subscriber: subscriber, subject: subject,
            hours: AlertHours(days: Set(days), startMinute: start, endMinute: end),
            priority: priority, createdAt: try values.time(7))
    }

    func insert(into database: Database) throws {
        try database.execute(
            sql: "INSERT INTO rule (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, subscriber, try StoredJSON.text(subject),
                hours.dayBits, hours.startMinute, hours.endMinute,
                priority.rawValue, createdAt.secondsSinceEpoch,
            ])
    }
}

extension AlertHours {
    /// A bit for each of the days.
    var dayBits: Int { days.reduce(0) { $0 | 1 << $1.rawValue } }
}

extension SeenOpening {
    static let columns =
        "bridge, start, isStartKnown, isRaised, elapsedSeconds, seenAt, minutesUp"

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        guard let bridge = BridgeCatalogue.index(of: BridgeID(Int(try values.integer(0)))),
            let elapsed = Double.fromDatabaseValue(row[4])
        else { throw values.damage("an impossible opening") }
        self.init(
            bridge: bridge, start: try values.time(1),
            isStartKnown: try values.integer(2) != 0, isRaised: try values.integer(3) != 0,
            elapsedSeconds: elapsed, seenAt: try values.time(5),
            minutesUp: Int(try values.integer(6)))
    }

    func insert(into database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO opening (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            BridgeCatalogue[bridge].id.rawValue, start.secondsSinceEpoch, isStartKnown, isRaised,
            elapsedSeconds,
            seenAt.secondsSinceEpoch, minutesUp,
        ])
    }
}

extension KeptAnnouncement {
    static let columns = "rule, reminder, deadline, sequence, departure"

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        guard let rule = try values.text(0), let reminder = try values.text(1) else {
            throw values.damage("an impossible announcement")
        }
        self.init(
            rule: rule,
            announcement: ReminderAnnouncement(
                identity: ReminderAnnouncement.Identity(
                    reminder: reminder, deadline: try values.time(2),
                    sequence: Int(try values.integer(3))),
                departure: try values.optionalTime(4)))
    }

    func insert(into database: Database) throws {
        let identity = announcement.identity
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO announcement (\(Self.columns)) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            rule, identity.reminder, identity.deadline.secondsSinceEpoch, identity.sequence,
            announcement.departure?.secondsSinceEpoch,
        ])
    }
}

extension LedgerEntry {
    static let columns = """
        number, rule, occasion, kind, subscriber, priority, at, bridge, title, text, link, decidedAt,
        status, attempts, message, changedAt, detail
        """

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        guard let rule = try values.text(1), let occasion = try values.text(2),
            let kind = try values.text(3).flatMap(AlertKind.init(name:)),
            let subscriber = try values.text(4),
            let priority = AlertPriority(rawValue: Int(try values.integer(5))),
            let title = try values.text(8), let text = try values.text(9),
            let status = try values.text(12).flatMap(AlertStatus.init(rawValue:))
        else { throw values.damage("an impossible alert") }
        let bridge = row.hasNull(atIndex: 7) ? nil : Int(try values.integer(7))
        self.init(
            number: try values.integer(0),
            alert: Alert(
                identity: AlertIdentity(rule: rule, occasion: occasion, kind: kind),
                subscriber: subscriber, priority: priority, at: try values.time(6),
                bridge: bridge.flatMap { BridgeCatalogue.index(of: BridgeID($0)) }, title: title,
                text: text, link: try values.text(10)),
            decidedAt: try values.time(11), status: status,
            attempts: Int(try values.integer(13)), message: try values.text(14),
            changedAt: try values.time(15), detail: try values.text(16))
    }
}

/// Values of several forms in one column.
enum StoredJSON {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Nil for a text that is no such value.
    static func value<Value: Decodable>(_ text: String?) -> Value? {
        text.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }
}
