// The records in order and the documents made of them, kept as long as they stay true; used by handlers.
// Belongs here: what is prepared of records, map and evaluation and kept; not: what changes with the bridges (Live).
package import BridgecastAnswers
package import BridgecastCore
internal import BridgecastEngine
private import Synchronization

/// Keeps records that are prepared for reading, and documents.
package final class RecordShelf: Sendable {
    /// Records as prepared at a moment.
    package struct Prepared: Sendable {
        /// All openings and where they are all there were.
        package let history: OpeningHistory
        /// The openings in order, as they look at the moment.
        package let list: OpeningList
        /// Says what was known at a moment before.
        package let reader: SituationReader
        /// Equal as long as the records of the days before the moment's are, within this run of the program.
        let pastRevision: Int

        /// What is made of a day's records by a model: the model's file, and the records up to the day's end.
        func key(
            of date: CivilDate, _ named: (model: LoadedModel, digest: String?)
        ) -> ShelfKey {
            // Today's records are others with every minute; those of earlier days hardly ever are.
            let isToday = date == SeattleTime.civil(at: list.moment).date
            return [
                named.model.header.digest, named.digest.hashValue, pastRevision,
                isToday ? Int(list.moment.secondsSinceEpoch) : 0,
            ]
        }
    }

    /// Records are asked for again after so long, minutes by the service's clock.
    static let freshMinutes = 1.0
    /// Days of which the documents are kept.
    static let mostDays = 32

    private let prepared = Mutex<Prepared?>(nil)
    private let days = Shelf<SharedDocument>(most: mostDays)
    private let patterns = Shelf<SharedDocument>(most: BridgeCatalogue.count)
    private let maps = Shelf<SharedDocument>(most: GeographyDocument.scales.count)
    private let skills = Shelf<SharedDocument>(most: 1)

    init() {}

    /// The records, not older than a minute; prepared anew if they are, which takes milliseconds.
    ///
    /// - Parameter moment: A moment that is over; what is known of it is in them.
    /// - Throws: What reading them throws.
    package func records(
        _ state: ServiceState, knowing moment: Timestamp = .earliest
    ) throws -> Prepared {
        // Others that come meanwhile wait for it, and make it no second time.
        try prepared.withLock { kept in
            let now = state.now
            if let kept {
                let age = now.minutes(since: kept.list.moment)
                // A clock that was put back shows nothing of what is now to come.
                if age >= 0, age < Self.freshMinutes, moment < kept.list.moment { return kept }
            }
            let history = try state.parts.openings()
            let made = Prepared(
                history: history, list: OpeningList(history, at: now),
                reader: SituationReader(history),
                pastRevision: history.revision(
                    before: SeattleTime.startOfDay(SeattleTime.civil(at: now).date)))
            kept = made
            return made
        }
    }

    /// The document of a day, made if there is none yet.
    func day(
        _ key: ShelfKey, _ make: () async throws -> [UInt8]
    ) async throws
        -> SharedDocument
    {
        try await days.item(key) { SharedDocument(try await make()) }
    }

    /// A bridge's openings over the week, made if there are none yet.
    func pattern(
        _ key: ShelfKey, _ make: () async throws -> [UInt8]
    ) async throws
        -> SharedDocument
    {
        try await patterns.item(key) { SharedDocument(try await make()) }
    }

    /// The map of a scale, made if there is none yet.
    func map(
        _ key: ShelfKey, _ make: () async throws -> [UInt8]
    ) async throws
        -> SharedDocument
    {
        try await maps.item(key) { SharedDocument(try await make()) }
    }

    /// The evaluation, made if there is none yet.
    func skill(
        _ key: ShelfKey, _ make: () async throws -> [UInt8]
    ) async throws
        -> SharedDocument
    {
        try await skills.item(key) { SharedDocument(try await make()) }
    }
}

extension OpeningHistory {
    /// Tells records up to a moment apart within this run of the program; O(openings).
    ///
    /// Of an opening that goes on at the moment its end counts too: it is shown with the day that it began on.
    fileprivate func revision(before end: Timestamp) -> Int {
        var hasher = Hasher()
        for list in openings { hasher.combine(list.prefix { $0.start < end }) }
        hasher.combine(coverage.clamped(to: .earliest..<end).periods)
        return hasher.finalize()
    }
}
