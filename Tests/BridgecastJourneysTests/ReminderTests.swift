import BridgecastCore
@testable import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

func reminder(
    _ id: String = "r", of favourite: String = "id-home", minute: Int = 9 * 60,
    days: WeekdaySet = .workdays, zone: String = "America/Los_Angeles"
) -> Reminder {
    Reminder(id: id, favourite: favourite, minuteOfDay: minute, weekdays: days, zone: zone)
}

@Suite struct ReminderTests {
    // MARK: Deadlines

    private func texts(_ reminder: Reminder, after time: String, count: Int) -> [String] {
        reminder.deadlines(after: Fixtures.timestamp(time), count: count).map(TimeText.rfc3339)
    }

    @Test func deadlinesAreOnTheWantedDaysByThePersonsClock() {
        // 2026-02-20 is a Friday.
        #expect(
            texts(reminder(), after: "2026-02-20T08:00", count: 3) == [
                "2026-02-20T09:00:00-08:00", "2026-02-23T09:00:00-08:00",
                "2026-02-24T09:00:00-08:00",
            ])
        #expect(
            texts(reminder(), after: "2026-02-20T09:00", count: 1) == ["2026-02-23T09:00:00-08:00"])
        // Sunday 23:30 in Tokyo is Sunday 06:30 in Seattle.
        let tokyo = reminder(minute: 23 * 60 + 30, days: WeekdaySet(.sunday), zone: "Asia/Tokyo")
        #expect(
            texts(tokyo, after: "2026-02-20T08:00", count: 1) == ["2026-02-22T06:30:00-08:00"])
    }

    @Test func aDeadlineInTheSkippedHourIsAtTheChange() {
        let night = reminder(minute: 2 * 60 + 30, days: .daily)
        #expect(
            texts(night, after: "2026-03-07T01:00", count: 3) == [
                "2026-03-07T02:30:00-08:00", "2026-03-08T03:00:00-07:00",
                "2026-03-09T02:30:00-07:00",
            ])
    }

    @Test func aDeadlineThatComesTwiceIsTheFirstAndComesOnce() {
        let night = reminder(minute: 60 + 30, days: .daily)
        #expect(
            texts(night, after: "2026-10-31T12:00", count: 2) == [
                "2026-11-01T01:30:00-07:00", "2026-11-02T01:30:00-08:00",
            ])
        // Between the first and the second 01:30 the next one is tomorrow's.
        let between = Timestamp(secondsSinceEpoch: 1_793_523_600)
        #expect(
            night.deadlines(after: between, count: 1).map(TimeText.rfc3339) == [
                "2026-11-02T01:30:00-08:00"
            ])
    }

    /// Every deadline of two years is the first time at which Foundation's clock shows it, in zones of all kinds of change.
    @Test(arguments: [
        "America/Los_Angeles", "Europe/London", "Australia/Lord_Howe", "America/Havana",
        "Asia/Kathmandu", "Africa/Casablanca",
    ])
    func deadlinesMatchFoundationsCalendar(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        for minute in [0, 30, 90, 121, 150, 190, 720, 1439] {
            let found = reminder(minute: minute, days: .daily, zone: name)
                .deadlines(after: Fixtures.timestamp("2025-01-01T00:00"), count: 730)
            #expect(found.count == 730)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
            for deadline in found {
                let shown = calendar.dateComponents([.hour, .minute], from: deadline.date)
                let shownMinute = (shown.hour ?? 0) * 60 + (shown.minute ?? 0)
                if shownMinute == minute {
                    // Not the second time of an hour that is repeated.
                    for back: Int64 in [1_800, 3_600, 7_200] {
                        let earlier = deadline.adding(seconds: -back)
                        let other = calendar.dateComponents([.hour, .minute], from: earlier.date)
                        #expect((other.hour ?? 0) * 60 + (other.minute ?? 0) != minute)
                    }
                } else {
                    // It was skipped: a second before, clocks showed an earlier time of that day.
                    let before = calendar.dateComponents(
                        [.hour, .minute], from: deadline.adding(seconds: -1).date)
                    let last = (before.hour ?? 0) * 60 + (before.minute ?? 0)
                    #expect((last < minute || last == 1439) && minute < shownMinute)
                }
            }
        }
    }

    @Test func weekdaysAreReadAsTheyAreWritten() {
        #expect(WeekdaySet(text: "mon-fri") == .workdays)
        #expect(WeekdaySet(text: "Workdays") == .workdays)
        #expect(WeekdaySet(text: "sat,sun") == .weekend)
        #expect(WeekdaySet(text: "mon+wed")?.text == "mon+wed")
        for bits in 1...127 {
            let days = WeekdaySet(rawValue: UInt8(bits))
            #expect(WeekdaySet(text: days.text) == days)
        }
        for text in ["", "fri-mon", "day", "mon-", "mon-tue-wed", "+"] {
            #expect(WeekdaySet(text: text) == nil, "\(text)")
        }
    }

    // MARK: The journal

    private func problem(_ body: () throws -> Void) -> JourneyStoreProblem? {
        do {
            try body()
            return nil
        } catch let error as JourneyStoreError {
            return error.problem
        } catch {
            return nil
        }
    }

    private var bus: Favourite {
        Favourite(
            id: "bus", name: "bus", target: .stop(line: "44", stop: "1_29240", direction: ""))
    }

    @Test func remindersAreKeptChangedAndGoWithTheirFavourite() throws {
        try withJournal { (store, url) throws in
            try store.add(commute("home"))
            try store.add(bus)
            var walk = reminder("w1", of: "bus", minute: 520)
            walk.walkSeconds = 360
            try store.set(reminder())
            try store.set(walk)
            #expect(try JourneyStore(url, .reading).reminders() == [reminder(), walk])
            let off = try store.setReminder("w", isOn: false, leadSeconds: 60)
            #expect(!off.isOn && off.leadSeconds == 60 && off.walkSeconds == 360)
            // Other changes of favourites keep them.
            try store.moveFavourite("bus", to: 0)
            #expect(try store.reminders().map(\.id) == ["w1", "r"])
            _ = try store.removeFavourite("bus")
            #expect(try store.reminders() == [reminder()])
            #expect(try store.removeReminder("r") == reminder())
            #expect(try store.reminders().isEmpty)
        }
    }

    @Test func theSameReminderAgainIsTheOneThatIsThere() throws {
        try withJournal { (store, _) throws in
            try store.add(commute("home"))
            #expect(try store.add(reminder("a")).isNew)
            let again = try store.add(reminder("b"))
            #expect(!again.isNew && again.reminder.id == "a")
            _ = try store.setReminder("a", isOn: false)
            #expect(try store.add(reminder("b")).reminder.isOn)
            #expect(try store.reminders().map(\.isOn) == [true])
            #expect(try store.add(reminder("c", minute: 600)).isNew)
            #expect(try store.reminders().map(\.id) == ["a", "c"])
        }
    }

    @Test func impossibleRemindersAreRefused() throws {
        var bad: [(Reminder, ReminderProblem)] = []
        func change(_ problem: ReminderProblem, _ edit: (inout Reminder) -> Void) {
            var reminder = reminder()
            edit(&reminder)
            bad.append((reminder, problem))
        }
        change(.badText("id")) { $0.id = "a/b" }
        change(.badTime) { $0.minuteOfDay = 1440 }
        change(.noDay) { $0.weekdays = [] }
        change(.unknownZone("Mars/Base")) { $0.zone = "Mars/Base" }
        change(.badConfidence) { $0.confidence = 0.9995 }
        change(.badConfidence) { $0.confidence = .nan }
        change(.badSeconds("lead")) { $0.leadSeconds = -1 }
        change(.badSeconds("walk")) { $0.walkSeconds = 7_201 }
        change(.unknownFavourite("gone")) { $0.favourite = "gone" }
        change(.walkOfTrip) { $0.walkSeconds = 60 }
        try withJournal { (store, _) throws in
            try store.add(commute("home"))
            let transit = Favourite(
                id: "t", name: "train", target: .trip(from: "a", to: "b", mode: .transit))
            try store.add(transit)
            bad.append((reminder(of: "t"), .transitTrip("train")))
            for (reminder, expected) in bad {
                #expect(problem { try store.set(reminder) } == .reminder(expected))
            }
            #expect(try store.reminders().isEmpty)
            for index in 0..<JourneyStore.maxReminders { try store.set(reminder("r\(index)")) }
            #expect(problem { try store.set(reminder("more")) } == .tooManyReminders(max: 200))
        }
    }

    /// The tables of version 1, as it created them.
    private static let versionOne = """
        CREATE TABLE journal (maxJourneys INTEGER NOT NULL, salt BLOB NOT NULL) STRICT;
        CREATE TABLE journey (
            id TEXT PRIMARY KEY, route TEXT NOT NULL, name TEXT NOT NULL, mode TEXT NOT NULL,
            plannedDeparture INTEGER NOT NULL, plannedArrival INTEGER NOT NULL,
            departure INTEGER, arrival INTEGER, isAbandoned INTEGER NOT NULL, wasStopped INTEGER,
            way TEXT, expectedSeconds REAL, p90Seconds REAL, probabilityStopped REAL, bridges TEXT,
            createdAt INTEGER NOT NULL, start INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX journeyStart ON journey(start, createdAt);
        CREATE INDEX journeyRoute ON journey(route);
        CREATE TABLE favourite (
            id TEXT PRIMARY KEY, position INTEGER NOT NULL, name TEXT NOT NULL,
            folded TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, first TEXT NOT NULL,
            second TEXT NOT NULL, third TEXT NOT NULL, route TEXT NOT NULL UNIQUE,
            refreshMinutes INTEGER NOT NULL, lastUsed INTEGER, useCount INTEGER NOT NULL,
            averageSeconds REAL
        ) STRICT;
        INSERT INTO journal VALUES (7, x'0102');
        INSERT INTO journey VALUES ('a', 'car/home/work', 'home -> work', 'car', 1771620000,
            1771621200, 1771620000, 1771621260, 0, 1, 'Ballard Bridge', 1200, 1500, 0.25, 'Ballard',
            1771620000, 1771620000);
        INSERT INTO favourite VALUES ('id-home', 0, 'home', 'home', 'trip', 'home', 'work', 'car',
            'car/home/work', 5, NULL, 1, 1260);
        PRAGMA application_id = 1111706190; PRAGMA user_version = 1;
        """

    @Test func aJournalOfVersionOneIsMigratedWithAllThatIsInIt() throws {
        try withJournalFolder { folder in
            let url = folder.appendingPathComponent("journeys.sqlite")
            let queue = try DatabaseQueue(path: url.path)
            try queue.write { try $0.execute(sql: Self.versionOne) }
            try queue.close()
            #expect(problem { _ = try JourneyStore(url, .reading) } == .file(.outdated))
            let store = try JourneyStore(url, .writing)
            defer { store.close() }
            let journey = try #require(try store.journeys().first)
            #expect(journey.forecast?.probabilityStopped == 0.25 && journey.wasStopped == true)
            #expect(journey.forecast?.expectedDelaySeconds == nil)
            #expect(try store.maxJourneys() == 7 && store.salt() == [1, 2])
            #expect(try store.favourites().map(\.averageSeconds) == [1260])
            try store.set(reminder())
            #expect(try JourneyStore(url, .reading).reminders() == [reminder()])
        }
    }

    @Test func aReminderThatWasDamagedInTheFileIsReported() throws {
        try withJournal { (store, _) throws in
            try store.add(commute("home"))
            try store.set(reminder())
            try store.database.write {
                try $0.execute(sql: "UPDATE reminder SET minuteOfDay = 5000")
            }
            let found = problem { _ = try store.reminders() }
            guard case .file(.damaged) = found else {
                Issue.record("\(String(describing: found))")
                return
            }
        }
    }

    // MARK: Documents

    private var contents: JournalContents {
        var walk = reminder("w", of: "bus", minute: 520, days: .weekend, zone: "Europe/London")
        walk.walkSeconds = 360
        walk.isOn = false
        walk.confidence = 0.875
        return JournalContents(favourites: [commute("home"), bus], reminders: [reminder(), walk])
    }

    private func problem(of text: String) -> String {
        do {
            _ = try JournalContents(reading: Array(text.utf8), now: testNow)
            return "none"
        } catch {
            return error.description
        }
    }

    @Test func remindersAreExportedAndReadBack() throws {
        let bytes = Array(contents.jsonText().utf8)
        #expect(try JournalContents(reading: bytes, now: testNow) == contents)
        try withJournal { (store, _) throws in
            let report = try store.merge(contents, now: testNow)
            #expect(report.reminders == 2 && report.favourites == 2)
            #expect(try store.contents().reminders == contents.reminders)
            // Twice is once.
            _ = try store.merge(contents, now: testNow)
            #expect(try store.reminders().count == 2)
        }
    }

    @Test func wrongRemindersRefuseTheWholeDocument() throws {
        let good = contents.jsonText()
        func edited(_ old: String, _ new: String) -> String {
            problem(of: good.replacingOccurrences(of: old, with: new))
        }
        #expect(
            edited("\"09:00\"", "\"25:00\"").hasSuffix(
                "time: '25:00' should be a time such as 09:00"))
        #expect(edited("\"sat+sun\"", "\"someday\"").contains("days such as mon+tue"))
        #expect(edited("0.875", "1.5").contains("the wanted probability must be"))
        #expect(edited("\"Europe/London\"", "\"Europe/Atlantis\"").contains("is no time zone"))
        #expect(edited("\"id\": \"w\"", "\"id\": \"r\"") == "reminders: id 'r' is there twice")
        try withJournal { (store, _) throws in
            var foreign = contents
            foreign.favourites.removeLast()
            let problem = problem { _ = try store.merge(foreign, now: testNow) }
            #expect(problem?.kind == .data && problem?.description.contains("id 'bus'") == true)
            #expect(try store.contents() == JournalContents())
        }
    }

    @Test func aDocumentOfVersionOneIsRead() throws {
        let text = "{\"format\": \"bridgecast-journal\", \"version\": 1, \"journeys\": []}"
        #expect(
            try JournalContents(reading: Array(text.utf8), now: testNow) == JournalContents())
    }
}
