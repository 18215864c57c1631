// The settings of `serve` that are in force: command line, then environment, then file, then the defaults.
internal import BridgecastSupport
import BridgecastCLI
import BridgecastCore
import BridgecastService
import Configuration
import Foundation
import Synchronization

/// The values of all settings, each with its source.
@dynamicMemberLookup
struct ServePlan: Sendable {
    private let options: ServeOptions
    /// What is set, by key; other settings have their defaults.
    private var entries: [String: Entry] = [:]

    private struct Entry {
        /// The value as it would be typed.
        let text: String
        /// Such as `--port` or `environment BRIDGECAST_HTTP_PORT`.
        let source: String
    }

    /// The value of a setting.
    subscript<Value>(dynamicMember path: KeyPath<ServeOptions, ServeSetting<Value>>) -> Value {
        let setting = options[keyPath: path]
        return entries[setting.key].flatMap { setting.parse($0.text) } ?? setting.defaultValue
    }

    func isOn(_ item: ServeSwitch) -> Bool { entries[item.setting.key]?.text == "true" }

    /// The service's own settings, without the administrators' token, which is in a file.
    var service: ServiceSettings {
        var service = ServiceSettings()
        for setting in options.all {
            if let entry = entries[setting.key] { setting.apply(entry.text, to: &service) }
        }
        service.adminPort = self.adminPort == 0 ? nil : self.adminPort
        return service
    }

    /// Reads all settings.
    ///
    /// - Parameters:
    ///   - environment: All variables; unknown ones with our prefixes are refused.
    ///   - path: The file; nil for that of `BRIDGECAST_CONFIG`, if it names one.
    /// - Throws: ``CommandFailure`` that names the source: usage for options and environment, data for a file.
    init(options: ServeOptions, environment: [String: String], file path: String?) throws {
        self.options = options
        let settings = options.all
        try Self.checkNames(of: environment, among: settings)
        // An empty variable is ignored.
        let environment = environment.filter { !$0.value.isEmpty }
        let file = try (path ?? environment["BRIDGECAST_CONFIG"]).map {
            try ServeFile($0, settings)
        }
        let reporter = LayerReporter()
        let reader = ConfigReader(
            providers: [
                InMemoryProvider(
                    name: "options", values: configValues(settings) { $0.given }),
                EnvironmentVariablesProvider(environmentVariables: environment)
                    .prefixKeys(with: "bridgecast"),
                InMemoryProvider(
                    name: "file", values: configValues(settings) { file?.texts[$0.key] }),
            ], accessReporter: reporter)
        for setting in settings {
            let key = ConfigKey(setting.key)
            guard let text = reader.string(forKey: key, isSecret: setting.isSecret) else {
                continue
            }
            let (source, code): (String, CommandFailure.Code) =
                switch reporter.lastLayer {
                case 0: (setting.option, .usage)
                case 1: ("environment \(setting.variable)", .usage)
                default: ("\(file?.path ?? ""): \(setting.key)", .data)
                }
            guard let value = setting.normalized(text) else {
                let shown = setting.isSecret ? "its value" : "'\(printable(text, maxLength: 60))'"
                throw CommandFailure(code, "\(source): \(shown) is not \(setting.takes)")
            }
            entries[setting.key] = Entry(text: value, source: source)
        }
        try checkRelations()
    }

    /// Refuses mistyped variables, which would silently be ignored.
    private static func checkNames(
        of environment: [String: String], among settings: [any AnyServeSetting]
    ) throws {
        let known = settings.map(\.variable)
        for name in environment.keys.sorted()
        where ServeFile.parts.contains(where: { name.hasPrefix("BRIDGECAST_\($0.uppercased())_") })
            && !known.contains(name)
        {
            throw CommandFailure(
                .usage,
                "environment \(printable(name)): unknown setting; is it "
                    + "\(NearNames.nearest(name, of: known, max: 1).joined())?")
        }
    }

    // MARK: Settings that need or exclude each other

    private func checkRelations() throws {
        if isOn(.noStore) { try exclude(options.store, ServeSwitch.noStore.setting) }
        if isOn(.noArchive) { try exclude(options.archive, ServeSwitch.noArchive.setting) }
        if isOn(.noNetwork) { try exclude(options.network, ServeSwitch.noNetwork.setting) }
        if isOn(.noPage) { try exclude(options.page, ServeSwitch.noPage.setting) }
        if isOn(.noAlerts) { try exclude(options.alerts, ServeSwitch.noAlerts.setting) }
        try exclude(options.replay, options.bridgesURL)
        try exclude(options.replay, options.refresh)
        try exclude(options.replay, options.travelTimesURL)
        try exclude(options.replay, options.trafficFile)
        try checkRefit()
        try require(options.people, for: options.features)
        try require(options.people, for: options.peopleKey)
        try require(options.store, for: options.storePasswordFile)
        try require(options.replay, for: options.speed)
        try require(options.replay, for: options.records)
        try require(options.travelTimesURL, for: options.travelTime)
        try require(options.travelTimesURL, for: options.freeFlowMph)
        try require(options.travelTime, for: options.travelTimesURL)
        try require(options.transit, for: options.transitUpdates)
        try require(options.transit, for: options.transitVehicles)
        try require(options.transit, for: options.transitAlerts)
        try require(options.transit, for: options.transitInterval)
        try require(options.trustedProxies, for: options.trustedHeader)
        try require(options.trustedHeader, for: options.trustedProxies)
        try require(options.adminPort, for: options.adminTokenFile)
        if self.adminPort != 0 { try require(options.adminTokenFile, for: options.adminPort) }
    }

