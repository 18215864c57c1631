// A transit agency's timetable (GTFS) in columns. How files are read is in Reading.
public import BridgecastCore

/// A static feed: stops, routes, trips, times, days and shapes.
///
/// Immutable; a newer feed replaces it.
public final class TransitFeed: Sendable {
    /// The file or folder that it was read from, for display.
    public let name: String
    /// Agencies in the order of the feed; at least one.
    public let agencies: [TransitAgency]
    /// The time zone of its times: that of the first agency, as GTFS requires of all.
    public let zone: TransitZone
    /// Publisher and period of validity; nil if the feed has no feed_info.txt.
    public let info: FeedInfo?
    /// Problems found, and what was left out.
    public let notices: FeedNotices

    package let stops: StopTable
    package let routes: RouteTable
    package let trips: TripTable
    package let stopTimes: StopTimeTable
    package let services: ServiceCalendar
    package let shapes: ShapeTable
    package let frequencies: [TripFrequency]
    package let transfers: [StopTransfer]
    /// By stop, the stop times there in order of departure.
    package let calls: StopCalls
    /// By station, its platforms and entrances.
    package let children: StationChildren
    /// The paths of trips, computed on demand.
    package let geometries = GeometryCache()
    /// The patterns of lines, computed on demand.
    package let routePatterns = RoutePatternCache()

    package init(_ parts: FeedParts) {
        name = parts.name
        agencies = parts.agencies
        zone = parts.zone
        info = parts.info
        notices = parts.notices
        stops = parts.stops
        routes = parts.routes
        trips = parts.trips
        stopTimes = parts.stopTimes
        services = parts.services
        shapes = parts.shapes
        frequencies = parts.frequencies
        transfers = parts.transfers
        calls = parts.calls
        children = parts.children
    }

    /// The stop with an identifier; nil if there is none.
    public func stop(_ id: String) -> StopIndex? {
        stops.ids.position(of: id).map { StopIndex($0) }
    }
    /// The route with an identifier; nil if there is none.
    public func route(_ id: String) -> RouteIndex? {
        routes.ids.position(of: id).map { RouteIndex($0) }
    }
    /// The trip with an identifier; nil if there is none.
    public func trip(_ id: String) -> TripIndex? {
        trips.ids.position(of: id).map { TripIndex($0) }
    }
}

/// The contents of a ``TransitFeed``, as the reader assembles them.
package struct FeedParts: Sendable {
    package var name: String
    package var agencies: [TransitAgency]
    package var zone: TransitZone
    package var info: FeedInfo?
    package var notices: FeedNotices
    package var stops: StopTable
    package var routes: RouteTable
    package var trips: TripTable
    package var stopTimes: StopTimeTable
    package var services: ServiceCalendar
    package var shapes: ShapeTable
    package var frequencies: [TripFrequency]
    package var transfers: [StopTransfer]
    package var calls: StopCalls
    package var children: StationChildren
}

/// The index of a row in a table of a ``TransitFeed``; one type a table, meaningless in another feed.
public struct FeedIndex<Row>: Hashable, Comparable, Sendable {
    /// Zero-based.
    public var position: Int { Int(number) }
    /// The same as tables store it; never negative.
    package let number: Int32

    /// - Precondition: Not negative, and below 2^31.
    @inline(__always) package init(_ position: Int) { number = Int32(position) }

    /// Orders rows as the feed has them.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}

/// A stop, station, entrance or other place of stops.txt.
public typealias StopIndex = FeedIndex<TransitStop>
/// A route of routes.txt.
public typealias RouteIndex = FeedIndex<TransitRoute>
/// A trip of trips.txt.
public typealias TripIndex = FeedIndex<TransitTrip>
/// A service of calendar.txt and calendar_dates.txt.
public typealias ServiceIndex = FeedIndex<ServiceCalendar>
/// A shape of shapes.txt.
public typealias ShapeIndex = FeedIndex<ShapeTable>

extension FeedIndex {
    /// Stored where there is no row.
    package static var none: Int32 { -1 }

    /// The row of a stored number; nil for ``none``.
    @inline(__always) package init?(stored number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }
}

/// feed_info.txt.
public struct FeedInfo: Sendable, Hashable {
    /// The publisher's name.
    public var publisher: String
    /// Language code, such as `en`.
    public var language: String
    /// Version; empty if the feed has none.
    public var version: String
    /// The first and last day for which the feed is meant, if stated.
    public var firstDay, lastDay: CivilDate?
}
