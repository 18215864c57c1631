// Trips simulated one by one from the model of delays, which scoring is compared with.
import BridgecastCore
@testable import BridgecastEngine
import Foundation

/// Trips drawn at random from the model that scoring sums over.
struct SimulatedTrips {
    private let seconds: [Double]
    let stoppedShare: Double
    let mean: Double
    let spread: Double
    let meanDelay: Double
    /// The square root of the number of trips.
    let rootOfCount: Double

    init(_ route: Route, _ table: ForecastTable, startMinutes: Double, count: Int) {
        var random = FastRandom()
        var (stopped, delays) = (0, 0.0)
        var trips: [Double] = []
        trips.reserveCapacity(count)
        for _ in 0..<count {
            var time = 0.0
            var wasStopped = false
            for step in route.steps {
                switch step {
                case .travel(let travel):
                    time += random.gamma(travel.meanMinutes, travel.spreadMinutes) * 60
                case .crossing(let bridge):
                    let wait = table.delayWithin(
                        at: bridge, leadMinutes: startMinutes + time / 60, queues: route.mode.queues
                    ).quantileSeconds(random.uniform())
                    if wait > 0 { wasStopped = true }
                    time += wait
                    delays += wait
                }
            }
            trips.append(time)
            if wasStopped { stopped += 1 }
        }
        trips.sort()
        seconds = trips
        let mean = trips.reduce(0, +) / Double(count)
        self.mean = mean
        spread = (trips.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)).squareRoot()
        stoppedShare = Double(stopped) / Double(count)
        meanDelay = delays / Double(count)
        rootOfCount = Double(count).squareRoot()
    }

    func quantile(_ level: Double) -> Double { seconds[Int(level * Double(seconds.count))] }

    func share(_ condition: (Double) -> Bool) -> Double {
        Double(seconds.count(where: condition)) / Double(seconds.count)
    }
}

/// SplitMix64, which is good and quick enough for a million trips, with what trips are drawn from.
struct FastRandom {
    private var state: UInt64 = 42

    mutating func uniform() -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return (Double((z ^ (z >> 31)) >> 11) + 0.5) / Double(1 << 53)
    }

    /// Marsaglia and Tsang's method.
    mutating func gamma(_ mean: Double, _ spread: Double) -> Double {
        let shape = (mean / spread) * (mean / spread)
        let d = shape - 1.0 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
            let v = pow(1 + c * x, 3)
            guard v > 0 else { continue }
            if log(uniform()) < 0.5 * x * x + d - d * v + d * log(v) { return d * v * mean / shape }
        }
    }
}
