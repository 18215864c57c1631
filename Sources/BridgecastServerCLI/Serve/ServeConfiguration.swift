// Where the settings of `serve` come from: options, then environment, then a file, then the usual values.
import BridgecastCLI
import BridgecastCore
import BridgecastService
import Configuration

/// The settings that are in force, each with its source.
struct ServeConfiguration {
    /// What is in force.
    private(set) var plan = ServePlan()
    /// Where each setting comes from, by its name in the table; none for a usual value.
    private(set) var sources: [String: String] = [:]

    private static let prefixes = ServeKey.Section.allCases.map {
        "BRIDGECAST_\($0.rawValue.uppercased())_"
    }

    /// Reads all settings.
    ///
    /// - Parameters:
    ///   - options: What was typed, by names of the table.
    ///   - environment: All variables; those that begin as ours must be known.
    ///   - path: The file; nil for that of `BRIDGECAST_CONFIG`, if it names one.
    /// - Throws: ``CommandFailure`` that names the source: usage for options and environment, data for a file.
    init(options: [String: String], environment: [String: String], file path: String?) throws {
        try Self.checkNames(environment)
        let named = path ?? environment["BRIDGECAST_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        let file = try named.map { try ServeFile($0) }
        let typed = InMemoryProvider(
            name: "options",
            values: Dictionary(
                uniqueKeysWithValues: ServeKey.all.compactMap { key in
                    options[key.name].map {
                        (key.absolute, ConfigValue(.string($0), isSecret: key.isSecret))
                    }
                }))
        let variables = EnvironmentVariablesProvider(
            environmentVariables: environment,
            secretsSpecifier: .dynamic { name, _ in
                ServeKey.all.contains { $0.isSecret && $0.variable == name }
            }
        ).prefixKeys(with: "bridgecast")
        for key in ServeKey.all {
            if let text = try Self.text(key, in: typed) {
                try take(text, key, from: key.option, .usage)
            } else if let text = try Self.text(key, in: variables), !text.isEmpty {
                try take(text, key, from: "environment \(key.variable)", .usage)
            } else if let file, let text = try file.text(key) {
                try take(text, key, from: "\(file.path): \(key.place)", .data)
            }
        }
        try ServeRelations.check(plan, sources)
    }

    private static func text(_ key: ServeKey, in provider: some ConfigProvider) throws -> String? {
        guard
            case .string(let text) = try provider.value(forKey: key.absolute, type: .string).value?
                .content
        else { return nil }
        return text
    }

    private mutating func take(
        _ text: String, _ key: ServeKey, from source: String, _ code: CommandFailure.Code
    ) throws {
        guard key.write(text, &plan) else {
            let shown = key.isSecret ? "its value" : "'\(printable(text, most: 60))'"
            throw CommandFailure(code, "\(source): \(shown) is not \(key.takes)")
        }
        sources[key.name] = source
    }

    /// A mistyped variable would silently be none.
    private static func checkNames(_ environment: [String: String]) throws {
        let known = ServeKey.all.map(\.variable)
        for name in environment.keys.sorted()
        where prefixes.contains(where: { name.hasPrefix($0) }) && !known.contains(name) {
            throw CommandFailure(
                .usage,
                "environment \(printable(name)): there is no such setting; is it "
                    + "\(NearNames.nearest(name, of: known, most: 1).joined())?")
        }
    }

    /// A line for each setting: its name, its value, where it comes from.
    var table: String {
        var table = TextTable(["setting", "value", "from"], [.left, .left, .left])
        for key in ServeKey.all {
            let text = key.text(plan)
            let shown = text.isEmpty ? "-" : key.isSecret ? "set" : printable(text, most: 200)
            table.add([key.place, shown, sources[key.name] ?? "usual value"])
        }
        return table.text()
    }
}

extension ServeKey {
    /// The key as configuration libraries have it.
    var absolute: AbsoluteConfigKey { AbsoluteConfigKey([section.rawValue, name]) }
}
