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
    /// Journals in this folder are of other people: places that the user saved are not theirs.
    private let peopleFolder: URL?
    private let log: Logger
    private var journals: [String: WatchedJournal] = [:]
    /// How many journals were ever read.
    private var journalCount = 0
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
        _ inference: TrafficInference, roads: RoadNetwork?, peopleFolder: URL?, log: Logger
    ) {
        self.inference = inference
        self.roads = roads
        self.peopleFolder = peopleFolder
        self.log = log
    }

    // MARK: Outlooks

    /// When to leave for each reminder of some journals that has a deadline within ``horizonMinutes``.
    ///
    /// A trip is left out until its candidates have been made.
    /// - Parameter transit: Buses and trains, with the stops of their timetable; nil if the service has none.
    /// - Returns: Nil if nothing has changed since the last ones.
    func outlooks(
        of paths: Set<String>, by update: LiveUpdate,
        _ transit: (snapshot: TransitSnapshot, stops: RiderStops)?
    ) async -> ReminderOutlooks? {
        let now = update.issueTime
        await read(paths, at: now)
        guard isChanged || newest?.issueTime != now || transitAsOf != transit?.snapshot.asOf
        else { return nil }
        isChanged = false
        newest = update
        transitAsOf = transit?.snapshot.asOf
        let leaveBys = await roadLeaveBys(by: update)
        let hasRiders = journals.values.contains { $0.due.contains { !$0.favourite.isTrip } }
        let riders = hasRiders ? RiderForecast(transit, by: update) : nil
        number += 1
        return ReminderOutlooks(
            number: number,
            byJournal: journals.mapValues { journal in
                journal.due.compactMap { due in
                    guard due.isNear(now) else { return nil }
                    var found = due.favourite.isTrip ? leaveBys[due.key] : riders?.leaveBy(due)
                    found?.reminder = due.reminder.id
                    return found.map { ReminderOutlook(due.reminder, of: due.favourite, $0) }
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
        var deadline: Timestamp
        /// Its id on the board of all journals: another person's reminder may have the same id.
        let key: String
        var isPrepared = false

        func isNear(_ now: Timestamp) -> Bool {
            deadline.minutes(since: now) <= ReminderForecaster.horizonMinutes
        }
    }

    private struct WatchedJournal {
        let number: Int
        var stamp: JournalStamp?
        var due: [Due] = []
        var journeys: [Journey] = []
        /// Why it could not be read when that was last tried.
        var problem = ""
    }

    /// Size and date of a journal's file and of its log.
    private struct JournalStamp: Equatable {
        let file: FileStamp?
        let log: FileStamp?

        init(_ path: String) {
            file = FileStamp(path)
            log = FileStamp(path + "-wal")
        }
    }

    /// Reads journals that have changed, and turns to the next deadlines.
    private func read(_ paths: Set<String>, at now: Timestamp) async {
        for path in journals.keys where !paths.contains(path) {
            await forget(journals.removeValue(forKey: path)?.due ?? [])
        }
        for path in paths.sorted() {
            let stamp = JournalStamp(path)
            var journal = journals[path] ?? nextJournal()
            if journal.stamp != stamp {
                journal.stamp = stamp
                await read(path, into: &journal, at: now)
            }
            for index in journal.due.indices where journal.due[index].deadline < now {
                await turn(&journal.due[index], at: now)
            }
            journals[path] = journal
        }
    }

    private func nextJournal() -> WatchedJournal {
        journalCount += 1
        return WatchedJournal(number: journalCount)
    }

    private func read(
        _ path: String, into journal: inout WatchedJournal, at now: Timestamp
    ) async {
        guard journal.stamp?.file != nil else {
            await forget(journal.due)
            journal.due = []
            return
        }
        do {
            let store = try JourneyStore(URL(fileURLWithPath: path), .reading)
            defer { store.close() }
            let contents = try store.contents()
            await forget(journal.due)
            let favourites = Dictionary(
                contents.favourites.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            let number = journal.number
            journal.due = contents.reminders.filter(\.isOn).compactMap { reminder in
                guard let favourite = favourites[reminder.favourite],
                    let deadline = reminder.nextDeadline(after: now)
                else { return nil }
                return Due(
                    reminder: reminder, favourite: favourite, deadline: deadline,
                    key: "\(number)/\(reminder.id)")
            }
            journal.journeys = contents.journeys
            journal.problem = ""
            isChanged = true
        } catch {
            // What was read before still holds; each reason is logged once.
            if journal.problem != "\(error)" {
                log.error("a journal's reminders cannot be read", metadata: ["reason": "\(error)"])
            }
            journal.problem = "\(error)"
        }
    }

    private func turn(_ due: inout Due, at now: Timestamp) async {
        guard let deadline = due.reminder.nextDeadline(after: now) else { return }
        await board.remove(due.key)
        due.deadline = deadline
        due.isPrepared = false
    }

    private func forget(_ due: [Due]) async {
        for one in due { await board.remove(one.key) }
        isChanged = true
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
        guard let roads, let update = newest else { return false }
        var next: (path: String, due: Due)?
        for (path, journal) in journals {
            for due in journal.due
            where due.favourite.isTrip && !due.isPrepared && due.isNear(update.issueTime)
                && due.deadline < next?.due.deadline ?? .latest
            { next = (path, due) }
        }
        guard let (path, due) = next else { return false }
        let journeys = journals[path]?.journeys ?? []
        let candidates = await candidates(
            of: due, isOthers: isOthers(path), journeys, on: roads, by: update)
        // Meanwhile the journal may have been read again.
        guard
            let index = journals[path]?.due.firstIndex(where: {
                $0.key == due.key && $0.deadline == due.deadline && $0.reminder == due.reminder
            })
        else { return true }
        journals[path]?.due[index].isPrepared = true
        if let candidates {
            await board.set(candidates)
            isChanged = true
        }
        return true
    }

    private func isOthers(_ path: String) -> Bool {
        peopleFolder.map { path.hasPrefix($0.standardizedFileURL.path + "/") } ?? false
    }

    /// Nil if the trip cannot be made any more, such as to a place that the roads do not have.
    private func candidates(
        of due: Due, isOthers: Bool, _ journeys: [Journey], on roads: RoadNetwork,
        by update: LiveUpdate
    ) async -> ReminderCandidates? {
        var reminder = due.reminder
        reminder.id = due.key
        do {
            let (planner, trip) = try Self.trip(of: due.favourite, isOthers: isOthers, on: roads)
            return try await ReminderCandidates(
                for: reminder, deadline: due.deadline, trip: trip, by: planner,
                pace: LearnedPace(
                    of: journeys, on: due.favourite.target.route, endedBy: update.issueTime),
                in: update.situation, using: inference, model: update.model)
        } catch {
            // What it is of stays in the journal.
            log.warning(
                "a reminder's trip cannot be forecast",
                metadata: ["reminder": "\(due.reminder.id)", "reason": "\(type(of: error))"])
            return nil
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
