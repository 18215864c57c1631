// Reads the tables of the network: agency.txt, feed_info.txt, stops.txt, routes.txt, directions.txt and shapes.txt.
internal import BridgecastCore
internal import BridgecastSupport

// MARK: - agency.txt and feed_info.txt

enum AgencyColumn: Int, FeedColumn {
    case id, name, url, timeZone
    static let file = "agency.txt"
    static let names = ["agency_id", "agency_name", "agency_url", "agency_timezone"]
    static let required: [Self] = [.name, .timeZone]
    static let others = [
        "agency_lang", "agency_phone", "agency_fare_url", "agency_email", "cemv_support",
    ]
}

enum InfoColumn: Int, FeedColumn {
    case publisher, language, version, firstDay, lastDay
    static let file = "feed_info.txt"
    static let names = [
        "feed_publisher_name", "feed_lang", "feed_version", "feed_start_date", "feed_end_date",
    ]
    static let required: [Self] = []
    static let others = [
        "feed_publisher_url", "default_lang", "feed_contact_email", "feed_contact_url", "feed_id",
    ]
}

extension FeedReader {
    /// Reads agency.txt, which needs at least one usable row.
    mutating func readAgencies() throws(TransitFeedError.Problem) -> [TransitAgency] {
        var agencies: [TransitAgency] = []
        var seen: Set<String> = []
        try forEachRow(of: AgencyColumn.self, isRequired: true) { row, notices in
            guard row.required(.timeZone, &notices) != nil else { return }
            let id = row.text(.id)
            guard seen.insert(id).inserted else { return row.noteDuplicate(.id, &notices) }
            if row.range(.name).isEmpty {
                row.note(.error, "missing_required_field", in: .name, "is empty", to: &notices)
            }
            row.checkCharacters(of: [.id, .name], &notices)
            agencies.append(
                TransitAgency(
                    id: id, name: row.text(.name), url: row.text(.url),
                    timeZone: row.text(.timeZone)))
        }
        guard !agencies.isEmpty else { throw .empty(AgencyColumn.file) }
        return agencies
    }

    /// The first known time zone of the agencies.
    mutating func zone(of agencies: [TransitAgency]) throws(TransitFeedError.Problem) -> TransitZone
    {
        let zones = agencies.lazy.compactMap { TransitZone($0.timeZone) }
        guard let zone = zones.first else { throw .unknownTimeZone(agencies[0].timeZone) }
        if let other = agencies.first(where: { $0.timeZone != zone.identifier }) {
            notices.add(
                .error, "inconsistent_agency_timezone", file: AgencyColumn.file,
                field: "agency_timezone",
                "'\(printable(other.timeZone, maxLength: 40))' of '\(printable(other.name))' is not \(zone.identifier), in which all times are read"
            )
        }
        return zone
    }

    /// Reads feed_info.txt; nil if the feed has none.
    mutating func readInfo() throws(TransitFeedError.Problem) -> FeedInfo? {
        var info: FeedInfo?
        try forEachRow(of: InfoColumn.self, isRequired: false) { row, notices in
            guard info == nil else {
                return row.note(
                    .warning, "more_than_one_entity", in: .publisher, "only one row is read",
                    to: &notices)
            }
            row.checkCharacters(of: [.publisher, .version], &notices)
            info = FeedInfo(
                publisher: row.text(.publisher), language: row.text(.language),
                version: row.text(.version), firstDay: row.date(.firstDay, &notices),
                lastDay: row.date(.lastDay, &notices))
        }
        return info
    }
}

// MARK: - stops.txt

enum StopColumn: Int, FeedColumn {
    case id, code, name, latitude, longitude, kind, parent, platform, wheelchair
    static let file = "stops.txt"
    static let names = [
        "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type",
        "parent_station", "platform_code", "wheelchair_boarding",
    ]
    static let required: [Self] = [.id]
    static let others = [
        "tts_stop_name", "stop_desc", "zone_id", "stop_url", "stop_timezone", "level_id",
        "stop_access",
    ]
}

