// Which trips a backtest of routes is about: those between places for which the choice of the way matters.
import BridgecastCore
import BridgecastEngine

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

    /// The trips for which the choice matters, evenly thinned out.
    func trips(at moment: Timestamp, most: Int) -> [Trip] {
        let search = RouteSearch(network, mode: .car)
        let anchors = network.places.compactMap { try? network.anchor($0.name, for: .car) }
        let all = anchors.flatMap { origin in
            anchors.compactMap { destination -> Trip? in
                guard origin != destination else { return nil }
                let paths = search.paths(from: origin, to: destination, leaving: moment) {
                    $0.minutes + closeMinutes
                }
                let bridges = paths.map { path in
                    path.crossings.compactMap { network.crossings[$0].bridge }
                }.filter { $0.allSatisfy(covered.contains) }
                let matters = bridges.first?.isEmpty == false && Set(bridges).count > 1
                return matters ? Trip(from: origin, to: destination, mode: .car) : nil
            }
        }
        guard all.count > most else { return all }
        return (0..<most).map { all[$0 * all.count / most] }
    }
}
