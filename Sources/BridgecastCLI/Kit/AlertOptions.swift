// The options that name the file of alerts, hours and addresses, and how people type them.
public import ArgumentParser
public import BridgecastAlerts
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
internal import BridgecastSupport
import Foundation

/// `--alerts`, by default the user's file.
struct AlertOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The file of alerts. Default: $XDG_DATA_HOME/bridgecast/alerts.sqlite.",
        completion: .file())
    var alerts: String?

    /// Opens the file, works with it, and closes it.
    func with<Result>(
        _ access: HistoryStore.Access, _ body: (AlertStore) throws -> Result
    ) throws -> Result {
        let store = try AlertStore(try url(), access)
        defer { store.close() }
        return try body(store)
    }

    private func url() throws -> URL {
        try UserFile.url(
            alerts, default: AlertStore.defaultURL(environment: Console.current.environment),
            "for alerts: name a file with --alerts")
    }
}

/// `--person`.
struct PersonOptions: ParsableArguments {
    @Option(name: .long, help: "Whose alerts they are.")
    var person = "me"

    func validate() throws {
        guard !foldedName(person).isEmpty else {
            throw ValidationError("--person: write a name with a letter or a digit")
        }
    }
}

/// `--days` and `--hours`.
struct AlertHoursOptions: ParsableArguments {
    @Option(
        name: .long, help: "Days: all, daily, workdays, weekend, or such as mon,wed or mon-fri.")
    var days = "all"

    @Option(name: .long, help: "Hours on Seattle's clocks, such as 07:00-09:30. Default: all day.")
    var hours: String?

    func value() throws -> AlertHours {
        let days = try Self.days(days)
        guard let hours else { return AlertHours(days: days, startMinute: 0, endMinute: 1440) }
        let parts = hours.split(separator: "-", omittingEmptySubsequences: false)
        let minutes = parts.compactMap { Self.minute(String($0)) }
        guard parts.count == 2, minutes.count == 2, minutes[0] < 1440, minutes[1] > 0 else {
            throw CommandFailure(
                .usage, "--hours: '\(printable(hours, maxLength: 40))' is not such as 07:00-09:30")
        }
        return AlertHours(days: days, startMinute: minutes[0], endMinute: minutes[1])
    }

    /// A time of day, or `24:00`.
    private static func minute(_ text: String) -> Int? {
        if text == "24:00" { return 1440 }
        guard let clock = TypedClock(text), clock.day == nil else { return nil }
        return clock.secondOfDay / 60
    }

    private static func days(_ text: String) throws -> Set<Weekday> {
        if text == "all" { return Set(Weekday.allCases) }
        if let days = WeekdaySet(text: text) {
            return Set(Weekday.allCases.filter(days.contains))
        }
        var days: Set<Weekday> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { name in Weekday.allCases.first { "\($0)".prefix(3) == name } }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1]
            else {
                throw CommandFailure(
                    .usage,
                    "--days: '\(printable(text, maxLength: 40))' is not such as mon-fri, sat,sun or all"
                )
            }
            // From Friday to Monday goes past the end of the week.
            let count = (last.rawValue - first.rawValue + 7) % 7
            for step in 0...count { days.insert(Weekday.allCases[(first.rawValue + step) % 7]) }
        }
        return days
    }
}

/// The options that say where alerts go.
struct AlertAddressOptions: ParsableArguments {
    @Option(name: .long, help: "Send to this address: a signed JSON document by POST.")
    var webhook: String?

    @Option(
        name: .long, help: "A file with the webhook's secret. Default: a new one, shown once.",
        completion: .file())
    var secretFile: String?

    @Option(name: .long, help: "Send to this topic of ntfy, such as https://ntfy.sh/my-topic.")
    var ntfy: String?

    @Option(name: .long, help: "A file with the topic's access token.", completion: .file())
    var tokenFile: String?

