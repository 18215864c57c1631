// What a feed holds that nothing uses; noted at the end of reading.
internal import BridgecastCore

extension FeedReader {
    /// Notes trips that stop nowhere or once, routes without trips and shapes that no trip drives.
    mutating func noteUnused(
        _ routes: RouteTable, _ trips: TripTable, _ shapes: ShapeTable, _ stopTimes: StopTimeTable
    ) {
        var hasTrips = [Bool](repeating: false, count: routes.count)
        var isDriven = [Bool](repeating: false, count: shapes.count)
        for trip in 0..<trips.count {
            hasTrips[Int(trips.routes[trip])] = true
            if trips.shapes[trip] >= 0 { isDriven[Int(trips.shapes[trip])] = true }
            let stops = stopTimes.rows(of: TripIndex(trip)).count
            guard stops < 2 else { continue }
            notices.add(
                .warning, "unusable_trip", file: TripColumn.file, field: "trip_id",
                "trip '\(printable(trips.ids[trip]))' has \(stops == 0 ? "no stop" : "one stop") with a time; a trip needs two"
            )
        }
        for (route, hasTrips) in hasTrips.enumerated() where !hasTrips {
            notices.add(
                .warning, "route_without_trips", file: RouteColumn.file, field: "route_id",
                "route '\(printable(routes.ids[route]))' has no trips")
        }
        for (shape, isDriven) in isDriven.enumerated()
        where !isDriven && shapes.rows(of: ShapeIndex(shape)).count > 1 {
            notices.add(
                .warning, "unused_shape", file: ShapeColumn.file, field: "shape_id",
                "no trip drives shape '\(printable(shapes.ids[shape]))'")
        }
    }
}
