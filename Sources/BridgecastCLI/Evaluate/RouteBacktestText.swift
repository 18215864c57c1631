// The backtest of the ranking as a table for people.
import BridgecastTraining

enum RouteBacktestText {
    static func text(_ report: RouteBacktestReport, model: String) -> String {
        var table = TextTable(
            [
                "following", "min a trip", "regret", "95 % interval", "stopped",
                "regret saved by bridgecast",
            ],
            [.left, .right, .right, .right, .right, .left])
        for figures in report.policies {
            let regret = figures.regretMinutes
            table.add([
                label(figures.policy), fixed(figures.meanMinutes, 2), fixed(regret.value, 3),
                "\(fixed(regret.low, 3)) .. \(fixed(regret.high, 3))", percent(figures.stopped),
                report.saved[figures.policy].map {
                    "\(fixed($0.value * 100, 1)) % (\(fixed($0.low * 100, 1)) .. \(fixed($0.high * 100, 1)))"
                } ?? "",
            ])
        }
        let dependence = report.dependence
        let correlation = dependence.residualCorrelation
        return """
            \(report.trips) trips by car between \(report.pairs) pairs of places, \(report.days) days; model \(model)
            Regret: minutes longer than the best route in hindsight (\(fixed(report.hindsightMinutes, 2)) min a trip)

            \(table.text(indent: "  "))

            bridgecast and climatology go different ways on \(percent(report.differs)) of trips, which gains \
            \(fixed(report.gainWhereDifferent, 2)) min on each of these
            Two bridges of one waterway, 10 minutes apart, \(dependence.cases) cases: stopped at both \
            \(fixed(dependence.bothStopped.value * 100, 2)) % \
            (\(fixed(dependence.bothStopped.low * 100, 2)) .. \(fixed(dependence.bothStopped.high * 100, 2))); \
            if independent given the forecast \(fixed(dependence.bothStoppedIfIndependent * 100, 2)) %
            at either \(fixed(dependence.anyStopped * 100, 2)) %, told \(fixed(dependence.anyStoppedIfIndependent * 100, 2)) %; \
            correlation of the residuals \(fixed(correlation.value, 3)) (\(fixed(correlation.low, 3)) .. \(fixed(correlation.high, 3)))
            """
    }

    private static func label(_ policy: RoutePolicy) -> String {
        switch policy {
        case .bridgecast: "bridgecast"
        case .climatology: "climatology"
        case .shortest: "always the shortest"
        case .fixedBridge: "always a fixed bridge"
        }
    }
}
