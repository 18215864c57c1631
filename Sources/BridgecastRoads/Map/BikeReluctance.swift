// How much longer streets seem by bike than they are; part of Reluctance.

/// Shares of a street's time that it seems to take longer by bike, 0...10; a trail is what others are measured by.
///
/// The first counts that fits: a track on any street, a greenway, a local street, a painted lane, a busy road,
/// sharrows, any other arterial.
package struct BikeReluctance: Sendable, Equatable {
    /// A local street, lanes or not, and a greenway.
    package var local, greenway: Double
    /// A lane of their own on any street; a painted one, and sharrows, on an arterial.
    package var track, lane, sharrows: Double
    /// An arterial without; and a primary or trunk road or a motorway without track or lane.
    package var arterial, busy: Double

    package init(
        local: Double, greenway: Double, track: Double, lane: Double, sharrows: Double,
        arterial: Double, busy: Double
    ) {
        (self.local, self.greenway) = (local, greenway)
        (self.track, self.lane, self.sharrows) = (track, lane, sharrows)
        (self.arterial, self.busy) = (arterial, busy)
    }

    /// Minutes alone count.
    package static let none = BikeReluctance(
        local: 0, greenway: 0, track: 0, lane: 0, sharrows: 0, arterial: 0, busy: 0)

    /// Whether every number is in its range.
    package var isSound: Bool {
        [local, greenway, track, lane, sharrows, arterial, busy].allSatisfy {
            (0...10).contains($0)
        }
    }

    /// What an arc seems to take longer, as a share of its time.
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
