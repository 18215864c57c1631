// `bridgecast alert`: the rules by which `serve` alerts people; it changes and shows a private file, without a network.
// Adding a rule is in AlertAddCommand.swift.
import ArgumentParser
import BridgecastAlerts
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
internal import BridgecastSupport
import Foundation

struct AlertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alert",
        abstract: "Keeps the rules by which `serve` alerts you when no page is open.",
        subcommands: [
            AlertAdd.self, AlertList.self, AlertLog.self, AlertPauseCommand.self, AlertRemove.self,
            AlertTest.self,
        ])
}

/// `bridgecast alert list`.
struct AlertList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows people and their rules.")

    @OptionGroup var alerts: AlertOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let (people, rules, pushKey) = try alerts.with(.reading) { store in
                (try store.subscribers(), try store.rules(), try store.publicPushKey())
            }
            let problems = JournalProblems(of: rules)
            switch format {
            case .json:
                try Console.print(
                    AlertRulesDocument(
                        people: people, rules: rules, problems: problems, pushKey: pushKey
                    ).jsonText())
            case .table:
                try Console.print(
                    rules.isEmpty ? "No rules." : Self.table(people, rules) + problems.text)
            }
        }
    }

    private static func table(_ people: [Subscriber], _ rules: [AlertRule]) -> String {
        let byID = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var table = TextTable(
            ["rule", "person", "by", "about", "when", "priority"],
            [.left, .left, .left, .left, .left, .left])
        for rule in rules {
            guard let person = byID[rule.subscriber] else { continue }
            table.add([
                AlertRuleText.id(rule.id),
                printable(person.name, maxLength: TextTable.maxNameLength),
                AlertRuleText.address(person.address), AlertRuleText.shortSubject(rule),
                AlertRuleText.hours(rule.hours), rule.priority.name,
            ])
        }
        let pauses = people.compactMap { person in
            person.pausedUntil.flatMap { end in
                end > .now
                    ? "\n\(printable(person.name)) has a pause until \(PredictionText.day(end))."
                    : nil
            }
        }
        return table.text() + pauses.joined()
    }
}

/// Rules about reminders whose journal cannot be read, so that nothing is announced.
private struct JournalProblems {
    /// By the rule's id, in the rules' order.
    private var reasons: [(rule: String, reason: String)] = []

    /// Reads the journals, each once, with the key that the environment names.
    init(of rules: [AlertRule]) {
        var found: [String: String?] = [:]
        for rule in rules {
            guard case .reminders(let journal) = rule.subject else { continue }
            let reason = found[journal] ?? Self.reason(journal)
            found[journal] = .some(reason)
            if let reason { reasons.append((rule.id, reason)) }
        }
    }

    /// Why a journal cannot be read; nil if it can.
    private static func reason(_ path: String) -> String? {
        do {
            let store = try OwnJournal.open(URL(fileURLWithPath: path), .reading)
            defer { store.close() }
            _ = try store.reminders()
            return nil
        } catch let error as JourneyStoreError where error.problem == .missing {
            return "\(path): there is no journal"
        } catch {
            return CommandFailure(error).message
        }
    }

    /// Nil for a rule whose journal can be read, and for one about something else.
    subscript(rule: String) -> String? { reasons.first { $0.rule == rule }?.reason }

    /// A line for each.
    var text: String {
        reasons.map {
            "\nThe journal of rule \(AlertRuleText.id($0.rule)) cannot be read here, with the key of this environment: "
                + printable($0.reason, maxLength: 400)
        }.joined()
    }
}

/// `bridgecast alert log`.
struct AlertLog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Shows the newest alerts and what became of them.")

    @Option(name: .long, help: "How many to show, 1 to 10000.")
    var limit = 20

    @Option(
        name: .long,
        help: ArgumentHelp(
            stringLiteral: "Only those of a status: "
                + AlertStatus.allCases.map(\.rawValue).joined(separator: ", ") + "."))
    var status: String?

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    @OptionGroup var alerts: AlertOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit must be 1 to 10000")
        }
        guard status.map({ AlertStatus(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--status: there is no status of that name")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let (entries, people) = try alerts.with(.reading) { store in
                (
                    try store.log(status: status.flatMap(AlertStatus.init), max: limit),
                    try store.subscribers()
                )
            }
            let names = Dictionary(people.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
            switch format {
            case .json:
                try Console.print(AlertLogDocument(entries: entries, names: names).jsonText())
            case .table:
                try Console.print(entries.isEmpty ? "No alerts." : Self.table(entries, names))
            }
        }
    }

    private static func table(_ entries: [LedgerEntry], _ names: [String: String]) -> String {
        var table = TextTable(
            ["#", "happened", "for", "alert", "attempts", "status"],
            [.right, .left, .left, .left, .right, .left])
        for entry in entries {
            let detail = entry.detail.map { ": \(printable($0, maxLength: 60))" } ?? ""
            table.add([
                "\(entry.number)", PredictionText.day(entry.alert.at),
                names[entry.alert.subscriber].map {
                    printable($0, maxLength: TextTable.maxNameLength)
                } ?? "-",
                printable(entry.alert.title, maxLength: 60), "\(entry.attempts)",
                entry.status.text + detail,
            ])
        }
        return table.text()
    }
}

