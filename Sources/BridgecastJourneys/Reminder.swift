// A reminder: when a person wants to be there on which days, or which departure they want to catch.
public import BridgecastCore
public import BridgecastSupport
import Foundation

/// Days of the week.
public struct WeekdaySet: OptionSet, Sendable, Hashable {
    /// Bit 0 is Monday.
    public let rawValue: UInt8

    /// Creates a set; bits above 6 are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }

    /// The set of one day.
    public init(_ day: Weekday) { self.init(rawValue: 1 << UInt8(day.rawValue)) }

    /// Every day.
    public static let daily = WeekdaySet(rawValue: 0x7F)
    /// Monday to Friday.
    public static let workdays = WeekdaySet(rawValue: 0x1F)
    /// Saturday and Sunday.
    public static let weekend = WeekdaySet(rawValue: 0x60)

    /// Whether a day is in it.
    public func contains(_ day: Weekday) -> Bool { contains(WeekdaySet(day)) }

    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Its days such as `mon+wed`.
    public var text: String {
        Self.names.indices.filter { rawValue & 1 << $0 != 0 }.map { Self.names[$0] }
            .joined(separator: "+")
    }

    /// Reads `daily`, `workdays`, `weekend`, or days such as `mon,wed`, `mon+wed` or `mon-fri`; nil for anything else.
    public init?(text: String) {
        switch text.lowercased() {
        case "daily": self = .daily
        case "workdays": self = .workdays
        case "weekend": self = .weekend
        default:
            var days: WeekdaySet = []
            for part in text.lowercased().split(whereSeparator: { $0 == "," || $0 == "+" }) {
                let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                    .map { Self.names.firstIndex(of: String($0)) }
                guard (1...2).contains(ends.count), let first = ends[0],
                    let last = ends[ends.count - 1], first <= last
                else { return nil }
                for day in first...last { days.formUnion(WeekdaySet(rawValue: 1 << UInt8(day))) }
            }
            guard !days.isEmpty else { return nil }
            self = days
        }
    }
}

/// What a person wants to be reminded of.
///
/// Of a favourite trip: to be there at a time of day. Of a favourite stop: a departure at a time of day, less the walk
/// to the stop.
public struct Reminder: Sendable, Equatable, Identifiable {
    /// Unique in a journal: letters, digits and `-`.
    public var id: String
    /// The id of the favourite that it is of.
    public var favourite: String
    /// The deadline by the person's clock, minutes after midnight, 0..<1440: when to be there, or the departure.
    public var minuteOfDay: Int
    /// The local days on which it holds.
    public var weekdays: WeekdaySet
    /// The identifier of the person's time zone.
    public var zone: String
    /// The wanted probability of being there in time, above 0 and up to ``maxConfidence``; of no use for a stop.
    public var confidence: Double
    /// How long before leaving it is announced, seconds.
    public var leadSeconds: Int
    /// The walk to the stop, seconds; 0 for a trip.
    public var walkSeconds: Int
    /// Whether it is announced at all.
    public var isOn: Bool

    /// The default of ``leadSeconds``.
    public static let defaultLeadSeconds = 300
    /// The default of ``confidence``.
    public static let defaultConfidence = 0.9
    /// The maximum of ``confidence``: times are not forecast beyond the last case in a thousand.
    public static let maxConfidence = 0.999
    /// The maximum of ``leadSeconds`` and of ``walkSeconds``: two hours.
    public static let maxSeconds = 7_200

    /// Creates a reminder; parameters as the properties.
    public init(
        id: String, favourite: String, minuteOfDay: Int, weekdays: WeekdaySet = .workdays,
        zone: String, confidence: Double = Self.defaultConfidence,
        leadSeconds: Int = Self.defaultLeadSeconds, walkSeconds: Int = 0, isOn: Bool = true
    ) {
        self.id = id
        self.favourite = favourite
        self.minuteOfDay = minuteOfDay
        self.weekdays = weekdays
        self.zone = zone
        self.confidence = confidence
        self.leadSeconds = leadSeconds
        self.walkSeconds = walkSeconds
        self.isOn = isOn
    }

    /// The time of day as `09:00`.
    public var clock: String { ClockText.hoursMinutes(ofMinutes: minuteOfDay) }

    /// Checks a reminder before it is kept.
    ///
    /// - Throws: ``ReminderProblem``.
    public func validate() throws(ReminderProblem) {
        guard Journey.isID(id) else { throw .badText("id") }
        guard Journey.isID(favourite) else { throw .badText("favourite") }
        guard (0..<1440).contains(minuteOfDay) else { throw .badTime }
        guard !weekdays.isEmpty else { throw .noDay }
        guard TimeZone(identifier: zone) != nil else { throw .unknownZone(zone) }
        // 99.9 divided by 100 is a little more than 0.999.
        guard confidence > 0, confidence < Self.maxConfidence + 1e-9 else { throw .badConfidence }
        guard (0...Self.maxSeconds).contains(leadSeconds) else { throw .badSeconds("lead") }
        guard (0...Self.maxSeconds).contains(walkSeconds) else { throw .badSeconds("walk") }
    }
}

