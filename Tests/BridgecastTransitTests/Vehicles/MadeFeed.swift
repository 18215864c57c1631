// Small feeds put together in memory, for tests of vehicles: trips on lines that a test draws.
import BridgecastCore
import Testing

@testable import BridgecastTransit

/// A trip that a test makes up.
struct MadeTrip {
    /// A stop of it: its identifier, its place, and seconds of the service day.
    struct Stop {
        var id: String
        var point: GeoPoint?
        var arrival: Int
        var departure: Int
        var distance: Float = .nan
    }

    var id: String
    var route = "R"
    var shape: [GeoPoint] = []
    /// By point of the shape; empty for none.
    var distances: [Float] = []
    var stops: [Stop]
}

enum MadeFeed {
    /// A feed of trips that run on every day of 2019, by the clock of a zone.
    static func feed(
        _ made: [MadeTrip], kind: TransitKind = .bus, zone: String = "America/Regina"
    ) throws -> TransitFeed {
        var stops = StopTable()
        var routes = RouteTable()
        var trips = TripTable()
        var times = StopTimeTable()
        var shapes = ShapeTable()
        var services = ServiceCalendar()
        append("daily", to: &services.ids)
        services.weekdays = [127]
        services.firstDays = [17_897]
        services.lastDays = [18_261]
        services.exceptionStarts = [0, 0]
        for trip in made {
            if append(trip.route, to: &routes.ids) {
                routes.agencies.append(0)
                routes.shortNames.append(trip.route.utf8)
                routes.longNames.append("".utf8)
                routes.kinds.append(kind.rawValue)
                routes.colours.append(RouteTable.noColour)
                routes.textColours.append(RouteTable.noColour)
                routes.sortOrders.append(.max)
            }
            append(trip.id, to: &trips.ids)
            trips.routes.append(Int32(routes.ids.position(of: trip.route) ?? 0))
            trips.services.append(0)
            trips.headsigns.append(-1)
            trips.shortNames.append("".utf8)
            trips.directions.append(-1)
            trips.wheelchairs.append(0)
            trips.shapes.append(trip.shape.isEmpty ? -1 : Int32(shapes.count))
            add(trip, to: &shapes)
            for (order, stop) in trip.stops.enumerated() {
                add(stop, to: &stops)
                times.stops.append(Int32(stops.ids.position(of: stop.id) ?? 0))
                times.arrivals.append(Int32(stop.arrival))
                times.departures.append(Int32(stop.departure))
                times.sequences.append(UInt32(order + 1))
                times.distances.append(stop.distance)
                times.flags.append(0)
            }
            times.starts.append(UInt32(times.stops.count))
        }
        var calls = StopCalls()
        var children = StationChildren()
        for stop in 0..<stops.count {
            let rows = times.stops.indices.filter { times.stops[$0] == Int32(stop) }
            calls.rows += rows.sorted { times.departures[$0] < times.departures[$1] }.map {
                UInt32($0)
            }
            calls.starts.append(UInt32(calls.rows.count))
            children.starts.append(0)
        }
        return TransitFeed(
            FeedParts(
                name: "made for a test",
                agencies: [TransitAgency(id: "", name: "A", url: "", timeZone: zone)],
                zone: try #require(TransitZone(zone)), info: nil, notices: FeedNotices(),
                stops: stops,
                routes: routes, trips: trips, stopTimes: times, services: services, shapes: shapes,
                frequencies: [], transfers: [], calls: calls, children: children))
    }

    private static func add(_ trip: MadeTrip, to shapes: inout ShapeTable) {
        guard !trip.shape.isEmpty else { return }
        append("shape of " + trip.id, to: &shapes.ids)
        for point in trip.shape {
            shapes.latitudes.append(Int32((point.latitude * 1e7).rounded()))
            shapes.longitudes.append(Int32((point.longitude * 1e7).rounded()))
        }
        shapes.distances +=
            trip.distances.isEmpty ? trip.shape.map { _ in .nan } : trip.distances
        shapes.starts.append(UInt32(shapes.latitudes.count))
    }

    private static func add(_ stop: MadeTrip.Stop, to stops: inout StopTable) {
        guard append(stop.id, to: &stops.ids) else { return }
        stops.codes.append("".utf8)
        stops.names.append(stop.id.utf8)
        stops.latitudes.append(stop.point?.latitude ?? .nan)
        stops.longitudes.append(stop.point?.longitude ?? .nan)
        stops.kinds.append(0)
        stops.parents.append(-1)
        stops.platforms.append("".utf8)
        stops.wheelchairs.append(0)
    }

    @discardableResult
    private static func append(_ id: String, to table: inout IdentifierTable) -> Bool {
        table.append(Array(id.utf8).span) != nil
    }
}

/// A flat patch of ground for tests: metres east and north of a place, turned into coordinates.
struct Ground {
    var origin = GeoPoint(latitude: 52.13, longitude: -106.66)

    func point(_ east: Double, _ north: Double) -> GeoPoint {
        let metresPerDegree = 6_371_009 * Double.pi / 180
        return GeoPoint(
            latitude: origin.latitude + north / metresPerDegree,
            longitude: origin.longitude + east
                / (metresPerDegree * cosine(origin.latitude)))
    }

    private func cosine(_ degrees: Double) -> Double {
        // Through a distance that is measured elsewhere: a degree of longitude there and at the equator.
        let here = GeoPoint(latitude: degrees, longitude: 0).metres(
            to: GeoPoint(latitude: degrees, longitude: 0.01))
        let there = GeoPoint(latitude: 0, longitude: 0).metres(
            to: GeoPoint(latitude: 0, longitude: 0.01))
        return here / there
    }
}
