// What people count beside the minutes when they choose a way; the import adds it to the search, paths leave it out.
package import BridgecastCore

/// How much longer some roads seem than they are.
///
/// Drivers stay on arterials rather than pass through local streets, and riders keep to trails and away from traffic.
/// The search goes by time with this on top; minutes that are told do not have it.
package struct Reluctance: Sendable, Equatable {
    /// What a local street seems to take longer by car, as a share of its time, 0...10.
    package var localShare: Double
    /// Seconds that turning from an arterial into a local street seems to take beside, 0...600.
    package var enteringSeconds: Double
    /// By bike.
    package var bike: BikeReluctance

    package init(localShare: Double, enteringSeconds: Double, bike: BikeReluctance) {
        (self.localShare, self.enteringSeconds, self.bike) = (localShare, enteringSeconds, bike)
    }

    /// Minutes alone count.
    package static let none = Reluctance(localShare: 0, enteringSeconds: 0, bike: .none)

    /// Whether every number is in its range.
    package var isSound: Bool {
        (0...10).contains(localShare) && (0...600).contains(enteringSeconds) && bike.isSound
    }

    /// Tenths of a second on top of what a whole arc takes in an empty city.
    package func deciseconds(on arc: RoadArc, _ mode: Route.Mode) -> Int {
        switch mode {
        case .car: arc.isLocal ? Self.part(localShare, of: arc.carDeciseconds) : 0
        case .bike: Self.part(bike.share(arc), of: arc.bikeDeciseconds)
        case .walk: 0
        }
    }

    /// Tenths of a second on top of the turn from one arc onto another.
    package func deciseconds(from arc: RoadArc, onto other: RoadArc, _ mode: Route.Mode) -> Int {
        guard mode == .car, other.isLocal, !arc.isLocal else { return 0 }
        return Int((enteringSeconds * 10).rounded())
    }

    private static func part(_ share: Double, of deciseconds: UInt16) -> Int {
        Int((share * Double(deciseconds)).rounded())
    }
}

extension RoadArc {
    /// Whether it is a street for those who live or work there; ramps are none.
    package var isLocal: Bool { roadClass.isLocal && !flags.contains(.link) }
}