/// Why a reminder is refused.
public enum ReminderProblem: Failure, Equatable {
    /// An id is empty, too long, or has other characters than letters, digits and `-`.
    case badText(String)
    /// The time of day is not one.
    case badTime
    /// There is no day on which it holds.
    case noDay
    /// No time zone has this identifier.
    case unknownZone(String)
    /// The probability is not above 0 and up to ``Reminder/maxConfidence``.
    case badConfidence
    /// The lead or the walk is negative or longer than two hours.
    case badSeconds(String)
    /// Its favourite is not in the journal.
    case unknownFavourite(String)
    /// A walk without a stop.
    case walkOfTrip
    /// A trip by bus or train has no roads to search.
    case transitTrip(String)

    /// Always ``FailureKind/usage``: what was entered is wrong.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .badText(let field):
            "\(field) is empty, too long or has other characters than a-z, 0-9, -"
        case .badTime: "the time of day must be 00:00 to 23:59"
        case .noDay: "it holds on no day; name some, such as mon-fri"
        case .unknownZone(let zone):
            "'\(printable(zone, maxLength: 40))' is no time zone; write one such as America/Denver"
        case .badConfidence:
            "the wanted probability must be above 0 and up to \(Reminder.maxConfidence), such as 0.9"
        case .badSeconds(let field): "the \(field) must be 0 to \(Reminder.maxSeconds / 60) minutes"
        case .unknownFavourite(let id): "no favourite has the id '\(printable(id))'; add it first"
        case .walkOfTrip: "a walk needs a favourite stop; this favourite is a trip on roads"
        case .transitTrip(let name):
            "'\(printable(name))' is by bus or train: remind of a favourite stop of it"
        }
    }
}

extension Reminder {
    /// Whether another one would announce the same, were both on.
    func saysTheSame(as other: Reminder) -> Bool {
        var copy = other
        copy.id = id
        copy.isOn = isOn
        return copy == self
    }

    /// Checks that a favourite can be reminded of so.
    ///
    /// - Throws: ``ReminderProblem``.
    public func check(for favourite: Favourite) throws(ReminderProblem) {
        try validate()
        guard case .trip(_, _, let mode) = favourite.target else { return }
        guard mode.roadMode != nil else { throw .transitTrip(favourite.name) }
        guard walkSeconds == 0 else { throw .walkOfTrip }
    }
}

// MARK: - Deadlines

extension Reminder {
    /// The next deadlines after a time, in order.
    ///
    /// A deadline inside the hour that clocks skip is at the time of the change, one that comes twice is the first: both
    /// are never later than what is meant. The day is that of the deadline by the person's clock.
    /// - Parameter count: How many; there are fewer only at the end of time.
    /// - Complexity: O(days).
    public func deadlines(after time: Timestamp, count: Int) -> [Timestamp] {
        guard let zone = TimeZone(identifier: zone), !weekdays.isEmpty else { return [] }
        var calendar = JourneyCalendar(zone)
        var date = CivilDate(dayNumber: calendar.civil(at: time).day).adding(days: -1)
        var deadlines: [Timestamp] = []
        // A zone may skip a day.
        let days = 7 * (count + 2)
        for _ in 0..<days where deadlines.count < count {
            if weekdays.contains(date.weekday) {
                let deadline = calendar.time(on: date, minuteOfDay: minuteOfDay)
                if deadline > max(time, deadlines.last ?? time) { deadlines.append(deadline) }
            }
            date = date.adding(days: 1)
        }
        return deadlines
    }

    /// A time by the person's clock, such as `08:32`.
    public func clock(at time: Timestamp) -> String {
        var calendar = JourneyCalendar(TimeZone(identifier: zone) ?? .gmt)
        return ClockText.hoursMinutes(ofMinutes: calendar.civil(at: time).second / 60)
    }

    /// The next deadline after a time; nil only at the end of time or for a zone that is unknown.
    public func nextDeadline(after time: Timestamp) -> Timestamp? {
        deadlines(after: time, count: 1).first
    }
}

extension JourneyCalendar {
    /// The time at which clocks show a time of day: the first of two; of none, the time at which they are set forward.
    mutating func time(on date: CivilDate, minuteOfDay: Int) -> Timestamp {
        let second = minuteOfDay * 60
        let candidates = self.candidates(on: date, second: second)
        let shown = candidates.filter { time in
            let civil = civil(at: time)
            return civil.day == date.dayNumber && civil.second == second
        }
        if let first = shown.min() { return first }
        // Both are on one side each of the change.
        guard var before = candidates.min(), var after = candidates.max() else {
            return start(of: date)
        }
        let wanted = (date.dayNumber, second)
        while after.secondsSinceEpoch - before.secondsSinceEpoch > 1 {
            let middle = before.adding(
                seconds: (after.secondsSinceEpoch - before.secondsSinceEpoch) / 2)
            let civil = civil(at: middle)
            if (civil.day, civil.second) < wanted { before = middle } else { after = middle }
        }
        return after
    }
}
