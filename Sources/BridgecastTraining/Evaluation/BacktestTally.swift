// Sums of a backtest by policy and day, and the report that they come to; used by RouteBacktest.

/// Sums by policy and day.
struct BacktestTally {
    private var trips = 0
    private var hindsight = 0.0
    private var minutes: [RoutePolicy: Double] = [:]
    private var stopped: [RoutePolicy: Int] = [:]
    private var regretByDay: [RoutePolicy: [Int: Double]] = [:]
    private var tripsByDay: [Int: Double] = [:]
    private var different = 0
    private var gain = 0.0

    mutating func add(_ results: [RoutePolicy: TripOutcome], best: Double, day: Int) {
        trips += 1
        hindsight += best
        tripsByDay[day, default: 0] += 1
        for (policy, outcome) in results {
            minutes[policy, default: 0] += outcome.minutes
            stopped[policy, default: 0] += outcome.isStopped ? 1 : 0
            regretByDay[policy, default: [:]][day, default: 0] += outcome.minutes - best
        }
        if let ours = results[.bridgecast], let usual = results[.climatology],
            ours.route != usual.route
        {
            different += 1
            gain += usual.minutes - ours.minutes
        }
    }

    func report(pairs: Int, _ dependence: BridgeDependence) -> RouteBacktestReport? {
        guard trips > 0 else { return nil }
        let days = tripsByDay.keys.sorted()
        let counts = days.map { tripsByDay[$0] ?? 0 }
        func regret(_ policy: RoutePolicy) -> [Double] {
            days.map { regretByDay[policy]?[$0] ?? 0 }
        }
        let ours = regret(.bridgecast)
        var saved: [RoutePolicy: Estimate] = [:]
        for policy in RoutePolicy.allCases where policy != .bridgecast {
            saved[policy] = DayBlockBootstrap.ratioSkill(model: ours, reference: regret(policy))
        }
        return RouteBacktestReport(
            trips: trips, pairs: pairs, days: days.count,
            hindsightMinutes: hindsight / Double(trips),
            policies: RoutePolicy.allCases.map { policy in
                PolicyFigures(
                    policy: policy, meanMinutes: (minutes[policy] ?? 0) / Double(trips),
                    regretMinutes: DayBlockBootstrap.mean(sums: regret(policy), counts: counts),
                    stopped: Double(stopped[policy] ?? 0) / Double(trips))
            }, saved: saved, differs: Double(different) / Double(trips),
            gainWhereDifferent: different == 0 ? 0 : gain / Double(different),
            dependence: dependence)
    }
}
