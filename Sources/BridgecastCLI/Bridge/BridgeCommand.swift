// `bridgecast bridge`: one bridge's next hours, its rules today, and whether a vessel needs it to open.
// Belongs here: `bridge`: one bridge's next hours, rules and clearance, as text and JSON; not: the forecasts.
import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import Foundation

struct BridgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract: "Shows a bridge's next hours, its rules today, and what fits under it.")

    @Argument(help: "Name or id of the bridge, such as Fremont.")
    var name: String

    @OptionGroup var forecast: ForecastOptions

    @Option(name: .long, help: "How many hours to show, 1 to 24.")
    var hours = 3

    @Option(
        name: .long,
        help:
            "Height of a vessel above the water, feet (42) or metres (12.8m): does it need an opening?"
    )
    var vesselHeight: String?

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func validate() throws {
        guard BridgeOutlook.hoursRange.contains(hours) else {
            throw ValidationError("--hours \(hours) does not lie between 1 and 24")
        }
    }

    func run() async throws {
        try await reportingFailures {
            guard let bridge = BridgeCatalogue.index(named: name) else {
                let names = BridgeCatalogue.seattle.map(\.name).joined(separator: ", ")
                throw CommandFailure(
                    .usage, "unknown bridge '\(printable(name))'; there are \(names)")
            }
            let height = try vesselHeight.map { try Self.feet($0) }
            let context = try forecast.context()
            let table = try await context.forecasts(reaching: Double(hours) * 60)
            let view = BridgeView(
                context.situation, table, traffic: context.traffic,
                climatology: context.model.climatology, at: context.departure)
            let outlook = BridgeOutlook(bridge, in: view, hours: hours, vesselFeet: height)
            switch format {
            case .table: try Console.print(BridgeOutlookText.text(outlook, context))
            case .json:
                try Console.print(BridgeOutlookDocument(outlook, context.envelope).jsonText())
            }
        }
    }

    /// Feet, from `42`, `42ft` or `12.8m`.
    static func feet(_ text: String) throws -> Double {
        let lowered = text.lowercased().trimmingCharacters(in: .whitespaces)
        let isMetric = lowered.hasSuffix("m")
        let number = lowered.replacingOccurrences(of: isMetric ? "m" : "ft", with: "")
        guard let value = Double(number), value > 0, value.isFinite,
            value * (isMetric ? 3.280_84 : 1) < 1_000
        else {
            throw CommandFailure(
                .usage, "--vessel-height: '\(printable(text))' is no height such as 42 or 12.8m")
        }
        return value * (isMetric ? 3.280_84 : 1)
    }
}