extension FeedReader {
    mutating func readStops() throws(TransitFeedError.Problem) -> StopTable {
        var stops = StopTable()
        var parents = TextColumn()
        var lines: [UInt32] = []
        try forEachRow(of: StopColumn.self, isRequired: true) { row, notices in
            guard row.append(.id, to: &stops.ids, &notices) else { return }
            row.checkCharacters(of: [.id, .name, .platform], &notices)
            row.append(.code, to: &stops.codes)
            row.append(.name, to: &stops.names)
            row.append(.platform, to: &stops.platforms)
            row.append(.parent, to: &parents)
            let kind = row.choice(.kind, upTo: 4, &notices)
            stops.kinds.append(UInt8(kind))
            stops.wheelchairs.append(UInt8(row.choice(.wheelchair, upTo: 2, &notices)))
            let location = Self.location(of: row, kind: kind, &notices)
            stops.latitudes.append(location.latitude)
            stops.longitudes.append(location.longitude)
            lines.append(UInt32(clamping: row.line))
        }
        guard stops.count > 0 else { throw .empty(StopColumn.file) }
        setParents(of: &stops, ids: parents, lines: lines)
        return stops
    }

    /// The coordinates of a stop; NaN if missing or implausible.
    private static func location(
        of row: borrowing TableRow<StopColumn>, kind: Int, _ notices: inout FeedNotices
    ) -> (latitude: Double, longitude: Double) {
        let unknown = (latitude: Double.nan, longitude: Double.nan)
        guard let latitude = row.decimal(.latitude, &notices),
            let longitude = row.decimal(.longitude, &notices)
        else {
            // Nodes and boarding areas need no coordinates.
            if kind <= 2 {
                row.note(
                    .error, "stop_without_location", in: .latitude,
                    "stop '\(printable(row.text(.id)))' has no coordinates; it is not on maps",
                    to: &notices)
            }
            return unknown
        }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            row.note(
                .error, "number_out_of_range", in: abs(latitude) <= 90 ? .longitude : .latitude,
                "\(latitude), \(longitude) is not a location on earth; the stop is on no map",
                to: &notices)
            return unknown
        }
        guard abs(latitude) > 1 || abs(longitude) > 1 else {
            row.note(
                .error, "point_near_origin", in: .latitude,
                "\(latitude), \(longitude) is off Africa, where 0, 0 is; the stop is on no map",
                to: &notices)
            return unknown
        }
        return (latitude, longitude)
    }

    /// Resolves parent_station; a stop without a value for wheelchairs inherits its station's.
    private mutating func setParents(of stops: inout StopTable, ids: TextColumn, lines: [UInt32]) {
        stops.parents = [Int32](repeating: StopIndex.none, count: stops.count)
        for row in 0..<stops.count where !ids.isEmpty(row) {
            let id = ids[row]
            guard let parent = stops.ids.position(of: id) else {
                noteParent(
                    "foreign_key_violation", line: Int(lines[row]),
                    "stops.txt has no '\(printable(id))'")
                continue
            }
            // Boarding areas belong to platforms, all else to stations: there are no cycles.
            let expected: TransitStop.Kind = stops.kinds[row] == 4 ? .stop : .station
            guard stops.kinds[parent] == expected.rawValue, stops.kinds[row] != 1 else {
                noteParent(
                    "wrong_parent_location_type", line: Int(lines[row]),
                    "'\(printable(id))' is not a \(expected == .stop ? "platform" : "station") to which this may belong"
                )
                continue
            }
            stops.parents[row] = Int32(parent)
            if stops.wheelchairs[row] == 0 { stops.wheelchairs[row] = stops.wheelchairs[parent] }
        }
    }

    private mutating func noteParent(_ code: String, line: Int, _ message: String) {
        notices.add(
            .error, code, file: StopColumn.file, line: line, field: "parent_station",
            "\(message); the stop has no station")
    }
}

// MARK: - routes.txt and directions.txt

enum RouteColumn: Int, FeedColumn {
    case id, agency, shortName, longName, kind, colour, textColour, sortOrder
    static let file = "routes.txt"
    static let names = [
        "route_id", "agency_id", "route_short_name", "route_long_name", "route_type", "route_color",
        "route_text_color", "route_sort_order",
    ]
    static let required: [Self] = [.id, .kind]
    static let others = [
        "route_desc", "route_url", "continuous_pickup", "continuous_drop_off", "network_id",
        "cemv_support",
    ]
}

private let maxDirectionNameLength = 100

/// Columns of directions.txt, which is not part of GTFS but common.
enum DirectionColumn: Int, FeedColumn {
    case route, direction, compass, name
    static let file = "directions.txt"
    static let names = ["route_id", "direction_id", "direction", "direction_name"]
    static let required: [Self] = [.route, .direction]
    static let others: [String] = []
}

