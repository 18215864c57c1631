// Which trips a backtest of routes is about: those between places for which the choice of the way matters.
import BridgecastCore
import BridgecastEngine
import BridgecastRoads

/// Trips of a network on which somebody has a choice.
struct BacktestTrips {
    private let network: RoadNetwork
    private let covered: Set<BridgeIndex>
    private let closeMinutes: Double

    /// - Parameters:
    ///   - covered: Bridges that have records.
    ///   - closeMinutes: How much longer than the quickest way another may be for the choice to matter.
    init(_ network: RoadNetwork, _ covered: Set<BridgeIndex>, closeMinutes: Double) {
        (self.network, self.covered, self.closeMinutes) = (network, covered, closeMinutes)
    }

    /// Trips for which the choice matters, from all over the city: at most so many.
    func trips(at moment: Timestamp, most: Int) -> [Trip] {
        let anchors = network.places.filter { $0.kind != .stop }.compactMap {
            try? network.anchor($0, for: .car)
        }
        let pairs = anchors.count * anchors.count
        var trips: [Trip] = []
        var pair = 0
        for _ in 0..<pairs where trips.count < most {
            // A prime that leads through all pairs, neighbours far apart.
            pair = (pair + Self.stride) % max(1, pairs)
            let trip = Trip(
                from: anchors[pair / anchors.count], to: anchors[pair % anchors.count], mode: .car)
            if trip.origin != trip.destination, matters(trip, at: moment) { trips.append(trip) }
        }
        return trips
    }

    private static let stride = 1_000_003

    private func matters(_ trip: Trip, at moment: Timestamp) -> Bool {
        let paths = RouteSearch(network, mode: .car).paths(
            from: trip.origin, to: trip.destination, leaving: moment
        ) {
            $0.minutes + closeMinutes
        }
        let bridges = paths.map { path in
            path.crossings.compactMap { network.crossings[$0].bridge }
        }.filter { $0.allSatisfy(covered.contains) }
        return bridges.first?.isEmpty == false && Set(bridges).count > 1
    }
}
