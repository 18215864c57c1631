// What changes a journal: each function is one transaction, done or not done at all.
public import BridgecastCore
internal import BridgecastStore
internal import GRDB

extension JourneyStore {
    /// Changes in one transaction; an error leaves the journal as it was.
    func writing<Result>(_ body: (Database) throws -> Result) throws(JourneyStoreError) -> Result {
        do {
            let result = try JourneyStoreError.about(path, access) { try database.write(body) }
            noteWrite(nil)
            return result
        } catch {
            if case .file(let problem) = error.problem { noteWrite(problem) }
            throw error
        }
    }

    /// What adding a journey did.
    public struct Addition: Sendable, Equatable {
        /// How many of the oldest journeys were dropped to keep the limit.
        public let dropped: Int
        /// Journeys that it overlaps in time.
        public let overlapping: [Journey]
    }

    /// Begins a journey.
    ///
    /// - Throws: ``JourneyStoreError``, also if one is under way, or if the settings forbid it.
    @discardableResult
    public func begin(
        _ journey: Journey, by source: JourneySource = .ownCommand, now: Timestamp
    ) throws(JourneyStoreError) -> Addition {
        try writing { database in
            try Self.settings(in: database).checkRecording(by: source)
            if let other = try Self.underWay(in: database) {
                throw JourneyStoreProblem.alreadyUnderWay(other.name)
            }
            return try Self.add(journey, now: now, in: database)
        }
    }

    /// Adds a journey that was entered by hand.
    ///
    /// - Throws: ``JourneyStoreError``, also if it is older than all that a full journal keeps, or if the settings forbid
    ///   it.
    @discardableResult
    public func add(
        _ journey: Journey, by source: JourneySource = .ownCommand, now: Timestamp
    ) throws(JourneyStoreError) -> Addition {
        try writing { database in
            try Self.settings(in: database).checkRecording(by: source)
            return try Self.add(journey, now: now, in: database)
        }
    }

    private static func add(
        _ journey: Journey, now: Timestamp, in database: Database
    ) throws -> Addition {
        try journey.validate(now: now)
        try settings(in: database).checkCoordinates(in: journey.textsOfPlaces)
        guard try !has(journey.id, in: database) else {
            throw JourneyStoreProblem.repeated(journey.id)
        }
        let overlapping = try journeys(overlapping: journey, now: now, in: database)
        try journey.insert(into: database)
        let dropped = try trim(database)
        guard try has(journey.id, in: database) else { throw JourneyStoreProblem.olderThanKept }
        try database.execute(
            sql: """
                UPDATE favourite SET useCount = useCount + 1,
                    lastUsed = max(ifnull(lastUsed, 0), ?)
                WHERE route = ?
                """, arguments: [journey.start.secondsSinceEpoch, journey.route])
        try updateAverage(of: journey.route, in: database)
        return Addition(dropped: dropped, overlapping: overlapping)
    }

