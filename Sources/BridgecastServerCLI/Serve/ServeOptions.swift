// The settings of `serve`, each declared once, as an option. Environment variables, keys of the file, help, `--check`
// and the table in Service.md follow from these rows; where the values come from is in ServePlan.
internal import BridgecastSupport
import ArgumentParser
import BridgecastFeeds
import BridgecastLive
import BridgecastService
import BridgecastStore
import Foundation

/// All settings, with the values given on the command line.
struct ServeOptions: ParsableArguments {
    // MARK: Content

    @Option(
        .text(
            "serve.replay", takes: "a day such as 2026-02-20, or FROM/TO",
            "Serve a period of the records: a day, or FROM/TO, each a day or a time (2026-02-20T15:30)."
        ))
    var replay: ServeSetting<String?>

    @Option(.number("serve.speed", in: 0.001...1e6, default: 1, "Seconds of a replay per second."))
    var speed: ServeSetting<Double>

    @Option(
        .path(
            "serve.records",
            "Records to replay: a store, or a file of CSV or JSON. By default the shipped records.")
    )
    var records: ServeSetting<String?>

    @Option(
        .path(
            "serve.store",
            "The history store that keeps what is seen. By default $XDG_DATA_HOME/bridgecast/history.sqlite; a replay keeps nothing by default."
        ))
    var store: ServeSetting<String?>

    @Option(
        .path(
            "serve.archive",
            "The archive of issued forecasts. By default archive.sqlite next to the store; a replay archives nothing by default."
        ))
    var archive: ServeSetting<String?>

    @Option(
        .integer(
            "serve.archive_days", in: 1...36_500, default: ForecastArchive.defaultDays,
            "How long forecasts are archived, days."))
    var archiveDays: ServeSetting<Int>

    @Option(.path("serve.model", "The model file. By default the shipped one."))
    var model: ServeSetting<String?>

    @Option(
        .integer(
            "serve.refit_hour", in: -1...23, default: -1,
            "The hour of each day, Seattle, at which the model is fitted again to the store by `refit`; -1 for never. For containers with 4 GiB of memory; under systemd use bridgecast-refit.timer."
        ))
    var refitHour: ServeSetting<Int>

    @Option(.path("serve.network", "The roads (FILE.roads). By default Seattle's."))
    var network: ServeSetting<String?>

    @Option(.path("serve.skill", "The answer of /skill: a file written by `evaluate --skill`."))
    var skill: ServeSetting<String?>

    @Option(
        .path(
            "serve.people",
            "The folder of the people who have journals at /api/v1/me, as `token add` makes it. By default there are none."
        ))
    var people: ServeSetting<String?>

    @Option(
        .path(
            "serve.features",
            "The file of features that are switched on for a share of those people. By default all are on."
        ))
    var features: ServeSetting<String?>

    @Option(
        .path(
            "serve.people_key",
            "The file of the key by which the journals of people are encrypted, as `journey key make` writes it. By default they are not."
        ))
    var peopleKey: ServeSetting<String?>

    @Option(.path("serve.page", "The folder of the page at /. By default the shipped one."))
    var page: ServeSetting<String?>

    @Flag var switches: [ServeSwitch] = []

    @Option(
        .text(
            "serve.log_level", default: "info",
            takes: "trace, debug, info, notice, warning, error or critical",
            "Minimum level of log lines: trace, debug, info, notice, warning, error, critical.",
            where: ["trace", "debug", "info", "notice", "warning", "error", "critical"].contains))
    var logLevel: ServeSetting<String>

    @Option(.path("serve.log_file", "Append log lines to this file instead of standard error."))
    var logFile: ServeSetting<String?>

    // MARK: Alerts

    @Option(
        .path(
            "serve.alerts",
            "The file of alerts that `alert add` makes, from which alerts are sent. By default $XDG_DATA_HOME/bridgecast/alerts.sqlite, as soon as it is there; a replay sends none by default."
        ))
    var alerts: ServeSetting<String?>

    @Option(
        .text(
            "serve.alerts_contact", takes: "an address such as mailto:me@example.org",
            "Where push services of browsers can complain about alerts: mailto: or https:."))
    var alertsContact: ServeSetting<String?>

    // MARK: Live feeds

    @Option(
        .text(
            "serve.bridges_url", default: CityBridgeFeed.cityURL, takes: "an address",
            "Where the city publishes the bridges' states."))
    var bridgesURL: ServeSetting<String>

    @Option(
        .text(
            "serve.travel_times_url", takes: "an address", isSecret: true,
            "WSDOT's travel times with their access code; prefer the environment or a file."
        ))
    var travelTimesURL: ServeSetting<String?>

