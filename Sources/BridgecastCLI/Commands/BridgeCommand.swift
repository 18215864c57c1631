// `bridgecast bridge`: one bridge's next hours, its rules today, and whether a vessel needs it to open.
import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
internal import BridgecastSupport
import Foundation

struct BridgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract: "Shows a bridge's next hours, its rules today, and its clearance.")

    @Argument(help: "Name or id of the bridge, such as Fremont.")
    var name: String

    @OptionGroup var forecast: ForecastOptions

    @Option(name: .long, help: "Hours to show, 1 to 24.")
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
            throw ValidationError("--hours \(hours) must be 1 to 24")
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
            remark(context.notes)
            switch format {
            case .table: try Console.print(BridgeOutlookText.text(outlook, context))
            case .json:
                try Console.print(BridgeOutlookDocument(outlook, context.envelope).jsonText())
            }
        }
    }

    /// Feet to a hundredth, from `42`, `42ft` or `12.8m`.
    static func feet(_ text: String) throws -> Double {
        let lowered = text.lowercased().trimmingCharacters(in: .whitespaces)
        let isMetric = lowered.hasSuffix("m")
        let number = lowered.replacingOccurrences(of: isMetric ? "m" : "ft", with: "")
        guard let value = Double(number), value > 0, value.isFinite,
            value / (isMetric ? metresPerFoot : 1) < 1_000
        else {
            throw CommandFailure(
                .usage, "--vessel-height: '\(printable(text))' is not a height such as 42 or 12.8m")
        }
        return (value / (isMetric ? metresPerFoot : 1) * 100).rounded() / 100
    }

    /// The international foot.
    private static let metresPerFoot = 0.3048
}

// MARK: - Text

enum BridgeOutlookText {
    static func text(_ outlook: BridgeOutlook, _ context: ForecastContext) -> String {
        let facts = outlook.summary.facts
        let tide = facts.waterway == .duwamish ? " at mean high water" : ""
        var lines = [
            "\(facts.spokenName), \(facts.waterway.rawValue), mile \(facts.waterwayMile)",
            "at        \(PredictionText.day(outlook.time)); confidence \(outlook.summary.confidence.rawValue)",
            "now       \(state(outlook.summary.state))",
            "usual     \(fixed(outlook.climatologicalOpeningsPerDay, 1)) openings on such a day",
            "clearance \(fixed(facts.clearanceFeet, 1)) ft\(tide)",
        ]
        for (index, rule) in outlook.summary.rules.enumerated() {
            lines.append("\(index == 0 ? "rules     " : "          ")\(rule)")
        }
        if let vessel = outlook.vessel { lines += ["", vessel.text] }
        lines += [""]
        let soon = outlook.time.adding(minutes: 10)
        if let entry = outlook.summary.outlook.first(where: { $0.validTime >= soon }) {
            let phrases = context.reasons.phrases(
                for: outlook.summary.bridge, arrival: entry.validTime,
                forecast: ClimatologyComparison(
                    chance: entry.delay.probabilityDelayed,
                    climatology: entry.climatologicalProbability),
                climatology: entry.climatologicalProbability)
            let ahead = Int(entry.validTime.minutes(since: outlook.time).rounded())
            lines += ["in \(ahead) min: \(phrases.joined(separator: "; "))", ""]
        }
        var table = TextTable(
            ["arrive", "stopped", "usually", "delay", "P95", ""],
            [.left, .right, .right, .right, .right, .left])
        for row in rows(outlook) {
            let bar = String(
                repeating: "█", count: Int((row.delay.probabilityDelayed * 40).rounded()))
            table.add([
                TimeText.clock(row.validTime), percent(row.delay.probabilityDelayed),
                percent(row.climatologicalProbability),
                minutesAndSeconds(row.delay.expectedSeconds),
                minutesAndSeconds(row.delay.quantileSeconds(0.95)), bar,
            ])
        }
        return (lines + [table.text(indent: "  ")]).joined(separator: "\n")
    }

    /// Such as `raised since 17:52`.
    static func state(_ state: SpanState) -> String {
        switch state {
        case .unknown: "unknown"
        case .lowered: "lowered"
        case .raised(let since?): "raised since \(TimeText.clock(since))"
        case .raised(nil): "raised"
        }
    }

    /// Every five minutes for an hour, then every quarter of an hour.
    private static func rows(_ outlook: BridgeOutlook) -> [OutlookEntry] {
        outlook.summary.outlook.filter { entry in
            let ahead = entry.validTime.minutes(since: outlook.time)
            return ahead < 60 || ahead.remainder(dividingBy: 15) == 0
        }
    }
}
