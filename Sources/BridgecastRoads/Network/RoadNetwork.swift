// The roads of a city for every mode, ready to be searched: what an import makes and a network file holds.
// Belongs here: the network as a whole and its file; not: how ways are found, or places.
package import BridgecastCore

/// A road network for cars, bikes and people on foot, made by `bridgecast roads import`.
///
/// Times on a road depend on when it is entered, by ``PaceGroup`` and quarter of an hour, and are
/// first-in-first-out: who enters a road later leaves it later.
public struct RoadNetwork: Sendable {
    /// For people, such as "Seattle".
    public let name: String
    /// Whose data it is made from; shown wherever routes or maps are.
    public let attribution: String
    /// What it was made from: the name of the extract and when it was taken.
    public let source: String
    /// Everything that has a name and can be a start or an end, street corners aside.
    public let places: [Place]
    /// Places that people name and no road of it leads to.
    package let outerPlaces: [Place]
    /// Crossings of water, drawbridges among them.
    public let crossings: [Crossing]

    package let map: RoadMap
    package let paces: PaceTable
    /// What its hierarchies have on top of time.
    package let reluctance: Reluctance
    /// By ``Route/Mode``, in order of its cases.
    private let hierarchiesOnDemand: [HierarchyOnDemand]

    /// Tells networks apart: anchors of one mean nothing on another.
    package let identity: Identity

    /// The same in all copies of a network.
    package final class Identity: Sendable {}

    /// Made when places are first looked for.
    let lookups: PlaceLookups

    /// - Precondition: Indices lie in their arrays, and there is a hierarchy for every mode.
    package init(
        name: String, attribution: String, source: String, places: [Place],
        outerPlaces: [Place] = [], crossings: [Crossing],
        map: RoadMap, paces: PaceTable, reluctance: Reluctance = .none,
        hierarchies: [RoadHierarchy]
    ) {
        self.init(
            name: name, attribution: attribution, source: source, places: places,
            outerPlaces: outerPlaces, crossings: crossings, map: map, paces: paces,
            reluctance: reluctance, hierarchies: hierarchies.map { HierarchyOnDemand($0) })
    }

    /// As above, with hierarchies that may not be laid out yet.
    init(
        name: String, attribution: String, source: String, places: [Place],
        outerPlaces: [Place], crossings: [Crossing], map: RoadMap, paces: PaceTable,
        reluctance: Reluctance, hierarchies: [HierarchyOnDemand]
    ) {
        (self.name, self.attribution, self.source) = (name, attribution, source)
        (self.places, self.outerPlaces, self.crossings) = (places, outerPlaces, crossings)
        (identity, lookups) = (Identity(), PlaceLookups())
        (self.map, self.paces, self.reluctance) = (map, paces, reluctance)
        hierarchiesOnDemand = hierarchies
    }

    /// The roads of a mode, prepared for searching.
    package func hierarchy(_ mode: Route.Mode) -> RoadHierarchy {
        hierarchiesOnDemand[mode.index].hierarchy
    }

    /// Those of all modes, in order of ``Route/Mode``'s cases.
    package var hierarchies: [RoadHierarchy] { Route.Mode.allCases.map(hierarchy) }
}

extension Route.Mode {
    /// Its place in tables by mode.
    package var index: Int {
        switch self {
        case .car: 0
        case .bike: 1
        case .walk: 2
        }
    }
}
