// What a person wants to be alerted to, and when.
public import BridgecastCore
public import BridgecastSupport

/// A rule of one subscriber: what to send, at which hours, how much it matters.
public struct AlertRule: Hashable, Sendable, Identifiable {
    /// Its id.
    public var id: String
    /// The id of its subscriber.
    public var subscriber: String
    /// What it is about.
    public var subject: Subject
    /// When it applies.
    public var hours: AlertHours
    /// How much its alerts matter.
    public var priority: AlertPriority
    /// When it was made.
    public var createdAt: Timestamp

    /// Creates a rule.
    public init(
        id: String, subscriber: String, subject: Subject, hours: AlertHours = .always,
        priority: AlertPriority = .normal, createdAt: Timestamp
    ) {
        self.id = id
        self.subscriber = subscriber
        self.subject = subject
        self.hours = hours
        self.priority = priority
        self.createdAt = createdAt
    }

    /// What a rule is about.
    public enum Subject: Hashable, Sendable, Codable {
        /// A bridge.
        case bridge(BridgeIndex, BridgeConditions)
        /// A time to leave at.
        case departure(DepartureReminder)
        /// A transit line by its short name, such as `44`.
        case line(String)
        /// The reminders of a journal, by the absolute path of its file: when to leave, as forecast.
        case reminders(journal: String)
        /// The reminders of the person with a token whose rule it is, wherever their journal is.
        case ownReminders
    }

    /// The journal whose reminders it is about; nil for another subject.
    ///
    /// - Parameter subscriber: The rule's.
    public func reminderJournal(of subscriber: Subscriber) -> ReminderJournal? {
        switch subject {
        case .reminders(let path): .file(path)
        case .ownReminders: subscriber.owner.map { .person($0) }
        case .bridge, .departure, .line: nil
        }
    }

    var isAboutReminders: Bool {
        switch subject {
        case .reminders, .ownReminders: true
        case .bridge, .departure, .line: false
        }
    }

    /// The largest number of rules that a subscriber may have.
    public static let maxPerSubscriber = 200

    /// Checks the values of a rule.
    ///
    /// - Throws: ``AlertRuleProblem``.
    public func validate() throws(AlertRuleProblem) {
        switch subject {
        case .bridge(_, let conditions): try conditions.validate()
        case .departure(let reminder): try reminder.validate()
        case .line(let line):
            guard !line.isEmpty, line.utf8.count <= 80 else { throw .line }
        case .reminders(let journal):
            guard journal.hasPrefix("/"), journal.utf8.count <= 4096 else { throw .journal }
        case .ownReminders: break
        }
        guard !hours.days.isEmpty else { throw .noDay }
        guard hours.startMinute != hours.endMinute else { throw .noHours }
    }
}

/// Which changes of a bridge a rule is about.
public struct BridgeConditions: Hashable, Sendable, Codable {
    /// It goes up.
    public var announcesRaised: Bool
    /// It is down again.
    public var announcesLowered: Bool
    /// It is still up after these minutes, in increasing order.
    public var stillRaisedMinutes: [Int]
    /// The chance from which an opening within the next ten minutes counts as likely, above 0 to 1; nil for no such alert.
    public var likelyThreshold: Double?

    /// Creates conditions.
    public init(
        raised: Bool = false, lowered: Bool = false, stillRaisedMinutes: [Int] = [],
        likelyThreshold: Double? = nil
    ) {
        announcesRaised = raised
        announcesLowered = lowered
        self.stillRaisedMinutes = Set(stillRaisedMinutes).sorted()
        self.likelyThreshold = likelyThreshold
    }

    /// The threshold of a rule that names none.
    public static let defaultLikelyThreshold = 0.5
    /// The minutes after which a rule that names none says that a bridge is still up.
    public static let defaultStillRaisedMinutes = [15, 20, 30]

    fileprivate func validate() throws(AlertRuleProblem) {
        guard
            announcesRaised || announcesLowered || !stillRaisedMinutes.isEmpty
                || likelyThreshold != nil
        else { throw .noCondition }
        if let likelyThreshold, !(likelyThreshold > 0 && likelyThreshold <= 1) {
            throw .threshold(likelyThreshold)
        }
        guard stillRaisedMinutes.allSatisfy((1...600).contains), stillRaisedMinutes.count <= 10
        else { throw .minutes }
    }
}

/// A time at which a person has to leave.
public struct DepartureReminder: Hashable, Sendable, Codable {
    /// What for, such as `work`.
    public var name: String
    /// When to leave at the latest.
    public var leaveBy: LeaveBy
    /// How long before that the alert is due, seconds.
    public var leadSeconds: Int64

