// `bridgecast alert add`: a rule about a bridge, a time to leave, reminders or a line, and where its alerts go.
import ArgumentParser
import BridgecastAlerts
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
internal import BridgecastSupport
import Foundation

/// `bridgecast alert add`.
struct AlertAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a rule: about a bridge, a time to leave, reminders, or a line.",
        discussion: """
            A rule about a bridge without --up, --down, --still-up and --likely is about --up and --down. \
            The first rule of a person says where their alerts go.
            """)

    @Argument(help: "Name or id of a bridge, such as Fremont.")
    var bridge: String?

    @Flag(name: .long, help: "When the bridge goes up.")
    var up = false

    @Flag(name: .long, help: "When it is down again.")
    var down = false

    @Option(name: .long, help: "When it is still up after these minutes, such as 15,20,30.")
    var stillUp: String?

    @Option(
        name: .long,
        help:
            "When the chance that it is up within the next ten minutes reaches this: 0.5 or 50%.")
    var likely: WantedConfidence?

    @Option(
        name: .long,
        help: "When to leave at the latest: 07:40 on --days, or once, such as 2026-02-20T17:30.")
    var leaveBy: String?

    @Option(name: .customLong("for"), help: "What you leave for.")
    var destination: String?

    @Option(
        name: .long,
        help: "Seconds before leaving at which the alert is due, or such as 10min. Default: 300.")
    var lead: TypedDuration?

    @Option(name: .long, help: "When the agency has an alert about this line, such as 44.")
    var line: String?

    @Flag(
        name: .long,
        help: "When it is time to leave for the reminders that `remind` keeps in the journal.")
    var reminders = false

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "low, normal, high or critical, which passes pauses.")
    var priority = AlertPriority.normal

    @OptionGroup var hours: AlertHoursOptions
    @OptionGroup var person: PersonOptions
    @OptionGroup var address: AlertAddressOptions
    @OptionGroup var alerts: AlertOptions

    func validate() throws {
        let about = subjectsGiven
        guard about.count <= 1 else {
            throw ValidationError(
                "\(about.joined(separator: " and ")) are several subjects: a rule has one; add a rule for each"
            )
        }
        let changes = changesGiven
        guard bridge != nil || changes.isEmpty else {
            throw ValidationError(
                "\(changes.joined(separator: " and ")) \(changes.count > 1 ? "need" : "needs") a bridge"
            )
        }
        guard !about.isEmpty else {
            throw ValidationError("write a bridge, --leave-by, --line or --reminders")
        }
        guard reminders || journal.isDefault else {
            throw ValidationError(
                "\(journal.journal == nil ? "--key" : "--journal") needs --reminders")
        }
        guard leaveBy != nil || (destination == nil && lead == nil) else {
            throw ValidationError("\(destination == nil ? "--lead" : "--for") needs --leave-by")
        }
    }

    /// What the rule is to be about, as it was written.
    private var subjectsGiven: [String] {
        [
            bridge.map { "'\(printable($0, maxLength: 40))'" }, leaveBy.map { _ in "--leave-by" },
            line.map { _ in "--line" }, reminders ? "--reminders" : nil,
        ].compactMap { $0 }
    }

    /// The options about changes of a bridge that were written.
    private var changesGiven: [String] {
        [
            up ? "--up" : nil, down ? "--down" : nil, stillUp.map { _ in "--still-up" },
            likely.map { _ in "--likely" },
        ].compactMap { $0 }
    }

    func run() async throws {
        try await reportingFailures {
            let subject = try await subject()
            let hours = try hours.value()
            let address = try address.value()
            let added = try alerts.with(.writing) { store in
                try store.add(
                    to: person.person, address, isSecretNew: self.address.isSecretNew
                ) { subscriber in
                    AlertRule(
                        id: Journey.newID(), subscriber: subscriber, subject: subject,
                        hours: hours, priority: priority, createdAt: .now)
                }
            }
            try Console.print(Self.text(added))
            guard added.isNewSubscriber else { return }
            switch added.subscriber.address {
            case .webhook(_, let secret) where self.address.secretFile == nil:
                try Console.print("The webhook's secret, shown only now: \(secret)")
            case .stream(let token):
                try Console.print("The stream, shown only now: /api/v1/alerts/\(token)/events")
            default: break
            }
        }
    }

    private static func text(_ added: AlertStore.Addition) -> String {
        let rule = added.rule
        return "Rule \(AlertRuleText.id(rule.id)) for \(printable(added.subscriber.name))"
            + (added.isNewRule ? "" : " is there already, and not added again") + ": "
            + "\(AlertRuleText.subject(rule)); \(AlertRuleText.hours(rule.hours)), "
            + "\(rule.priority.name), by \(added.subscriber.address.carrier)"
    }

    private func subject() async throws -> AlertRule.Subject {
        if let line { return .line(line) }
        if reminders { return .reminders(journal: try await readableJournal()) }
        if let leaveBy {
            return .departure(
                DepartureReminder(
                    name: destination ?? "your trip", leaveBy: try Self.leaveBy(leaveBy),
                    leadSeconds: try Self.leadSeconds(lead)))
        }
        let name = bridge ?? ""
        guard let bridge = BridgeCatalogue.index(named: name) else {
            let names = BridgeCatalogue.seattle.map(\.name).joined(separator: ", ")
            throw CommandFailure(.usage, "unknown bridge '\(printable(name))'; there are \(names)")
        }
        let isPlain = !up && !down && stillUp == nil && likely == nil
        return .bridge(
            bridge,
            BridgeConditions(
                raised: up || isPlain, lowered: down || isPlain,
                stillRaisedMinutes: try stillUp.map(Self.minutes) ?? [],
                likelyThreshold: likely?.probability))
    }

    /// The absolute path of the journal; a service would say only in its log that it cannot read it.
    private func readableJournal() async throws -> String {
        do {
            try await journal.with(.reading) { _ = try $0.reminders() }
        } catch let error as JourneyStoreError {
            guard case .file(.notAFile) = error.problem else { throw error }
            throw CommandFailure(.data, "\(error)")
        }
        return try journal.url().absoluteURL.path
    }

    private static func leaveBy(_ text: String) throws -> DepartureReminder.LeaveBy {
        if let clock = TypedClock(text), clock.day == nil {
            return .daily(secondOfDay: clock.secondOfDay)
        }
        do {
            return .once(try TimeText.parse(text, now: .now))
        } catch {
            throw CommandFailure(.usage, "--leave-by: \(error)")
        }
    }

    private static func leadSeconds(_ lead: TypedDuration?) throws -> Int64 {
        guard let lead else { return DepartureReminder.defaultLeadSeconds }
        guard let seconds = Int64(exactly: lead.seconds(perUnit: 1).rounded()) else {
            throw CommandFailure(.usage, "--lead must be 0 to 86400 seconds")
        }
        return seconds
    }

    private static func minutes(_ text: String) throws -> [Int] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let minutes = parts.compactMap { Int($0) }
        guard minutes.count == parts.count else {
            throw CommandFailure(
                .usage,
                "--still-up: '\(printable(text, maxLength: 40))' is not minutes such as 15,20,30")
        }
        return minutes
    }
}
