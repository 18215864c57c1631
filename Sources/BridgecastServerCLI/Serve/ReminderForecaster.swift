// When to leave for the reminders of journals: the roads are searched once a deadline, times are found with each forecast.
import Bridgecast
import BridgecastAlerts
import BridgecastCLI
import BridgecastCore
import BridgecastEngine
import BridgecastJourneys
import BridgecastLive
import BridgecastRoads
import BridgecastRouting
import BridgecastService
import BridgecastStore
internal import BridgecastSupport
import BridgecastTransit
import Foundation
import Logging

/// Reads the journals that rules name, and forecasts their reminders.
actor ReminderForecaster {
    private let inference: TrafficInference
    /// Without roads only departures at stops are forecast.
    private let roads: RoadNetwork?
    private let opener: JournalOpener
    private let log: Logger
    private var journals: [ReminderJournal: WatchedJournal] = [:]
    /// How many deadlines have been waited for.
    private var dueCount = 0
    private let board = ReminderBoard()
    private var number = 0
    private var newest: LiveUpdate?
    /// When the newest snapshot of buses and trains was made.
    private var transitAsOf: Timestamp?
    /// Whether something but the forecast has changed since the last outlooks.
    private var isChanged = false

    /// Candidates are made this long before a deadline: the longest trip and the longest lead.
    static let horizonMinutes = Double(
        ReminderCandidates.maxMinutes + Reminder.maxSeconds / 60)
    /// Without anything to prepare, it is looked for again after this time, seconds.
    private static let pauseSeconds = 0.5

    init(
        _ inference: TrafficInference, roads: RoadNetwork?, opening opener: JournalOpener,
        log: Logger
    ) {
        self.inference = inference
        self.roads = roads
        self.opener = opener
        self.log = log
    }

    // MARK: Outlooks

    /// When to leave for each reminder of some journals that has a deadline within ``horizonMinutes``.
    ///
    /// A trip is left out until its candidates have been made.
    /// - Parameter transit: Buses and trains, with the stops of their timetable; nil if the service has none.
    /// - Returns: Nil if nothing has changed since the last ones.
    func outlooks(
        of named: Set<ReminderJournal>, by update: LiveUpdate,
        _ transit: (snapshot: TransitSnapshot, stops: RiderStops)?
    ) async -> ReminderOutlooks? {
        let now = update.issueTime
        for key in read(named, at: now) { await board.remove(key) }
        guard isChanged || newest?.issueTime != now || transitAsOf != transit?.snapshot.asOf
        else { return nil }
        isChanged = false
        newest = update
        transitAsOf = transit?.snapshot.asOf
        let leaveBys = await roadLeaveBys(by: update)
        let hasRiders = journals.values.contains {
            $0.due.contains { !$0.favourite.isTrip && $0.isNear(now) }
        }
        let riders = hasRiders ? RiderForecast(transit, by: update) : nil
        number += 1
        return ReminderOutlooks(
            number: number,
            byJournal: journals.mapValues { journal in
                journal.due.compactMap { due in
                    guard due.isNear(now) else { return nil }
                    var found = due.favourite.isTrip ? leaveBys[due.key] : riders?.leaveBy(due)
                    found?.reminder = due.reminder.id
                    return found.map {
                        ReminderOutlook(
                            due.reminder, of: due.favourite, $0,
                            announcesMoves: journal.announcesMoves)
                    }
                }
            })
    }

    private func roadLeaveBys(by update: LiveUpdate) async -> [String: LeaveBy] {
        guard await board.count > 0 else { return [:] }
        do {
            let table = try await inference.table(
                in: update.situation, reaching: Self.horizonMinutes, traffic: update.traffic,
                model: update.model)
            return Dictionary(
                await board.leaveBys(with: table).map { ($0.reminder, $0) },
                uniquingKeysWith: { $1 })
        } catch {
            log.error("reminders not forecast", metadata: ["reason": "\(error)"])
            return [:]
        }
    }

    // MARK: Journals

    /// A reminder that is on, with its next deadline.
    struct Due {
        let reminder: Reminder
        let favourite: Favourite
        let deadline: Timestamp
        /// Its id on the board of all journals: it is used for this deadline alone, so that nothing that is still under way for
        /// another reminder, deadline or person can be taken for it.
        let key: String
        var isPrepared = false
        /// After a failure that may pass: not before this time.
        var retryAt: ContinuousClock.Instant?

        func isNear(_ now: Timestamp) -> Bool {
            deadline.minutes(since: now) <= ReminderForecaster.horizonMinutes
        }
    }

    private struct WatchedJournal {
        /// Of the file as it was read; nil before the first time.
        var stamp: JournalStamp?
        var due: [Due] = []
        /// On the routes of its reminders, from which may be learned.
        var journeys: [Journey] = []
        var announcesMoves = true
        /// Why it could not be read when that was last tried, and when it is tried again.
        var problem = ""
        var retryAt: ContinuousClock.Instant?
    }

    /// Size and date of a journal's file and of its log.
    private struct JournalStamp: Equatable {
        let file: FileStamp?
        let log: FileStamp?

        /// Of a journal that is nowhere.
        static let none = JournalStamp(file: nil, log: nil)

        private init(file: FileStamp?, log: FileStamp?) {
            self.file = file
            self.log = log
        }

        init(_ path: String) {
            self.init(file: FileStamp(path), log: FileStamp(path + "-wal"))
        }
    }

    /// What failed is tried again after this time.
    private static let retryAfter = Duration.seconds(5)

    /// Reads journals that have changed, and turns to the next deadlines.
    ///
    /// - Returns: The keys of what the board has to forget.
    private func read(_ named: Set<ReminderJournal>, at now: Timestamp) -> [String] {
        var forgotten: [String] = []
        for name in journals.keys where !named.contains(name) {
            forgotten += journals.removeValue(forKey: name)?.due.map(\.key) ?? []
            isChanged = true
        }
        for name in named {
            var journal = journals[name] ?? WatchedJournal()
            let stamp = opener.path(of: name).map(JournalStamp.init) ?? .none
            let isWaiting = journal.retryAt.map { ContinuousClock.now < $0 } ?? false
            if journal.stamp != stamp, !isWaiting {
                let before = journal.due.map(\.key)
                if read(name, stamp, into: &journal, at: now) { forgotten += before }
            }
            for index in journal.due.indices where journal.due[index].deadline < now {
                forgotten.append(journal.due[index].key)
                if let next = due(journal.due[index].reminder, journal.due[index].favourite, now) {
                    journal.due[index] = next
                }
            }
            journals[name] = journal
        }
        return forgotten
    }

    private func due(_ reminder: Reminder, _ favourite: Favourite, _ now: Timestamp) -> Due? {
        guard let deadline = reminder.nextDeadline(after: now) else { return nil }
        dueCount += 1
        return Due(
            reminder: reminder, favourite: favourite, deadline: deadline, key: "\(dueCount)")
    }

    /// - Returns: Whether what was read before no longer holds.
    private func read(
        _ name: ReminderJournal, _ stamp: JournalStamp, into journal: inout WatchedJournal,
        at now: Timestamp
    ) -> Bool {
        guard stamp.file != nil else {
            noteMissing(name, wasRead: journal.stamp?.file != nil)
            journal = WatchedJournal()
            journal.stamp = stamp
            isChanged = true
            return true
        }
        do {
            let store = try opener.open(name)
            defer { store.close() }
            let favourites = Dictionary(
                try store.favourites().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            let reminders = try store.reminders().filter(\.isOn)
            let routes = Set(reminders.compactMap { favourites[$0.favourite]?.target.route })
            journal.journeys = try store.learnableJourneys().journeys
                .filter { routes.contains($0.route) }
            journal.announcesMoves = try store.announcesMoves()
            journal.due = reminders.compactMap { reminder in
                favourites[reminder.favourite].flatMap { due(reminder, $0, now) }
            }
            journal.stamp = stamp
            journal.problem = ""
            journal.retryAt = nil
            isChanged = true
            return true
        } catch {
            // What was read before still holds; each reason is logged once.
            if journal.problem != "\(error)" {
                log.error("a journal's reminders cannot be read", metadata: ["reason": "\(error)"])
            }
            journal.problem = "\(error)"
            journal.retryAt = .now + Self.retryAfter
            return false
        }
    }

    /// A person of the service may have no journal yet; one that a rule names, or that was read before, was there.
    private func noteMissing(_ name: ReminderJournal, wasRead: Bool) {
        let path = printable(opener.path(of: name) ?? "", maxLength: 200)
        if case .person = name, !wasRead { return }
        log.error(
            "a journal's reminders cannot be read",
            metadata: [
                "reason": "\(path): there is no journal; none of its reminders is announced"
            ])
    }

    // MARK: Candidates

    /// Makes the candidates of trips one after the other, the next deadline first, until the task is cancelled.
    func prepare() async {
        while !Task.isCancelled {
            if await prepareNext() { continue }
            try? await Task.sleep(for: .seconds(Self.pauseSeconds))
        }
    }

    /// - Returns: Whether there was one.
    private func prepareNext() async -> Bool {
        guard let roads, let update = newest, let (name, due) = nextUnprepared(update.issueTime)
        else { return false }
        let outcome = await candidates(
            of: due, isOthers: opener.isOthers(name), journals[name]?.journeys ?? [], on: roads,
            by: update)
        // Meanwhile the journal may have been read again, or the deadline have passed.
        guard let index = journals[name]?.due.firstIndex(where: { $0.key == due.key }) else {
            return true
        }
        switch outcome {
        case .found(let candidates):
            journals[name]?.due[index].isPrepared = true
            await board.set(candidates)
            isChanged = true
            let isStillDue = journals[name]?.due.contains { $0.key == due.key } ?? false
            if !isStillDue { await board.remove(due.key) }
        case .impossible: journals[name]?.due[index].isPrepared = true
        case .failed: journals[name]?.due[index].retryAt = .now + Self.retryAfter
        }
        return true
    }

    /// The trip without candidates that has the next deadline.
    private func nextUnprepared(_ now: Timestamp) -> (name: ReminderJournal, due: Due)? {
        let clock = ContinuousClock.now
        var next: (name: ReminderJournal, due: Due)?
        for (name, journal) in journals {
            for due in journal.due
            where due.favourite.isTrip && !due.isPrepared && due.isNear(now)
                && due.retryAt.map({ $0 <= clock }) ?? true
                && due.deadline < next?.due.deadline ?? .latest
            { next = (name, due) }
        }
        return next
    }

    /// What the search of a trip's candidates led to.
    private enum Preparation {
        case found(ReminderCandidates)
        /// The trip cannot be made any more, such as to a place that the roads do not have.
        case impossible
        /// The same may succeed later, as where the service has too much to do.
        case failed
    }

    private func candidates(
        of due: Due, isOthers: Bool, _ journeys: [Journey], on roads: RoadNetwork,
        by update: LiveUpdate
    ) async -> Preparation {
        var reminder = due.reminder
        reminder.id = due.key
        do {
            let (planner, trip) = try Self.trip(of: due.favourite, isOthers: isOthers, on: roads)
            return .found(
                try await ReminderCandidates(
                    for: reminder, deadline: due.deadline, trip: trip, by: planner,
                    pace: LearnedPace(
                        of: journeys, on: due.favourite.target.route, endedBy: update.issueTime),
                    in: update.situation, using: inference, model: update.model))
        } catch {
            if (error as? any Failure)?.isTransient == true { return .failed }
            // What it is of stays in the journal.
            log.warning(
                "a reminder's trip cannot be forecast",
                metadata: ["reminder": "\(due.reminder.id)", "reason": "\(type(of: error))"])
            return .impossible
        }
    }

    private static func trip(
        of favourite: Favourite, isOthers: Bool, on roads: RoadNetwork
    ) throws -> (RoutePlanner, Trip) {
        guard isOthers, case .trip(let from, let to, let mode) = favourite.target,
            let mode = mode.roadMode
        else {
            let found = try FavouriteTrip(favourite, on: roads)
            return (found.planner, found.trip)
        }
        let trip = Trip(
            from: try roads.anchor(from, for: mode), to: try roads.anchor(to, for: mode),
            mode: mode)
        return (RoutePlanner(roads), trip)
    }
}

/// Opens the journals that rules name: those of the service's people, each with its own switches, and the user's own.
struct JournalOpener: Sendable {
    private let people: PeopleStore?
    private let rollout: FeatureRollout?

    /// - Parameters:
    ///   - people: The people of the service; nil without any.
    ///   - rollout: The people that have each feature; nil for all.
    init(people: PeopleStore? = nil, rollout: FeatureRollout? = nil) {
        self.people = people
        self.rollout = rollout
    }

    /// Where a journal is; nil for a person's on a service without people.
    func path(of journal: ReminderJournal) -> String? {
        switch journal {
        case .file(let path): path
        case .person(let id): people?.journal(ofID: id).path
        }
    }

    /// Whether a journal is of another person than the user: places that the user saved are not theirs.
    func isOthers(_ journal: ReminderJournal) -> Bool {
        switch journal {
        case .file(let path): people?.isInFolder(path) ?? false
        case .person: true
        }
    }

    /// Opens a journal for reading.
    ///
    /// - Throws: `JourneyStoreError`, `PeopleStoreError`, or an error of the user's key or features.
    func open(_ journal: ReminderJournal) throws -> JourneyStore {
        switch journal {
        case .person(let id):
            guard let people else { throw PeopleStoreProblem.unknown(id) }
            return try open(try people.person(ofID: id), of: people)
        case .file(let path):
            guard let people, isOthers(journal) else {
                return try OwnJournal.open(URL(fileURLWithPath: path), .reading)
            }
            return try open(try people.person(withJournalAt: path), of: people)
        }
    }

    private func open(_ person: Person, of people: PeopleStore) throws -> JourneyStore {
        try people.openJournal(of: person, .reading, rollout: rollout)
    }
}
