// The tables of `bridgecast evaluate --leave-out`.
import BridgecastCore
import BridgecastTraining

/// Writes what is found of bridges that a fit never saw.
enum ColdStartText {
    /// A table of the bridges, and one of the days since each was first seen.
    static func text(_ bridges: [ColdBridge], together: [ColdStage], _ leads: [String]) -> String {
        overall(bridges, leads) + "\n\n" + stages(bridges, together)
    }

    private static func overall(_ bridges: [ColdBridge], _ leads: [String]) -> String {
        var table = TextTable(
            ["bridge", "blocked", "forecast", "skill", "95 % interval"]
                + leads.map { "\($0) min" } + ["over own climatology", "confidence"],
            [.left] + Array(repeating: .right, count: leads.count + 6))
        for bridge in bridges {
            table.add(
                [
                    bridge.bridge, percent(bridge.blockedRate), percent(bridge.meanForecast),
                    fixed(bridge.skillOverOwnRate.value, 3),
                    EvaluationText.interval(bridge.skillOverOwnRate),
                ] + leads.map { bridge.skillOverOwnRateByLead[$0].map { fixed($0, 3) } ?? "-" }
                    + [fixed(bridge.skillOverOwnClimatology, 3), bridge.confidence.rawValue])
        }
        return
            "Without history: log-loss skill, over the bridge's own long-run rate, of a fit that "
            + "never saw the bridge\n" + table.text()
    }

    private static func stages(_ bridges: [ColdBridge], _ together: [ColdStage]) -> String {
        var table = TextTable(
            ["bridge", "days seen", "blocked", "forecast", "skill", "95 % interval"],
            [.left] + Array(repeating: .right, count: 5))
        let named =
            bridges.map { ($0.bridge, $0.stages) } + (together.isEmpty ? [] : [("all", together)])
        for (name, stages) in named {
            for stage in stages {
                let hasInterval = stage.days >= ColdStage.leastDaysForInterval
                table.add([
                    name, stage.toDay.map { "\(stage.fromDay) to \($0)" } ?? "\(stage.fromDay) on",
                    percent(stage.blockedRate),
                    percent(stage.meanForecast), fixed(stage.skillOverOwnRate.value, 3),
                    hasInterval ? EvaluationText.interval(stage.skillOverOwnRate) : "-",
                ])
            }
        }
        return "The same by the days since the bridge was first seen\n" + table.text()
    }
}
