// What changes the favourites and reminders of a journal: each function is one transaction, done or not done at all.
internal import BridgecastStore
internal import GRDB

extension JourneyStore {
    /// Adds a favourite at the end.
    ///
    /// - Throws: ``JourneyStoreError``, also if one has its name or its trip or stop.
    public func add(_ favourite: Favourite) throws(JourneyStoreError) {
        try changeFavourites { _, all in all.append(favourite) }
    }

    /// Moves a favourite to a position, counted from 0; beyond the end it is the last.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func moveFavourite(_ text: String, to position: Int) throws(JourneyStoreError) {
        try changeFavourites { _, all in
            let favourite = try Self.favourite(text, of: all)
            all.removeAll { $0.id == favourite.id }
            all.insert(favourite, at: min(max(0, position), all.count))
        }
    }

    /// A favourite that was removed, and what went with it.
    public struct Removal: Sendable, Equatable {
        /// The favourite.
        public let favourite: Favourite
        /// Its reminders, by time of day.
        public let reminders: [Reminder]
    }

    /// Removes a favourite with its reminders; its journeys stay.
    ///
    /// - Returns: What was removed.
    /// - Throws: ``JourneyStoreError``.
    public func removeFavourite(_ text: String) throws(JourneyStoreError) -> Removal {
        try changeFavourites { database, all in
            let favourite = try Self.favourite(text, of: all)
            all.removeAll { $0.id == favourite.id }
            return Removal(
                favourite: favourite,
                reminders: try Self.reminders(in: database)
                    .filter { $0.favourite == favourite.id })
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
        try changeFavourites { _, all in
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
        _ change: (Database, inout [Favourite]) throws -> Result
    ) throws(JourneyStoreError) -> Result {
        try writing { database in
            let before = try Self.favourites(in: database)
            var all = before
            let result = try change(database, &all)
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

    static func replaceFavourites(
        by favourites: [Favourite], in database: Database
    ) throws {
        try FavouriteList.check(favourites)
        try database.execute(sql: "DELETE FROM favourite")
        for (position, favourite) in favourites.enumerated() {
            try favourite.insert(into: database, at: position)
        }
    }

    // MARK: Reminders

    /// Adds a reminder, unless there is one that says the same, which is switched on if it is off.
    ///
    /// - Returns: The reminder that is there now, and whether it is the new one.
    /// - Throws: ``JourneyStoreError``, also if its favourite is unknown or cannot be reminded of.
    public func add(
        _ reminder: Reminder
    ) throws(JourneyStoreError) -> (reminder: Reminder, isNew: Bool) {
        try writing { database in
            try reminder.validate()
            let same = try Self.reminders(in: database).first { $0.saysTheSame(as: reminder) }
            if var same {
                if reminder.isOn, !same.isOn {
                    same.isOn = true
                    try same.insert(into: database)
                }
                return (same, false)
            }
            try reminder.insert(into: database)
            try Self.checkReminders(in: database)
            return (reminder, true)
        }
    }

    /// Keeps a reminder, or replaces the one of its id.
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
    ///
    /// - Returns: How many went.
    @discardableResult
    static func removeOrphans(in database: Database) throws -> Int {
        try database.execute(
            sql: "DELETE FROM reminder WHERE favourite NOT IN (SELECT id FROM favourite)")
        return database.changesCount
    }

    /// - Throws: ``ReminderProblem`` or ``JourneyStoreProblem``.
    static func checkReminders(in database: Database) throws {
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
