// stops.txt: where one boards, and the stations above it.
internal import BridgecastCore

/// Columns of stops.txt.
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
    /// Reads stops.txt.
    mutating func readStops() throws(TransitFeedError.Problem) -> StopTable {
        var stops = StopTable()
        var (parents, lines) = (TextColumn(), [UInt32]())
        try forEachRow(of: StopColumn.self, isRequired: true) { row, bytes, notices in
            guard let id = row.required(.id, bytes, &notices) else { return }
            guard stops.ids.append(bytes.extracting(id)) != nil else {
                return row.noteDuplicate(.id, bytes, &notices)
            }
            row.checkLetters(of: .id, .name, .platform, in: bytes, &notices)
            stops.codes.append(bytes.extracting(row.range(.code, bytes)))
            stops.names.append(bytes.extracting(row.range(.name, bytes)))
            stops.platforms.append(bytes.extracting(row.range(.platform, bytes)))
            parents.append(bytes.extracting(row.range(.parent, bytes)))
            let kind = row.choice(.kind, upTo: 4, bytes, &notices)
            stops.kinds.append(UInt8(kind))
            stops.wheelchairs.append(UInt8(row.choice(.wheelchair, upTo: 2, bytes, &notices)))
            let place = Self.place(row, kind: kind, bytes, &notices)
            stops.latitudes.append(place.latitude)
            stops.longitudes.append(place.longitude)
            lines.append(UInt32(clamping: row.line))
        }
        guard stops.count > 0 else { throw .empty(StopColumn.file) }
        joinStations(&stops, parents, lines)
        return stops
    }

    /// Where a stop is, NaN where the row does not say it soundly.
    private static func place(
        _ row: borrowing TableRow<StopColumn>, kind: Int, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) -> (latitude: Double, longitude: Double) {
        let nowhere = (latitude: Double.nan, longitude: Double.nan)
        guard let latitude = row.decimal(.latitude, bytes, &notices),
            let longitude = row.decimal(.longitude, bytes, &notices)
        else {
            // Nodes and boarding areas need none.
            if kind <= 2 {
                row.note(
                    .error, "stop_without_location", .latitude,
                    "stop '\(printable(row.text(.id, bytes)))' has no coordinates; it is on no map",
                    &notices)
            }
            return nowhere
        }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            row.note(
                .error, "number_out_of_range", abs(latitude) <= 90 ? .longitude : .latitude,
                "\(latitude), \(longitude) is no place on the globe; the stop is on no map",
                &notices)
            return nowhere
        }
        guard abs(latitude) > 1 || abs(longitude) > 1 else {
            row.note(
                .error, "point_near_origin", .latitude,
                "\(latitude), \(longitude) is off Africa, where 0, 0 is; the stop is on no map",
                &notices)
            return nowhere
        }
        return (latitude, longitude)
    }

    /// Finds the station of each stop; what it does not say of wheelchairs its station does.
    private mutating func joinStations(
        _ stops: inout StopTable, _ parents: TextColumn, _ lines: [UInt32]
    ) {
        stops.parents = [Int32](repeating: StopIndex.none, count: stops.count)
        for row in 0..<stops.count where !parents.isEmpty(row) {
            let id = parents[row]
            guard let parent = stops.ids.position(of: id) else {
                noteParent(
                    "foreign_key_violation", Int(lines[row]), "stops.txt has no '\(printable(id))'")
                continue
            }
            // Boarding areas belong to platforms, all else to stations: so there is no circle.
            let wanted: TransitStop.Kind = stops.kinds[row] == 4 ? .stop : .station
            guard stops.kinds[parent] == wanted.rawValue, stops.kinds[row] != 1 else {
                noteParent(
                    "wrong_parent_location_type", Int(lines[row]),
                    "'\(printable(id))' is no \(wanted == .stop ? "platform" : "station") that this may belong to"
                )
                continue
            }
            stops.parents[row] = Int32(parent)
            if stops.wheelchairs[row] == 0 { stops.wheelchairs[row] = stops.wheelchairs[parent] }
        }
    }

    private mutating func noteParent(_ code: String, _ line: Int, _ words: String) {
        notices.add(
            .error, code, file: StopColumn.file, line: line, field: "parent_station",
            "\(words); the stop stands alone")
    }
}
