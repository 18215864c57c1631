// Reminders of journals become alerts: when they are due, when they move, and never twice.
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastTestSupport
import Testing

@testable import BridgecastAlerts

@Suite struct JournalReminderTests {
    private static let journal = "/home/me/journeys.sqlite"
    private let deadline = Fixtures.timestamp("2018-01-04T09:00")
    private let favourite = Favourite(
        id: "f1", name: "work", target: .trip(from: "Ballard", to: "Downtown", mode: .car))
    private let bus = Favourite(
        id: "f2", name: "bus", target: .stop(line: "542", stop: "25243", direction: ""))

    private func clock(_ text: String) -> Timestamp { Fixtures.timestamp("2018-01-04T\(text)") }

    private func outlook(
        _ id: String = "m1", leaving departure: String?, way: String = "Ballard Bridge",
        chance: Double? = 0.914, announcesMoves: Bool = true, isOn: Bool = true
    ) -> ReminderOutlook {
        ReminderOutlook(
            Reminder(
                id: id, favourite: "f1", minuteOfDay: 540, zone: "America/Los_Angeles", isOn: isOn),
            of: favourite,
            LeaveBy(
                reminder: id, deadline: deadline, departure: departure.map(clock), way: way,
                probabilityOnTime: departure == nil ? nil : chance),
            announcesMoves: announcesMoves)
    }

    private func outlooks(_ number: Int, _ all: ReminderOutlook...) -> ReminderOutlooks {
        ReminderOutlooks(number: number, byJournal: [.file(Self.journal): all])
    }

    private func board(_ time: String, _ reminders: ReminderOutlooks) -> AlertBoard {
        AlertBoard(
            at: clock(time), systemTime: clock(time), secondsSinceLast: 1, bridges: [:],
            reminders: reminders)
    }

    private func rule(
        _ id: String = "r1", journal: String = Self.journal, hours: AlertHours = .always
    ) -> AlertRule {
        AlertRule(
            id: id, subscriber: "s1", subject: .reminders(journal: journal), hours: hours,
            priority: .high, createdAt: testNow)
    }

    private func texts(_ plan: AlertPlan) -> [String] {
        plan.alerts.map { "\($0.alert.title) | \($0.alert.text)" }
    }

