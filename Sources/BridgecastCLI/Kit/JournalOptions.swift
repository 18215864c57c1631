// The options that name the journal, a time zone and a trip; and how journeys are shown.
public import ArgumentParser
import BridgecastCore
public import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import Foundation

/// `--journal`, by default the user's journal.
struct JournalOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The journal. Default: $XDG_DATA_HOME/bridgecast/journeys.sqlite.",
        completion: .file())
    var journal: String?

    /// Opens the journal, works with it, and closes it.
    func with<Result>(
        _ access: HistoryStore.Access, _ body: (JourneyStore) async throws -> Result
    ) async throws -> Result {
        let store = try JourneyStore(try url(), access)
        defer { store.close() }
        return try await body(store)
    }

    func url() throws -> URL {
        try UserFile.url(
            journal, default: JourneyStore.defaultURL(environment: Console.current.environment),
            "for the journal: name one with --journal")
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

enum JourneyText {
    /// How much of an id is shown; commands take as much of it as is unique.
    static let idLength = 8

    static func id(_ id: String) -> String { String(id.prefix(idLength)) }

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

    static func table(_ journeys: [Journey]) -> String {
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
