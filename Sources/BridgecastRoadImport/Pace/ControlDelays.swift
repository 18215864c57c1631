// How long signals and signs hold people up, with where each number comes from; used by JunctionControls and TurnCosts.
import Foundation

/// Seconds of waiting.
enum ControlDelays {
    /// Signals of one junction stand within so many metres of each other.
    static let clusterMetres = 40.0
    /// A button crossing within so many metres of signals works with them.
    static let buttonMetres = 60.0

    /// Highway Capacity Manual: 5 s for stopping and starting, and the turn to go at all-way stops.
    static let stopForAll = 8.0
    static let stop = 5.0
    static let giveWay = 3.0
    static let rampMeter = 10.0
    /// Signals that no other road meets.
    static let lonelySignal = 2.5
    /// At a crossing with a button; they come in pairs.
    static let button = 1.3

    /// Signals of a junction by the own road's rank less that of the crossing one, -2...2: uniform delay of the Highway
    /// Capacity Manual for a cycle of 100 s (the city's policy of 2020: 50 to 90 s downtown, 120 s and more elsewhere).
    static func signal(_ difference: Int, isDowntown: Bool) -> Double {
        let most = isDowntown ? 1 : 2
        let delay = signals[min(max(difference, -most), most) + 2]
        return isDowntown ? delay * 0.65 : delay
    }

    private static let signals = [
        (green: 0.30, saturation: 0.35, progression: 1.0), (0.38, 0.45, 1.0), (0.47, 0.50, 0.85),
        (0.58, 0.45, 0.65), (0.65, 0.40, 0.50),
    ].map { green, saturation, progression in
        let delay = progression * 50 * (1 - green) * (1 - green) / (1 - saturation * green)
        return (delay * 10).rounded() / 10
    }

    // MARK: Gaps

    /// Waits for a gap in the traffic of a road of rank 2 to 6.
    struct Gaps {
        let right, across, left: Double
        /// Turning left from that road through those who come the other way.
        let opposing: Double
    }

    static func gaps(rank: Int) -> Gaps { allGaps[min(max(rank, 2), 6) - 2] }

    /// Vehicles an hour off the peaks on roads of rank 2 to 6, by the city's counts, and gaps of the Highway Capacity
    /// Manual: critical 6.2 s (right), 6.5 s (across), 6.9 s (left), 4.1 s (left from the major road).
    private static let allGaps = [300.0, 600, 1100, 1300, 1300].map { flow in
        Gaps(
            right: wait(0.35 * flow, 6.2, 3.3), across: wait(0.8 * flow, 6.5, 4.0),
            left: wait(0.9 * flow, 6.9, 3.5), opposing: wait(0.5 * flow, 4.1, 2.2))
    }

    /// 3,600 s over the potential capacity of the Highway Capacity Manual, to tenths.
    private static func wait(_ flow: Double, _ gap: Double, _ following: Double) -> Double {
        let seconds = 3600 * (1 - exp(-flow * following / 3600)) / (flow * exp(-flow * gap / 3600))
        return (seconds * 10).rounded() / 10
    }

    // MARK: Bikes and walkers

    static let bikeAtSignal = 10.0
    static let bikeAtStop = 3.0
    /// Crossing an arterial without signals.
    static let bikeAcross = 5.0
    /// Highway Capacity Manual: (cycle - green)² / (2 cycle), cycle 100 s, green 45 s.
    static let walkAtSignal = 15.0
    static let walkAcross = 5.0
}
