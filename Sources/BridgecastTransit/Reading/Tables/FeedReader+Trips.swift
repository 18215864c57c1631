// trips.txt: what runs, on which route, when and where.
internal import BridgecastCore

/// Columns of trips.txt.
enum TripColumn: Int, FeedColumn {
    case id, route, service, headsign, shortName, direction, shape, wheelchair
    static let file = "trips.txt"
    static let names = [
        "trip_id", "route_id", "service_id", "trip_headsign", "trip_short_name", "direction_id",
        "shape_id", "wheelchair_accessible",
    ]
    static let required: [Self] = [.id, .route, .service]
    static let others = [
        "block_id", "bikes_allowed", "cars_allowed", "safe_duration_factor", "safe_duration_offset",
    ]
}

extension FeedReader {
    /// trips.txt; a trip without a route or days is left out.
    mutating func readTrips(
        _ routes: RouteTable, _ services: ServiceCalendar, _ shapes: ShapeTable
    ) throws(TransitFeedError.Problem) -> TripTable {
        var (trips, headsigns) = (TripTable(), IdentifierTable())
        try forEachRow(of: TripColumn.self, isRequired: true) { row, bytes, notices in
            guard let id = row.required(.id, bytes, &notices),
                let routeID = row.required(.route, bytes, &notices),
                let serviceID = row.required(.service, bytes, &notices)
            else { return }
            guard let route = routes.ids.position(of: bytes.extracting(routeID)) else {
                return row.noteForeign(
                    .route, RouteColumn.file, "the trip is left out", bytes, &notices)
            }
            guard let service = services.ids.position(of: bytes.extracting(serviceID)) else {
                return row.noteForeign(
                    .service, CalendarColumn.file, "the trip never runs and is left out", bytes,
                    &notices)
            }
            guard trips.ids.append(bytes.extracting(id)) != nil else {
                return row.noteDuplicate(.id, bytes, &notices)
            }
            trips.routes.append(Int32(route))
            trips.services.append(Int32(service))
            row.checkLetters(of: .id, .shortName, in: bytes, &notices)
            let known = headsigns.count
            trips.headsigns.append(
                headsigns.place(of: bytes, row.range(.headsign, bytes)))
            // Many trips have the same one.
            if headsigns.count > known { row.checkLetters(of: .headsign, in: bytes, &notices) }
            trips.shortNames.append(bytes.extracting(row.range(.shortName, bytes)))
            let direction = row.whole(.direction, 0...1, bytes, &notices)
            trips.directions.append(Int8(direction ?? -1))
            trips.shapes.append(Self.shape(row, shapes, bytes, &notices))
            trips.wheelchairs.append(UInt8(row.choice(.wheelchair, upTo: 2, bytes, &notices)))
        }
        guard trips.count > 0 else { throw .empty(TripColumn.file) }
        trips.headsignTexts = headsigns.texts
        return trips
    }

    /// The shape that a trip names, if it is a line.
    private static func shape(
        _ row: borrowing TableRow<TripColumn>, _ shapes: ShapeTable, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) -> Int32 {
        let range = row.range(.shape, bytes)
        guard !range.isEmpty else { return ShapeIndex.none }
        guard let shape = shapes.ids.position(of: bytes.extracting(range)) else {
            row.noteForeign(
                .shape, ShapeColumn.file, "the trip runs from stop to stop", bytes, &notices)
            return ShapeIndex.none
        }
        return shapes.rows(of: ShapeIndex(shape)).count > 1 ? Int32(shape) : ShapeIndex.none
    }
}

extension IdentifierTable {
    /// The row of a text, which is appended if it is new; ``FeedIndex/none`` if it is empty.
    mutating func place(of bytes: Span<UInt8>, _ range: Range<Int>) -> Int32 {
        guard !range.isEmpty else { return FeedIndex<TransitTrip>.none }
        let text = bytes.extracting(range)
        return Int32(position(of: text) ?? append(text) ?? -1)
    }
}
