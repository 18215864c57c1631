// A person's reminders below `/api/v1/me`: with the same checks as `bridgecast remind`, and the next deadline of each.
internal import BridgecastCore
internal import BridgecastJourneys
internal import BridgecastSupport
internal import Foundation
internal import HTTPTypes

enum MeReminders {
    private static let path = "\(PrivateResources.base)/reminders"

    static let all = [
        Endpoint.getHeavy(path) { try await list($0) },
        Endpoint.post(path, takes: MeChanges.form) { try await add($0) },
        Endpoint.changing(.patch, "\(path)/{id}", takes: MeChanges.form) { try await change($0) },
        Endpoint.changing(.delete, "\(path)/{id}") { try await remove($0) },
    ]

    @concurrent private static func list(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal {
            let favourites = try me.journal.favourites()
            let entries = try me.journal.reminders().compactMap { reminder in
                favourites.first { $0.id == reminder.favourite }.map {
                    ReminderDocument(reminder, of: $0, in: request)
                }
            }
            return .privately(ListDocument(name: "reminders", entries: entries))
        }
    }

    @concurrent private static func add(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form([
            "favourite", "by", "catching", "days", "zone", "confidence", "lead_min", "walk_min",
        ])
        let name = try form.required("favourite", takes: "a favourite's name")
        let (minute, isTrip) = try form.deadline()
        let days = try form.days() ?? .workdays
        let zone = try form.zone()
        let confidence = try form.number("confidence", in: 0...1, unit: "a probability")
        let lead = try form.seconds("lead_min")
        let walk = try form.seconds("walk_min")
        return try Problem.catchingJournal {
            let favourite = try me.journal.favourite(name)
            guard favourite.isTrip == isTrip else {
                throw Problem.parameter(
                    isTrip ? "by" : "catching", "does not go with this favourite",
                    takes: "a time: by for a trip, catching for a line at a stop")
            }
            let reminder = Reminder(
                id: Journey.newID(), favourite: favourite.id, minuteOfDay: minute, weekdays: days,
                zone: zone.identifier, confidence: confidence ?? Reminder.defaultConfidence,
                leadSeconds: try lead ?? me.journal.settings().reminderLeadSeconds,
                walkSeconds: walk ?? 0)
            let kept = try me.journal.add(reminder).reminder
            return .privately(ReminderDocument(kept, of: favourite, in: request))
        }
    }

    @concurrent private static func change(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form(["on", "lead_min"])
        let isOn = try form.optionalFlag("on")
        let lead = try form.seconds("lead_min")
        guard isOn != nil || lead != nil else {
            throw Problem(
                .missingParameter, "nothing is to change", recovery: "send on or lead_min",
                parameter: "on")
        }
        return try Problem.catchingJournal {
            let id = try me.journal.reminder(ofID: request.path.first ?? "").id
            let changed = try me.journal.setReminder(id, isOn: isOn, leadSeconds: lead)
            return .privately(try document(changed, in: me.journal, for: request))
        }
    }

    @concurrent private static func remove(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal {
            let reminder = try me.journal.reminder(ofID: request.path.first ?? "")
            let document = try document(reminder, in: me.journal, for: request)
            _ = try me.journal.removeReminder(reminder.id)
            return .privately(document)
        }
    }

    private static func document(
        _ reminder: Reminder, in journal: JourneyStore, for request: ServiceRequest
    ) throws -> ReminderDocument {
        ReminderDocument(reminder, of: try journal.favourite(reminder.favourite), in: request)
    }
}

/// A reminder with its favourite's name, the next time at which it holds, and why it cannot be forecast.
private struct ReminderDocument: JSONObjectAnswer {
    let reminder: Reminder
    let favourite: Favourite
    let nextDeadline: Timestamp?
    /// Nil if its places are as they should be.
    let problem: String?

    init(_ reminder: Reminder, of favourite: Favourite, in request: ServiceRequest) {
        self.reminder = reminder
        self.favourite = favourite
        nextDeadline = reminder.nextDeadline(after: request.now)
        problem = Self.problem(of: favourite, in: request)
    }

    private static func problem(of favourite: Favourite, in request: ServiceRequest) -> String? {
        do {
            try request.checkPlaces(of: favourite.target)
            return nil
        } catch {
            return error.detail
        }
    }

    func writeFields(into json: inout JSONWriter) {
        reminder.writeFields(into: &json)
        json.field("favourite", favourite.name)
        json.field("kind", favourite.isTrip ? "trip" : "stop")
        json.field("next_deadline", nextDeadline.map(TimeText.rfc3339))
        json.field("problem", problem)
    }
}

extension Query {
    /// When to be there, or the departure to catch: minutes after midnight.
    fileprivate func deadline() throws(Problem) -> (minute: Int, isTrip: Bool) {
        let isTrip = text("by") != nil
        if isTrip { try exclude("catching", besides: "by") }
        guard let minute = try minuteOfDay(isTrip ? "by" : "catching") else {
            throw Problem(
                .missingParameter, "no time is named",
                recovery: "send by for a trip, or catching for a line at a stop", parameter: "by")
        }
        return (minute, isTrip)
    }

    /// A time of day as minutes after midnight; nil if it is missing.
    func minuteOfDay(_ name: String) throws(Problem) -> Int? {
        guard let text = text(name) else { return nil }
        guard let minute = Reminder.minuteOfDay(text) else {
            throw .parameter(
                name, "'\(printable(text, maxLength: 40))' is no time of day",
                takes: "a time such as 9:00")
        }
        return minute
    }

    /// Days of the week; nil if they are missing.
    func days() throws(Problem) -> WeekdaySet? {
        guard let text = text("days") else { return nil }
        guard let days = WeekdaySet(text: text) else {
            throw .parameter(
                "days", "'\(printable(text, maxLength: 40))' cannot be used",
                takes: "daily, workdays, weekend, or days such as mon,wed or mon-fri")
        }
        return days
    }

    /// Minutes as seconds; nil if they are missing.
    fileprivate func seconds(_ name: String) throws(Problem) -> Int? {
        try number(name, in: 0...Double(Reminder.maxSeconds) / 60, unit: "minutes")
            .map { Int(($0 * 60).rounded()) }
    }
}

extension JourneyStore {
    /// The reminder of an id, which has to be whole.
    fileprivate func reminder(ofID id: String) throws -> Reminder {
        guard let found = try reminders().first(where: { $0.id == id }) else {
            throw Problem(
                .notFound, "there is no reminder of this id",
                recovery: "look at \(PrivateResources.base)/reminders")
        }
        return found
    }
}
