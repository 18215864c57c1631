// A place where a road crosses a waterway, while an import looks for crossings.
internal import BridgecastCore
internal import BridgecastRoads

/// Where a line of road passes the middle of a waterway.
struct WaterCrossing {
    /// Number of the line.
    let strand: Int
    /// Where on it: the number of the stretch plus the share of it.
    let position: Double
    let water: CentreLine
    let point: GeoPoint
    /// What crosses there, once it is known.
    var name = ""
    var bridge: BridgeIndex?
}
