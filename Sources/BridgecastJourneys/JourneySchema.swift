// The tables of a journal, how its file is recognised, and the values of its rows.
import BridgecastCore
import BridgecastStore
import BridgecastSupport
import Foundation
internal import GRDB

/// The schema and its mark in the file's header.
enum JourneySchema {
    /// Its application id is "BCJN".
    static let schema = PrivateSchema(applicationID: 0x4243_4A4E, steps: steps) { database in
        try database.execute(
            sql: "INSERT INTO journal (maxJourneys, salt) VALUES (?, ?)",
            arguments: [JourneyStore.defaultMaxJourneys, Data(randomBytes(saltBytes))])
    }

    private static let saltBytes = 32

    /// One step a version.
    ///
    /// Times are seconds since 1970; `start` is the departure, or else the planned one.
    private static let steps = [
        """
        CREATE TABLE journal (maxJourneys INTEGER NOT NULL, salt BLOB NOT NULL) STRICT;
        CREATE TABLE journey (
            id TEXT PRIMARY KEY, route TEXT NOT NULL, name TEXT NOT NULL, mode TEXT NOT NULL,
            plannedDeparture INTEGER NOT NULL, plannedArrival INTEGER NOT NULL,
            departure INTEGER, arrival INTEGER, isAbandoned INTEGER NOT NULL, wasStopped INTEGER,
            way TEXT, expectedSeconds REAL, p90Seconds REAL, probabilityStopped REAL, bridges TEXT,
            createdAt INTEGER NOT NULL, start INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX journeyStart ON journey(start, createdAt);
        CREATE INDEX journeyRoute ON journey(route);
        CREATE TABLE favourite (
            id TEXT PRIMARY KEY, position INTEGER NOT NULL, name TEXT NOT NULL,
            folded TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, first TEXT NOT NULL,
            second TEXT NOT NULL, third TEXT NOT NULL, route TEXT NOT NULL UNIQUE,
            refreshMinutes INTEGER NOT NULL, lastUsed INTEGER, useCount INTEGER NOT NULL,
            averageSeconds REAL
        ) STRICT;
        """,
        """
        ALTER TABLE journey ADD COLUMN expectedDelaySeconds REAL;
        CREATE TABLE reminder (
            id TEXT PRIMARY KEY, favourite TEXT NOT NULL, minuteOfDay INTEGER NOT NULL,
            weekdays INTEGER NOT NULL, zone TEXT NOT NULL, confidence REAL NOT NULL,
            leadSeconds INTEGER NOT NULL, walkSeconds INTEGER NOT NULL, isOn INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX reminderFavourite ON reminder(favourite);
        """,
        """
        CREATE TABLE settings (
            refreshMinutes INTEGER NOT NULL, reminderLeadSeconds INTEGER NOT NULL,
            announcesMoves INTEGER NOT NULL, tracksJourneys INTEGER NOT NULL,
            keepsHistory INTEGER NOT NULL, keepsLocation INTEGER NOT NULL
        ) STRICT;
        INSERT INTO settings VALUES (5, 300, 1, 1, 0, 0);
        """,
    ]
}

// MARK: - Rows of journeys

extension Journey {
    /// The columns that ``init(row:)`` reads, in order.
    static let columns = """
        id, route, name, mode, plannedDeparture, plannedArrival, departure, arrival, isAbandoned,
        wasStopped, way, expectedSeconds, p90Seconds, probabilityStopped, bridges, createdAt,
        expectedDelaySeconds
        """

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        guard let id = try values.text(0), let route = try values.text(1),
            let name = try values.text(2),
            let mode = try values.text(3).flatMap(JourneyMode.init(rawValue:))
        else { throw values.damage("an impossible text") }
        self.init(
            id: id, route: route, name: name, mode: mode, plannedDeparture: try values.time(4),
            plannedArrival: try values.time(5), actualDeparture: try values.optionalTime(6),
            actualArrival: try values.optionalTime(7), isAbandoned: try values.integer(8) != 0,
            wasStopped: row.hasNull(atIndex: 9) ? nil : try values.integer(9) != 0,
            forecast: try JourneyForecast(row: row), createdAt: try values.time(15))
    }

    func insert(into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO journey (\(Self.columns), start)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            id, route, name, mode.rawValue, plannedDeparture.secondsSinceEpoch,
            plannedArrival.secondsSinceEpoch, actualDeparture?.secondsSinceEpoch,
            actualArrival?.secondsSinceEpoch, isAbandoned ? 1 : 0, wasStopped.map { $0 ? 1 : 0 },
            forecast?.way, forecast?.expectedSeconds, forecast?.p90Seconds,
            forecast?.probabilityStopped, forecast.map { BridgeListText.text($0.bridges) },
            createdAt.secondsSinceEpoch, forecast?.expectedDelaySeconds, start.secondsSinceEpoch,
        ])
    }
}