    /// How long before leaving a reminder that does not say so is due, seconds.
    public static let defaultLeadSeconds: Int64 = 300

    /// A time to leave at.
    public enum LeaveBy: Hashable, Sendable, Codable {
        /// Once.
        case once(Timestamp)
        /// On each of the rule's days, seconds since 00:00 on Seattle's clocks.
        case daily(secondOfDay: Int)
    }

    /// Creates a reminder.
    public init(
        name: String, leaveBy: LeaveBy, leadSeconds: Int64 = Self.defaultLeadSeconds
    ) {
        self.name = name
        self.leaveBy = leaveBy
        self.leadSeconds = leadSeconds
    }

    fileprivate func validate() throws(AlertRuleProblem) {
        guard (0...86_400).contains(leadSeconds) else { throw .lead }
        if case .daily(let second) = leaveBy, !(0..<86_400).contains(second) { throw .lead }
    }

    /// When to leave on a day; nil if a reminder is for one time and that is on another.
    ///
    /// Where clocks skip the time it is an hour later on them, and where they repeat it, the first of both.
    func leaveBy(on date: CivilDate) -> Timestamp? {
        switch leaveBy {
        case .once(let time): SeattleTime.civil(at: time).date == date ? time : nil
        case .daily(let second):
            SeattleTime.resolve(CivilDateTime(date: date, secondOfDay: second)).candidates.first
                ?? SeattleTime.resolve(
                    CivilDateTime(date: date, secondOfDay: min(second + 3600, 86_399))
                ).candidates.first
        }
    }
}

/// Days of the week and hours on Seattle's clocks.
public struct AlertHours: Hashable, Sendable {
    /// The days.
    public var days: Set<Weekday>
    /// The first minute since 00:00, 0..<1440.
    public var startMinute: Int
    /// The first minute that is not in it any more, 1...1440; not after the start if the hours go past midnight.
    ///
    /// Hours past midnight belong to the day on which they begin.
    public var endMinute: Int

    /// Every day around the clock.
    public static let always = AlertHours(
        days: Set(Weekday.allCases), startMinute: 0, endMinute: 1440)

    /// Creates hours.
    ///
    /// - Precondition: The minutes are in their ranges.
    public init(days: Set<Weekday>, startMinute: Int, endMinute: Int) {
        precondition((0..<1440).contains(startMinute) && (1...1440).contains(endMinute))
        self.days = days
        self.startMinute = startMinute
        self.endMinute = endMinute
    }

    /// Whether they contain a time.
    public func contains(_ time: Timestamp) -> Bool { contains(LocalMinute(time)) }

    func contains(_ minute: LocalMinute) -> Bool {
        guard endMinute <= startMinute else {
            return days.contains(minute.weekday)
                && (startMinute..<endMinute).contains(minute.ofDay)
        }
        return minute.ofDay >= startMinute
            ? days.contains(minute.weekday)
            : minute.ofDay < endMinute && days.contains(minute.dayBefore)
    }
}

/// The weekday and minute on Seattle's clocks, worked out once for all rules.
struct LocalMinute: Equatable {
    let weekday: Weekday
    let dayBefore: Weekday
    let ofDay: Int

    init(_ time: Timestamp) {
        let civil = SeattleTime.civil(at: time)
        weekday = civil.date.weekday
        dayBefore = civil.date.adding(days: -1).weekday
        ofDay = civil.secondOfDay / 60
    }
}

/// What is wrong with a rule.
public enum AlertRuleProblem: Failure, Equatable {
    /// It is about nothing.
    case noCondition
    /// It applies on no day.
    case noDay
    /// Its hours end when they begin: that could be no time at all, or a whole day.
    case noHours
    /// The threshold of a chance is not a chance.
    case threshold(Double)
    /// Minutes are out of range, or too many.
    case minutes
    /// A lead or a time of day is out of range.
    case lead
    /// The name of a line is empty or too long.
    case line
    /// A journal is not named by an absolute path.
    case journal

    /// Always ``FailureKind/usage``.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .noCondition:
            "the rule is about nothing; write --up, --down, --still-up, --likely, --leave-by, --line or --reminders"
        case .noDay: "the rule applies on no day; write --days such as mon-fri"
        case .noHours:
            "the hours end when they begin; leave both out for the whole day, or write others"
        case .threshold(let value):
            "the chance must be above 0 and at most 1, not \(plainNumber(value))"
        case .minutes: "write 1 to 10 numbers of minutes, each from 1 to 600"
        case .lead: "the lead must be 0 to 86400 seconds"
        case .line: "the line must be a name of 1 to 80 bytes, such as 44"
        case .journal: "the journal must be named by an absolute path of at most 4096 bytes"
        }
    }
}