    @Option(name: .long, help: "Run this program, an absolute path, without a shell.")
    var command: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: "An argument of the program; repeat it for more.")
    var argument: [String] = []

    @Flag(
        name: .long,
        help: "Show alerts on an event stream of the service, at an address of your own.")
    var stream = false

    @Option(
        name: .long,
        help:
            "Send to a browser: a file with its subscription, as PushSubscription.toJSON() has it.",
        completion: .file())
    var push: String?

    @Option(name: .long, help: "Publish to this broker of MQTT: HOST or HOST:PORT.")
    var mqtt: String?

    @Option(name: .long, help: "The broker's user.")
    var mqttUser: String?

    @Option(name: .long, help: "A file with the user's password.", completion: .file())
    var mqttPasswordFile: String?

    func validate() throws {
        let given = [
            (webhook != nil, "--webhook"), (ntfy != nil, "--ntfy"), (command != nil, "--command"),
            (stream, "--stream"), (push != nil, "--push"), (mqtt != nil, "--mqtt"),
        ].filter(\.0).map(\.1)
        guard given.count <= 1 else {
            throw ValidationError(
                "\(given.joined(separator: " and ")) are several addresses: write one address only, and --person for another"
            )
        }
        for (isThere, option, needed, owner) in [
            (secretFile != nil, "--secret-file", webhook, "--webhook"),
            (tokenFile != nil, "--token-file", ntfy, "--ntfy"),
            (!argument.isEmpty, "--argument", command, "--command"),
            (mqttUser != nil, "--mqtt-user", mqtt, "--mqtt"),
            (mqttPasswordFile != nil, "--mqtt-password-file", mqttUser, "--mqtt-user"),
        ] where isThere && needed == nil {
            throw ValidationError("\(option) needs \(owner)")
        }
    }

    /// Whether the address has a secret that is made anew each time.
    var isSecretNew: Bool { stream || webhook != nil && secretFile == nil }

    /// The address; nil if none is named.
    func value() throws -> AlertAddress? {
        if let webhook {
            return .webhook(
                url: webhook,
                secret: try secretFile.map { try Self.secret($0) } ?? AlertSecret.make())
        }
        if let ntfy {
            return .ntfy(url: ntfy, token: try tokenFile.map { try Self.secret($0) })
        }
        if let push { return .push(try Self.subscription(push)) }
        if let mqtt {
            let (host, port) = try Self.hostAndPort(mqtt)
            return .mqtt(
                MQTTBroker(
                    host: host, port: port, user: mqttUser,
                    password: try mqttPasswordFile.map { try Self.secret($0) }))
        }
        if stream { return .stream(token: AlertSecret.make()) }
        return try command.map { .command([try Self.program($0)] + argument) }
    }

    /// A path, which must be that of a file if it is absolute; another one is refused as an address.
    private static func program(_ path: String) throws -> String {
        guard path.hasPrefix("/") else { return path }
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                .missingInput, "--command: there is no file \(printable(path, maxLength: 200))")
        }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandFailure(
                .data,
                "--command: \(printable(path, maxLength: 200)) cannot be executed; chmod +x it"
            )
        }
        return path
    }

    private static func hostAndPort(_ text: String) throws -> (String, Int) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let port = parts.count == 2 ? Int(parts[1]) : MQTTBroker.defaultPort
        guard (1...2).contains(parts.count), let port else {
            throw CommandFailure(
                .usage, "--mqtt: '\(printable(text, maxLength: 60))' is not HOST or HOST:PORT")
        }
        return (String(parts[0]), port)
    }

    /// A browser's subscription.
    private static func subscription(_ path: String) throws -> PushSubscription {
        let text = try secret(path)
        do {
            return try PushSubscription(json: Array(text.utf8))
        } catch {
            throw CommandFailure(.data, "\(path): \(error)")
        }
    }

    private static func secret(_ path: String) throws -> String {
        String(decoding: try LocalInput.bytes(of: path, maxBytes: 4096), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Secrets that cannot be guessed.
enum AlertSecret {
    private static let byteCount = 24

    /// 32 characters of base64url.
    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_")
    }
}

extension AlertPriority: ExpressibleByArgument {
    /// Reads a name.
    public init?(argument: String) { self.init(name: argument) }

    /// For the help.
    public var defaultValueDescription: String { name }

    /// For the help and completions.
    public static var allValueStrings: [String] { allCases.map(\.name) }
}

// MARK: - Text

enum AlertRuleText {
    /// How much of an id is shown; commands take as much of it as is unique.
    static let idLength = 8

    static func id(_ id: String) -> String { String(id.prefix(idLength)) }

    /// Such as `webhook example.org`.
    static func address(_ address: AlertAddress) -> String {
        switch address {
        case .stream: "stream"
        case .person: "browsers"
        default:
            "\(address.carrier) \(printable(address.shown, maxLength: TextTable.maxNameLength))"
        }
    }

    /// Such as `Ballard: up, still up after 15, 20, 30 min`.
    static func subject(_ rule: AlertRule) -> String {
        switch rule.subject {
        case .line(let line): return "line \(printable(line))"
        case .reminders(let journal): return "reminders of \(printable(journal, maxLength: 200))"
        case .ownReminders: return "their own reminders"
        case .departure(let reminder):
            return "leave for \(printable(reminder.name)) by \(time(reminder.leaveBy)), "
                + "\(reminder.leadSeconds) s ahead"
        case .bridge(let bridge, let conditions):
            var parts: [String] = []
            if conditions.announcesRaised { parts.append("up") }
            if let threshold = conditions.likelyThreshold {
                parts.append("likely from \(percent(threshold))")
            }
            if !conditions.stillRaisedMinutes.isEmpty {
                let minutes = conditions.stillRaisedMinutes.map(String.init)
                parts.append("still up after \(minutes.joined(separator: ", ")) min")
            }
            if conditions.announcesLowered { parts.append("down again") }
            return "\(BridgeCatalogue[bridge].name): \(parts.joined(separator: ", "))"
        }
    }

    /// As ``subject(_:)``, for a column: a journal is its path only where it is not the user's, and a long path is cut.
    static func shortSubject(_ rule: AlertRule) -> String {
        guard case .reminders(let journal) = rule.subject else { return subject(rule) }
        let own = JourneyStore.defaultURL(environment: Console.current.environment)
        let shown =
            journal == own?.absoluteURL.path
            ? "your journal" : printableEnds(journal, maxLength: maxPathLength)
        return "reminders of \(shown)"
    }

    private static let maxPathLength = 60

    private static func time(_ leaveBy: DepartureReminder.LeaveBy) -> String {
        switch leaveBy {
        case .once(let time): PredictionText.day(time)
        case .daily(let second): ClockText.hoursMinutes(ofMinutes: second / 60)
        }
    }

    /// Such as `Mon-Fri 07:00-09:30`.
    static func hours(_ hours: AlertHours) -> String {
        let isWhole = hours.startMinute == 0 && hours.endMinute == 1440
        let clock =
            isWhole
            ? ""
            : " \(ClockText.hoursMinutes(ofMinutes: hours.startMinute))-"
                + ClockText.hoursMinutes(ofMinutes: hours.endMinute)
        return days(hours.days) + clock
    }

    private static func days(_ days: Set<Weekday>) -> String {
        guard days.count < 7 else { return "every day" }
        let names = Weekday.allCases.filter(days.contains).map { "\($0)".prefix(3).capitalized }
        let first = Weekday.allCases.firstIndex(where: days.contains) ?? 0
        let isRow =
            days.count > 2
            && (0..<days.count).allSatisfy {
                first + $0 < 7 && days.contains(Weekday.allCases[first + $0])
            }
        return isRow ? "\(names[0])-\(names[names.count - 1])" : names.joined(separator: ",")
    }
}
