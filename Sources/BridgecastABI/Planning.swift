// Routes for a C caller: the search and ranking of bridgecast_plan, and the layout of its results.
internal import BridgecastRouting
import Bridgecast
import CBridgecast
import Foundation

extension Handle {
    func plan(
        from: String, to: String, mode number: Int32, departure: Timestamp, deadline: Timestamp?,
        _ state: inout State
    ) throws -> RouteRanking {
        let modes: [Int: Route.Mode] = [
            BRIDGECAST_CAR: .car, BRIDGECAST_BIKE: .bike, BRIDGECAST_WALK: .walk,
        ]
        guard let mode = modes[Int(number)] else {
            throw ABIFailure(BRIDGECAST_USAGE, "\(number) is not a mode of travel")
        }
        let planner = RoutePlanner(try roads(&state))
        return try inference.rankNow(
            try planner.network.trip(from: from, to: to, mode: mode), by: planner,
            leaving: departure, arriveBy: deadline, in: try state.situation(),
            traffic: TrafficDensity(), weights: .standard
        ).ranking
    }

    private func roads(_ state: inout State) throws -> RoadNetwork {
        if let roads = state.roads { return roads }
        let roads = try RoadNetwork(contentsOf: state.roadsFile)
        state.roads = roads
        return roads
    }
}

extension bridgecast_route {
    /// The C layout of a score.
    init(_ score: RouteScore, size: Int) {
        self.init()
        self.size = size
        unsafe withUnsafeMutableBytes(of: &name) { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe $0.fill(score.route.name) }
        }
        expected_s = score.expectedMinutes * 60
        p50_s = score.p50Minutes * 60
        p80_s = score.p80Minutes * 60
        p90_s = score.p90Minutes * 60
        p95_s = score.p95Minutes * 60
        probability_stopped = score.probabilityStopped
        probability_on_time = score.probabilityOnTime ?? 1
        expected_delay_s = score.expectedDelayMinutes * 60
        self.score = score.score
        crossing_count = Int32(min(score.crossings.count, Int(BRIDGECAST_MAX_CROSSINGS)))
        unsafe withUnsafeMutableBytes(of: &crossings) { bytes in
            unsafe bytes.withMemoryRebound(to: bridgecast_crossing.self) { slots in
                for (index, crossing) in score.crossings.prefix(slots.count).enumerated() {
                    unsafe slots[index] = bridgecast_crossing(
                        bridge: Int32(BridgeCatalogue[crossing.bridge].id.rawValue),
                        arrival: Double(crossing.arrival.secondsSinceEpoch),
                        probability_delayed: crossing.probabilityDelayed,
                        expected_delay_s: crossing.expectedDelayMinutes * 60)
                }
            }
        }
    }
}

extension UnsafeMutableBufferPointer<CChar> {
    /// Writes a text and a terminating zero, truncated to what fits without breaking a character.
    func fill(_ text: String) {
        guard count > 0 else { return }
        var kept = text
        while kept.utf8.count >= count { kept.removeLast() }
        for (index, byte) in kept.utf8.enumerated() { unsafe self[index] = CChar(bitPattern: byte) }
        unsafe self[kept.utf8.count] = 0
    }
}