    @Test func itIsAnnouncedAtTheTimeToLeaveLessTheLead() {
        var planner = makePlanner([rule()])
        let reminders = outlooks(1, outlook(leaving: "08:32"))
        // Five minutes of lead: each second passes, and one of them announces it.
        var announced: [(Timestamp, String)] = []
        for second in 0..<1200 {
            var board = board("08:20", reminders)
            board.at = board.at.adding(seconds: Int64(second))
            let plan = planner.plan(board)
            announced += texts(plan).map { (board.at, $0) }
        }
        #expect(announced.map(\.0) == [clock("08:27")])
        #expect(
            announced.map(\.1) == [
                "Leave by 08:32 for work | Leave by 08:32 by Ballard Bridge to be there by 09:00, 91 % sure."
            ])
    }

    @Test func aTimeThatMovesIsAnnouncedAgainBeyondTwoMinutes() {
        for (announcesMoves, isSaid) in [(true, true), (false, false)] {
            var planner = makePlanner([rule()])
            func plan(_ time: String, _ number: Int, _ departure: String?) -> [String] {
                texts(
                    planner.plan(
                        board(
                            time,
                            outlooks(
                                number, outlook(leaving: departure, announcesMoves: announcesMoves))
                        )))
            }
            #expect(plan("08:20", 1, "08:32") == [])
            #expect(plan("08:27", 2, "08:32").count == 1)
            // Two minutes are within the tolerance.
            #expect(plan("08:28", 3, "08:30") == [])
            let earlier =
                "Leave earlier for work: by 08:29 | Leave by 08:29 by Ballard Bridge to be there by 09:00, "
                + "91 % sure. That is 3 min earlier than announced."
            #expect(plan("08:28", 4, "08:29") == (isSaid ? [earlier] : []))
            // The same forecast says nothing again.
            #expect(plan("08:28", 4, "08:29") == [])
            let late = "Too late for work | No way is 90 % sure to be there by 09:00 any more."
            // That it is too late is announced either way.
            #expect(plan("08:28", 5, nil) == [late])
        }
    }

    @Test func whatWasAnnouncedIsNotAnnouncedAgainAfterARestart() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            _ = try store.add(to: "me", .command(["/bin/true"])) { subscriber in
                var rule = rule()
                rule.subscriber = subscriber
                return rule
            }
            let carrier = RecordingCarrier()
            let systemClock = HandClock(clock("08:20"))
            func recorder() async throws -> AlertRecorder {
                let dispatcher = AlertDispatcher(
                    store, carriers: ["command": carrier], clock: systemClock)
                return try await AlertRecorder(
                    store, dispatcher: dispatcher, clock: systemClock)
            }
            await try recorder().take(board("08:27", outlooks(1, outlook(leaving: "08:32"))))
            // Another process has another numbering, and a forecast that differs within the tolerance.
            for minute in ["08:27", "08:28", "08:29"] {
                await try recorder().take(
                    board(minute, outlooks(1, outlook(leaving: "08:33"))))
            }
            #expect(
                try store.log(max: 10).map(\.alert.identity.occasion) == [
                    "reminder/m1/\(deadline.secondsSinceEpoch)/0"
                ])
            // One that moved is the next of that deadline.
            await try recorder().take(board("08:29", outlooks(2, outlook(leaving: "08:38"))))
            #expect(
                Set(try store.log(max: 10).map(\.alert.identity.occasion)) == [
                    "reminder/m1/\(deadline.secondsSinceEpoch)/0",
                    "reminder/m1/\(deadline.secondsSinceEpoch)/1",
                ])
            // Without its rule nothing is kept of it.
            #expect(try store.memory().announcements.count == 1)
            _ = try store.removeRule("r1")
            #expect(try store.memory().announcements.isEmpty)
        }
    }

    @Test func anAnnouncementTakesThePlaceOfTheOneBefore() {
        var planner = makePlanner([rule()])
        let first = planner.plan(board("08:27", outlooks(1, outlook(leaving: "08:32"))))
        let second = planner.plan(board("08:28", outlooks(2, outlook(leaving: "08:29"))))
        let identities = (first.alerts + second.alerts).map(\.alert.identity)
        #expect(Set(identities).count == 2)
        #expect(Set(identities.map(\.topic)).count == 1)
        let other = AlertIdentity(
            rule: "r1", occasion: "reminder/m2/\(deadline.secondsSinceEpoch)/0", kind: .leaveNow)
        #expect(other.topic != identities[0].topic)
    }

    @Test func remindersAreTheSubjectOfOneRuleOfAPerson() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            func add(_ id: String, _ journal: String, _ hours: AlertHours = .always) throws {
                _ = try store.add(to: "me", .command(["/bin/true"])) { subscriber in
                    var rule = rule(id, journal: journal, hours: hours)
                    rule.subscriber = subscriber
                    return rule
                }
            }
            try add("r1", "/a")
            try add("r2", "/b")
            let morning = AlertHours(days: [.monday], startMinute: 360, endMinute: 600)
            let refusal = #expect(throws: AlertStoreError.self) { try add("r3", "/a", morning) }
            #expect(refusal?.problem == .sameReminders)
            #expect(try store.rules().map(\.id) == ["r1", "r2"])
        }
    }

    @Test func onlyTheRemindersOfTheRulesJournalInItsHoursCount() {
        let weekend = AlertHours(days: [.saturday], startMinute: 0, endMinute: 1440)
        let later = AlertHours(days: [.thursday], startMinute: 508, endMinute: 1440)
        let reminders = outlooks(
            1, outlook("m1", leaving: "08:32"), outlook("m2", leaving: "08:32", isOn: false))
        var planner = makePlanner([
            rule("own"), rule("other", journal: "/home/other.sqlite"),
            rule("weekend", hours: weekend), rule("later", hours: later),
        ])
        let first = planner.plan(board("08:27", reminders))
        #expect(first.alerts.map(\.alert.identity.rule) == ["own"])
        // 08:28 is the first minute of the rule's hours; nothing else has changed.
        let second = planner.plan(board("08:28", reminders))
        #expect(second.alerts.map(\.alert.identity.rule) == ["later"])
    }

    @Test func aDepartureIsCaughtOrNot() {
        var planner = makePlanner([rule()])
        func outlook(_ departure: String?, bridgeSeconds: Double?) -> ReminderOutlook {
            let reminder = Reminder(
                id: "m3", favourite: "f2", minuteOfDay: 540, zone: "America/Los_Angeles",
                walkSeconds: 420)
            return ReminderOutlook(
                reminder, of: bus,
                LeaveBy(
                    catching: departure.map(clock), of: "line 542", for: reminder,
                    deadline: deadline, bridgeSeconds: bridgeSeconds))
        }
        func plan(_ time: String, _ number: Int, _ outlook: ReminderOutlook) -> [String] {
            texts(planner.plan(board(time, outlooks(number, outlook))))
        }
        #expect(plan("08:47", 1, outlook("09:00", bridgeSeconds: 170)) == [])
        #expect(
            plan("08:48", 1, outlook("09:00", bridgeSeconds: 170)) == [
                "Leave by 08:53 for bus | Leave by 08:53 for line 542 at 09:00; drawbridges may delay it by up to 3 min."
            ])
        #expect(
            plan("08:49", 2, outlook("09:10", bridgeSeconds: nil)) == [
                "Leave later for bus: by 09:03 | Leave by 09:03 for line 542 at 09:00. That is 10 min later than announced."
            ])
        #expect(
            plan("08:50", 3, outlook(nil, bridgeSeconds: nil)) == [
                "Too late for bus | The departure at 09:00 can no longer be caught."
            ])
    }

    @Test func clocksAreThoseOfThePerson() {
        var planner = makePlanner([rule()])
        var abroad = outlook(leaving: "08:32")
        abroad.reminder.zone = "America/New_York"
        let plan = planner.plan(board("08:27", outlooks(1, abroad)))
        #expect(plan.alerts.map(\.alert.title) == ["Leave by 11:32 for work"])
    }

    /// A year of workdays at 9:00 with forecasts that move, both changes of clocks, ends of the process at any time, and a clock
    /// that is set: each day has one first announcement, and no announcement comes twice.
    @Test func inAYearEachDeadlineIsAnnouncedOnce() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            _ = try store.add(to: "me", .command(["/bin/true"])) { subscriber in
                var rule = rule()
                rule.subscriber = subscriber
                return rule
            }
            func makePlanner() throws -> AlertPlanner {
                AlertPlanner(
                    rules: try store.rules(), subscribers: try store.subscribers(),
                    memory: try store.memory())
            }
            var random = SeededGenerator(seed: 39)
            var planner = try makePlanner()
            var reminder = outlook(leaving: "08:32").reminder
            reminder.weekdays = .workdays
            var number = 0
            var days = 0
            var sent: [AlertIdentity] = []
            var deadline = Fixtures.timestamp("2018-01-01T00:00")
            let end = Fixtures.timestamp("2019-01-01T00:00")
            while let next = reminder.nextDeadline(after: deadline), next < end {
                deadline = next
                days += 1
                var minutesBefore = Double.random(in: 18...30, using: &random)
                var time = deadline.adding(minutes: -60)
                while time < deadline {
                    number += 1
                    minutesBefore += Double.random(in: -1.5...1.5, using: &random)
                    var outlook = outlook(leaving: "08:32")
                    outlook.reminder = reminder
                    outlook.leaveBy.deadline = deadline
                    outlook.leaveBy.departure = deadline.adding(minutes: -minutesBefore.rounded())
                    // The clock may be set back by ten minutes for a while.
                    let isBack = Int.random(in: 0..<60, using: &random) == 0
                    let shown = isBack ? time.adding(minutes: -10) : time
                    let plan = planner.plan(
                        AlertBoard(
                            at: shown, systemTime: shown, secondsSinceLast: 30, bridges: [:],
                            reminders: outlooks(number, outlook)))
                    // Half of the ends come before the plan is kept: then nothing was sent either.
                    let ends = Int.random(in: 0..<20, using: &random) == 0
                    if !ends || Bool.random(using: &random) {
                        sent += try store.record(plan, now: shown).map(\.alert.identity)
                    }
                    if ends { planner = try makePlanner() }
                    time = time.adding(seconds: 30)
                }
            }
            #expect(days == 261)
            #expect(Set(sent).count == sent.count)
            let first = sent.filter { $0.occasion.hasSuffix("/0") }
            #expect(first.count == days && Set(first.map(\.occasion)).count == days)
            // Times that moved were announced again, a few times a day.
            #expect(sent.count > days && sent.count < 8 * days, "\(sent.count)")
        }
    }
}
