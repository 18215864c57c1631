// What the suites of route scoring share: a table of delays that differ by bridge, and routes to score with it.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation

/// Delays that are known, so that what scoring makes of them can be checked.
enum KnownDelays {
    static let issueTime = Fixtures.moment("2026-02-20T12:00")

    /// Delays that differ by bridge and grow with the lead; Ballard is raised now.
    static let table: ForecastTable = {
        // It reaches as far as the longest route there can be.
        let history = RandomModel.climatology.history(on: SeattleTime.civil(at: issueTime).date)
        do {
            return try ForecastTable(
                issueTime: issueTime,
                leadsMinutes: ForecastTable.leads(upTo: 2 * RouteSet.longestMinutes + 100),
                history: Dictionary(uniqueKeysWithValues: zip(BridgeIndex.all, history)),
                delay: delay)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func delay(
        _ bridge: BridgeIndex, _ lead: Double, _ mode: Route.Mode
    ) -> DelayDistribution {
        let raised = bridge == .ballard ? exp(-lead / 4) * 0.8 : 0
        let growth = min(lead, 120) / 400
        let chance = Float(0.05 + 0.03 * Double(bridge.rawValue) + growth + raised)
        let parts: [Float] = [2, 3, 4, 5, 4, 3, 3, 2, 1, 0.5, 0.1]
        let sum = parts.reduce(0, +)
        let queueing = DelayDistribution([1 - chance] + parts.map { $0 / sum * chance })
        return mode.queues ? queueing : queueing.mixed(with: .none, weight: 0.5)
    }
}

/// A suite that scores routes with ``KnownDelays``.
protocol ScoresRoutes {}

extension ScoresRoutes {
    static var issueTime: Timestamp { KnownDelays.issueTime }
    static var table: ForecastTable { KnownDelays.table }
    var ballard: BridgeIndex { Fixtures.bridge("Ballard") }
    var fremont: BridgeIndex { Fixtures.bridge("Fremont") }

    func score(
        _ route: Route, leaving departure: Timestamp = Self.issueTime,
        arriveBy deadline: Timestamp? = nil
    ) throws -> RouteScore {
        try Self.table.rank([route], leaving: departure, arriveBy: deadline)[0]
    }

    func route(_ id: String, _ steps: [Route.Step], mode: Route.Mode = .car) -> Route {
        Route(id: id, name: id, origin: "a", destination: "b", mode: mode, steps: steps)
    }

    func travel(_ mean: Double, _ spread: Double) -> Route.Step {
        .travel(Route.Travel(meanMinutes: mean, spreadMinutes: spread))
    }
}

/// Routes with up to four crossings, the same in every run.
enum RandomRoutes {
    static func routes(_ count: Int) -> [Route] {
        var random = SeededGenerator(seed: 11)
        return (0..<count).map { number in
            let crossings = Int.random(in: 0...4, using: &random)
            let steps = (0..<2 * crossings + 1).map { place -> Route.Step in
                if place % 2 == 1 {
                    return .crossing(
                        BridgeIndex.all.randomElement(using: &random) ?? BridgeIndex.all[0])
                }
                return .travel(Route.Travel(minutes: Double.random(in: 0.5...15, using: &random)))
            }
            return Route(
                id: "\(number)", name: "", origin: "a", destination: "b",
                mode: number % 3 == 0 ? .bike : .car, steps: steps)
        }
    }
}
