// A bridge's outlook as text.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine

enum BridgeOutlookText {
    static func text(_ outlook: BridgeOutlook, _ context: ForecastContext) -> String {
        let facts = outlook.summary.facts
        let now: String =
            switch outlook.summary.state {
            case .unknown: "not known"
            case .lowered: "lowered"
            case .raised(let since?): "raised since \(TimeText.clock(since))"
            case .raised(nil): "raised"
            }
        let tide = facts.waterway == .duwamish ? " at mean high water" : ""
        var lines = [
            "\(facts.spokenName), \(facts.waterway.rawValue), mile \(facts.waterwayMile)",
            "at        \(PredictionText.day(outlook.moment)); confidence \(outlook.summary.confidence.rawValue)",
            "now       \(now)",
            "usual     \(fixed(outlook.usualOpeningsPerDay, 1)) openings on such a day",
            "clearance \(fixed(facts.clearanceFeet, 1)) ft\(tide)",
        ]
        for (index, rule) in outlook.summary.rules.enumerated() {
            lines.append("\(index == 0 ? "rules     " : "          ")\(rule)")
        }
        if let vessel = outlook.vessel { lines += ["", vessel.words] }
        lines += [""]
        let soon = outlook.moment.adding(minutes: 10)
        if let entry = outlook.summary.outlook.first(where: { $0.validTime >= soon }) {
            let phrases = context.reasons.phrases(
                for: outlook.summary.bridge, arrival: entry.validTime,
                forecast: UsualComparison(
                    chance: entry.delay.probabilityDelayed, usual: entry.usualProbability))
            let ahead = Int(entry.validTime.minutes(since: outlook.moment).rounded())
            lines += ["in \(ahead) min: \(phrases.joined(separator: "; "))", ""]
        }
        var table = TextTable(
            ["arrive", "delayed", "delay", "P95", "raised, usually", ""],
            [.left, .right, .right, .right, .right, .left])
        for row in rows(outlook) {
            let raised = context.model.climatology.openProbability(
                of: outlook.summary.bridge, at: SeattleTime.civil(at: row.validTime))
            let bar = String(
                repeating: "█", count: Int((row.delay.probabilityDelayed * 40).rounded()))
            table.add([
                TimeText.clock(row.validTime), percent(row.delay.probabilityDelayed),
                minutesAndSeconds(row.delay.expectedSeconds),
                minutesAndSeconds(row.delay.quantileSeconds(0.95)), percent(Double(raised)),
                bar,
            ])
        }
        return (lines + [table.text(indent: "  ")]).joined(separator: "\n")
    }

    /// Every five minutes for an hour, then every quarter of an hour.
    private static func rows(_ outlook: BridgeOutlook) -> [OutlookEntry] {
        outlook.summary.outlook.filter { entry in
            let ahead = entry.validTime.minutes(since: outlook.moment)
            return ahead < 60 || ahead.remainder(dividingBy: 15) == 0
        }
    }
}
