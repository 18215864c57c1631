// A bridge's outlook as text.
import BridgecastCore
import BridgecastEngine

enum BridgeOutlookText {
    static func text(_ outlook: BridgeOutlook) -> String {
        let facts = outlook.facts
        let state = outlook.context.situation[outlook.bridge].state
        let now: String =
            switch state {
            case .unknown: "not known"
            case .lowered: "lowered"
            case .raised(let since?): "raised since \(TimeText.clock(since))"
            case .raised(nil): "raised"
            }
        let perDay = outlook.context.model.climatology.openingsPerDay(on: outlook.civil.date)
        let tide = facts.waterway == .duwamish ? " at mean high water" : ""
        var lines = [
            "\(facts.spokenName), \(facts.waterway.rawValue), mile \(facts.waterwayMile)",
            "at        \(PredictionText.day(outlook.context.departure)); confidence \(outlook.confidence.rawValue)",
            "now       \(now)",
            "usual     \(fixed(Double(perDay[outlook.bridge.rawValue]), 1)) openings on such a day",
            "clearance \(fixed(facts.clearanceFeet, 1)) ft\(tide)",
        ]
        for (index, rule) in outlook.rules.enumerated() {
            lines.append("\(index == 0 ? "rules     " : "          ")\(rule)")
        }
        if let answer = outlook.vesselAnswer { lines += ["", answer] }
        let phrases = outlook.context.reasons.phrases(
            for: outlook.bridge, arrival: outlook.context.departure.adding(minutes: 10))
        lines += ["", "in 10 min: \(phrases.joined(separator: "; "))", ""]
        var table = TextTable(
            ["arrive", "delayed", "delay", "P95", "raised, usually", ""],
            [.left, .right, .right, .right, .right, .left])
        for row in outlook.rows {
            let bar = String(
                repeating: "█", count: Int((row.delay.probabilityDelayed * 40).rounded()))
            table.add([
                TimeText.clock(row.moment), percent(row.delay.probabilityDelayed),
                minutesAndSeconds(row.delay.expectedSeconds),
                minutesAndSeconds(row.delay.quantileSeconds(0.95)), percent(row.usualProbability),
                bar,
            ])
        }
        return (lines + [table.text(indent: "  ")]).joined(separator: "\n")
    }
}
