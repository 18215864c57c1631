// Stops, stations and entrances: stops.txt.
public import BridgecastCore

/// A stop as people read of it.
public struct TransitStop: Sendable, Hashable {
    /// What a row of stops.txt is: location_type.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// Where one boards: a stop or a platform.
        case stop = 0
        /// What platforms belong to.
        case station = 1
        /// A way into a station.
        case entrance = 2
        /// A place within a station.
        case node = 3
        /// A place on a platform.
        case boardingArea = 4
    }

    /// Its row.
    public let index: StopIndex
    /// Its identifier in the feed.
    public let id: String
    /// What is written on its sign; empty if nothing is.
    public let code: String
    /// For people.
    public let name: String
    /// Where it is; nil if the feed does not say.
    public let point: GeoPoint?
    /// What it is.
    public let kind: Kind
    /// The station it belongs to.
    public let parent: StopIndex?
    /// The platform, such as `4` or `NB`; empty if it has none.
    public let platform: String
    /// Whether wheelchairs can board, as far as the feed says.
    public let wheelchair: Accessibility
}

/// Whether a stop or vehicle takes a wheelchair: 0 not said, 1 yes, 2 no.
public enum Accessibility: UInt8, Sendable, CaseIterable {
    /// The feed does not say.
    case unknown = 0
    /// Yes.
    case accessible = 1
    /// No.
    case inaccessible = 2
}

/// stops.txt in columns.
package struct StopTable: Sendable {
    package var ids = IdentifierTable()
    package var codes = TextColumn()
    package var names = TextColumn()
    /// Degrees; NaN where the feed has none.
    package var latitudes: [Double] = []
    package var longitudes: [Double] = []
    /// As ``TransitStop/Kind``.
    package var kinds: [UInt8] = []
    /// Rows, or ``FeedIndex/none``.
    package var parents: [Int32] = []
    package var platforms = TextColumn()
    /// ``Accessibility``; a platform that does not say has its station's.
    package var wheelchairs: [UInt8] = []

    package init() {}

    package var count: Int { ids.count }

    /// Where a stop is.
    package func point(_ stop: StopIndex) -> GeoPoint? {
        let (latitude, longitude) = (latitudes[stop.position], longitudes[stop.position])
        return latitude.isNaN || longitude.isNaN
            ? nil : GeoPoint(latitude: latitude, longitude: longitude)
    }
}

extension TransitFeed {
    /// A stop.
    public subscript(stop: StopIndex) -> TransitStop {
        let row = stop.position
        return TransitStop(
            index: stop, id: stops.ids[row], code: stops.codes[row], name: stops.names[row],
            point: stops.point(stop), kind: TransitStop.Kind(rawValue: stops.kinds[row]) ?? .stop,
            parent: StopIndex(stored: stops.parents[row]), platform: stops.platforms[row],
            wheelchair: Accessibility(rawValue: stops.wheelchairs[row]) ?? .unknown)
    }
}
