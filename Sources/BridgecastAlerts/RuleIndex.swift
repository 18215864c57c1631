// Rules by what they are about, so that a change is compared only with those that it concerns; and due reminders.
internal import BridgecastCore
internal import BridgecastSupport

/// The rules of all subscribers.
struct RuleIndex: Sendable {
    /// A rule with its subscriber.
    struct Entry: Sendable {
        let id: String
        let subscriber: Subscriber
        let hours: AlertHours
        let priority: AlertPriority
        let createdAt: Timestamp
        let stillRaisedMinutes: [Int]
        let likelyThreshold: Double?
    }

    /// Rules by the number of the bridge that goes up, is still up, is down again, or will likely open.
    private(set) var raised = [[Entry]](repeating: [], count: BridgeCatalogue.count)
    private(set) var stillRaised = [[Entry]](repeating: [], count: BridgeCatalogue.count)
    private(set) var lowered = [[Entry]](repeating: [], count: BridgeCatalogue.count)
    private(set) var likely = [[Entry]](repeating: [], count: BridgeCatalogue.count)
    /// Rules by the folded name of a line.
    private(set) var lines: [String: [Entry]] = [:]
    private(set) var reminders: [(rule: Entry, reminder: DepartureReminder)] = []
    /// Rules about the reminders of journals.
    private(set) var journals: [(rule: Entry, journal: ReminderJournal)] = []

    /// Rules of subscribers that are not in the list are left out.
    init(_ rules: [AlertRule], _ subscribers: [Subscriber]) {
        let byID = Dictionary(subscribers.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for rule in rules {
            guard let subscriber = byID[rule.subscriber] else { continue }
            add(rule, of: subscriber)
        }
    }

    private mutating func add(_ rule: AlertRule, of subscriber: Subscriber) {
        var conditions = BridgeConditions()
        if case .bridge(_, let own) = rule.subject { conditions = own }
        let entry = Entry(
            id: rule.id, subscriber: subscriber, hours: rule.hours, priority: rule.priority,
            createdAt: rule.createdAt, stillRaisedMinutes: conditions.stillRaisedMinutes,
            likelyThreshold: conditions.likelyThreshold)
        switch rule.subject {
        case .bridge(let bridge, _):
            if conditions.announcesRaised { raised[bridge.rawValue].append(entry) }
            if conditions.announcesLowered { lowered[bridge.rawValue].append(entry) }
            if !conditions.stillRaisedMinutes.isEmpty { stillRaised[bridge.rawValue].append(entry) }
            if conditions.likelyThreshold != nil { likely[bridge.rawValue].append(entry) }
        case .departure(let reminder): reminders.append((entry, reminder))
        case .line(let line): lines[Self.folded(line), default: []].append(entry)
        case .reminders, .ownReminders:
            if let journal = rule.reminderJournal(of: subscriber) {
                journals.append((entry, journal))
            }
        }
    }

    /// The form in which names of lines are compared.
    static func folded(_ line: String) -> String { foldedName(line) }
}

/// The reminders of a day and of those before and after it.
struct ReminderCalendar: Sendable {
    struct Entry: Sendable {
        let rule: RuleIndex.Entry
        let reminder: DepartureReminder
        let leaveBy: Timestamp
        let dueAt: Timestamp
        /// Later it is of no use.
        let usefulUntil: Timestamp
        /// What makes it the same reminder: `leave/2018-01-04`.
        let occasion: String
    }

    /// After the time to leave it is shown for some minutes more, seconds.
    private static let graceSeconds: Int64 = 300

    private let rules: RuleIndex
    private var date: CivilDate?
    private(set) var entries: [Entry] = []

    init(_ rules: RuleIndex) { self.rules = rules }

    /// Lists the reminders around the day of a time.
    ///
    /// - Returns: Whether that is another day than before.
    mutating func turn(to time: Timestamp) -> Bool {
        let today = SeattleTime.civil(at: time).date
        guard today != date else { return false }
        date = today
        entries = rules.reminders.flatMap { rule, reminder in
            (-1...1).compactMap { days in
                Self.entry(rule, reminder, on: today.adding(days: days))
            }
        }
        return true
    }

    private static func entry(
        _ rule: RuleIndex.Entry, _ reminder: DepartureReminder, on date: CivilDate
    ) -> Entry? {
        guard let leaveBy = reminder.leaveBy(on: date) else { return nil }
        if case .daily = reminder.leaveBy, !rule.hours.days.contains(date.weekday) { return nil }
        return Entry(
            rule: rule, reminder: reminder, leaveBy: leaveBy,
            dueAt: leaveBy.adding(seconds: -reminder.leadSeconds),
            usefulUntil: leaveBy.adding(seconds: graceSeconds), occasion: "leave/\(date)")
    }
}
