// The options that name the journal, a time zone and a trip; and how journeys are shown.
public import ArgumentParser
import BridgecastCore
public import BridgecastJourneys
package import BridgecastStore
package import BridgecastSupport
package import Foundation

/// `--journal`, by default the user's journal, and `--key` of an encrypted one.
package struct JournalOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The journal. Default: $XDG_DATA_HOME/bridgecast/journeys.sqlite.",
        completion: .file())
    var journal: String?

    @Option(
        name: .long,
        help: "The file of an encrypted journal's key. Default: $BRIDGECAST_JOURNAL_KEY_FILE.",
        completion: .file())
    var key: String?

    package init() {}

    /// Whether neither journal nor key is named.
    package var isDefault: Bool { journal == nil && key == nil }

    /// Opens the journal, works with it, and closes it.
    package func with<Result>(
        _ access: HistoryStore.Access, _ body: (JourneyStore) async throws -> Result
    ) async throws -> Result {
        let store = try OwnJournal.open(try url(), access, keyFile: key)
        defer { store.close() }
        return try await body(store)
    }

    /// Checks that a journey can be recorded later: the file, its key, and the settings; a missing journal is not made.
    ///
    /// - Throws: `JourneyStoreError` or an error of the key.
    package func checkRecording() async throws {
        let url = try url()
        try JourneyStore.checkWritable(url)
        guard HistoryStore.isThere(url) else {
            _ = try OwnJournal.key(in: key)
            return
        }
        try await with(.writing) { try $0.checkRecording(by: .ownCommand) }
    }

    /// The key, for commands that cannot do without.
    func requiredKey() throws -> StoreKey {
        guard let key = try OwnJournal.key(in: key) else {
            throw CommandFailure(
                .usage, "name the file of the key with --key or \(OwnJournal.keyVariable)")
        }
        return key
    }

    func url() throws -> URL {
        try UserFile.url(
            journal, default: JourneyStore.defaultURL(environment: Console.current.environment),
            "for the journal: name one with --journal")
    }
}

