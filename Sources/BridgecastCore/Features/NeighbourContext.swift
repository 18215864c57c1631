// Another bridge of the same waterway, as the features of convoys look at it; made with a BridgeContext.

/// A bridge on the same waterway as the one a row asks about.
struct NeighbourContext: Sendable {
    let bridge: BridgeIndex
    /// How many places inland it lies, negative seaward.
    let place: Int
    /// Minutes that a boat usually takes between the two.
    let transitMinutes: Double
    let openings: NewestOpenings
    /// By bit: whether the boat of an opening may still be on its way; of the next bridges alone.
    private let pending: UInt8

    private static let minutesPerMile = 7.7
    private static let farthest = 3

    /// Whether bridges are next to each other.
    static func isNext(_ place: Int) -> Bool { abs(place) == 1 }
    var isNext: Bool { Self.isNext(place) }

    /// The bridges up to three places away, those to the sea first.
    static func all(
        of bridge: BridgeIndex, _ own: BridgeSituation, in situation: Situation
    ) -> [NeighbourContext] {
        (-farthest...farthest).compactMap { place in
            self.bridge(atPlace: place, from: bridge).map {
                NeighbourContext($0, place: place, of: bridge, own, situation[$0])
            }
        }
    }

    /// The bridge so many places inland (seaward if negative) of another, if there is one.
    static func bridge(atPlace place: Int, from bridge: BridgeIndex) -> BridgeIndex? {
        let line = BridgeCatalogue.along(BridgeCatalogue[bridge].waterway)
        guard place != 0, let here = line.firstIndex(of: bridge),
            line.indices.contains(here + place)
        else { return nil }
        return line[here + place]
    }

    private init(
        _ neighbour: BridgeIndex, place: Int, of bridge: BridgeIndex, _ own: BridgeSituation,
        _ situation: BridgeSituation
    ) {
        self.bridge = neighbour
        self.place = place
        let transit = Self.transitMinutes(bridge, neighbour)
        transitMinutes = transit
        openings = NewestOpenings(situation.recent)
        var pending: UInt8 = 0
        for index in 0..<openings.count where Self.isNext(place) {
            if Self.isPending(situation.recent[index], own, transit) { pending |= 1 << index }
        }
        self.pending = pending
    }

    /// Whether the boat of an opening may still be on its way.
    func isPending(_ index: Int) -> Bool { pending >> index & 1 == 1 }

    /// Minutes a boat usually takes from one bridge to another of the same waterway.
    static func transitMinutes(_ a: BridgeIndex, _ b: BridgeIndex) -> Double {
        abs(BridgeCatalogue[a].waterwayMile - BridgeCatalogue[b].waterwayMile) * minutesPerMile
    }

    /// Whether the boat of a neighbour's opening may still be on its way here.
    private static func isPending(
        _ opening: KnownOpening, _ own: BridgeSituation, _ transit: Double
    ) -> Bool {
        let cameFromHere = own.recent.contains {
            let gap = opening.start.minutes(since: $0.start)
            return gap >= 0.4 * transit && gap <= 1.8 * transit
        }
        let hasPassed = own.recent.contains {
            let gap = $0.start.minutes(since: opening.start)
            return gap >= 0.4 * transit && gap <= 2.2 * transit
        }
        return !cameFromHere && !hasPassed
    }
}
