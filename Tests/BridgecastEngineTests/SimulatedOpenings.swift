// Openings simulated one by one with their queues, and the forecasts that are right for them; comparisons of routes
// are held against what travellers meet there.
import BridgecastCore
@testable import BridgecastEngine
import Foundation

/// A bridge that opens at random: each opening lasts evenly between 3 and 7 minutes, and after its queue has gone an
/// exponential time passes until the next.
struct SimulatedOpenings {
    let density: Double
    let meanPauseMinutes: Double
    private static let (shortest, longest) = (3.0, 7.0)

    /// What somebody meets who comes at any time: the stationary distribution.
    var delay: DelayDistribution {
        let queue = (Self.shortest + Self.longest) / 2 / (1 - density)
        let delayed = queue / (queue + meanPauseMinutes)
        let edges = DelayBins.edgesMinutes + [DelayBins.longestMinutes]
        // The density of a delay w is that of an opening longer than w.
        func upTo(_ minutes: Double) -> Double {
            let above = min(max(minutes - Self.shortest, 0), Self.longest - Self.shortest)
            let all = Self.longest - Self.shortest
            return (min(minutes, Self.shortest) + above - above * above / (2 * all))
                / (Self.shortest + all / 2)
        }
        let shares = (1..<DelayBins.count).map { upTo(edges[$0]) - upTo(edges[$0 - 1]) }
        return DelayDistribution(([1 - delayed] + shares.map { $0 * delayed }).map(Float.init))
    }

    /// Openings of three hours around a moment 0 that is like any other: begin and length, minutes.
    func openings(_ random: inout FastRandom) -> [(start: Double, length: Double)] {
        var openings: [(start: Double, length: Double)] = []
        var time = -200.0 - 40 * random.uniform()
        while time < 100 {
            time -= meanPauseMinutes * log(random.uniform())
            let length = Self.shortest + (Self.longest - Self.shortest) * random.uniform()
            openings.append((time, length))
            time += length / (1 - density)
        }
        return openings
    }

    /// The delay of somebody who comes at a moment, minutes.
    func delay(at minutes: Double, _ openings: [(start: Double, length: Double)]) -> Double {
        openings.lazy.filter { $0.start <= minutes }.map {
            QueueingDelay.seconds(
                openingSeconds: $0.length * 60, arrivalSeconds: (minutes - $0.start) * 60,
                density: density) / 60
        }.max() ?? 0
    }
}

/// How often one route is there before another, by more than a tie.
struct SimulatedRace {
    private(set) var faster = 0.0, tie = 0.0

    /// - Parameter race: The minutes that both take in one case.
    init(_ cases: Int, _ race: (inout FastRandom) -> (Double, Double)) {
        var random = FastRandom()
        let tieMinutes = RouteComparison.tieSeconds / 60
        for _ in 0..<cases {
            let (own, other) = race(&random)
            if own < other - tieMinutes {
                faster += 1
            } else if own <= other + tieMinutes {
                tie += 1
            }
        }
        faster /= Double(cases)
        tie /= Double(cases)
    }
}
