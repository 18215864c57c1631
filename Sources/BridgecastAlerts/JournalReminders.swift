// The reminders of journals on a board, and which announcements they lead to; all are kept over restarts.
internal import BridgecastCore
public import BridgecastJourneys
internal import BridgecastSupport

/// A reminder of a journal with when to leave for its next deadline, as forecast.
public struct ReminderOutlook: Sendable, Equatable {
    /// The reminder.
    public var reminder: Reminder
    /// Its favourite.
    public var favourite: Favourite
    /// When to leave; its ``LeaveBy/reminder`` is the reminder's id.
    public var leaveBy: LeaveBy
    /// Whether it is announced again when the time to leave moves.
    public var announcesMoves: Bool

    /// Creates an outlook; parameters as the properties.
    public init(
        _ reminder: Reminder, of favourite: Favourite, _ leaveBy: LeaveBy,
        announcesMoves: Bool = true
    ) {
        self.reminder = reminder
        self.favourite = favourite
        self.leaveBy = leaveBy
        self.announcesMoves = announcesMoves
    }
}

/// A journal that a rule is about.
public enum ReminderJournal: Hashable, Sendable {
    /// The journal at an absolute path.
    case file(String)
    /// That of a person with a token, by their id; where it is, is known by the folder of people alone.
    case person(String)
}

/// The reminders of all journals that rules are about, by one forecast.
public struct ReminderOutlooks: Sendable {
    /// Tells forecasts apart: another one has another number.
    public let number: Int
    /// By the journal.
    public let byJournal: [ReminderJournal: [ReminderOutlook]]

    /// No reminders.
    public static let none = ReminderOutlooks(number: 0, byJournal: [:])

    /// Creates outlooks; parameters as the properties.
    public init(number: Int, byJournal: [ReminderJournal: [ReminderOutlook]]) {
        self.number = number
        self.byJournal = byJournal
    }
}

/// What a rule last announced of a reminder; it is kept, so that a restart announces nothing again.
public struct KeptAnnouncement: Sendable, Equatable {
    /// The rule's id.
    public var rule: String
    /// The announcement.
    public var announcement: ReminderAnnouncement
}

/// Decides which reminders are announced at a time; it knows no time but that of boards.
struct ReminderAnnouncer: Sendable {
    /// An announcement that is due.
    struct Decision {
        let rule: RuleIndex.Entry
        let kind: AlertKind
        let kept: KeptAnnouncement
        let text: AlertText
    }

    private struct Key: Hashable {
        let rule: String
        let reminder: String
    }

    private var announced: [Key: ReminderAnnouncement]
    /// The forecast that was decided on; nil if rules have changed since.
    private var number: Int?
    /// Before this time the same forecast leads to nothing new; nil if it never does.
    private var nextDue: Timestamp?

    /// Announcements of deadlines that passed longer ago are forgotten, seconds: a clock may be set back.
    private static let keptSeconds: Int64 = 7 * 86_400
    /// A rule whose hours have not begun is looked at again after this time, seconds.
    private static let retrySeconds: Int64 = 60

    init(_ kept: [KeptAnnouncement]) {
        announced = Dictionary(
            kept.map {
                (Key(rule: $0.rule, reminder: $0.announcement.identity.reminder), $0.announcement)
            }, uniquingKeysWith: { $1 })
    }

    /// Forgets what rules announced that are no longer there.
    mutating func use(_ rules: [AlertRule]) {
        let ids = Set(rules.map(\.id))
        announced = announced.filter { ids.contains($0.key.rule) }
        number = nil
    }

    /// What is announced now.
    ///
    /// - Complexity: O(reminders) for a new forecast and when one is due; else O(1).
    mutating func decisions(
        _ rules: [(rule: RuleIndex.Entry, journal: ReminderJournal)], _ outlooks: ReminderOutlooks,
        at now: Timestamp, _ minute: LocalMinute
    ) -> [Decision] {
        guard !rules.isEmpty else { return [] }
        if number == outlooks.number, nextDue.map({ now < $0 }) ?? true { return [] }
        if number != outlooks.number {
            let oldest = now.adding(seconds: -Self.keptSeconds)
            announced = announced.filter { $0.value.identity.deadline >= oldest }
        }
        number = outlooks.number
        nextDue = nil
        var decisions: [Decision] = []
        for (rule, journal) in rules {
            let isOpen = rule.hours.contains(minute)
            for outlook in outlooks.byJournal[journal] ?? [] {
                if let decision = decide(rule, outlook, at: now, isOpen: isOpen) {
                    decisions.append(decision)
                }
            }
        }
        return decisions
    }