    @Option(
        .list(
            "serve.travel_time", takes: "ID=BRIDGE,...",
            "WSDOT segments that lead to bridges: ID=BRIDGE,..."))
    var travelTime: ServeSetting<[String]>

    @Option(
        .number(
            "serve.free_flow_mph", in: 1...150, default: 40,
            "Speed of free flow on those segments, miles per hour."))
    var freeFlowMph: ServeSetting<Double>

    @Option(
        .path(
            "serve.traffic_file", "Measured traffic, a file that another program keeps up to date.")
    )
    var trafficFile: ServeSetting<String?>

    @Option(
        .text(
            "serve.refresh", default: "live", takes: "live, manual, 1, 2, 5, 10 or 15",
            "live, manual, or every 1, 2, 5, 10 or 15 minutes.",
            where: { RefreshInterval($0) != nil }))
    var refresh: ServeSetting<String>

    // MARK: Transit

    @Option(
        .path(
            "serve.transit",
            "A transit agency's timetable: a zip file or folder of GTFS; read again when it changes. A replay of the winter of 2017-18 has the shipped one by default."
        ))
    var transit: ServeSetting<String?>

    @Option(.realtime("serve.transit_updates", "Its trip updates"))
    var transitUpdates: ServeSetting<String?>

    @Option(.realtime("serve.transit_vehicles", "Its vehicle positions"))
    var transitVehicles: ServeSetting<String?>

    @Option(.realtime("serve.transit_alerts", "Its service alerts"))
    var transitAlerts: ServeSetting<String?>

    @Option(
        .number(
            "serve.transit_interval", in: 20...3600, default: 30,
            "Seconds between requests of these feeds."))
    var transitInterval: ServeSetting<Double>

    // MARK: Addresses

    @Option(
        .text(
            "http.host", takes: "an address or a name",
            "The address to listen on; 0.0.0.0 for all."
        ).sets(\.host))
    var host: ServeSetting<String>

    @Option(
        .integer("http.port", in: 0...65_535, "The port; 0 for one that is free.").sets(\.port))
    var port: ServeSetting<Int>

    @Option(
        .integer(
            "http.admin_port", in: 0...65_535, default: 0,
            "The port for administration, on 127.0.0.1; 0 for none."))
    var adminPort: ServeSetting<Int>

    @Option(
        .path(
            "http.admin_token_file",
            "A file with the bearer token of administrators, 16 characters or more."))
    var adminTokenFile: ServeSetting<String?>

    @Option(
        .text(
            "http.trusted_header", takes: "a field's name",
            "The header field in which a proxy names its client, such as X-Forwarded-For."
        ).sets(\.trustedHeader))
    var trustedHeader: ServeSetting<String?>

    @Option(
        .list(
            "http.trusted_proxies",
            takes: "addresses or networks such as 10.0.0.0/8, with commas",
            "Trusted proxies: addresses or networks, with commas."
        ).sets(\.trustedProxies))
    var trustedProxies: ServeSetting<[String]>

    // MARK: Limits

    @Option(
        .integer(
            "http.max_rows", in: 1...10_000,
            "Maximum candidates to rank, or rows to forecast, in one request."
        ).sets(\.maxRows))
    var maxRows: ServeSetting<Int>

    @Option(
        .integer(
            "http.max_connections", in: 1...1_000_000,
            "Maximum connections in all."
        ).sets(\.maxConnections))
    var maxConnections: ServeSetting<Int>

    @Option(
        .integer(
            "http.max_connections_per_client", in: 1...1_000_000,
            "Maximum connections of a client address."
        ).sets(\.maxConnectionsPerClient))
    var maxConnectionsPerClient: ServeSetting<Int>

    @Option(
        .integer(
            "http.max_streams", in: 0...1_000_000,
            "Maximum event streams in all."
        ).sets(\.maxStreams))
    var maxStreams: ServeSetting<Int>

    @Option(
        .integer(
            "http.max_streams_per_client", in: 0...1_000_000,
            "Maximum event streams of a client address."
        ).sets(\.maxStreamsPerClient))
    var maxStreamsPerClient: ServeSetting<Int>

    @Option(
        .number(
            "http.requests_per_second", in: 0...1e6,
            "Requests per second of a client address, in the long run; 0 for no limit."
        ).sets(\.requestsPerSecond))
    var requestsPerSecond: ServeSetting<Double>

    @Option(
        .number(
            "http.request_burst", in: 1...1e6,
            "Requests that a client may send at once after a pause."
        ).sets(\.requestBurst))
    var requestBurst: ServeSetting<Double>