/// `bridgecast alert pause`.
struct AlertPauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Holds alerts back for an hour, a morning or a week; critical ones still come.")

    @Argument(help: "hour, morning (to noon, Seattle), week, or off.")
    var length: String

    @OptionGroup var person: PersonOptions
    @OptionGroup var alerts: AlertOptions

    func validate() throws {
        guard length == Self.off || AlertPause(rawValue: length) != nil else {
            throw ValidationError("write hour, morning, week or off")
        }
    }

    private static let off = "off"

    func run() async throws {
        try await reportingFailures {
            let end = AlertPause(rawValue: length)?.end(from: .now)
            try alerts.with(.writing) { try $0.pause(person.person, until: end) }
            let name = printable(person.person)
            try Console.print(
                end.map { "\(name): no alerts below critical until \(PredictionText.day($0))" }
                    ?? "\(name): no pause")
        }
    }
}

/// `bridgecast alert remove`.
struct AlertRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a rule, or a person with all that is kept.")

    @Argument(help: "The beginning of a rule's id.")
    var rule: String?

    @Option(name: .long, help: "A person: their rules, address and log are removed.")
    var person: String?

    @OptionGroup var alerts: AlertOptions

    func validate() throws {
        guard (rule == nil) != (person == nil) else {
            throw ValidationError("write a rule's id or --person")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let removed = try alerts.with(.writing) { store in
                if let person { return try store.removeSubscriber(person).name }
                return AlertRuleText.subject(try store.removeRule(rule ?? ""))
            }
            try Console.print("Removed \(printable(removed, maxLength: 200))")
        }
    }
}

/// `bridgecast alert test`.
struct AlertTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Has the running service send a test alert.")

    @OptionGroup var person: PersonOptions
    @OptionGroup var alerts: AlertOptions

    func run() async throws {
        try await reportingFailures {
            try alerts.with(.writing) { try $0.addTest(to: person.person, now: .now) }
            try Console.print(
                "A test alert for \(printable(person.person)) waits for `bridgecast serve`; see `bridgecast alert log`"
            )
        }
    }
}

// MARK: - Documents

/// People and rules; of addresses only what may be shown.
private struct AlertRulesDocument: JSONObjectAnswer {
    let people: [Subscriber]
    let rules: [AlertRule]
    let problems: JournalProblems
    /// The `applicationServerKey` of browsers.
    let pushKey: String?

    func writeFields(into json: inout JSONWriter) {
        json.list("people", objects: people) { json, person in
            json.field("name", person.name)
            json.field("carrier", person.address.carrier)
            json.field("address", person.address.shown)
            json.field("paused_until", person.pausedUntil.map(TimeText.rfc3339))
        }
        let names = Dictionary(people.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        json.list("rules", objects: rules) { json, rule in
            json.field("id", rule.id)
            json.field("person", names[rule.subscriber])
            json.field("about", AlertRuleText.subject(rule))
            json.field("when", AlertRuleText.hours(rule.hours))
            json.field("priority", rule.priority.name)
            json.field("problem", problems[rule.id])
        }
        json.field("push_key", pushKey)
    }
}

/// The log.
private struct AlertLogDocument: JSONObjectAnswer {
    let entries: [LedgerEntry]
    let names: [String: String]

    func writeFields(into json: inout JSONWriter) {
        json.list("alerts", objects: entries) { json, entry in
            json.field("number", Int(entry.number))
            json.field("id", entry.alert.identity.digest)
            json.field("rule", entry.alert.identity.rule)
            json.field("occasion", entry.alert.identity.occasion)
            json.field("kind", entry.alert.identity.kind.name)
            json.field("person", names[entry.alert.subscriber])
            json.field("at", TimeText.rfc3339(entry.alert.at))
            json.field("title", entry.alert.title)
            json.field("text", entry.alert.text)
            json.field("priority", entry.alert.priority.name)
            json.field("status", entry.status.rawValue)
            json.field("detail", entry.detail)
            json.field("attempts", entry.attempts)
            json.field("decided_at", TimeText.rfc3339(entry.decidedAt))
            json.field("changed_at", TimeText.rfc3339(entry.changedAt))
        }
    }
}
