// A person's alerts below `/api/v1/me`: browsers that they go to, rules, a pause, a test, and a stream.
package import BridgecastAlerts
internal import BridgecastCore
internal import BridgecastJourneys
package import BridgecastSupport
internal import Foundation
internal import HTTPTypes
private import NIOCore

enum MeAlerts {
    private static let path = "\(PrivateResources.base)/alerts"

    static let all = [
        Endpoint.getHeavy(path) { try await show($0) },
        Endpoint.post("\(path)/push", takes: ["application/json"]) { try await addBrowser($0) },
        Endpoint.changing(.delete, "\(path)/push/{id}") { try await removeBrowser($0) },
        Endpoint.post("\(path)/rules", takes: MeChanges.form) { try await addRule($0) },
        Endpoint.changing(.delete, "\(path)/rules/{id}") { try await removeRule($0) },
        Endpoint.post("\(path)/pause", takes: MeChanges.form) { try await pause($0) },
        Endpoint.post("\(path)/test", takes: MeChanges.form) { try await test($0) },
        Endpoint.getStream("\(PrivateResources.base)/events") { try await stream($0) },
    ]

    /// Alerts that are listed at most.
    private static let maxListed = 50

    @concurrent private static func show(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let owner = try request.me.person.alertOwner
        let alerts = try request.alerts
        return try Problem.catchingAlerts {
            let store = try alerts.store
            return .privately(
                AlertsDocument(
                    pushKey: try store.publicPushKey(),
                    // The time of pauses is the system's, also in a replay.
                    pausedUntil: try store.subscriber(of: owner)?.pausedUntil
                        .flatMap { $0 > .now ? $0 : nil },
                    browsers: try store.browsers(of: owner.subscriber),
                    rules: try store.rules(of: owner),
                    entries: try store.log(of: owner, max: maxListed)))
        }
    }

    // MARK: Browsers

    @concurrent private static func addBrowser(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let owner = try request.me.person.alertOwner
        let alerts = try request.alerts
        let (subscription, former) = try subscription(in: request)
        return try Problem.catchingAlerts {
            if let part = alerts.refusal(subscription) { throw refusal(part) }
            return .privately(
                try alerts.store.add(subscription, replacing: former, to: owner, now: .now))
        }
    }

    /// Why a browser gets no messages.
    private static func refusal(_ part: PushSubscription.Part) -> Problem {
        guard part == .endpoint else { return Problem(part, of: .push(part)) }
        return Problem(
            .unprocessable, "the endpoint is no push service on the internet",
            recovery: "send an https address on port 443; see --alerts-private",
            parameter: part.rawValue)
    }

    /// The subscription of the body, and the id of the one that it replaces.
    private static func subscription(
        in request: ServiceRequest
    ) throws(Problem) -> (PushSubscription, former: String?) {
        struct Former: Decodable {
            let replaces: String?
        }
        let bytes = Array(request.body.readableBytesView)
        let takes = "a browser's subscription"
        do throws(DocumentProblem) {
            try JSONDepth.check(bytes.span, maxDepth: request.state.settings.maxJSONDepth)
            let subscription = try PushSubscription(json: bytes)
            return (
                subscription, try JSONDocument.decoded(Former.self, from: Data(bytes)).replaces
            )
        } catch {
            throw .body(error, takes: takes)
        }
    }

    @concurrent private static func removeBrowser(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let owner = try request.me.person.alertOwner
        let alerts = try request.alerts
        return try Problem.catchingAlerts {
            .privately(
                try alerts.store.removeBrowser(
                    request.path.first ?? "", of: owner.subscriber))
        }
    }

    // MARK: Rules