    private mutating func decide(
        _ rule: RuleIndex.Entry, _ outlook: ReminderOutlook, at now: Timestamp, isOpen: Bool
    ) -> Decision? {
        let key = Key(rule: rule.id, reminder: outlook.reminder.id)
        let plan = ReminderPlan(
            for: outlook.reminder, outlook.leaveBy, announced: announced[key],
            announcesMoves: outlook.announcesMoves, at: now)
        let next: ReminderAnnouncement
        var kind = AlertKind.leaveNow
        var movedSeconds: Int64?
        switch plan {
        case .nothing(let until):
            wake(at: until)
            return nil
        case .announce(let announcement): next = announcement
        case .announceAgain(let announcement, let seconds):
            next = announcement
            movedSeconds = seconds
        case .tooLate(let announcement):
            next = announcement
            kind = .tooLate
        }
        guard isOpen else {
            wake(at: now.adding(seconds: Self.retrySeconds))
            return nil
        }
        announced[key] = next
        return Decision(
            rule: rule, kind: kind, kept: KeptAnnouncement(rule: rule.id, announcement: next),
            text: .reminder(outlook, leaving: next.departure, movedSeconds: movedSeconds))
    }

    private mutating func wake(at time: Timestamp?) {
        guard let time else { return }
        nextDue = min(nextDue ?? time, time)
    }
}

extension AlertText {
    /// When to leave for a reminder; nil if it is too late.
    fileprivate static func reminder(
        _ outlook: ReminderOutlook, leaving departure: Timestamp?, movedSeconds: Int64?
    ) -> AlertText {
        let name = printable(outlook.favourite.name)
        guard let departure else { return tooLate(outlook, name) }
        let clock = outlook.reminder.clock(at: departure)
        var text = "Leave by \(clock)"
        if !outlook.leaveBy.way.isEmpty {
            let way = printable(outlook.leaveBy.way, maxLength: 200)
            text += outlook.favourite.isTrip ? " by \(way)" : " for \(way)"
        }
        text += outlook.goal
        guard let movedSeconds else {
            return AlertText(title: "Leave by \(clock) for \(name)", text: text)
        }
        let minutes = Int((Double(abs(movedSeconds)) / 60).rounded())
        let direction = movedSeconds < 0 ? "earlier" : "later"
        return AlertText(
            title: "Leave \(direction) for \(name): by \(clock)",
            text: text + " That is \(minutes) min \(direction) than announced.")
    }

    private static func tooLate(_ outlook: ReminderOutlook, _ name: String) -> AlertText {
        let deadline = outlook.reminder.clock(at: outlook.leaveBy.deadline)
        let chance = Int((outlook.reminder.confidence * 100).rounded())
        return AlertText(
            title: "Too late for \(name)",
            text: outlook.favourite.isTrip
                ? "No way is \(chance) % sure to be there by \(deadline) any more."
                : "The departure at \(deadline) can no longer be caught.")
    }
}

extension ReminderOutlook {
    /// The end of the sentence that says when to leave.
    fileprivate var goal: String {
        let deadline = reminder.clock(at: leaveBy.deadline)
        guard favourite.isTrip else {
            guard let seconds = leaveBy.bridgeSeconds, seconds >= 60 else {
                return " at \(deadline)."
            }
            let minutes = Int((seconds / 60).rounded())
            return " at \(deadline); drawbridges may delay it by up to \(minutes) min."
        }
        let chance = leaveBy.probabilityOnTime.map { ", \(Int(($0 * 100).rounded(.down))) % sure" }
        return " to be there by \(deadline)\(chance ?? "")."
    }
}
