// routes.txt, and directions.txt, which names their directions.
internal import BridgecastCore

/// Columns of routes.txt.
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

/// Letters that are kept of a direction's name.
private let mostDirectionLetters = 100

/// Columns of directions.txt, which is no part of GTFS and which many publishers have.
enum DirectionColumn: Int, FeedColumn {
    case route, direction, word, name
    static let file = "directions.txt"
    static let names = ["route_id", "direction_id", "direction", "direction_name"]
    static let required: [Self] = [.route, .direction]
    static let others: [String] = []
}

extension FeedReader {
    /// Reads routes.txt.
    mutating func readRoutes(
        _ agencies: [TransitAgency]
    ) throws(TransitFeedError.Problem) -> RouteTable {
        var routes = RouteTable()
        let places = Dictionary(agencies.enumerated().map { ($1.id, $0) }) { first, _ in first }
        try forEachRow(of: RouteColumn.self, isRequired: true) { row, bytes, notices in
            guard let id = row.required(.id, bytes, &notices) else { return }
            guard routes.ids.append(bytes.extracting(id)) != nil else {
                return row.noteDuplicate(.id, bytes, &notices)
            }
            row.checkLetters(of: .id, .shortName, .longName, in: bytes, &notices)
            let agency = row.text(.agency, bytes)
            if !agency.isEmpty, places[agency] == nil {
                row.noteForeign(
                    .agency, AgencyColumn.file, "the first agency is taken", bytes, &notices)
            }
            routes.agencies.append(Int32(places[agency] ?? 0))
            routes.shortNames.append(bytes.extracting(row.range(.shortName, bytes)))
            routes.longNames.append(bytes.extracting(row.range(.longName, bytes)))
            routes.kinds.append(Self.kind(row, bytes, &notices).rawValue)
            routes.colours.append(Self.colour(row, .colour, bytes, &notices))
            routes.textColours.append(Self.colour(row, .textColour, bytes, &notices))
            let order = row.whole(.sortOrder, 0...Int(Int32.max - 1), bytes, &notices)
            routes.sortOrders.append(Int32(order ?? Int(Int32.max)))
        }
        guard routes.count > 0 else { throw .empty(RouteColumn.file) }
        return routes
    }

    /// directions.txt, where there is one.
    mutating func readDirections(_ routes: inout RouteTable) throws(TransitFeedError.Problem) {
        var names: [Int: String] = [:]
        let ids = routes.ids
        try forEachRow(of: DirectionColumn.self, isRequired: false) { row, bytes, notices in
            guard let route = ids.position(of: bytes.extracting(row.range(.route, bytes))) else {
                return row.noteForeign(
                    .route, RouteColumn.file, "the row is left out", bytes, &notices)
            }
            guard let direction = row.whole(.direction, 0...1, bytes, &notices) else { return }
            let name = row.text(.name, bytes)
            names[2 * route + direction] = String(
                (name.isEmpty ? row.text(.word, bytes) : name).prefix(mostDirectionLetters))
        }
        guard !names.isEmpty else { return }
        for place in 0..<2 * routes.count {
            routes.directionNames.append((names[place] ?? "").utf8)
        }
    }

    private static func colour(
        _ row: borrowing TableRow<RouteColumn>, _ column: RouteColumn, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) -> UInt32 {
        let range = row.range(column, bytes)
        guard !range.isEmpty else { return RouteTable.noColour }
        guard let colour = FieldValue.colour(bytes, range) else {
            row.note(
                .error, "invalid_color", column,
                "'\(printable(row.text(column, bytes), most: 40))' should be six digits such as 004B87",
                &notices)
            return RouteTable.noColour
        }
        return colour
    }

    /// What runs on a route; a bus where that is not known.
    private static func kind(
        _ row: borrowing TableRow<RouteColumn>, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) -> TransitKind {
        guard let number = row.whole(.kind, 0...1799, bytes, &notices) else {
            if row.range(.kind, bytes).isEmpty {
                row.note(
                    .error, "missing_required_field", .kind, "is empty; a bus is taken", &notices)
            }
            return .bus
        }
        if let kind = TransitKind(routeType: number) { return kind }
        row.note(
            .error, "unexpected_enum_value", .kind, "\(number) is no route type; a bus is taken",
            &notices)
        return .bus
    }
}

extension TransitKind {
    /// The basic kind of a route type; nil if there is none.
    ///
    /// Extended types are those of Hierarchical Vehicle Types, as Google's extension to GTFS lists them.
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
