// An entry of a journal's document, JSON or CSV alike: its fields as texts, and what they make.
import BridgecastCore
import BridgecastSupport

/// What is wrong with an entry, and with which of its fields.
struct JournalEntryProblem<Field: Sendable>: Error {
    /// Nil for the entry as a whole.
    let field: Field?
    let text: String
}

/// A value of a document, as text.
struct JournalValue {
    /// How a value is written in JSON, as a hint to one who wrote it otherwise.
    enum Form: String {
        case text = "in quotes"
        /// A number, `true` or `false`.
        case literal = "without quotes"
        case list = "in a list"
    }

    /// A list of texts is joined by `+`.
    let text: String
    /// Where it is.
    let position: Int
    /// Nil in CSV, where all values are written alike.
    let form: Form?

    func fits(_ wanted: Form) -> Bool { form == nil || form == wanted }
}

/// The fields of a journey, favourite or reminder as texts; those that are null or empty are missing.
struct JournalEntry<Field: CodingKey & CaseIterable & Hashable & Sendable> {
    /// The values, also texts that are empty.
    var values: [Field: JournalValue] = [:]
    /// Where the entry begins.
    var position = 0

    typealias Problem = JournalEntryProblem<Field>

    subscript(field: Field) -> String? {
        values[field].flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    func text(_ field: Field) throws(Problem) -> String { try required(field, "a text") { $0 } }

    func value<Value>(
        _ field: Field, _ expected: String, as form: JournalValue.Form = .text,
        _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let found = values[field] else { return nil }
        func problem(_ hint: String) -> Problem {
            Problem(
                field: field,
                text: "'\(printable(found.text, maxLength: 40))' should be \(expected)\(hint)")
        }
        guard found.fits(form) else { throw problem(", \(form.rawValue)") }
        guard !found.text.isEmpty else { return nil }
        guard let value = read(found.text) else { throw problem("") }
        return value
    }

    func required<Value>(
        _ field: Field, _ expected: String, as form: JournalValue.Form = .text,
        _ read: (String) -> Value?
    ) throws(Problem) -> Value {
        guard let value = try value(field, expected, as: form, read) else {
            throw Problem(field: field, text: "is missing")
        }
        return value
    }

    func optionalTime(_ field: Field) throws(Problem) -> Timestamp? {
        try value(field, Self.timeForm) { try? TimeText.parse($0) }
    }

    func time(_ field: Field) throws(Problem) -> Timestamp {
        try required(field, Self.timeForm) { try? TimeText.parse($0) }
    }

    func flag(_ field: Field) throws(Problem) -> Bool? {
        try value(field, "true or false", as: .literal) {
            $0 == "true" ? true : $0 == "false" ? false : nil
        }
    }

    func optionalNumber(_ field: Field) throws(Problem) -> Double? {
        try value(field, Self.numberForm, as: .literal, Self.finite)
    }

    func number(_ field: Field) throws(Problem) -> Double {
        try required(field, Self.numberForm, as: .literal, Self.finite)
    }

    /// Refuses a time that cannot have been written yet; a day is left for clocks that are wrong.
    func checkWritten(_ field: Field, _ time: Timestamp?, now: Timestamp) throws(Problem) {
        guard let time, time > now.adding(seconds: 86_400) else { return }
        throw Problem(field: field, text: "is more than a day in the future")
    }

    private static var timeForm: String { "a time such as 2026-02-20T17:50:00-08:00" }
    private static var numberForm: String { "a number" }

    private static func finite(_ text: String) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension Journey {
    init(
        _ entry: JournalEntry<JourneyField>, now: Timestamp
    ) throws(JournalEntryProblem<JourneyField>) {
        self.init(
            id: try entry.text(.id), route: try entry.text(.route), name: try entry.text(.name),
            mode: try entry.required(.mode, "car, bike, walk or transit") {
                JourneyMode(rawValue: $0)
            },
            plannedDeparture: try entry.time(.plannedDeparture),
            plannedArrival: try entry.time(.plannedArrival),
            actualDeparture: try entry.optionalTime(.actualDeparture),
            actualArrival: try entry.optionalTime(.actualArrival),
            isAbandoned: try entry.flag(.abandoned) ?? false,
            wasStopped: try entry.flag(.stopped), forecast: try JourneyForecast(entry),
            createdAt: try entry.time(.createdAt))
        try entry.checkWritten(.createdAt, createdAt, now: now)
        do {
            try validate(now: now)
        } catch {
            throw JournalEntryProblem(field: nil, text: error.description)
        }
    }
}

/// Counts the journeys of a document that are under way, of which there is at most one.
struct UnderWayCheck {
    private var hasOne = false

    mutating func add(_ journey: Journey) throws(JournalEntryProblem<JourneyField>) {
        guard journey.outcome == .underWay else { return }
        guard !hasOne else {
            throw JournalEntryProblem(
                field: .actualArrival,
                text: "is missing, and an earlier journey is under way; end or abandon one of them")
        }
        hasOne = true
    }
}

extension JourneyForecast {
    /// Nil if the entry has none of its fields.
    fileprivate init?(
        _ entry: JournalEntry<JourneyField>
    ) throws(JournalEntryProblem<JourneyField>) {
        let fields: [JourneyField] = [.way, .expectedSeconds, .p90Seconds, .probabilityStopped]
        guard fields.contains(where: { entry[$0] != nil }) else { return nil }
        self.init(
            way: try entry.text(.way), expectedSeconds: try entry.number(.expectedSeconds),
            p90Seconds: try entry.number(.p90Seconds),
            probabilityStopped: try entry.number(.probabilityStopped),
            bridges: try entry.value(
                .bridges, "drawbridges of Seattle", as: .list, BridgeListText.bridges) ?? [],
            expectedDelaySeconds: try entry.optionalNumber(.expectedDelaySeconds))
    }
}

extension Reminder {
    init(
        _ entry: JournalEntry<ReminderField>
    ) throws(JournalEntryProblem<ReminderField>) {
        func seconds(_ field: ReminderField) throws(JournalEntryProblem<ReminderField>) -> Int? {
            try entry.value(field, "a whole number of seconds", as: .literal) { Int($0) }
        }
        self.init(
            id: try entry.text(.id), favourite: try entry.text(.favourite),
            minuteOfDay: try entry.required(.time, "a time such as 09:00", Self.minuteOfDay),
            weekdays: try entry.required(.days, "days such as mon+tue") { WeekdaySet(text: $0) },
            zone: try entry.text(.zone),
            confidence: try entry.optionalNumber(.confidence) ?? Self.defaultConfidence,
            leadSeconds: try seconds(.leadSeconds) ?? Self.defaultLeadSeconds,
            walkSeconds: try seconds(.walkSeconds) ?? 0, isOn: try entry.flag(.isOn) ?? true)
        do {
            try validate()
        } catch {
            throw JournalEntryProblem(field: nil, text: error.description)
        }
    }

    /// The minutes after midnight of a time of day as people type it; nil for another text, or with seconds.
    package static func minuteOfDay(_ text: String) -> Int? {
        guard let clock = TypedClock(text), clock.day == nil, clock.secondOfDay % 60 == 0 else {
            return nil
        }
        return clock.secondOfDay / 60
    }
}

extension Favourite {
    init(
        _ entry: JournalEntry<FavouriteField>, now: Timestamp
    ) throws(JournalEntryProblem<FavouriteField>) {
        let kind = try entry.text(.kind)
        let parts: [String]
        switch kind {
        case "trip": parts = [try entry.text(.from), try entry.text(.to), try entry.text(.mode)]
        case "stop":
            parts = [
                try entry.text(.line), try entry.text(.stop),
                try entry.value(.direction, "a text") { $0 } ?? "",
            ]
        default: throw JournalEntryProblem(field: .kind, text: "should be trip or stop")
        }
        guard let target = Target(kind: kind, parts: parts) else {
            throw JournalEntryProblem(field: .mode, text: "should be car, bike, walk or transit")
        }
        self.init(
            id: try entry.text(.id), name: try entry.text(.name), target: target,
            refresh: try entry.value(.refreshMinutes, "0, 1, 2, 5, 10 or 15", as: .literal) {
                Int($0).flatMap(FavouriteRefresh.init(rawValue:))
            } ?? .fiveMinutes,
            lastUsed: try entry.optionalTime(.lastUsed),
            useCount: try entry.value(.useCount, "a whole number", as: .literal) { Int($0) } ?? 0,
            averageSeconds: try entry.optionalNumber(.averageSeconds))
        try entry.checkWritten(.lastUsed, lastUsed, now: now)
        do {
            try validate()
        } catch {
            throw JournalEntryProblem(field: nil, text: error.description)
        }
    }
}
