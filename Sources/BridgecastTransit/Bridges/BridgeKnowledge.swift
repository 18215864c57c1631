// Forecasts and states of the bridges as buses need them, and the queue after an opening. How
// bridges are forecast is in BridgecastEngine.
public import BridgecastCore

/// Forecasts and states of the drawbridges at one time.
public struct BridgeKnowledge: Sendable {
    /// Issue time of the forecasts.
    public let issueTime: Timestamp
    /// The latest arrival that is forecast.
    public let validUntil: Timestamp
    /// States and openings of the bridges.
    public let situation: Situation
    /// Saturation of the approaches, which determines how long a queue lasts after an opening.
    private let traffic: TrafficDensity
    private let table: ForecastTable
    private let climatology: Climatology
    private let explanation: ForecastReason

    /// Creates knowledge from a table of forecasts for vehicles that queue, and from its inputs.
    ///
    /// - Parameter traffic: The traffic of the forecasts.
    /// - Precondition: The table includes ``Route/Mode/car``.
    public init(
        _ table: ForecastTable, situation: Situation, climatology: Climatology,
        traffic: TrafficDensity = TrafficDensity()
    ) {
        precondition(table.modes.contains(.car), "buses queue")
        self.table = table
        self.situation = situation
        self.traffic = traffic
        self.climatology = climatology
        issueTime = table.issueTime
        validUntil = table.issueTime.adding(minutes: table.reachMinutes)
        explanation = ForecastReason(situation: situation, climatology: climatology)
    }

    /// The delay of a bus that arrives at a bridge; nil after ``validUntil`` and before ``issueTime``.
    public func delay(at bridge: BridgeIndex, arrival: Timestamp) -> DelayDistribution? {
        try? table.delay(at: bridge, arrival: arrival, mode: .car)
    }

    /// Reasons for a delay; never empty.
    public func reasons(
        for bridge: BridgeIndex, arrival: Timestamp, delay: DelayDistribution
    ) -> [Reason] {
        let typical = climatology.climatologicalProbabilityDelayed(
            at: bridge, arrival: arrival, density: traffic.density(of: bridge, at: arrival),
            in: situation)
        return explanation.reasons(
            for: bridge, arrival: arrival,
            forecast: ClimatologyComparison(chance: delay.probabilityDelayed, climatology: typical),
            climatology: typical)
    }

    /// When a bridge was raised; nil if it is not known to be up, an inner nil if only the time is unknown.
    public func raised(_ bridge: BridgeIndex) -> Timestamp?? {
        guard case .raised(let since) = situation[bridge].state else { return .none }
        return .some(since)
    }

    /// A sentence that a bridge is up and how long such openings last; nil if it is not known to be up.
    package func stillUp(_ bridge: BridgeIndex) -> String? { explanation.stillUp(bridge) }
}

// MARK: - Queues

/// Why a vehicle that reached a bridge is not over it.
enum BridgeHold: Equatable {
    /// The bridge is up, since before the vehicle was over it.
    case raised
    /// The bridge is down again, and the vehicle is over it `until`, seconds since 1970.
    case queue(lowered: Timestamp, until: Double)
}

extension BridgeKnowledge {
    /// What holds a vehicle that reached a bridge at a time not after ``issueTime``; nil if nothing does or is known to.
    ///
    /// It joins the latest queue at that time (``QueueingDelay``). While the bridge is up again before the vehicle is over
    /// it, the queue does not move.
    ///
    /// - Parameter joined: When the vehicle reached it, seconds since 1970.
    func hold(at bridge: BridgeIndex, from joined: Double) -> BridgeHold? {
        let ended = situation[bridge].recent.lazy.compactMap(EndedOpening.init)
        let own = ended.first { self.delay(at: bridge, of: $0, joined: joined) > 0 }
        var until = joined
        var lowered = own?.end
        if let own {
            until += delay(at: bridge, of: own, joined: joined)
            for next in ended.reversed() where next.start > joined && next.start < until {
                until += next.seconds
                lowered = next.end
            }
        }
        if case .some(.some(let since)) = raised(bridge), Double(since.secondsSinceEpoch) <= until {
            return .raised
        }
        return lowered.map {
            .queue(lowered: Timestamp(secondsSinceEpoch: Int64($0)), until: until)
        }
    }

    /// The earliest arrival at a bridge, seconds since 1970, that it still delays at a time; nil if there is none.
    ///
    /// - Parameter knowsStates: Whether the state at ``issueTime`` applies.
    func firstHeld(by bridge: BridgeIndex, at time: Double, knowsStates: Bool) -> Double? {
        var first: Double?
        if knowsStates, case .some(.some(let since)) = raised(bridge) {
            first = Double(since.secondsSinceEpoch)
        }
        // The newest first: an older queue counts if it reached into the next opening.
        for opening in situation[bridge].recent.lazy.compactMap(EndedOpening.init) {
            let end = first ?? time
            guard opening.start <= end, delay(at: bridge, of: opening, joined: end) > 0 else {
                break
            }
            first = opening.start
        }
        return first
    }

    /// The delay by an opening of a vehicle that reached the bridge at a time; 0 before the opening.
    private func delay(at bridge: BridgeIndex, of opening: EndedOpening, joined: Double) -> Double {
        guard joined >= opening.start else { return 0 }
        let arrival = Timestamp(secondsSinceEpoch: Int64(joined.rounded()))
        return QueueingDelay.seconds(
            openingSeconds: opening.seconds, arrivalSeconds: joined - opening.start,
            density: traffic.density(of: bridge, at: arrival))
    }

    // What is known at the issue time applies this many seconds before and after it.
    private static let stateSeconds: Int64 = 120

    /// Whether states of bridges, which are those of the issue time, apply at a time, seconds since 1970.
    func knowsStates(at time: Int64) -> Bool {
        abs(time - issueTime.secondsSinceEpoch) <= Self.stateSeconds
    }

    /// Whether queues of openings that are over apply at a time, seconds since 1970; also later, for the rest of them.
    func knowsQueues(at time: Int64) -> Bool {
        time >= issueTime.secondsSinceEpoch - Self.stateSeconds
    }

    /// A time, or that of the first forecast if it is slightly later.
    func firstForecast(_ time: Timestamp) -> Timestamp {
        let lead = issueTime.secondsSinceEpoch - time.secondsSinceEpoch
        return lead > 0 && lead <= Self.stateSeconds ? issueTime : time
    }
}

/// An opening that is over, in seconds since 1970.
private struct EndedOpening {
    let start, end: Double
    var seconds: Double { end - start }

    init?(_ opening: KnownOpening) {
        guard let end = opening.end else { return nil }
        start = Double(opening.start.secondsSinceEpoch)
        self.end = Double(end.secondsSinceEpoch)
    }
}

extension DelayDistribution {
    /// A delay known to about half a minute, spread over the two nearest bins, so that the mean is exact from half a minute
    /// to 45 minutes; the nearest bin beyond.
    init(aboutSeconds seconds: Double) {
        let limits = (DelayBins.edgesMinutes + [DelayBins.longestMinutes]).map { $0 * 60 }
        let middles = zip(limits, limits.dropFirst()).map { ($0 + $1) / 2 }
        var chances = [Float](repeating: 0, count: DelayBins.count)
        let next = middles.firstIndex { $0 > seconds } ?? middles.count
        if next > 0, next < middles.count {
            let share = (seconds - middles[next - 1]) / (middles[next] - middles[next - 1])
            chances[next] = Float(1 - share)
            chances[next + 1] = Float(share)
        } else {
            chances[next == 0 ? 1 : middles.count] = 1
        }
        self.init(chances)
    }
}
