// Ways that nobody would take who has a map; the planner does not show them.

extension Path {
    /// Whether it leaves a motorway or an expressway and joins the same one again.
    ///
    /// - Precondition: The path was found on the network.
    package func rejoinsMotorway(on network: RoadNetwork) -> Bool {
        var left: Set<UInt32> = []
        var current: UInt32?
        for piece in pieces {
            let arc = network.map.arcs[piece.arc]
            guard !arc.flags.contains(.link) else { continue }
            // A bridge on the way has a name of its own.
            guard piece.crossing == nil || !arc.roadClass.isForThroughTraffic else { continue }
            guard !arc.roadClass.isForThroughTraffic || arc.name != 0 else { continue }
            let road = arc.roadClass.isForThroughTraffic ? arc.name : nil
            guard road != current else { continue }
            if let current { left.insert(current) }
            if let road, left.contains(road) { return true }
            current = road
        }
        return false
    }
}

extension RoadClass {
    fileprivate var isForThroughTraffic: Bool { self == .motorway || self == .trunk }
}
