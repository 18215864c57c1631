// Whether bridges of one waterway depend on each other beyond what the forecast knows; for the backtest.
import BridgecastCore
import BridgecastEngine

/// How often neighbouring bridges stop one trip both, against what independence given the forecast implies.
///
/// A trip that reaches the first bridge in 10 minutes and its neighbour 10 minutes later, at every departure
/// of the backtest, both ways round. Scoring multiplies the chances of different bridges; this measures
/// what that is off.
package struct BridgeDependence: Encodable, Sendable {
    /// Pairs of bridges times departures.
    package let cases: Int
    /// Share of cases in which the trip is stopped at both: seen, and as the forecast multiplies it.
    package let bothStopped: Estimate
    /// Mean product of both bridges' chances, 0...1: `bothStopped` if they were independent.
    package let bothStoppedIfIndependent: Double
    /// Mean chance of being stopped at one of the two or both: seen and told.
    package let anyStopped: Double
    /// Mean of 1 - (1 - a)(1 - b) over both bridges' chances, 0...1: `anyStopped` if they were independent.
    package let anyStoppedIfIndependent: Double
    /// Correlation of what the forecast leaves unexplained: of (stopped - chance) at both bridges.
    package let residualCorrelation: Estimate

    private static let firstLead = 10.0, secondLead = 20.0

    init(
        history: OpeningHistory, inference: TrafficInference, departures: [Timestamp]
    ) async throws {
        let reader = SituationReader(history)
        var sums: [Int: DaySums] = [:]
        for departure in departures {
            let table = try await inference.table(
                in: reader.situation(at: departure), reaching: Self.secondLead, modes: [.car])
            let day = SeattleTime.civil(at: departure).date.dayNumber
            for (first, second) in Self.neighbours {
                guard let a = Self.residual(first, Self.firstLead, departure, table, history),
                    let b = Self.residual(second, Self.secondLead, departure, table, history)
                else { continue }
                sums[day, default: DaySums()].add(a, b)
            }
        }
        let days = sums.keys.sorted().compactMap { sums[$0] }
        let total = days.reduce(into: DaySums()) { $0.add($1) }
        let count = max(1, total.count)
        cases = Int(total.count)
        bothStopped = DayBlockBootstrap.mean(sums: days.map(\.both), counts: days.map(\.count))
        bothStoppedIfIndependent = total.bothTold / count
        anyStopped = total.any / count
        anyStoppedIfIndependent = total.anyTold / count
        residualCorrelation = DayBlockBootstrap.ratio(
            days.map(\.product), over: days.map { ($0.squareA * $0.squareB).squareRoot() })
    }

    private static let neighbours: [(BridgeIndex, BridgeIndex)] = [Waterway.shipCanal, .duwamish]
        .flatMap { waterway -> [(BridgeIndex, BridgeIndex)] in
            let line = BridgeCatalogue.along(waterway)
            return zip(line, line.dropFirst()).flatMap { [($0, $1), ($1, $0)] }
        }

    private struct Residual {
        let chance: Double
        let isStopped: Bool
        var value: Double { (isStopped ? 1 : 0) - chance }
    }

    private static func residual(
        _ bridge: BridgeIndex, _ lead: Double, _ departure: Timestamp, _ table: ForecastTable,
        _ history: OpeningHistory
    ) -> Residual? {
        let arrival = departure.adding(minutes: lead)
        guard history.coverage.contains(departure, of: bridge),
            history.coverage.contains(arrival, of: bridge)
        else { return nil }
        let delay = history.delaySeconds(
            arrivingAt: arrival, of: bridge,
            density: TrafficProfile.density(of: bridge, at: arrival))
        return Residual(
            chance: table.delayWithin(at: bridge, leadMinutes: lead, queues: true)
                .probabilityDelayed,
            isStopped: delay > 0)
    }

    private struct DaySums {
        var count = 0.0, both = 0.0, bothTold = 0.0, any = 0.0, anyTold = 0.0
        var product = 0.0, squareA = 0.0, squareB = 0.0

        mutating func add(_ a: Residual, _ b: Residual) {
            count += 1
            both += a.isStopped && b.isStopped ? 1 : 0
            bothTold += a.chance * b.chance
            any += a.isStopped || b.isStopped ? 1 : 0
            anyTold += 1 - (1 - a.chance) * (1 - b.chance)
            product += a.value * b.value
            squareA += a.value * a.value
            squareB += b.value * b.value
        }

        mutating func add(_ other: DaySums) {
            count += other.count
            both += other.both
            bothTold += other.bothTold
            any += other.any
            anyTold += other.anyTold
        }
    }
}
