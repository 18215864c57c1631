// Caches of prepared records and documents made of them, and of snapshots of the past.
internal import Bridgecast
package import BridgecastAnswers
package import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive
internal import BridgecastSupport
private import Synchronization

/// A cache of records that are prepared for reading, and of documents made of them.
package final class RecordCache: Sendable {
    package struct Prepared: Sendable {
        /// All openings, and the periods for which they are complete.
        package let history: OpeningHistory
        /// The openings in order, as known at that time.
        package let list: OpeningList
        /// Reads what was known at an earlier time.
        package let reader: SituationReader
        /// Changes with the records of earlier days; valid within this run of the program.
        let pastRevision: Int

        /// The key of what a model makes of a day's records: the model's file, and the records up to the day's end.
        func key(of date: CivilDate, _ named: (model: LoadedModel, digest: String?)) -> CacheKey {
            // Today's records change every minute; those of earlier days rarely do.
            let isToday = date == SeattleTime.civil(at: list.time).date
            return [
                named.model.header.digest, named.digest.hashValue, pastRevision,
                isToday ? Int(list.time.secondsSinceEpoch) : 0,
            ]
        }
    }

    /// Records are read again after this time, minutes by the service's clock.
    static let maxAgeMinutes = 1.0

    private let prepared = Mutex<Prepared?>(nil)
    let days: CacheSection<SharedDocument>
    /// Openings over the week, by bridge.
    let patterns: CacheSection<SharedDocument>
    let maps: CacheSection<SharedDocument>
    let skills: CacheSection<SharedDocument>

    private static let secondsOfDay = 86_400.0
    private static let secondsOfHour = 3_600.0

    /// What every visit shows stays the longest; days are looked at by few.
    init(_ cache: ServiceCache) {
        days = CacheSection(
            "days", in: cache, timeToLiveSeconds: Self.secondsOfHour, priority: .normal)
        patterns = CacheSection(
            "patterns", in: cache, timeToLiveSeconds: Self.secondsOfDay, priority: .high)
        maps = CacheSection(
            "maps", in: cache, timeToLiveSeconds: Self.secondsOfDay, priority: .critical)
        skills = CacheSection(
            "skills", in: cache, timeToLiveSeconds: Self.secondsOfDay, priority: .critical)
    }

    /// The records, prepared again if they are older than a minute, which takes milliseconds.
    ///
    /// - Parameter time: A past time that they have to include.
    /// - Throws: The error of reading them.
    package func records(
        _ state: ServiceState, knowing time: Timestamp = .earliest
    ) throws -> Prepared {
        // Concurrent callers wait for the lock, so that it is made once.
        try prepared.withLock { kept in
            let now = state.now
            if let kept {
                let age = now.minutes(since: kept.list.time)
                // After the clock was set back, records of the future must not show.
                if age >= 0, age < Self.maxAgeMinutes, time < kept.list.time { return kept }
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
}

extension OpeningHistory {
    /// A hash of the records up to a time, valid within this run of the program; O(openings).
    ///
    /// The end of an opening that continues at that time is included: it is shown with the day on which it began.
    fileprivate func revision(before end: Timestamp) -> Int {
        var hasher = Hasher()
        for list in openings { hasher.combine(list.prefix { $0.start < end }) }
        hasher.combine(coverage.clamped(to: .earliest..<end).periods)
        return hasher.finalize()
    }
}

/// Makes snapshots of the past and keeps those that were requested last.
///
/// Each uses the records up to its time and nothing later, through ``SituationReader``. It is what a live service would
/// have answered with the model in use; past traffic is not recorded, so that typical traffic is assumed.
final class PastSnapshotCache: Sendable {
    /// A page that replays a day requests one after the other, several times each, within minutes.
    private static let policy = CachePolicy(timeToLiveSeconds: 600, priority: .low)
    /// What a snapshot takes with its document: a service that answered of a hundred grew by 172 kB each.
    private static let snapshotBytes = 172_000

    private let snapshots: CacheSection<BridgesSnapshot>

    init(_ cache: ServiceCache) {
        snapshots = CacheSection(cache: cache, name: "past", policy: Self.policy) { _ in
            Self.snapshotBytes
        }
    }

    /// The snapshot of a time, made if it is not cached.
    ///
    /// - Parameter issueTime: In the past by the service's clock.
    /// - Throws: ``Problem`` if nothing can be forecast now; the error of reading the records.
    func snapshot(at issueTime: Timestamp, _ state: ServiceState) async throws -> BridgesSnapshot {
        let records = try state.records.records(state, knowing: issueTime)
        let named = state.models.named
        let date = SeattleTime.civil(at: issueTime).date
        let key = [Int(issueTime.secondsSinceEpoch)] + records.key(of: date, named)
        return try await snapshots.item(key) {
            try await Self.snapshot(
                at: issueTime, from: records, by: named.model, inference: state.parts.inference)
        }
    }

    private static func snapshot(
        at issueTime: Timestamp, from records: RecordCache.Prepared, by model: LoadedModel,
        inference: TrafficInference
    ) async throws(Problem) -> BridgesSnapshot {
        let situation = records.reader.situation(at: issueTime)
        let traffic = TrafficDensity()
        let table: ForecastTable
        do {
            table = try await inference.table(
                in: situation, reaching: LivePipeline.reachMinutes, traffic: traffic, model: model)
        } catch { throw Problem(error) }
        let coverage = records.history.coverage
        let past = BridgesSnapshot.Past(
            source: SourceStatus(records: records.history, at: issueTime),
            warnings: RecordsWarnings.warnings(
                of: "time",
                isCovered: BridgeIndex.all.contains { coverage.contains(issueTime, of: $0) },
                forecast: (by: model.header, of: issueTime)))
        return BridgesSnapshot(
            update: LiveUpdate(situation, table, traffic: traffic, model: model), past: past)
    }
}
