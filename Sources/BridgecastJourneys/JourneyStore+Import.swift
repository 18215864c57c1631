// Adding an export to a journal: all of it, or nothing.
public import BridgecastCore
internal import BridgecastStore
internal import BridgecastSupport
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
    /// A favourite with the name and the trip or stop of one that is kept is that one, and a reminder that says the same as
    /// another is not added again. A journey that is under way is refused while another one is.
    ///
    /// - Complexity: O(n log n) for n journeys, kept and imported.
    /// - Throws: ``JourneyStoreError``, also if the settings forbid any of it; ``JourneyStoreProblem/conflict(_:)`` names the
    ///   entry that another one of the journal excludes.
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
            let ids = try Self.merge(contents.favourites, into: database)
            report.favourites = contents.favourites.count
            report.reminders = try Self.merge(contents.reminders, under: ids, into: database)
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
    ///
    /// - Returns: The ids of favourites that are kept under another id than they have in the document.
    /// - Throws: ``JournalConflict`` and other errors.
    private static func merge(
        _ added: [Favourite], into database: Database
    ) throws -> [String: String] {
        var favourites = try favourites(in: database)
        var ids: [String: String] = [:]
        // What the document has under the same id is replaced by that, and is not the same as another one of the document.
        let replaced = Set(added.map(\.id))
        for favourite in added {
            if let index = favourites.firstIndex(where: { $0.id == favourite.id }) {
                favourites[index] = favourite
            } else if let index = favourites.firstIndex(where: {
                !replaced.contains($0.id) && favourite.isSame(as: $0)
            }) {
                favourites[index].addUses(of: favourite)
                ids[favourite.id] = favourites[index].id
            } else {
                favourites.append(favourite)
            }
        }
        for favourite in added {
            let id = ids[favourite.id] ?? favourite.id
            let others = favourites.filter { $0.id != id }
            if let conflict = favourite.conflict(with: others) { throw conflict }
        }
        try replaceFavourites(by: favourites, in: database)
        try updateAverages(in: database)
        try countUses(in: database)
        return ids
    }

    /// Adds reminders, except those that say the same as one that is kept.
    ///
    /// - Parameter ids: The ids of favourites in the journal, by those in the document where they differ.
    /// - Returns: How many were added or replaced.
    private static func merge(
        _ added: [Reminder], under ids: [String: String], into database: Database
    ) throws -> Int {
        guard added.count <= maxReminders else {
            throw JourneyStoreProblem.tooManyReminders(max: maxReminders)
        }
        let favourites = try favourites(in: database)
        let replaced = Set(added.map(\.id))
        var kept = try reminders(in: database).filter { !replaced.contains($0.id) }
        var count = 0
        for var reminder in added {
            reminder.favourite = ids[reminder.favourite] ?? reminder.favourite
            try check(reminder, for: favourites)
            if let index = kept.firstIndex(where: { $0.saysTheSame(as: reminder) }) {
                // One that is on wins.
                guard reminder.isOn, !kept[index].isOn else { continue }
                reminder.id = kept.remove(at: index).id
            }
            try reminder.insert(into: database)
            kept.append(reminder)
            count += 1
        }
        try checkReminders(in: database)
        return count
    }

    /// - Throws: ``JournalConflict``.
    private static func check(_ reminder: Reminder, for favourites: [Favourite]) throws {
        let entry = JournalConflict.Entry.reminder(reminder.id)
        guard let favourite = favourites.first(where: { $0.id == reminder.favourite }) else {
            throw JournalConflict(
                entry: entry,
                text: "favourite_id: no favourite of the document or the journal has the id "
                    + "'\(printable(reminder.favourite, maxLength: 60))'; "
                    + "add the favourite, or leave out the reminder")
        }
        do {
            try reminder.check(for: favourite)
        } catch {
            throw JournalConflict(entry: entry, text: error.description)
        }
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

extension Favourite {
    /// Whether another one has the same name and is of the same trip or stop.
    fileprivate func isSame(as other: Favourite) -> Bool {
        Self.folded(name) == Self.folded(other.name) && target.route == other.target.route
    }

    /// Counts journeys that were made on another one that is the same.
    fileprivate mutating func addUses(of other: Favourite) {
        useCount = max(useCount, other.useCount)
        lastUsed = [lastUsed, other.lastUsed].compactMap { $0 }.max()
    }

    /// Why it cannot be kept besides others; nil if it can.
    fileprivate func conflict(with others: [Favourite]) -> JournalConflict? {
        let folded = Self.folded(name)
        if let other = others.first(where: { Self.folded($0.name) == folded }) {
            return JournalConflict(
                entry: .favourite(id),
                text: "name: a favourite '\(printable(other.name))' of another trip is kept: "
                    + "\(printable(other.target.text, maxLength: 200)); rename or remove one of them"
            )
        }
        if let other = others.first(where: { $0.target.route == target.route }) {
            return JournalConflict(
                entry: .favourite(id),
                text: "'\(printable(other.name))' is kept of the same trip or stop; "
                    + "give both the same name, or remove one of them")
        }
        return nil
    }
}
