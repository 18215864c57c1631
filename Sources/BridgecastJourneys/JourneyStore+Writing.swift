// What changes the journeys of a journal: each function is one transaction, done or not done at all. Favourites and
// reminders are in JourneyStore+Favourites.swift, imports in JourneyStore+Import.swift.
public import BridgecastCore
internal import BridgecastStore
internal import GRDB

extension JourneyStore {
    /// Changes in one transaction; an error leaves the journal as it was.
    func writing<Result>(_ body: (Database) throws -> Result) throws(JourneyStoreError) -> Result {
        do {
            let result = try about { try database.write(body) }
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

    static func has(_ id: String, in database: Database) throws -> Bool {
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
    static func trim(_ database: Database) throws -> Int {
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

    static func updateAverages(in database: Database) throws {
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
}