    @concurrent private static func addRule(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let owner = try request.me.person.alertOwner
        let alerts = try request.alerts
        let form = try request.form([
            "bridge", "up", "down", "still_up", "likely", "line", "reminders", "days", "from",
            "until", "priority",
        ])
        let subject = try form.subject()
        let hours = try form.hours()
        let priority = try form.priority()
        return try Problem.catchingAlerts {
            let added = try alerts.store.add(to: owner) { subscriber in
                AlertRule(
                    id: Journey.newID(), subscriber: subscriber, subject: subject,
                    hours: hours, priority: priority, createdAt: .now)
            }
            return .privately(AddedRuleDocument(rule: added.rule, isNew: added.isNew))
        }
    }

    @concurrent private static func removeRule(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let owner = try request.me.person.alertOwner
        let alerts = try request.alerts
        return try Problem.catchingAlerts {
            .privately(try alerts.store.removeRule(request.path.first ?? "", of: owner))
        }
    }

    // MARK: Pause and test

    /// How long a pause lasts, or that there is none.
    private enum Pause: String, CaseIterable {
        case hour, morning, week, off
    }

    @concurrent private static func pause(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let owner = try request.me.person.alertOwner
        let alerts = try request.alerts
        let form = try request.form(["for"])
        let pause = try form.choice("for", default: Pause.hour)
        let end = AlertPause(rawValue: pause.rawValue)?.end(from: .now)
        return try Problem.catchingAlerts {
            try alerts.store.pause(owner, until: end)
            return .privately(PauseDocument(pausedUntil: end))
        }
    }

    @concurrent private static func test(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let owner = try request.me.person.alertOwner
        let alerts = try request.alerts
        _ = try request.form([])
        return try Problem.catchingAlerts {
            let store = try alerts.store
            try store.addTest(to: owner, now: .now)
            guard let entry = try store.log(of: owner, max: 1).first else {
                throw Problem(
                    .notFound, "you have been removed", recovery: "ask the operator for a token")
            }
            return .privately(AlertEntryDocument(entry: entry))
        }
    }

    // MARK: Stream

    @concurrent private static func stream(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let person = try request.me.person
        let alerts = try request.alerts
        do {
            return .events(try alerts.listen(person, request.lastEventID))
        } catch let refusal as AlertStreamRefusal {
            throw Problem(refusal)
        }
    }
}

extension Query {
    /// What a rule is about.
    fileprivate func subject() throws -> AlertRule.Subject {
        let ofBridges = ["up", "down", "still_up", "likely"]
        if let line = text("line") {
            for name in ["bridge", "reminders"] + ofBridges { try exclude(name, besides: "line") }
            return .line(line)
        }
        if try flag("reminders") {
            for name in ["bridge"] + ofBridges { try exclude(name, besides: "reminders") }
            return .ownReminders
        }
        guard let bridge = try bridge() else {
            throw Problem(
                .missingParameter, "the rule is about nothing",
                recovery: "send bridge, line or reminders=true", parameter: "bridge")
        }
        return .bridge(
            bridge,
            BridgeConditions(
                raised: try flag("up"), lowered: try flag("down"),
                stillRaisedMinutes: try minutes("still_up"),
                likelyThreshold: try number("likely", in: 0...1, unit: "a chance")))
    }

    private func minutes(_ name: String) throws(Problem) -> [Int] {
        guard let text = text(name) else { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let minutes = parts.compactMap { Int($0) }
        guard minutes.count == parts.count else {
            throw .parameter(
                name, "'\(printable(text, maxLength: 40))' cannot be used",
                takes: "minutes such as 15,20,30")
        }
        return minutes
    }

    /// Days and hours on Seattle's clocks; always by default.
    fileprivate func hours() throws(Problem) -> AlertHours {
        let days = try days() ?? .daily
        let start = try minuteOfDay("from") ?? 0
        let end = text("until") == "24:00" ? 1440 : try minuteOfDay("until") ?? 1440
        guard start < 1440, end > 0 else {
            throw .parameter(
                "until", "hours cannot end at the beginning of a day",
                takes: "24:00 for the end of a day")
        }
        return AlertHours(
            days: Set(Weekday.allCases.filter(days.contains)), startMinute: start,
            endMinute: end)
    }

    fileprivate func priority() throws(Problem) -> AlertPriority {
        guard let text = text("priority") else { return .normal }
        guard let priority = AlertPriority(name: text) else {
            let all = AlertPriority.allCases.map(\.name)
            throw .parameter(
                "priority", "'\(printable(text, maxLength: 40))' cannot be used",
                takes: all.joined(separator: ", "), near: all)
        }
        return priority
    }
}

// MARK: - Documents

private struct AlertsDocument: JSONObjectAnswer {
    let pushKey: String?
    let pausedUntil: Timestamp?
    let browsers: [AlertBrowser]
    let rules: [AlertRule]
    let entries: [LedgerEntry]

