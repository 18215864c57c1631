// Adding an export to a journal: all of it, or nothing.
public import BridgecastCore
internal import BridgecastStore
internal import GRDB

extension JourneyStore {
    /// What an import did.
    public struct ImportReport: Sendable, Equatable {
        /// Journeys that were not kept before.
        public var added = 0
        /// Journeys whose id was kept already.
        public var replaced = 0
        /// Oldest journeys that were dropped to keep the limit.
        public var dropped = 0
        /// Journeys that now begin before an earlier one has ended.
        public var overlapping = 0
        /// Favourites that were added or replaced.
        public var favourites = 0
        /// Reminders that were added or replaced.
        public var reminders = 0
    }

    /// Adds everything of an export, or nothing; what has an id that is kept already is replaced.
    ///
    /// One that is under way is refused while another one is.
    ///
    /// - Complexity: O(n log n) for n journeys, kept and imported.
    /// - Throws: ``JourneyStoreError``, also if the settings forbid any of it.
    public func merge(
        _ contents: JournalContents, by source: JourneySource = .ownCommand, now: Timestamp
    ) throws(JourneyStoreError) -> ImportReport {
        try writing { database in
            let settings = try Self.settings(in: database)
            if !contents.journeys.isEmpty { try settings.checkRecording(by: source) }
            try settings.checkCoordinates(
                in: contents.journeys.flatMap(\.textsOfPlaces)
                    + contents.favourites.flatMap(\.textsOfPlaces))
            var report = ImportReport()
            try Self.merge(contents.journeys, now: now, into: database, &report)
            try Self.merge(contents.favourites, into: database)
            for reminder in contents.reminders {
                try reminder.validate()
                try reminder.insert(into: database)
            }
            try Self.checkReminders(in: database)
            report.favourites = contents.favourites.count
            report.reminders = contents.reminders.count
            return report
        }
    }

    private static func merge(
        _ journeys: [Journey], now: Timestamp, into database: Database,
        _ report: inout ImportReport
    ) throws {
        for journey in journeys {
            try journey.validate(now: now)
            if try has(journey.id, in: database) {
                report.replaced += 1
            } else {
                report.added += 1
            }
            try journey.insert(into: database)
        }
        if journeys.contains(where: { $0.outcome == .underWay }) {
            try checkOnlyOneIsUnderWay(in: database)
        }
        report.dropped = try trim(database)
        report.overlapping = try overlaps(now: now, in: database)
    }

    /// Adds favourites, whose averages and uses are those of the journeys that are kept now.
    private static func merge(_ added: [Favourite], into database: Database) throws {
        var favourites = try favourites(in: database)
        for favourite in added {
            if let index = favourites.firstIndex(where: { $0.id == favourite.id }) {
                favourites[index] = favourite
            } else {
                favourites.append(favourite)
            }
        }
        try replaceFavourites(by: favourites, in: database)
        try updateAverages(in: database)
        try countUses(in: database)
    }

    /// After journeys were put back: favourites have as many uses as there are journeys on them, or more.
    private static func countUses(in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE favourite SET
                    useCount = max(useCount,
                        (SELECT count(*) FROM journey WHERE journey.route = favourite.route)),
                    lastUsed = max(ifnull(lastUsed, 0),
                        (SELECT max(start) FROM journey WHERE journey.route = favourite.route))
                WHERE route IN (SELECT route FROM journey)
                """)
    }

    /// - Throws: ``JourneyStoreProblem/alreadyUnderWay(_:)`` with the name of the first.
    private static func checkOnlyOneIsUnderWay(in database: Database) throws {
        let names = try String.fetchAll(
            database,
            sql: """
                SELECT name FROM journey WHERE arrival IS NULL AND isAbandoned = 0
                ORDER BY start, id LIMIT 2
                """)
        if names.count > 1 { throw JourneyStoreProblem.alreadyUnderWay(names[0]) }
    }

    /// How many journeys begin before an earlier one has ended.
    private static func overlaps(now: Timestamp, in database: Database) throws -> Int {
        var count = 0
        var end: Int64 = 0
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT start, ifnull(arrival, ?) FROM journey WHERE isAbandoned = 0 ORDER BY start
                """, arguments: [now.secondsSinceEpoch])
        while let row = try rows.next() {
            let row = StoreRow(row)
            if try row.integer(0) < end { count += 1 }
            end = max(end, try row.integer(1))
        }
        return count
    }
}