    private static func has(_ id: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM journey WHERE id = ?)", arguments: [id])
            ?? false
    }

    /// Journeys during which another one took place; abandoned ones have no end and do not count.
    private static func journeys(
        overlapping journey: Journey, now: Timestamp, in database: Database
    ) throws -> [Journey] {
        guard journey.outcome != .abandoned else { return [] }
        let start = journey.start.secondsSinceEpoch
        let end = (journey.actualArrival ?? now).secondsSinceEpoch
        return try Row.fetchAll(
            database,
            sql: """
                SELECT \(Journey.columns) FROM journey
                WHERE start > ? AND start < ? AND ifnull(arrival, ?) > ? AND isAbandoned = 0
                ORDER BY start, id
                """,
            arguments: [start - Journey.maxSeconds - 1, end, now.secondsSinceEpoch, start]
        ).map(Journey.init)
    }

    /// Drops the oldest journeys beyond the limit; returns how many.
    private static func trim(_ database: Database) throws -> Int {
        let max = try maxJourneys(in: database)
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM journey") ?? 0
        guard count > max else { return 0 }
        try database.execute(
            sql: """
                DELETE FROM journey WHERE id IN
                    (SELECT id FROM journey ORDER BY start, createdAt, id LIMIT ?)
                """, arguments: [count - max])
        return count - max
    }

    /// Sets a favourite's mean travel time to that of the journeys on its route that arrived.
    private static func updateAverage(of route: String, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE favourite SET averageSeconds =
                    (SELECT avg(arrival - start) FROM journey
                     WHERE route = ?1 AND arrival IS NOT NULL)
                WHERE route = ?1
                """, arguments: [route])
    }

    /// How a journey ends.
    public enum End: Sendable, Equatable {
        /// It arrived; whether it lost time at a bridge, nil if that is not known.
        case arrived(wasStopped: Bool?)
        /// It was given up.
        case abandoned
    }

    /// Ends the journey that is under way.
    ///
    /// Where the settings forbid to record a journey it can only be given up.
    ///
    /// - Returns: The journey as it ended.
    /// - Throws: ``JourneyStoreError``.
    public func end(
        _ end: End, at time: Timestamp, by source: JourneySource = .ownCommand, now: Timestamp
    ) throws(JourneyStoreError) -> Journey {
        try writing { database in
            guard var journey = try Self.underWay(in: database) else {
                throw JourneyStoreProblem.nothingUnderWay
            }
            switch end {
            case .abandoned: journey.isAbandoned = true
            case .arrived(let wasStopped):
                try Self.settings(in: database).checkRecording(by: source)
                journey.actualDeparture = journey.start
                journey.actualArrival = time
                journey.wasStopped = wasStopped
            }
            try journey.validate(now: now)
            try journey.insert(into: database)
            try Self.updateAverage(of: journey.route, in: database)
            return journey
        }
    }

    /// Removes a journey, named by its id or the beginning of it.
    ///
    /// - Returns: What was removed.
    /// - Throws: ``JourneyStoreError``.
    public func removeJourney(_ text: String) throws(JourneyStoreError) -> Journey {
        try writing { database in
            let journey = try Self.only(text, of: try Self.journeys(from: nil, in: database))
            try database.execute(
                sql: "DELETE FROM journey WHERE id = ?", arguments: [journey.id])
            try Self.updateAverage(of: journey.route, in: database)
            try Self.forgetUses(in: database)
            return journey
        }
    }

    /// Removes the journeys that began before a time; what was in the file is overwritten.
    ///
    /// What favourites know of them goes too: their average, their last use, and uses beyond the journeys that are kept.
    /// What is learned is found anew from the journeys that are kept.
    ///
    /// - Parameter isTrial: Whether they are only counted.
    /// - Returns: How many.
    /// - Throws: ``JourneyStoreError``.
    public func clear(
        before time: Timestamp, isTrial: Bool = false
    ) throws(JourneyStoreError) -> Int {
        try writing { database in
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM journey WHERE start < ?",
                arguments: [time.secondsSinceEpoch])
            guard !isTrial else { return count ?? 0 }
            try database.execute(
                sql: "DELETE FROM journey WHERE start < ?", arguments: [time.secondsSinceEpoch])
            try Self.updateAverages(in: database)
            try Self.forgetUses(in: database)
            return count ?? 0
        }
    }

    /// After journeys were removed: favourites keep no trace of them.
    private static func forgetUses(in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE favourite SET
                    useCount = min(useCount,
                        (SELECT count(*) FROM journey WHERE journey.route = favourite.route)),
                    lastUsed = min(lastUsed,
                        (SELECT max(start) FROM journey WHERE journey.route = favourite.route))
                """)
    }

    private static func updateAverages(in database: Database) throws {
        for favourite in try favourites(in: database) {
            try updateAverage(of: favourite.target.route, in: database)
        }
    }

    /// Sets how many journeys are kept; the oldest beyond that are dropped.
    ///
    /// - Returns: How many were dropped.
    /// - Throws: ``JourneyStoreError``.
    @discardableResult
    public func setMaxJourneys(_ max: Int) throws(JourneyStoreError) -> Int {
        try writing { database in
            guard (1...Self.largestMaxJourneys).contains(max) else {
                throw JourneyStoreProblem.badLimit(max: Self.largestMaxJourneys)
            }
            try database.execute(sql: "UPDATE journal SET maxJourneys = ?", arguments: [max])
            return try Self.trim(database)
        }
    }

    // MARK: Favourites

    /// Adds a favourite at the end.
    ///
    /// - Throws: ``JourneyStoreError``, also if one has its name or its trip or stop.
    public func add(_ favourite: Favourite) throws(JourneyStoreError) {
        try changeFavourites { $0.append(favourite) }
    }

    /// Moves a favourite to a position, counted from 0; beyond the end it is the last.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func moveFavourite(_ text: String, to position: Int) throws(JourneyStoreError) {
        try changeFavourites { all in
            let favourite = try Self.favourite(text, of: all)
            all.removeAll { $0.id == favourite.id }
            all.insert(favourite, at: min(max(0, position), all.count))
        }
    }

    /// Removes a favourite; its journeys stay.
    ///
    /// - Returns: What was removed.
    /// - Throws: ``JourneyStoreError``.
    public func removeFavourite(_ text: String) throws(JourneyStoreError) -> Favourite {
        try changeFavourites { all in
            let favourite = try Self.favourite(text, of: all)
            all.removeAll { $0.id == favourite.id }
            return favourite
        }
    }

    /// Changes a favourite's name, refresh interval or position, counted from 0; beyond the end it is the last.
    ///
    /// - Returns: The favourite as it is now.
    /// - Throws: ``JourneyStoreError``.
    public func setFavourite(
        _ text: String, name: String? = nil, refresh: FavouriteRefresh? = nil,
        position: Int? = nil
    ) throws(JourneyStoreError) -> Favourite {
        try changeFavourites { all in
            var changed = try Self.favourite(text, of: all)
            changed.name = name ?? changed.name
            changed.refresh = refresh ?? changed.refresh
            all = all.map { $0.id == changed.id ? changed : $0 }
            if let position {
                all.removeAll { $0.id == changed.id }
                all.insert(changed, at: min(max(0, position), all.count))
            }
            return changed
        }
    }

    /// Replaces the list of favourites by a changed one, in one transaction.
    private func changeFavourites<Result>(
        _ change: (inout [Favourite]) throws -> Result
    ) throws(JourneyStoreError) -> Result {
        try writing { database in
            let before = try Self.favourites(in: database)
            var all = before
            let result = try change(&all)
            // Those that were there before there was a consent to be asked for can still be moved and removed.
            let changed = all.filter { !before.contains($0) }
            try Self.settings(in: database)
                .checkCoordinates(in: changed.flatMap(\.textsOfPlaces))
            try Self.replaceFavourites(by: all, in: database)
            try Self.removeOrphans(in: database)
            try Self.updateAverages(in: database)
            return result
        }
    }

    private static func replaceFavourites(
        by favourites: [Favourite], in database: Database
    ) throws {
        try FavouriteList.check(favourites)
        try database.execute(sql: "DELETE FROM favourite")
        for (position, favourite) in favourites.enumerated() {
            try favourite.insert(into: database, at: position)
        }
    }

    // MARK: Reminders

    /// Adds a reminder, or replaces the one of its id.
    ///
    /// - Throws: ``JourneyStoreError``, also if its favourite is unknown or cannot be reminded of.
    public func set(_ reminder: Reminder) throws(JourneyStoreError) {
        try writing { database in
            try reminder.validate()
            try reminder.insert(into: database)
            try Self.checkReminders(in: database)
        }
    }

    /// Switches a reminder, named by its id or the beginning of it, on or off, or changes its lead.
    ///
    /// - Returns: The reminder as it is now.
    /// - Throws: ``JourneyStoreError``.
    public func setReminder(
        _ text: String, isOn: Bool? = nil, leadSeconds: Int? = nil
    ) throws(JourneyStoreError) -> Reminder {
        try writing { database in
            var changed = try Self.only(text, of: try Self.reminders(in: database))
            changed.isOn = isOn ?? changed.isOn
            changed.leadSeconds = leadSeconds ?? changed.leadSeconds
            try changed.validate()
            try changed.insert(into: database)
            try Self.checkReminders(in: database)
            return changed
        }
    }

    /// Removes a reminder, named by its id or the beginning of it.
    ///
    /// - Returns: What was removed.
    /// - Throws: ``JourneyStoreError``.
    public func removeReminder(_ text: String) throws(JourneyStoreError) -> Reminder {
        try writing { database in
            let reminder = try Self.only(text, of: try Self.reminders(in: database))
            try database.execute(
                sql: "DELETE FROM reminder WHERE id = ?", arguments: [reminder.id])
            return reminder
        }
    }

    /// Reminders go with their favourite.
    static func removeOrphans(in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM reminder WHERE favourite NOT IN (SELECT id FROM favourite)")
    }

    /// - Throws: ``ReminderProblem`` or ``JourneyStoreProblem``.
    private static func checkReminders(in database: Database) throws {
        let reminders = try reminders(in: database)
        guard reminders.count <= maxReminders else {
            throw JourneyStoreProblem.tooManyReminders(max: maxReminders)
        }
        let favourites = try favourites(in: database)
        for reminder in reminders {
            guard let favourite = favourites.first(where: { $0.id == reminder.favourite }) else {
                throw ReminderProblem.unknownFavourite(reminder.favourite)
            }
            try reminder.check(for: favourite)
        }
    }

    // MARK: Import

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
            for journey in contents.journeys {
                try journey.validate(now: now)
                if try Self.has(journey.id, in: database) {
                    report.replaced += 1
                } else {
                    report.added += 1
                }
                try journey.insert(into: database)
            }
            if contents.journeys.contains(where: { $0.outcome == .underWay }) {
                try Self.checkOnlyOneIsUnderWay(in: database)
            }
            report.dropped = try Self.trim(database)
            report.overlapping = try Self.overlaps(now: now, in: database)
            report.favourites = contents.favourites.count
            var favourites = try Self.favourites(in: database)
            for favourite in contents.favourites {
                if let index = favourites.firstIndex(where: { $0.id == favourite.id }) {
                    favourites[index] = favourite
                } else {
                    favourites.append(favourite)
                }
            }
            try Self.replaceFavourites(by: favourites, in: database)
            try Self.updateAverages(in: database)
            try Self.countUses(in: database)
            report.reminders = contents.reminders.count
            for reminder in contents.reminders {
                try reminder.validate()
                try reminder.insert(into: database)
            }
            try Self.checkReminders(in: database)
            return report
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

/// The rules of a list of favourites.
enum FavouriteList {
    /// - Throws: ``JourneyStoreProblem`` or ``FavouriteProblem``.
    static func check(_ favourites: [Favourite]) throws {
        guard favourites.count <= JourneyStore.maxFavourites else {
            throw JourneyStoreProblem.tooManyFavourites(max: JourneyStore.maxFavourites)
        }
        var names: [String: String] = [:]
        var routes: [String: String] = [:]
        for favourite in favourites {
            try favourite.validate()
            let folded = Favourite.folded(favourite.name)
            if let other = names.updateValue(favourite.name, forKey: folded)
                ?? routes.updateValue(favourite.name, forKey: favourite.target.route)
            {
                throw JourneyStoreProblem.taken(other)
            }
        }
    }
}