    func writeFields(into json: inout JSONWriter) {
        json.field("push_key", pushKey)
        json.field("paused_until", pausedUntil.map(TimeText.rfc3339))
        json.list("browsers", browsers)
        json.field("max_browsers", AlertBrowser.maxPerPerson)
        json.list("rules", rules)
        json.list("alerts", entries.map(AlertEntryDocument.init))
    }
}

/// A rule that was asked for, and whether there was one that says the same.
private struct AddedRuleDocument: JSONObjectAnswer {
    let rule: AlertRule
    let isNew: Bool

    func writeFields(into json: inout JSONWriter) {
        rule.writeFields(into: &json)
        json.field("is_new", isNew)
    }
}

private struct PauseDocument: JSONObjectAnswer {
    let pausedUntil: Timestamp?

    func writeFields(into json: inout JSONWriter) {
        json.field("paused_until", pausedUntil.map(TimeText.rfc3339))
    }
}

/// An alert and what became of it; why is left out, as it would say what is found at an address.
private struct AlertEntryDocument: JSONObjectAnswer {
    let entry: LedgerEntry

    func writeFields(into json: inout JSONWriter) {
        let alert = entry.alert
        json.field("id", alert.identity.digest)
        json.field("number", Int(entry.number))
        json.field("kind", alert.identity.kind.name)
        json.field("title", alert.title)
        json.field("text", alert.text)
        json.field("priority", alert.priority.name)
        json.field("bridge", alert.bridge.map { BridgeCatalogue[$0].name })
        json.field("at", TimeText.rfc3339(alert.at))
        json.field("decided_at", TimeText.rfc3339(entry.decidedAt))
        json.field("status", entry.status.text)
        json.field("changed_at", TimeText.rfc3339(entry.changedAt))
    }
}

extension AlertBrowser: JSONObjectAnswer {
    /// Without its secrets; its endpoint is one.
    package func writeFields(into json: inout JSONWriter) {
        json.field("id", id)
        json.field("host", AlertAddress.push(subscription).shown)
        json.field("added_at", TimeText.rfc3339(addedAt))
    }
}

extension AlertRule: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("id", id)
        switch subject {
        case .bridge(let bridge, let conditions):
            json.field("kind", "bridge")
            json.field("bridge", BridgeCatalogue[bridge].name)
            json.field("up", conditions.announcesRaised)
            json.field("down", conditions.announcesLowered)
            json.list("still_up_min", conditions.stillRaisedMinutes) { $0.value($1) }
            json.field("likely", conditions.likelyThreshold, decimals: 6)
        case .line(let line):
            json.field("kind", "line")
            json.field("line", line)
        case .reminders, .ownReminders: json.field("kind", "reminders")
        case .departure(let reminder):
            json.field("kind", "departure")
            json.field("name", reminder.name)
        }
        let days = WeekdaySet(hours.days.map(WeekdaySet.init))
        json.field("days", days.text)
        json.field("from", ClockText.hoursMinutes(ofMinutes: hours.startMinute))
        json.field("until", ClockText.hoursMinutes(ofMinutes: hours.endMinute))
        json.field("priority", priority.name)
        json.field("created_at", TimeText.rfc3339(createdAt))
    }
}