extension FeedReader {
    mutating func readRoutes(
        _ agencies: [TransitAgency]
    ) throws(TransitFeedError.Problem) -> RouteTable {
        var routes = RouteTable()
        let indices = Dictionary(agencies.enumerated().map { ($1.id, $0) }) { first, _ in first }
        try forEachRow(of: RouteColumn.self, isRequired: true) { row, notices in
            guard row.append(.id, to: &routes.ids, &notices) else { return }
            row.checkCharacters(of: [.id, .shortName, .longName], &notices)
            let agency = row.text(.agency)
            if !agency.isEmpty, indices[agency] == nil {
                row.noteForeign(
                    .agency, missingIn: AgencyColumn.file, "the first agency is used", &notices)
            }
            routes.agencies.append(Int32(indices[agency] ?? 0))
            row.append(.shortName, to: &routes.shortNames)
            row.append(.longName, to: &routes.longNames)
            routes.kinds.append(Self.kind(of: row, &notices).rawValue)
            routes.colours.append(Self.colour(.colour, of: row, &notices))
            routes.textColours.append(Self.colour(.textColour, of: row, &notices))
            let order = row.whole(.sortOrder, 0...Int(Int32.max - 1), &notices)
            routes.sortOrders.append(Int32(order ?? Int(Int32.max)))
        }
        guard routes.count > 0 else { throw .empty(RouteColumn.file) }
        return routes
    }

    /// Reads directions.txt, if there is one.
    mutating func readDirections(_ routes: inout RouteTable) throws(TransitFeedError.Problem) {
        var names: [Int: String] = [:]
        let ids = routes.ids
        try forEachRow(of: DirectionColumn.self, isRequired: false) { row, notices in
            guard let route = row.reference(.route, to: ids, of: RouteColumn.file, &notices),
                let direction = row.whole(.direction, 0...1, &notices)
            else { return }
            let name = row.text(.name)
            names[2 * route + direction] = String(
                (name.isEmpty ? row.text(.compass) : name).prefix(maxDirectionNameLength))
        }
        guard !names.isEmpty else { return }
        for index in 0..<2 * routes.count {
            routes.directionNames.append((names[index] ?? "").utf8)
        }
    }

    private static func colour(
        _ column: RouteColumn, of row: borrowing TableRow<RouteColumn>, _ notices: inout FeedNotices
    ) -> UInt32 {
        let range = row.range(column)
        guard !range.isEmpty else { return RouteTable.noColour }
        guard let colour = FieldValue.colour(row.bytes.span, range) else {
            row.note(
                .error, "invalid_color", in: column,
                "'\(printable(row.text(column), maxLength: 40))' should be six digits such as 004B87",
                to: &notices)
            return RouteTable.noColour
        }
        return colour
    }

    /// The mode of a route; a bus if unknown.
    private static func kind(
        of row: borrowing TableRow<RouteColumn>, _ notices: inout FeedNotices
    ) -> TransitKind {
        guard let number = row.whole(.kind, 0...1799, &notices) else {
            if row.range(.kind).isEmpty {
                row.note(
                    .error, "missing_required_field", in: .kind, "is empty; taken as a bus",
                    to: &notices)
            }
            return .bus
        }
        if let kind = TransitKind(routeType: number) { return kind }
        row.note(
            .error, "unexpected_enum_value", in: .kind,
            "\(number) is not a route type; taken as a bus", to: &notices)
        return .bus
    }
}

extension TransitKind {
    /// The mode of a route_type; nil if it is unknown.
    ///
    /// Extended types are the Hierarchical Vehicle Types of Google's extension to GTFS.
    init?(routeType number: Int) {
        switch number {
        case 100..<200: self = .rail
        case 200..<300, 700..<800: self = .bus
        case 405: self = .monorail
        case 400..<500, 500..<700: self = .subway
        case 800..<900: self = .trolleybus
        case 900..<1000: self = .tram
        case 1000..<1100, 1200..<1300: self = .ferry
        case 1300..<1400: self = .aerialLift
        case 1400..<1500: self = .funicular
        case 1500..<1600: self = .bus
        default:
            guard let kind = UInt16(exactly: number).flatMap(TransitKind.init(rawValue:)) else {
                return nil
            }
            self = kind
        }
    }
}

