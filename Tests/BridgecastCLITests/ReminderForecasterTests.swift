// The reminders that a service forecasts: those of the journals that rules name, as `remind next` does.
import Bridgecast
import BridgecastAlerts
import BridgecastCLI
import BridgecastCore
import BridgecastEngine
import BridgecastJourneys
import BridgecastLive
import BridgecastStore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import Logging
import Synchronization
import Testing

@testable import BridgecastServerCLI

@Suite struct ReminderForecasterTests: RunsCommands {
    private static let evening = "2026-02-20T17:58"
    private static let inference = Result {
        TrafficInference(try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")))
    }

    private func update(at time: String) async throws -> LiveUpdate {
        let now = Fixtures.timestamp(time)
        let forecaster = try LiveForecaster(
            Self.inference.get(), history: Fixtures.shippedHistory.before(now))
        return try await forecaster.update(nil, traffic: LiveTraffic(), at: now)
    }

    private func forecaster(
        people: PeopleStore? = nil,
        log: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> ReminderForecaster {
        ReminderForecaster(
            try Self.inference.get(), roads: Fixtures.seattle,
            opening: JournalOpener(people: people), log: log)
    }

    /// A journal with a reminder of a trip.
    private func journal(
        _ url: URL, id: String = "m1", from: String = "Ballard", to: String = "Downtown",
        minuteOfDay: Int = 18 * 60 + 35
    ) throws -> String {
        let store = try JourneyStore(url, .writing)
        defer { store.close() }
        let favourite = Favourite(
            id: "f\(id)", name: "work", target: .trip(from: from, to: to, mode: .car))
        try store.add(favourite)
        try store.set(
            Reminder(
                id: id, favourite: favourite.id, minuteOfDay: minuteOfDay, weekdays: .daily,
                zone: "America/Los_Angeles"))
        return url.path
    }

    /// The outlooks once candidates have been made.
    private func prepared(
        _ forecaster: ReminderForecaster, _ paths: [String], _ update: LiveUpdate, count: Int
    ) async throws -> ReminderOutlooks {
        let preparing = Task { await forecaster.prepare() }
        defer { preparing.cancel() }
        for _ in 1...200 {
            if let found = await forecaster.outlooks(
                of: Set(paths.map { .file($0) }), by: update, nil),
                found.byJournal.values.map(\.count).reduce(0, +) == count
            {
                return found
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure(.software, "no outlooks")
    }

    @Test func theTimeToLeaveIsThatOfRemindNext() async throws {
        try await withHome { home in
            let url = home.appendingPathComponent("journeys.sqlite")
            let path = try journal(url)
            let next = try document(
                try await CommandRun(
                    [
                        "remind", "next", "--at", Self.evening, "--journal", path, "--format",
                        "json",
                    ], home: home))
            let reminders = try #require(next["reminders"] as? [[String: Any]])
            let wanted = try TimeText.parse(try #require(reminders.first?["leave_by"] as? String))
            let found = try await prepared(
                try forecaster(), [path], try await update(at: Self.evening), count: 1)
            let outlook = try #require(found.byJournal[.file(path)]?.first)
            #expect(outlook.reminder.id == "m1" && outlook.leaveBy.reminder == "m1")
            // The command knows the records up to the minute, the service what its feed has shown.
            let departure = try #require(outlook.leaveBy.departure)
            #expect(abs(departure.minutes(since: wanted)) <= 2, "\(departure), \(wanted)")
            #expect(outlook.leaveBy.deadline == Fixtures.timestamp("2026-02-20T18:35"))
        }
    }

    @Test func peopleWhoseRemindersHaveTheSameIDDoNotGetEachOthers() async throws {
        try await withHome { home in
            let first = try journal(home.appendingPathComponent("a.sqlite"))
            let second = try journal(
                home.appendingPathComponent("b.sqlite"), from: "Fremont", to: "Ballard",
                minuteOfDay: 19 * 60)
            let forecaster = try forecaster()
            let now = try await update(at: Self.evening)
            let found = try await prepared(forecaster, [first, second], now, count: 2)
            #expect(
                found.byJournal[.file(first)]?.map(\.leaveBy.deadline) == [
                    Fixtures.timestamp("2026-02-20T18:35")
                ])
            #expect(
                found.byJournal[.file(second)]?.map(\.leaveBy.deadline) == [
                    Fixtures.timestamp("2026-02-20T19:00")
                ])
            // Without a change there are no others; that candidates were made may still count as one.
            _ = await forecaster.outlooks(of: [.file(first), .file(second)], by: now, nil)
            #expect(
                await forecaster.outlooks(of: [.file(first), .file(second)], by: now, nil) == nil)
            // A journal that is gone is forgotten.
            try FileManager.default.removeItem(atPath: second)
            let left = await forecaster.outlooks(of: [.file(first), .file(second)], by: now, nil)
            #expect(left?.byJournal[.file(second)]?.isEmpty == true)
            #expect(left?.byJournal[.file(first)]?.count == 1)
        }
    }

    @Test func aDeadlineThatHasPassedGivesWayToTheNext() async throws {
        try await withHome { home in
            let path = try journal(home.appendingPathComponent("a.sqlite"))
            let forecaster = try forecaster()
            _ = try await prepared(
                forecaster, [path], try await update(at: Self.evening), count: 1)
            // The next is a day ahead, beyond the horizon.
            let later = try await update(at: "2026-02-20T18:36")
            #expect(
                await forecaster.outlooks(of: [.file(path)], by: later, nil)?.byJournal[
                    .file(path)]?.isEmpty
                    == true)
            let found = try await prepared(
                forecaster, [path], try await update(at: "2026-02-21T17:00"), count: 1)
            #expect(
                found.byJournal[.file(path)]?.first?.leaveBy.deadline
                    == Fixtures.timestamp("2026-02-21T18:35"))
        }
    }