/// A journal that belongs to the user of this machine.
package enum OwnJournal {
    static let keyVariable = "BRIDGECAST_JOURNAL_KEY_FILE"

    /// Opens a journal with the user's own switches of features.
    ///
    /// - Parameter keyFile: The key of an encrypted one; by default that which the environment names.
    /// - Throws: `JourneyStoreError`, or an error of the key or of the features.
    package static func open(
        _ url: URL, _ access: HistoryStore.Access, keyFile: String? = nil
    ) throws -> JourneyStore {
        try JourneyStore(
            url, access, key: try key(in: keyFile), keySource: keySource(keyFile),
            features: PersonFeatures(FeatureFile.ofUser()))
    }

    /// Checks, for a service, that the key that the environment names can be read.
    ///
    /// - Throws: `StoreKeyError`.
    package static func checkKey() throws { _ = try key(in: nil) }

    /// The key in a file, by default that which the environment names; nil for a journal that is not encrypted.
    static func key(in file: String?) throws -> StoreKey? {
        try (file ?? keyFileOfEnvironment).map {
            try StoreKey(contentsOf: URL(fileURLWithPath: $0))
        }
    }

    private static func keySource(_ file: String?) -> JournalKeySource {
        file == nil && keyFileOfEnvironment != nil ? .environment : .option
    }

    private static var keyFileOfEnvironment: String? {
        Console.current.environment[keyVariable].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The user's own switches of features, in `$XDG_CONFIG_HOME/bridgecast/features.json`.
private enum FeatureFile {
    /// Nil if there is none, and all features are on.
    ///
    /// What is wrong with it concerns only what asks for a feature.
    static func ofUser() -> Result<FeatureRollout?, DocumentError> {
        let url = UserFolder.configuration.url(
            of: "features.json", environment: Console.current.environment)
        guard let url, FileManager.default.fileExists(atPath: url.path) else {
            return .success(nil)
        }
        return Result { () throws(DocumentError) in try FeatureRollout(of: url.path) }
    }
}

extension FeatureRollout {
    /// Reads a file.
    ///
    /// - Throws: ``DocumentError``.
    package init(of path: String) throws(DocumentError) {
        let url = URL(fileURLWithPath: path)
        let bytes: [UInt8]
        do throws(LocalFileError) {
            bytes = try LocalFile.read(url, maxBytes: Self.maxBytes, pipes: .named(url))
        } catch {
            throw DocumentError(DocumentProblem("", error.message), in: path, kind: error.kind)
        }
        do throws(DocumentProblem) {
            self = try FeatureRollout(reading: bytes)
        } catch {
            throw DocumentError(error, in: path)
        }
    }
}

/// A file that is read whole.
enum LocalInput {
    /// - Throws: ``CommandFailure``.
    static func bytes(of path: String, maxBytes: Int) throws -> [UInt8] {
        let url = URL(fileURLWithPath: path)
        do throws(LocalFileError) {
            return try LocalFile.read(url, maxBytes: maxBytes, pipes: .named(url))
        } catch {
            throw CommandFailure(CommandFailure.Code(error.kind), "\(path): \(error.message)")
        }
    }
}

/// `--zone`, by default Seattle's.
struct ZoneOptions: ParsableArguments {
    @Option(name: .long, help: "Your time zone: its days, hours and months are counted.")
    var zone = "America/Los_Angeles"

    func timeZone() throws -> TimeZone {
        guard let found = TimeZone(identifier: zone) else {
            throw CommandFailure(
                .usage,
                "--zone: '\(printable(zone, maxLength: 40))' is no time zone; write one such as America/Denver"
            )
        }
        return found
    }
}

/// A length of time as it is typed: a number, in the option's own unit or with another one, such as `90s`, `10min` or `1h`.
struct TypedDuration: ExpressibleByArgument, CustomStringConvertible {
    /// Seconds of each unit; one that ends as another does is before it.
    private static let units = [
        ("seconds", 1.0), ("minutes", 60), ("hours", 3600), ("sec", 1), ("min", 60), ("s", 1),
        ("m", 60), ("h", 3600),
    ]

    private let number: Double
    /// Seconds of its own unit; nil without one.
    private let unitSeconds: Double?
    /// As it was typed.
    let description: String

    var defaultValueDescription: String { description }

    /// A number in the option's own unit.
    init(_ number: Double) {
        self.number = number
        unitSeconds = nil
        description = plainNumber(number)
    }

    init?(argument: String) {
        let text = argument.lowercased().filter { !$0.isWhitespace }
        let unit = Self.units.first { text.hasSuffix($0.0) }
        guard let number = Double(text.dropLast(unit?.0.count ?? 0)), number.isFinite else {
            return nil
        }
        self.number = number
        unitSeconds = unit?.1
        description = argument
    }

    /// - Parameter perUnit: Seconds of the option's own unit.
    func seconds(perUnit: Double) -> Double { number * (unitSeconds ?? perUnit) }
}

extension JourneyMode: ExpressibleByArgument {}
extension JourneyRange: ExpressibleByArgument {}

extension FavouriteRefresh: ExpressibleByArgument {
    /// Reads `manual` or a number of minutes.
    public init?(argument: String) { self.init(text: argument) }

    /// For the help.
    public var defaultValueDescription: String { text }

    /// For the help and completions.
    public static var allValueStrings: [String] { allCases.map(\.text) }
}

extension WeekdaySet: ExpressibleByArgument {
    /// Reads `daily`, `workdays`, `weekend` or days such as `mon-fri`.
    public init?(argument: String) { self.init(text: argument) }

    /// For the help.
    public var defaultValueDescription: String { self == .workdays ? "workdays" : text }
}

// MARK: - Text

package enum JourneyText {
    /// How much of an id is shown; commands take as much of it as is unique.
    static let idLength = 8

    package static func id(_ id: String) -> String { String(id.prefix(idLength)) }

    /// Such as `+4:05` or `-0:30`.
    static func signed(_ seconds: Int64) -> String {
        (seconds < 0 ? "-" : "+") + minutesAndSeconds(Double(seconds.magnitude))
    }

    static func name(_ journey: Journey) -> String {
        "\(printable(journey.name, maxLength: TextTable.maxNameLength)), \(journey.mode.phrase)"
    }

    /// The forecast at its start; nil if there was none.
    static func forecast(_ journey: Journey) -> String? {
        journey.forecast.map { forecast in
            let bridges = forecast.bridges.map { BridgeCatalogue[$0].name }
            let way = printable(forecast.way, maxLength: TextTable.maxNameLength)
            let stopped =
                bridges.isEmpty
                ? "no drawbridge"
                : "\(percent(forecast.probabilityStopped)) stopped at "
                    + bridges.joined(separator: ", ")
            return "\(way): expected \(minutesAndSeconds(forecast.expectedSeconds)), P90 "
                + "\(minutesAndSeconds(forecast.p90Seconds)), \(stopped)"
        }
    }

    package static func table(_ journeys: [Journey]) -> String {
        var table = TextTable(
            ["id", "departed", "journey", "took", "delay", "forecast", "P90", "stopped"],
            [.left, .left, .left, .right, .right, .right, .right, .left])
        for journey in journeys {
            table.add([
                id(journey.id), PredictionText.day(journey.start), name(journey),
                journey.travelSeconds.map { minutesAndSeconds(Double($0)) } ?? ending(journey),
                journey.delaySeconds.map(signed) ?? "-",
                journey.forecast.map { minutesAndSeconds($0.expectedSeconds) } ?? "-",
                journey.forecast.map { minutesAndSeconds($0.p90Seconds) } ?? "-",
                stopped(journey),
            ])
        }
        return table.text()
    }

    private static func ending(_ journey: Journey) -> String {
        journey.outcome == .abandoned ? "abandoned" : "under way"
    }

    /// The forecast chance and what happened, such as `99 %, yes`.
    private static func stopped(_ journey: Journey) -> String {
        let chance = journey.forecast.flatMap {
            $0.bridges.isEmpty ? nil : percent($0.probabilityStopped)
        }
        let outcome = journey.wasStopped.map { $0 ? "yes" : "no" }
        let parts = [chance, outcome].compactMap { $0 }
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }
}