// MARK: - shapes.txt

enum ShapeColumn: Int, FeedColumn {
    case id, latitude, longitude, sequence, distance
    static let file = "shapes.txt"
    static let names = [
        "shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence", "shape_dist_traveled",
    ]
    static let required: [Self] = [.id, .latitude, .longitude, .sequence]
    static let others: [String] = []
}

/// The points of shapes.txt in the order of the file.
private struct ShapePoints {
    var stretches: [RowGrouping.Stretch] = []
    var sequences: [UInt32] = []
    var latitudes: [Int32] = []
    var longitudes: [Int32] = []
    var distances: [Float] = []
    var lines = LineNumbers()
}

extension FeedReader {
    /// Reads shapes.txt, if there is one.
    mutating func readShapes() throws(TransitFeedError.Problem) -> ShapeTable {
        var table = ShapeTable()
        var points = ShapePoints()
        let header = try forEachRow(of: ShapeColumn.self, isRequired: false, maxRows: limits.rows) {
            row, notices in Self.append(row, to: &points, ids: &table.ids, &notices)
        }
        if header?.has(.distance) != true || points.distances.allSatisfy(\.isNaN) {
            points.distances = []
        }
        let grouping = RowGrouping(
            points.stretches, groups: table.count, sequences: points.sequences)
        for column in [\ShapePoints.latitudes, \ShapePoints.longitudes] {
            grouping.apply(&points[keyPath: column])
        }
        grouping.apply(&points.distances)
        grouping.apply(&points.sequences)
        table.starts = grouping.starts
        table.latitudes = points.latitudes
        table.longitudes = points.longitudes
        table.distances = points.distances
        checkPoints(of: &table) { points.lines.line(ofRow: grouping.row(at: $0)) }
        return table
    }

    private static func append(
        _ row: borrowing TableRow<ShapeColumn>, to points: inout ShapePoints,
        ids: inout IdentifierTable, _ notices: inout FeedNotices
    ) {
        guard let range = row.required(.id, &notices),
            let latitude = row.decimal(.latitude, &notices),
            let longitude = row.decimal(.longitude, &notices),
            let sequence = row.whole(.sequence, 0...Int(UInt32.max), &notices)
        else { return }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            return row.note(
                .error, "number_out_of_range", in: .latitude,
                "\(latitude), \(longitude) is not a location on earth; the point is left out",
                to: &notices)
        }
        let count = points.sequences.count
        let id = row.bytes.span.extracting(range)
        if let last = points.stretches.last, ids.holds(id, at: Int(last.group)) {
            // Same shape as the row before.
        } else {
            guard let shape = ids.position(of: id) ?? ids.append(id) else { return }
            points.stretches.append(
                RowGrouping.Stretch(group: Int32(shape), firstRow: UInt32(count)))
        }
        points.sequences.append(UInt32(sequence))
        points.latitudes.append(Int32((latitude * ShapeTable.unitsPerDegree).rounded()))
        points.longitudes.append(Int32((longitude * ShapeTable.unitsPerDegree).rounded()))
        points.distances.append(row.distance(.distance, &notices) ?? .nan)
        points.lines.append(row: count, line: row.line)
    }

    /// Notes shapes of one point, and removes distances that decrease.
    ///
    /// - Parameter line: The line of a point's row in the file.
    private mutating func checkPoints(of table: inout ShapeTable, line: (Int) -> Int) {
        for shape in 0..<table.count {
            let rows = table.rows(of: ShapeIndex(shape))
            if rows.count == 1 {
                notices.add(
                    .warning, "single_shape_point", file: ShapeColumn.file,
                    line: line(rows.lowerBound), field: "shape_id",
                    "shape '\(printable(table.ids[shape]))' has only one point; its trips run from stop to stop"
                )
            }
            guard !table.distances.isEmpty else { continue }
            var before = -Float.infinity
            for row in rows where !table.distances[row].isNaN {
                if table.distances[row] < before {
                    notices.add(
                        .error, "decreasing_shape_distance", file: ShapeColumn.file,
                        line: line(row), field: "shape_dist_traveled",
                        "\(table.distances[row]) after \(before); the distance is left out")
                    table.distances[row] = .nan
                } else {
                    before = table.distances[row]
                }
            }
        }
    }
}