extension JourneyForecast {
    /// Nil for a journey without a forecast.
    fileprivate init?(row: Row) throws {
        let values = StoreRow(row)
        guard let way = try values.text(10) else { return nil }
        guard let expected = Double.fromDatabaseValue(row[11]),
            let p90 = Double.fromDatabaseValue(row[12]),
            let chance = Double.fromDatabaseValue(row[13]),
            let bridges = try values.text(14).flatMap(BridgeListText.bridges)
        else { throw values.damage("an impossible forecast") }
        self.init(
            way: way, expectedSeconds: expected, p90Seconds: p90, probabilityStopped: chance,
            bridges: bridges, expectedDelaySeconds: Double.fromDatabaseValue(row[16]))
    }
}

/// Bridges as one text: `Ballard+Fremont`.
enum BridgeListText {
    static func text(_ bridges: [BridgeIndex]) -> String {
        bridges.map { BridgeCatalogue[$0].name }.joined(separator: "+")
    }

    /// Nil if a name is unknown.
    static func bridges(_ text: String) -> [BridgeIndex]? {
        let names = text.split(separator: "+")
        let bridges = names.compactMap { BridgeCatalogue.index(named: String($0)) }
        return bridges.count == names.count ? bridges : nil
    }
}

// MARK: - Rows of reminders

extension Reminder {
    static let columns = """
        id, favourite, minuteOfDay, weekdays, zone, confidence, leadSeconds, walkSeconds, isOn
        """

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        guard let id = try values.text(0), let favourite = try values.text(1),
            let zone = try values.text(4), let confidence = Double.fromDatabaseValue(row[5]),
            let weekdays = UInt8(exactly: try values.integer(3))
        else { throw values.damage("an impossible reminder") }
        self.init(
            id: id, favourite: favourite, minuteOfDay: Int(try values.integer(2)),
            weekdays: WeekdaySet(rawValue: weekdays), zone: zone, confidence: confidence,
            leadSeconds: Int(try values.integer(6)), walkSeconds: Int(try values.integer(7)),
            isOn: try values.integer(8) != 0)
        do {
            try validate()
        } catch {
            throw values.damage("an impossible reminder: \(error)")
        }
    }

    func insert(into database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO reminder (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, favourite, minuteOfDay, Int(weekdays.rawValue), zone, confidence, leadSeconds,
                walkSeconds, isOn ? 1 : 0,
            ])
    }
}

// MARK: - Rows of favourites

extension Favourite {
    static let columns = """
        id, name, kind, first, second, third, refreshMinutes, lastUsed, useCount, averageSeconds
        """

    /// - Throws: `StoreProblem.damaged` for impossible values.
    init(row: Row) throws {
        let values = StoreRow(row)
        guard let id = try values.text(0), let name = try values.text(1),
            let target = Target(
                kind: try values.text(2) ?? "",
                parts: try (3...5).map { try values.text($0) ?? "" }),
            let refresh = FavouriteRefresh(rawValue: Int(try values.integer(6)))
        else { throw values.damage("an impossible favourite") }
        self.init(
            id: id, name: name, target: target, refresh: refresh,
            lastUsed: try values.optionalTime(7), useCount: Int(try values.integer(8)),
            averageSeconds: Double.fromDatabaseValue(row[9]))
    }

    func insert(into database: Database, at position: Int) throws {
        let parts = target.parts
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO favourite
                    (\(Self.columns), position, folded, route)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, name, target.kind, parts[0], parts[1], parts[2], refresh.rawValue,
                lastUsed?.secondsSinceEpoch, useCount, averageSeconds, position,
                Self.folded(name), target.route,
            ])
    }
}

extension Favourite.Target {
    /// `trip` or `stop`, as in documents.
    var kind: String {
        switch self {
        case .trip: "trip"
        case .stop: "stop"
        }
    }

    /// Origin, destination and mode; or line, stop and direction.
    var parts: [String] {
        switch self {
        case .trip(let from, let to, let mode): [from, to, mode.rawValue]
        case .stop(let line, let stop, let direction): [line, stop, direction]
        }
    }

    /// Nil for an unknown kind or mode.
    init?(kind: String, parts: [String]) {
        switch kind {
        case "trip":
            guard let mode = JourneyMode(rawValue: parts[2]) else { return nil }
            self = .trip(from: parts[0], to: parts[1], mode: mode)
        case "stop": self = .stop(line: parts[0], stop: parts[1], direction: parts[2])
        default: return nil
        }
    }
}

extension Favourite {
    /// The form in which names are compared.
    static func folded(_ name: String) -> String { foldedName(name) }
}
