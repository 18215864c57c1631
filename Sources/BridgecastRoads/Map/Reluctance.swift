// What people weigh besides minutes when they choose a way. The import adds it to the search; paths leave it out.
package import BridgecastCore

/// How much longer some roads seem to take than they do.
///
/// Drivers stay on arterials rather than pass through local streets, and riders keep to trails and away from traffic.
/// The search minimises time with this on top; reported minutes do not include it.
package struct Reluctance: Sendable, Equatable {
    /// What a local street seems to take longer by car, as a share of its time, 0...10.
    package var localShare: Double
    /// Seconds that turning from an arterial into a local street seems to cost on top, 0...600.
    package var enteringSeconds: Double
    package var bike: BikeReluctance

    package init(localShare: Double, enteringSeconds: Double, bike: BikeReluctance) {
        self.localShare = localShare
        self.enteringSeconds = enteringSeconds
        self.bike = bike
    }

    /// Minutes alone count.
    package static let none = Reluctance(localShare: 0, enteringSeconds: 0, bike: .none)

    package var isValid: Bool {
        (0...10).contains(localShare) && (0...600).contains(enteringSeconds) && bike.isValid
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
    /// Whether it is a street for residents and local businesses; ramps are not.
    package var isLocal: Bool { roadClass.isLocal && !flags.contains(.link) }
}

/// Shares of a street's time that it seems to take longer by bike, 0...10; relative to a trail.
///
/// The first that applies counts: a track on any street, a greenway, a local street, a painted lane, a busy road,
/// sharrows, any other arterial.
package struct BikeReluctance: Sendable, Equatable {
    /// A local street, with or without lanes, and a greenway.
    package var local, greenway: Double
    /// A protected lane on any street; a painted one, and sharrows, on an arterial.
    package var track, lane, sharrows: Double
    /// An arterial without any; and a primary or trunk road or a motorway without track or lane.
    package var arterial, busy: Double

    package init(
        local: Double, greenway: Double, track: Double, lane: Double, sharrows: Double,
        arterial: Double, busy: Double
    ) {
        self.local = local
        self.greenway = greenway
        self.track = track
        self.lane = lane
        self.sharrows = sharrows
        self.arterial = arterial
        self.busy = busy
    }

    /// Minutes alone count.
    package static let none = BikeReluctance(
        local: 0, greenway: 0, track: 0, lane: 0, sharrows: 0, arterial: 0, busy: 0)

    package var isValid: Bool {
        [local, greenway, track, lane, sharrows, arterial, busy].allSatisfy {
            (0...10).contains($0)
        }
    }

    /// How much longer an arc seems to take, as a share of its time.
    package func share(_ arc: RoadArc) -> Double {
        switch (arc.roadClass, arc.bikeRoom) {
        case (.trail, _), (.footway, _): 0
        case (_, .track): track
        case (_, .greenway): greenway
        case _ where arc.isLocal: local
        case (_, .lane): lane
        case (.motorway, _), (.trunk, _), (.primary, _): busy
        case (_, .sharrows): sharrows
        case (_, .none): arterial
        }
    }
}

/// Room for bikes on an arc, in its direction.
package enum BikeRoom: UInt8, Sendable, CaseIterable {
    /// Bikes ride among cars.
    case none
    /// Among cars on an arterial that has sharrows, or that signs call a bike route.
    case sharrows
    /// A painted lane, or a paved shoulder.
    case lane
    /// A lane protected by a kerb, posts or parked cars.
    case track
    /// A street with few cars that is made for bikes: a neighbourhood greenway, or one for residents only.
    case greenway
}
