// The part `alerts` of `bridgecast bench`: what a change of the board costs with many people and rules.
import BridgecastAlerts
import BridgecastBench
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import Foundation

/// The time from a board to a plan, and from there to the disk.
enum AlertBench {
    struct Result: Encodable {
        let people: Int
        let rules: Int
        let boards: Int
        /// Alerts that all boards together lead to.
        let alerts: Int
        /// Of a board, milliseconds: deciding alone.
        let planP50, planP99, planMax: Double
        /// Of a board that leads to alerts, milliseconds: deciding and keeping.
        let keepP50, keepMax: Double
        /// Of a new forecast of as many reminders as there are rules, milliseconds: deciding alone.
        let remindP50, remindMax: Double
    }

    private static let people = 1000
    private static let rulesOfPerson = 20

    /// Lives through two weeks of the shipped records, a board for each change and each minute.
    static func run() throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-bench-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try AlertStore(folder.appendingPathComponent("alerts.sqlite"), .writing)
        defer { store.close() }
        let (subscribers, rules) = rules()
        var planner = AlertPlanner(rules: rules, subscribers: subscribers)
        let history = try LoadedRecords.shipped().history
        let start = try TimeText.parse("2026-02-10T00:00")
        var plans: [Double] = []
        var keeps: [Double] = []
        var alerts = 0
        var before = start
        for now in times(in: history, from: start) {
            let board = board(history, at: now, since: before)
            before = now
            let begin = ContinuousClock.now
            let plan = planner.plan(board)
            plans.append((ContinuousClock.now - begin) / .milliseconds(1))
            guard !plan.alerts.isEmpty else { continue }
            alerts += plan.alerts.count
            _ = try store.record(plan, now: now)
            keeps.append((ContinuousClock.now - begin) / .milliseconds(1))
        }
        plans.sort()
        keeps.sort()
        let reminds = reminderTimes(subscribers).sorted()
        return Result(
            people: people, rules: rules.count, boards: plans.count, alerts: alerts,
            planP50: percentile(0.5, of: plans), planP99: percentile(0.99, of: plans),
            planMax: percentile(1, of: plans), keepP50: percentile(0.5, of: keeps),
            keepMax: percentile(1, of: keeps), remindP50: percentile(0.5, of: reminds),
            remindMax: percentile(1, of: reminds))
    }

    private static let forecastsOfReminders = 100

    /// The times of deciding on everybody's reminders, each with a deadline within two hours, forecast after forecast.
    private static func reminderTimes(_ subscribers: [Subscriber]) -> [Double] {
        let rules = subscribers.map { person in
            AlertRule(
                id: "rule-\(person.id)", subscriber: person.id,
                subject: .reminders(journal: "/\(person.id)"), createdAt: .now)
        }
        var planner = AlertPlanner(rules: rules, subscribers: subscribers)
        let start = Timestamp.now
        return (1...forecastsOfReminders).map { forecast in
            let now = start.adding(minutes: Double(forecast) / 2)
            let outlooks = ReminderOutlooks(
                number: forecast, byJournal: outlooks(of: subscribers, from: start, at: now))
            let board = AlertBoard(
                at: now, systemTime: now, secondsSinceLast: 30, bridges: [:], reminders: outlooks)
            let begin = ContinuousClock.now
            _ = planner.plan(board)
            return (ContinuousClock.now - begin) / .milliseconds(1)
        }
    }

    private static func outlooks(
        of subscribers: [Subscriber], from start: Timestamp, at now: Timestamp
    ) -> [ReminderJournal: [ReminderOutlook]] {
        let favourite = Favourite(
            id: "work", name: "work", target: .trip(from: "a", to: "b", mode: .car))
        var outlooks: [ReminderJournal: [ReminderOutlook]] = [:]
        for (index, person) in subscribers.enumerated() {
            outlooks[.file("/\(person.id)")] = (0..<rulesOfPerson).map { number in
                let reminder = Reminder(
                    id: "\(number)", favourite: "work", minuteOfDay: 540,
                    zone: "America/Los_Angeles")
                let deadline = start.adding(minutes: Double((index * 20 + number) * 7 % 120))
                let leaveBy = LeaveBy(
                    reminder: reminder.id, deadline: deadline,
                    departure: deadline.adding(minutes: -20 - Double(index % 5)), way: "a way",
                    probabilityOnTime: 0.9)
                return ReminderOutlook(reminder, of: favourite, leaveBy)
            }
        }
        return outlooks
    }

    /// Each person has rules about all bridges, at some hours, of all kinds.
    private static func rules() -> (subscribers: [Subscriber], rules: [AlertRule]) {
        let subscribers = (0..<people).map { number in
            Subscriber(
                id: "person-\(number)", name: "\(number)", address: .command(["/bin/true"]))
        }
        let rules = subscribers.enumerated().flatMap { person, subscriber in
            (0..<rulesOfPerson).map { number in
                AlertRule(
                    id: "rule-\(person)-\(number)", subscriber: subscriber.id,
                    subject: subject(number, of: person),
                    hours: AlertHours(
                        days: Set(Weekday.allCases), startMinute: number % 4 * 120,
                        endMinute: 1440 - number % 3 * 60), createdAt: .now)
            }
        }
        return (subscribers, rules)
    }

    private static func subject(_ number: Int, of person: Int) -> AlertRule.Subject {
        if number == 19 {
            return .departure(
                DepartureReminder(name: "work", leaveBy: .daily(secondOfDay: person * 60)))
        }
        let bridge = BridgeIndex.all[(number + person) % BridgeIndex.all.count]
        return .bridge(
            bridge,
            BridgeConditions(
                raised: true, lowered: number % 2 == 0,
                stillRaisedMinutes: BridgeConditions.defaultStillRaisedMinutes,
                likelyThreshold: number % 4 == 0 ? 0.3 : nil))
    }

    /// Each minute of two weeks, and each change.
    private static func times(in history: OpeningHistory, from start: Timestamp) -> [Timestamp] {
        let end = start.adding(minutes: 14 * 1440)
        let changes = BridgeIndex.all.flatMap { bridge in
            history.openings(of: bridge, overlapping: start..<end).flatMap { opening in
                [opening.start, opening.end ?? opening.start]
            }
        }
        let minutes = (0..<14 * 1440).map { start.adding(minutes: Double($0)) }
        return Set(changes + minutes).filter { $0 >= start && $0 < end }.sorted()
    }

    private static func board(
        _ history: OpeningHistory, at now: Timestamp, since before: Timestamp
    ) -> AlertBoard {
        let bridges = BridgeIndex.all.map { bridge in
            let opening = history.openings(of: bridge, overlapping: now..<now.adding(seconds: 1))
                .first
            // A chance that crosses thresholds every few hours.
            let chance = 0.25 + 0.2 * sin(Double(now.secondsSinceEpoch) / 5000)
            return (
                bridge,
                BridgeCondition(
                    state: opening.map { .raised(since: $0.start) } ?? .lowered, chance: chance)
            )
        }
        return AlertBoard(
            at: now, systemTime: now, secondsSinceLast: now.minutes(since: before) * 60,
            bridges: Dictionary(uniqueKeysWithValues: bridges))
    }
}