    @Option(
        .number(
            "http.header_seconds", in: 0.1...3600,
            "Seconds to the end of a request's head."
        ).sets(\.headerSeconds))
    var headerSeconds: ServeSetting<Double>

    @Option(
        .number(
            "http.body_seconds", in: 0.1...3600,
            "Seconds from a request's head to the end of its body."
        ).sets(\.bodySeconds))
    var bodySeconds: ServeSetting<Double>

    @Option(
        .number(
            "http.answer_seconds", in: 0.1...3600,
            "Seconds in which a client must take some of the sent bytes."
        ).sets(\.answerSeconds))
    var answerSeconds: ServeSetting<Double>

    // MARK: All of them

    /// All settings in the order of their declaration.
    ///
    /// The wrappers are enumerated, as ArgumentParser does, so that an option cannot be declared and then be forgotten.
    var all: [any AnyServeSetting] {
        Mirror(reflecting: self).children.flatMap { child -> [any AnyServeSetting] in
            switch child.value {
            case let option as any SettingOption: [option.setting]
            case let flag as Flag<[ServeSwitch]>:
                ServeSwitch.allCases.map { item in
                    item.setting.given(flag.wrappedValue.contains(item) ? "true" : nil)
                }
            default: []
            }
        }
    }
}

/// The settings that are options without a value.
enum ServeSwitch: String, EnumerableFlag {
    case noStore = "serve.no_store"
    case noArchive = "serve.no_archive"
    case noNetwork = "serve.no_network"
    case noPage = "serve.no_page"
    case noAlerts = "serve.no_alerts"
    case alertsPrivate = "serve.alerts_private"

    var setting: ServeSetting<Bool> {
        switch self {
        case .noStore: .toggle(rawValue, "Do not store observations.")
        case .noArchive: .toggle(rawValue, "Do not archive issued forecasts.")
        case .noNetwork: .toggle(rawValue, "Load no roads; only submitted candidates are ranked.")
        case .noPage: .toggle(rawValue, "Show no page; the API is unchanged.")
        case .noAlerts: .toggle(rawValue, "Send no alerts.")
        case .alertsPrivate:
            .toggle(rawValue, "Send alerts to private networks and to this machine, too.")
        }
    }

    static func name(for value: ServeSwitch) -> NameSpecification {
        .customLong(value.setting.optionName)
    }

    static func help(for value: ServeSwitch) -> ArgumentHelp? {
        ArgumentHelp(stringLiteral: value.setting.help)
    }
}

// MARK: - A setting

/// A setting: `http.max_rows` is `--max-rows`, `BRIDGECAST_HTTP_MAX_ROWS` and `{"http": {"max_rows": ...}}`.
struct ServeSetting<Value: Sendable>: AnyServeSetting {
    let key: String
    let help: String
    let takes: String
    var defaultValue: Value
    var isSecret = false
    var isSwitch = false
    /// The value of a text; nil if it is not one.
    let parse: @Sendable (String) -> Value?
    /// A value as it would be typed; empty for none.
    let format: @Sendable (Value) -> String
    /// Where the service's own settings have it.
    var target: (any WritableKeyPath<ServiceSettings, Value> & Sendable)?
    var given: String?

    /// The setting as it was given on the command line.
    func given(_ text: String?) -> Self {
        var copy = self
        copy.given = text
        return copy
    }

    var defaultText: String { format(defaultValue) }

    func normalized(_ text: String) -> String? { parse(text).map(format) }

    func apply(_ text: String, to settings: inout ServiceSettings) {
        guard let target, let value = parse(text) else { return }
        settings[keyPath: target] = value
    }
}

/// A setting with a value of any type.
protocol AnyServeSetting: Sendable {
    /// The part of the file, a dot, and the name in it, in small letters with underscores.
    var key: String { get }
    var help: String { get }
    /// The values it takes, to follow "is not".
    var takes: String { get }
    /// Whether its value is never shown.
    var isSecret: Bool { get }
    /// Whether it is an option without a value.
    var isSwitch: Bool { get }
    /// The text given on the command line.
    var given: String? { get }
    /// The default as it would be typed; empty for none.
    var defaultText: String { get }

    /// A value as it would be typed; nil if the text is not a value.
    func normalized(_ text: String) -> String?
    /// Sets the value in the service's own settings, if they have it.
    func apply(_ text: String, to settings: inout ServiceSettings)
}