    @Test func aChangeOfTheJournalCounts() async throws {
        try await withHome { home in
            let url = home.appendingPathComponent("a.sqlite")
            let path = try journal(url)
            let forecaster = try forecaster()
            let now = try await update(at: Self.evening)
            _ = try await prepared(forecaster, [path], now, count: 1)
            let store = try JourneyStore(url, .writing)
            _ = try store.setReminder("m1", isOn: false, leadSeconds: nil)
            store.close()
            #expect(
                await forecaster.outlooks(of: [.file(path)], by: now, nil)?.byJournal[.file(path)]?
                    .isEmpty
                    == true)
        }
    }

    /// A place that the user of the service saved is not the home of another person.
    @Test func savedPlacesAreOfTheUserAlone() async throws {
        try await withHome { home in
            let people = try PeopleStore(home.appendingPathComponent("people"), .writing)
            _ = try people.add("Ana", now: Fixtures.timestamp(Self.evening))
            let ana = try #require(try people.people().first)
            let settings = home.appendingPathComponent(".config/bridgecast")
            try FileManager.default.createDirectory(
                at: settings, withIntermediateDirectories: true)
            try Data(#"{"home": "Ballard"}"#.utf8)
                .write(to: settings.appendingPathComponent("places.json"))
            let own = try journal(home.appendingPathComponent("own.sqlite"), from: "home")
            let others = try journal(people.journal(of: ana), from: "home")
            let console = Console(
                environment: ["HOME": home.path], output: { _ in }, errors: { _ in },
                become: { _, _, _ in })
            try await Console.$current.withValue(console) {
                let forecaster = try forecaster(people: people)
                let now = try await update(at: Self.evening)
                let found = try await prepared(forecaster, [own, others], now, count: 1)
                #expect(found.byJournal[.file(own)]?.count == 1)
                // The other one has been tried as well by now, as their deadlines are the same.
                let preparing = Task { await forecaster.prepare() }
                try await Task.sleep(for: .seconds(1))
                preparing.cancel()
                let later = try await update(at: "2026-02-20T17:59")
                let last = await forecaster.outlooks(
                    of: [.file(own), .file(others)], by: later, nil)
                #expect(last?.byJournal[.file(own)]?.count == 1)
                #expect(last?.byJournal[.file(others)]?.isEmpty == true)
            }
        }
    }

    /// A rule of a person names no path: it holds where the folder of people is now.
    @Test func aPersonsRemindersGoWithTheFolderOfPeople() async throws {
        try await withHome { home in
            let folder = home.appendingPathComponent("people")
            let people = try PeopleStore(folder, .writing)
            _ = try people.add("Ana", now: Fixtures.timestamp(Self.evening))
            let ana = try #require(try people.people().first)
            _ = try journal(people.journal(of: ana))
            let alerts = try AlertStore(home.appendingPathComponent("alerts.sqlite"), .writing)
            defer { alerts.close() }
            _ = try alerts.add(to: AlertOwner(id: ana.id, name: ana.name)) {
                AlertRule(id: "r", subscriber: $0, subject: .ownReminders, createdAt: .now)
            }
            people.close()
            let moved = home.appendingPathComponent("elsewhere")
            try FileManager.default.moveItem(at: folder, to: moved)
            let forecaster = try forecaster(people: try PeopleStore(moved, .reading))
            let now = try await update(at: Self.evening)
            let preparing = Task { await forecaster.prepare() }
            defer { preparing.cancel() }
            var found: ReminderOutlook?
            for _ in 1...200 where found == nil {
                let outlooks = await forecaster.outlooks(
                    of: try alerts.reminderJournals(), by: now, nil)
                found = outlooks?.byJournal[.person(ana.id)]?.first ?? found
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(found?.reminder.id == "m1")
        }
    }

    @Test func aJournalThatIsGoneOrEncryptedMeanwhileIsLoggedOnce() async throws {
        try await withHome { home in
            let url = home.appendingPathComponent("a.sqlite")
            let path = try journal(url)
            let reasons = LoggedReasons()
            let forecaster = try forecaster(log: reasons.logger())
            let now = try await update(at: Self.evening)
            let journals: Set<ReminderJournal> = [.file(path)]
            _ = try await prepared(forecaster, [path], now, count: 1)
            #expect(reasons.all.isEmpty)
            let key = home.path + "/key"
            for arguments in [["key", "make", key], ["encrypt", "--journal", path, "--key", key]] {
                let run = try await CommandRun(["journey"] + arguments, home: home)
                #expect(run.code == 0, "\(run.errors)")
            }
            for _ in 1...2 { _ = await forecaster.outlooks(of: journals, by: now, nil) }
            #expect(reasons.all.count == 1 && reasons.all[0].contains("is encrypted"))
            try FileManager.default.removeItem(at: url)
            // After one that failed it is looked for again some seconds later.
            let gone = try self.forecaster(log: reasons.logger())
            for _ in 1...2 { _ = await gone.outlooks(of: journals, by: now, nil) }
            #expect(reasons.all.count == 2)
            #expect(reasons.all.last?.hasPrefix("\(path): there is no journal") == true)
        }
    }

    /// What keeps a journal from being opened may be another file, such as that of the features.
    @Test func aJournalThatCannotBeOpenedIsTriedAgain() async throws {
        try await withHome { home in
            let settings = home.appendingPathComponent(".config/bridgecast")
            try FileManager.default.createDirectory(
                at: settings, withIntermediateDirectories: true)
            let features = settings.appendingPathComponent("features.json")
            try Data("no features".utf8).write(to: features)
            let path = try journal(home.appendingPathComponent("a.sqlite"))
            let console = Console(
                environment: ["HOME": home.path], output: { _ in }, errors: { _ in },
                become: { _, _, _ in })
            try await Console.$current.withValue(console) {
                let forecaster = try forecaster()
                let now = try await update(at: Self.evening)
                let first = await forecaster.outlooks(of: [.file(path)], by: now, nil)
                #expect(first?.byJournal[.file(path)]?.isEmpty == true)
                try FileManager.default.removeItem(at: features)
                let found = try await prepared(forecaster, [path], now, count: 1)
                #expect(found.byJournal[.file(path)]?.count == 1)
            }
        }
    }

    /// The shipped timetable of 2018, without realtime: a departure of line 542 that has to cross Montlake Bridge.
    @Test func aDepartureIsThatOfTheTimetableLessTheWalkWithWhatBridgesMayAdd() async throws {
        try await withHome { home in
            let feed = try TransitFeed(
                contentsOf: Fixtures.model("transit/sound-transit-montlake.zip"))
            let now = Fixtures.timestamp("2018-01-04T15:00")
            let update = try await update(at: "2018-01-04T15:00")
            let stops = RiderStops(feed)
            let snapshot = TransitSnapshot(feed, asOf: now)
            let stop = try #require(feed.stop("25243"))
            let departures = snapshot.board(of: stop, at: now).departures
            let departure = try #require(
                departures.first { departure in
                    departure.scheduledDeparture.map { $0 >= now.adding(minutes: 30) } ?? false
                        && departure.route.map { feed[$0].shortName } == "542"
                })
            let scheduled = try #require(departure.scheduledDeparture)
            let url = home.appendingPathComponent("a.sqlite")
            let store = try JourneyStore(url, .writing)
            try store.add(
                Favourite(
                    id: "f1", name: "bus",
                    target: .stop(line: "542", stop: "25243", direction: "")))
            try store.set(
                Reminder(
                    id: "m1", favourite: "f1",
                    // Two minutes off: the timetable may have changed.
                    minuteOfDay: SeattleTime.civil(at: scheduled).secondOfDay / 60 + 2,
                    weekdays: .daily, zone: "America/Los_Angeles", walkSeconds: 240))
            store.close()
            let forecaster = try forecaster()
            let found = try #require(
                await forecaster.outlooks(of: [.file(url.path)], by: update, (snapshot, stops)))
            let outlook = try #require(found.byJournal[.file(url.path)]?.first)
            #expect(
                outlook.leaveBy.departure
                    == (departure.expected ?? scheduled).adding(seconds: -240))
            let bridges = TransitBridges(
                stops.crossings,
                BridgeKnowledge(
                    try update.model.minuteTable(in: update.situation, traffic: update.traffic),
                    situation: update.situation, climatology: update.model.climatology,
                    traffic: update.traffic))
            #expect(
                outlook.leaveBy.bridgeSeconds
                    == bridges.ahead(of: departure.run, in: snapshot, at: now)
                    .outlook(atStop: departure.stopOrder)?.p90Seconds)
            #expect(outlook.leaveBy.bridgeSeconds != nil)
            // Without a timetable the reminder's own time counts.
            let own = try #require(
                await forecaster.outlooks(of: [.file(url.path)], by: update, nil)?.byJournal[
                    .file(url.path)]?
                    .first)
            #expect(own.leaveBy.departure == own.leaveBy.deadline.adding(seconds: -240))
            #expect(own.leaveBy.bridgeSeconds == nil)
        }
    }
}

/// The reasons of lines that were logged.
private final class LoggedReasons: Sendable {
    private let captured = Mutex<[String]>([])

    var all: [String] { captured.withLock { $0 } }

    func logger() -> Logger { Logger(label: "test") { _ in Handler(reasons: self) } }

    private struct Handler: LogHandler {
        let reasons: LoggedReasons
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard let reason = event.metadata?["reason"] else { return }
            reasons.captured.withLock { $0.append("\(reason)") }
        }
    }
}
