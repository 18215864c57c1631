// A transit agency's timetable as GTFS has it, in columns; everything else in this target reads it.
// Belongs here: a feed as it is in memory, and its rows; not: how files become one (Reading).

/// A static feed: stops, routes, trips, times, days and shapes.
///
/// It never changes; a newer one takes its place.
public final class TransitFeed: Sendable {
    /// Where it came from, for people.
    public let name: String
    /// Agencies in the order of the feed; at least one.
    public let agencies: [TransitAgency]
    /// The clock that its times are by: that of the first agency, as GTFS asks of all.
    public let zone: TransitZone
    /// Who publishes it, and for when; nil where the feed does not say.
    public let info: FeedInfo?
    /// What is wrong with it, and was left out.
    public let notices: FeedNotices

    package let stops: StopTable
    package let routes: RouteTable
    package let trips: TripTable
    package let stopTimes: StopTimeTable
    package let services: ServiceCalendar
    package let shapes: ShapeTable
    package let frequencies: [TripFrequency]
    package let transfers: [StopTransfer]
    /// By stop, who stops there in order of departure.
    package let calls: StopCalls
    /// By station, what belongs to it.
    package let children: StationChildren
    /// The ways of trips, found when first asked for.
    package let geometries = GeometryCache()

    package init(_ parts: FeedParts) {
        (name, agencies, zone, info) = (parts.name, parts.agencies, parts.zone, parts.info)
        notices = parts.notices
        (stops, routes, trips) = (parts.stops, parts.routes, parts.trips)
        (stopTimes, services, shapes) = (parts.stopTimes, parts.services, parts.shapes)
        (frequencies, transfers) = (parts.frequencies, parts.transfers)
        (calls, children) = (parts.calls, parts.children)
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

/// What a ``TransitFeed`` is made of; put together by the reader and by the cache.
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
