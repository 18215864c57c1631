// Routes for a C caller: the search and ranking behind bridgecast_plan, and how results are laid out.
import Bridgecast
import CBridgecast

extension Handle {
    /// The ranked routes of a trip.
    func plan(
        from: String, to: String, mode number: Int32, departure: Timestamp, deadline: Timestamp?,
        _ state: inout State
    ) throws -> [RouteScore] {
        let modes: [Int: Route.Mode] = [
            BRIDGECAST_CAR: .car, BRIDGECAST_BIKE: .bike, BRIDGECAST_WALK: .walk,
        ]
        guard let mode = modes[Int(number)] else {
            throw ABIFailure(BRIDGECAST_USAGE, "\(number) is no mode of travel")
        }
        let known = try state.situation()
        let ahead = departure.minutes(since: known.issueTime)
        guard ahead >= 0, ahead <= 366 * 1440 else {
            throw ABIFailure(BRIDGECAST_USAGE, "the departure must lie within a year from now")
        }
        let situation = known.speaking(for: departure)
        let planner = RoutePlanner()
        let trip = Trip(
            from: try planner.network.anchor(from, for: mode),
            to: try planner.network.anchor(to, for: mode), mode: mode)
        let quickest = try planner.quickestMinutes(trip, leaving: departure)
        let table = model.table(
            in: situation,
            reaching: departure.minutes(since: situation.issueTime)
                + RoutePlanner.reachMinutes(quickest: quickest),
            traffic: TrafficDensity(), modes: [mode], workspace: &state.workspace)
        return try planner.rank(
            trip, leaving: departure, arriveBy: deadline,
            scoring: RouteScoring(
                forecasts: table, climatology: model.climatology, issueTime: situation.issueTime))
    }
}

extension bridgecast_route {
    /// Takes a score over.
    mutating func fill(_ score: RouteScore, size: Int) {
        self = bridgecast_route()
        self.size = size
        unsafe withUnsafeMutableBytes(of: &name) { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe $0.fill(score.route.name) }
        }
        let time = score.travelSeconds
        (expected_s, p50_s, p80_s) = (time.mean, time.p50, time.p80)
        (p90_s, p95_s) = (time.p90, time.p95)
        probability_stopped = score.probabilityStopped
        probability_on_time = score.probabilityOnTime ?? 1
        expected_delay_s = score.expectedDelaySeconds
        self.score = score.score
        crossing_count = Int32(min(score.crossings.count, Int(BRIDGECAST_MOST_CROSSINGS)))
        unsafe withUnsafeMutableBytes(of: &crossings) { bytes in
            unsafe bytes.withMemoryRebound(to: bridgecast_crossing.self) { places in
                for (index, crossing) in score.crossings.prefix(places.count).enumerated() {
                    unsafe places[index] = bridgecast_crossing(
                        bridge: Int32(BridgeCatalogue[crossing.bridge].id.rawValue),
                        arrival: Double(crossing.arrival.secondsSinceEpoch),
                        probability_delayed: crossing.probabilityDelayed,
                        expected_delay_s: crossing.expectedDelaySeconds)
                }
            }
        }
    }
}

extension UnsafeMutableBufferPointer<CChar> {
    /// Writes a text and a zero after it, cut to what fits without breaking a character.
    func fill(_ text: String) {
        guard count > 0 else { return }
        var kept = text
        while kept.utf8.count >= count { kept.removeLast() }
        for (index, byte) in kept.utf8.enumerated() { unsafe self[index] = CChar(bitPattern: byte) }
        unsafe self[kept.utf8.count] = 0
    }
}