    private func checkRefit() throws {
        guard self.refitHour >= 0, let entry = entries[options.refitHour.key] else { return }
        // The model's file is replaced: it is not the shipped one.
        try require(options.model, for: options.refitHour)
        try exclude(options.refitHour, options.replay)
        try exclude(options.refitHour, ServeSwitch.noStore.setting)
        if let path = self.model, RefitFiles.name(ofModel: path) == nil {
            throw CommandFailure(
                .usage,
                "\(entry.source) needs a \(options.model.option) file \(RefitFiles.pattern), "
                    + "not '\(printable(path, maxLength: 200))'")
        }
        try DailyRefit.checkMemory(option: entry.source)
    }

    private func exclude(_ first: any AnyServeSetting, _ second: any AnyServeSetting) throws {
        guard let first = entries[first.key], let second = entries[second.key] else { return }
        throw CommandFailure(.usage, "\(first.source) and \(second.source) contradict each other")
    }

    private func require(_ needed: any AnyServeSetting, for setting: any AnyServeSetting) throws {
        guard let entry = entries[setting.key], entries[needed.key] == nil else { return }
        throw CommandFailure(.usage, "\(entry.source) needs \(needed.option)")
    }

    // MARK: For `--check`

    /// A line for each setting: its key, its value, where it comes from.
    var table: String {
        var table = TextTable(["setting", "value", "from"], [.left, .left, .left])
        for setting in options.all {
            let entry = entries[setting.key]
            let text = entry?.text ?? setting.defaultText
            let shown =
                text.isEmpty ? "-" : setting.isSecret ? "set" : printable(text, maxLength: 200)
            table.add([setting.key, shown, entry?.source ?? "default"])
        }
        return table.text()
    }
}

/// What a layer has of the settings, for the configuration library.
private func configValues(
    _ settings: [any AnyServeSetting], _ text: (any AnyServeSetting) -> String?
) -> [AbsoluteConfigKey: ConfigValue] {
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    for setting in settings {
        if let text = text(setting) {
            values[AbsoluteConfigKey(ConfigKey(setting.key))] = ConfigValue(
                .string(text), isSecret: setting.isSecret)
        }
    }
    return values
}

/// Remembers which provider had the value that was read last.
private final class LayerReporter: AccessReporter {
    private let layer = Mutex<Int?>(nil)

    /// The provider's index.
    var lastLayer: Int? { layer.withLock { $0 } }

    func report(_ event: AccessEvent) {
        let found = event.providerResults.firstIndex { (try? $0.result.get().value) != nil }
        layer.withLock { $0 = found }
    }
}

// MARK: - The file

/// A configuration file: a JSON object with the parts `http` and `serve`; unknown names are refused.
private struct ServeFile {
    static let parts = ["http", "serve"]

    let path: String
    /// Values as they would be typed, by key.
    private(set) var texts: [String: String] = [:]

    private static let maxBytes = 1 << 20

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure``: missing input, or data that is no such file.
    init(_ path: String, _ settings: [any AnyServeSetting]) throws {
        self.path = path
        let data = try readFile(path, maxBytes: Self.maxBytes)
        let object: [String: [String: FileValue]]
        do {
            object = try JSONDecoder().decode([String: [String: FileValue]].self, from: data)
        } catch {
            throw CommandFailure(
                .data,
                "\(path): must be a JSON object with the parts http and serve, each of settings")
        }
        for (part, values) in object.sorted(by: { $0.key < $1.key }) {
            guard Self.parts.contains(part) else {
                throw CommandFailure(
                    .data,
                    "\(path): unknown part '\(printable(part))'; the parts are http and serve")
            }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                try take(value, of: "\(part).\(name)", settings)
            }
        }
    }

    private mutating func take(
        _ value: FileValue, of key: String, _ settings: [any AnyServeSetting]
    ) throws {
        guard let setting = settings.first(where: { $0.key == key }) else {
            let nearest = NearNames.nearest(key, of: settings.map(\.key), max: 1).joined()
            throw CommandFailure(
                .data, "\(path): unknown setting '\(printable(key))'; is it \(nearest)?")
        }
        switch value {
        case .text(let text) where !setting.isSwitch: texts[key] = text
        case .bool(let value) where setting.isSwitch: texts[key] = "\(value)"
        default:
            throw CommandFailure(.data, "\(path): \(key): it is not \(setting.takes)")
        }
    }
}

/// A value in the file.
private enum FileValue: Decodable {
    case bool(Bool)
    /// A text, a number or a list of texts, as it would be typed.
    case text(String)
    case other

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Int.self) {
            self = .text("\(number)")
        } else if let number = try? value.decode(Double.self) {
            self = .text("\(number)")
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let texts = try? value.decode([String].self) {
            self = .text(texts.joined(separator: ","))
        } else {
            self = .other
        }
    }
}

// MARK: - Files that settings name

/// The bytes of a file that a user named.
///
/// - Parameter option: The option that named it, for messages.
/// - Throws: ``CommandFailure``
func readFile(_ path: String, maxBytes: Int, option: String? = nil) throws -> Data {
    let url = URL(fileURLWithPath: path)
    do {
        return Data(try LocalFile.read(url, maxBytes: maxBytes, pipes: .named(url)))
    } catch {
        let name = option.map { "\($0): \(path)" } ?? path
        throw CommandFailure(CommandFailure.Code(error.kind), "\(name): \(error.message)")
    }
}
