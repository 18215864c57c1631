// Which bridges WSDOT's stretches of road lead to; used by the feed of travel times.
public import BridgecastCore

/// Which stretches lead to which bridge.
public struct TravelTimeMap: Sendable, Equatable {
    /// Stretches by WSDOT's id.
    public var bridgeByID: [Int: BridgeIndex]
    /// The speed of free flow on them, miles per hour.
    public var freeFlowMilesPerHour: Double

    /// Creates a map.
    ///
    /// - Parameter bridgeByID: Stretches by id; those that are not named are matched by the bridge's name
    ///   and the word "bridge" in WSDOT's name or description.
    public init(bridgeByID: [Int: BridgeIndex] = [:], freeFlowMilesPerHour: Double = 40) {
        (self.bridgeByID, self.freeFlowMilesPerHour) = (bridgeByID, freeFlowMilesPerHour)
    }

    /// The measurements in a reply; stretches that lead to no bridge are left out.
    ///
    /// WSDOT gives no time of free flow: it is the length over ``freeFlowMilesPerHour``.
    public func readings(_ reply: TravelTimesReply) -> [TrafficReading] {
        reply.times.compactMap { time in
            guard let bridge = bridge(of: time), let minutes = time.currentMinutes, time.miles > 0
            else { return nil }
            return TrafficReading(
                bridge: bridge,
                measurement: .travelTime(
                    seconds: minutes * 60,
                    freeFlowSeconds: time.miles / freeFlowMilesPerHour * 3600),
                measuredAt: time.updatedAt)
        }
    }

    private func bridge(of time: TravelTimesReply.TravelTime) -> BridgeIndex? {
        if let bridge = bridgeByID[time.id] { return bridge }
        let name = time.name.lowercased()
        guard name.contains("bridge") else { return nil }
        let found = BridgeIndex.all.filter { bridge in
            name.contains(BridgeCatalogue[bridge].name.lowercased())
        }
        return found.count == 1 ? found[0] : nil
    }
}
