// Stops, stations and entrances (stops.txt), and what belongs to each station.
public import BridgecastCore

/// A row of stops.txt.
public struct TransitStop: Sendable, Hashable {
    /// location_type.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// Where riders board: a stop or a platform.
        case stop = 0
        /// A station, which has platforms.
        case station = 1
        /// An entrance of a station.
        case entrance = 2
        /// A node of a station's pathways.
        case node = 3
        /// A boarding area of a platform.
        case boardingArea = 4
    }

    /// Its row.
    public let index: StopIndex
    /// stop_id.
    public let id: String
    /// stop_code, as shown on its sign; empty if it has none.
    public let code: String
    /// stop_name.
    public let name: String
    /// Location; nil if the feed has none.
    public let point: GeoPoint?
    /// location_type.
    public let kind: Kind
    /// Its station; nil if it belongs to none.
    public let parent: StopIndex?
    /// platform_code, such as `4` or `NB`; empty if it has none.
    public let platform: String
    /// wheelchair_boarding, or that of its station.
    public let wheelchair: Accessibility
}

/// Whether a stop or vehicle is accessible by wheelchair, numbered as in GTFS.
public enum Accessibility: UInt8, Sendable, CaseIterable {
    /// Not stated.
    case unknown = 0
    /// Accessible.
    case accessible = 1
    /// Not accessible.
    case inaccessible = 2
}

/// stops.txt in columns.
package struct StopTable: Sendable {
    package var ids = IdentifierTable()
    package var codes = TextColumn()
    package var names = TextColumn()
    /// Degrees; NaN if unknown.
    package var latitudes: [Double] = []
    package var longitudes: [Double] = []
    /// As ``TransitStop/Kind``.
    package var kinds: [UInt8] = []
    /// Rows, or ``FeedIndex/none``.
    package var parents: [Int32] = []
    package var platforms = TextColumn()
    /// As ``Accessibility``; a platform without a value has its station's.
    package var wheelchairs: [UInt8] = []

    package init() {}

    package var count: Int { ids.count }

    /// The location of a stop; nil if unknown.
    package func point(_ stop: StopIndex) -> GeoPoint? {
        let latitude = latitudes[stop.position]
        let longitude = longitudes[stop.position]
        return latitude.isNaN || longitude.isNaN
            ? nil : GeoPoint(latitude: latitude, longitude: longitude)
    }
}

/// By station, the rows of its stops, in the order of the feed.
package struct StationChildren: Sendable {
    /// By stop, the start of its children in ``stops``; one more than there are stops.
    package var starts: [UInt32] = [0]
    package var stops: [Int32] = []

    package init() {}

    /// Inverts the column of parents.
    init(parents: [Int32]) {
        self.init()
        let rows = parents.indices.filter { parents[$0] >= 0 }.map { UInt32($0) }
        let sorted = StopCalls.sorted(rows, keys: parents.count) { Int(parents[Int($0)]) }
        starts = sorted.starts
        stops = sorted.rows.map { Int32($0) }
    }

    package func of(_ station: StopIndex) -> ArraySlice<Int32> {
        stops[Int(starts[station.position])..<Int(starts[station.position + 1])]
    }
}

extension TransitFeed {
    /// The stop of a row.
    public subscript(stop: StopIndex) -> TransitStop {
        let row = stop.position
        return TransitStop(
            index: stop, id: stops.ids[row], code: stops.codes[row], name: stops.names[row],
            point: stops.point(stop), kind: TransitStop.Kind(rawValue: stops.kinds[row]) ?? .stop,
            parent: StopIndex(stored: stops.parents[row]), platform: stops.platforms[row],
            wheelchair: Accessibility(rawValue: stops.wheelchairs[row]) ?? .unknown)
    }

    /// The station of a stop, or the stop itself if it has none.
    package func station(of stop: StopIndex) -> StopIndex {
        var stop = stop
        // Two steps: from a boarding area to a platform to a station.
        for _ in 0..<2 {
            guard let parent = StopIndex(stored: stops.parents[stop.position]) else { break }
            stop = parent
        }
        return stop
    }
}