extension AnyServeSetting {
    /// The option's name without dashes in front.
    var optionName: String { String(key.drop { $0 != "." }.dropFirst()).replacing("_", with: "-") }
    var option: String { "--" + optionName }
    /// The environment variable.
    var variable: String { "BRIDGECAST_" + key.replacing(".", with: "_").uppercased() }

    /// The row of the table in Service.md.
    var documentation: String {
        "| `\(option)` | `\(key)` | \(isSwitch || defaultText.isEmpty ? "" : "`\(defaultText)`") | \(help) |"
    }
}

private protocol SettingOption {
    var setting: any AnyServeSetting { get }
}

extension Option: SettingOption where Value: AnyServeSetting {
    fileprivate var setting: any AnyServeSetting { wrappedValue }
}

extension Option {
    /// The option of a setting; its text is checked later, together with the other sources.
    fileprivate init<Content>(_ setting: ServeSetting<Content>)
    where Value == ServeSetting<Content> {
        let suffix = setting.defaultText.isEmpty ? "" : " Default: \(setting.defaultText)."
        self.init(
            wrappedValue: setting, name: .customLong(setting.optionName),
            help: ArgumentHelp(stringLiteral: setting.help + suffix),
            transform: { setting.given($0) })
    }
}

// MARK: - Kinds of settings

extension ServeSetting {
    /// The same setting of the service's own settings, with their default.
    fileprivate func sets(
        _ target: any WritableKeyPath<ServiceSettings, Value> & Sendable
    ) -> Self {
        var copy = self
        copy.target = target
        copy.defaultValue = ServiceSettings()[keyPath: target]
        return copy
    }
}

extension ServeSetting where Value == Int {
    /// A whole number in a range.
    fileprivate static func integer(
        _ key: String, in range: ClosedRange<Int>, default defaultValue: Int = 0, _ help: String
    ) -> Self {
        ServeSetting(
            key: key, help: help,
            takes: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            defaultValue: defaultValue,
            parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } },
            format: { "\($0)" })
    }
}

extension ServeSetting where Value == Double {
    /// A number in a range.
    fileprivate static func number(
        _ key: String, in range: ClosedRange<Double>, default defaultValue: Double = 0,
        _ help: String
    ) -> Self {
        ServeSetting(
            key: key, help: help,
            takes: "a number from \(plainNumber(range.lowerBound)) to "
                + plainNumber(range.upperBound),
            defaultValue: defaultValue,
            parse: { text in Double(text).flatMap { range.contains($0) ? $0 : nil } },
            format: { plainNumber($0) })
    }
}

extension ServeSetting where Value == String {
    /// A text with a default.
    fileprivate static func text(
        _ key: String, default defaultValue: String = "", takes: String, _ help: String,
        where isValid: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> Self {
        ServeSetting(
            key: key, help: help, takes: takes, defaultValue: defaultValue,
            parse: { isSettingText($0) && isValid($0) ? $0 : nil }, format: { $0 })
    }
}

extension ServeSetting where Value == String? {
    /// A text without a default.
    fileprivate static func text(
        _ key: String, takes: String, isSecret: Bool = false, _ help: String
    ) -> Self {
        ServeSetting(
            key: key, help: help, takes: takes, defaultValue: nil, isSecret: isSecret,
            parse: { isSettingText($0) ? .some($0) : nil }, format: { $0 ?? "" })
    }

    fileprivate static func path(_ key: String, _ help: String) -> Self {
        text(key, takes: "a path", help)
    }

    /// A realtime feed; its address may hold a key.
    fileprivate static func realtime(_ key: String, _ subject: String) -> Self {
        text(
            key, takes: "an address or a path", isSecret: true,
            "\(subject) (GTFS-realtime): an address, a file that is kept up to date, or a folder of recorded messages."
        )
    }
}

/// Longer texts are no paths or addresses.
private func isSettingText(_ text: String) -> Bool { !text.isEmpty && text.utf8.count <= 4096 }

extension ServeSetting where Value == [String] {
    /// Texts with commas between them; in a file also a list of texts.
    fileprivate static func list(_ key: String, takes: String, _ help: String) -> Self {
        ServeSetting(
            key: key, help: help, takes: takes, defaultValue: [],
            parse: { text in
                let parts = text.split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                return parts.isEmpty || parts.contains("") ? nil : parts
            },
            format: { $0.joined(separator: ",") })
    }
}

extension ServeSetting where Value == Bool {
    fileprivate static func toggle(_ key: String, _ help: String) -> Self {
        ServeSetting(
            key: key, help: help, takes: "true or false", defaultValue: false, isSwitch: true,
            parse: { Bool($0.lowercased()) }, format: { "\($0)" })
    }
}
