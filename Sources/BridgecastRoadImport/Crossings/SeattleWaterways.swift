// The waters that divide Seattle, as lines along their middles, and where roads cross such a line.
//
// The lines are as far from both shores as possible; a test checks them against the shores.
internal import BridgecastCore

enum SeattleWaterways {
    static let all = [shipCanal, duwamish, lakeWashington]

    /// From Shilshole Bay through the Locks, Lake Union and Montlake Cut out into Lake Washington.
    static let shipCanal = CentreLine(
        "the Ship Canal", .shipCanal,
        [
            (47.67399, -122.41799), (47.67399, -122.41249), (47.67296, -122.40977),
            (47.67132, -122.40733), (47.67043, -122.40701), (47.66905, -122.40625),
            (47.66716, -122.40345), (47.66681, -122.40173), (47.66616, -122.40021),
            (47.66616, -122.39893), (47.66498, -122.39441), (47.66527, -122.39145),
            (47.66527, -122.39011), (47.66374, -122.38664), (47.66302, -122.38558),
            (47.66293, -122.38491), (47.65978, -122.38024), (47.65978, -122.37624),
            (47.65924, -122.37544), (47.65915, -122.3733), (47.65835, -122.37077),
            (47.65376, -122.36397), (47.65376, -122.36317), (47.65295, -122.3617),
            (47.65286, -122.3609), (47.65079, -122.3569), (47.64683, -122.34823),
            (47.64656, -122.34743), (47.64647, -122.34449), (47.6445, -122.34049),
            (47.6445, -122.33956), (47.64369, -122.33835), (47.64369, -122.33369),
            (47.64593, -122.33035), (47.64629, -122.33035), (47.64863, -122.32808),
            (47.64944, -122.32795), (47.65025, -122.32715), (47.65295, -122.32315),
            (47.65295, -122.32075), (47.65268, -122.32008), (47.64737, -122.31221),
            (47.64719, -122.2982), (47.648, -122.29687), (47.648, -122.28353),
            (47.64746, -122.28273), (47.64746, -122.27633), (47.64854, -122.27499),
        ])

    /// From Elliott Bay through the West Waterway and up the river to Tukwila.
    static let duwamish = CentreLine(
        "the Duwamish", .duwamish,
        [
            (47.59602, -122.37197), (47.59117, -122.36477), (47.58865, -122.36357),
            (47.58532, -122.36036), (47.58208, -122.3597), (47.57552, -122.3597),
            (47.57093, -122.35316), (47.56769, -122.34809), (47.56473, -122.34809),
            (47.56347, -122.34703), (47.56086, -122.34703), (47.55996, -122.34609),
            (47.55816, -122.34516), (47.55609, -122.34289), (47.54935, -122.33996),
            (47.54557, -122.33742), (47.5444, -122.33742), (47.53541, -122.32461),
            (47.5265, -122.30967), (47.51958, -122.30687), (47.51868, -122.30607),
            (47.51544, -122.30541), (47.51346, -122.30447), (47.51221, -122.3026),
            (47.51203, -122.29887), (47.51041, -122.2942), (47.50951, -122.29273),
            (47.50897, -122.29233), (47.50744, -122.29233), (47.50645, -122.29287),
            (47.50375, -122.29714), (47.50159, -122.29727), (47.50096, -122.29687),
            (47.50042, -122.29607), (47.50015, -122.2946), (47.5006, -122.2898),
            (47.50015, -122.28153), (47.49971, -122.28099), (47.4962, -122.28126),
            (47.49026, -122.28019), (47.48999, -122.27899), (47.49098, -122.27633),
            (47.49143, -122.27432), (47.49143, -122.27286), (47.49053, -122.27112),
            (47.48918, -122.27099), (47.48864, -122.27019), (47.48927, -122.26792),
            (47.489, -122.26619), (47.48738, -122.26472), (47.48684, -122.26472),
            (47.48505, -122.26765), (47.48433, -122.26832), (47.48316, -122.26845),
            (47.48253, -122.26752), (47.48244, -122.26672), (47.48451, -122.26312),
            (47.48451, -122.26098), (47.48397, -122.25978), (47.48352, -122.25938),
            (47.48235, -122.26139), (47.48172, -122.26139), (47.48118, -122.26032),
            (47.48118, -122.25778),
            (47.47965, -122.25578), (47.47911, -122.25618), (47.47911, -122.25805),
        ])

    /// From where the canal comes out southwards, between the city and Mercer Island.
    static let lakeWashington = CentreLine(
        "Lake Washington", nil,
        [
            (47.64854, -122.27499), (47.64117, -122.26405), (47.60376, -122.26405),
            (47.59746, -122.26899), (47.58307, -122.26899), (47.58037, -122.26792),
            (47.56446, -122.24431), (47.54647, -122.24431), (47.54395, -122.24805),
            (47.52821, -122.24805), (47.50798, -122.21803),
        ])
}

struct CentreLine {
    /// Display name with its article.
    let name: String
    /// The waterway of its drawbridges, or nil if it has none.
    let waterway: Waterway?
    let points: [GeoPoint]
    private let box: (south: Double, north: Double, west: Double, east: Double)

    init(_ name: String, _ waterway: Waterway?, _ coordinates: [(Double, Double)]) {
        self.name = name
        self.waterway = waterway
        points = coordinates.map { GeoPoint(latitude: $0.0, longitude: $0.1) }
        let latitudes = coordinates.map(\.0)
        let longitudes = coordinates.map(\.1)
        box = (
            latitudes.min() ?? 0, latitudes.max() ?? 0, longitudes.min() ?? 0, longitudes.max() ?? 0
        )
    }

    /// The share of a segment at which it crosses the line; nil if it does not, or ends on the side where it begins.
    ///
    /// O(points), and O(1) far away.
    func share(from start: GeoPoint, to end: GeoPoint) -> Double? {
        guard max(start.latitude, end.latitude) >= box.south,
            min(start.latitude, end.latitude) <= box.north,
            max(start.longitude, end.longitude) >= box.west,
            min(start.longitude, end.longitude) <= box.east
        else { return nil }
        var found: [Double] = []
        for (a, b) in zip(points, points.dropFirst()) {
            if let share = Self.share(from: start, to: end, crossing: a, b) { found.append(share) }
        }
        guard found.count % 2 == 1 else { return nil }
        return found.sorted()[found.count / 2]
    }

    /// The share of a segment at which it crosses another.
    ///
    /// A point exactly on the line counts as on one side, so that a road with a point there crosses once.
    private static func share(
        from start: GeoPoint, to end: GeoPoint, crossing a: GeoPoint, _ b: GeoPoint
    ) -> Double? {
        let before = side(of: start, from: a, to: b)
        let after = side(of: end, from: a, to: b)
        guard (before >= 0) != (after >= 0),
            (side(of: a, from: start, to: end) >= 0) != (side(of: b, from: start, to: end) >= 0)
        else { return nil }
        return before / (before - after)
    }

    /// The side of a line on which a point is, by the sign.
    private static func side(of point: GeoPoint, from a: GeoPoint, to b: GeoPoint) -> Double {
        (b.longitude - a.longitude) * (point.latitude - a.latitude)
            - (b.latitude - a.latitude) * (point.longitude - a.longitude)
    }
}
