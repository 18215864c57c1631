// shapes.txt: where vehicles drive.
internal import BridgecastCore

/// Columns of shapes.txt.
enum ShapeColumn: Int, FeedColumn {
    case id, latitude, longitude, sequence, distance
    static let file = "shapes.txt"
    static let names = [
        "shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence", "shape_dist_traveled",
    ]
    static let required: [Self] = [.id, .latitude, .longitude, .sequence]
    static let others: [String] = []
}

/// Points of shapes in the order of the file.
private struct ShapePoints {
    var stretches: [RowGrouping.Stretch] = []
    var sequences: [UInt32] = []
    var latitudes: [Int32] = []
    var longitudes: [Int32] = []
    var distances: [Float] = []
    var lines = LineNumbers()
}

extension FeedReader {
    /// shapes.txt, where there is one.
    mutating func readShapes() throws(TransitFeedError.Problem) -> ShapeTable {
        var (table, points) = (ShapeTable(), ShapePoints())
        let header = try forEachRow(
            of: ShapeColumn.self, isRequired: false, most: limits.rows
        ) { row, bytes, notices in Self.append(row, bytes, to: &points, &table.ids, &notices) }
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
        (table.starts, table.latitudes) = (grouping.starts, points.latitudes)
        (table.longitudes, table.distances) = (points.longitudes, points.distances)
        checkPoints(&table, points, grouping)
        return table
    }

    private static func append(
        _ row: borrowing TableRow<ShapeColumn>, _ bytes: Span<UInt8>, to points: inout ShapePoints,
        _ ids: inout IdentifierTable, _ notices: inout FeedNotices
    ) {
        guard let id = row.required(.id, bytes, &notices),
            let latitude = row.decimal(.latitude, bytes, &notices),
            let longitude = row.decimal(.longitude, bytes, &notices),
            let sequence = row.whole(.sequence, 0...Int(UInt32.max), bytes, &notices)
        else { return }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            return row.note(
                .error, "number_out_of_range", .latitude,
                "\(latitude), \(longitude) is no place on the globe; the point is left out",
                &notices)
        }
        let count = points.sequences.count
        if let last = points.stretches.last, ids.holds(bytes, id, at: Int(last.group)) {
            // The row before is of the same shape.
        } else {
            let known = ids.position(of: bytes.extracting(id))
            guard let shape = known ?? ids.append(bytes.extracting(id)) else { return }
            points.stretches.append(
                RowGrouping.Stretch(group: Int32(shape), firstRow: UInt32(count)))
        }
        points.sequences.append(UInt32(sequence))
        points.latitudes.append(Int32((latitude * ShapeTable.unitsPerDegree).rounded()))
        points.longitudes.append(Int32((longitude * ShapeTable.unitsPerDegree).rounded()))
        points.distances.append(row.distance(.distance, bytes, &notices) ?? .nan)
        points.lines.append(row: count, line: row.line)
    }

    /// Says which shapes are of one point or have distances that decrease, which are then left out.
    private mutating func checkPoints(
        _ table: inout ShapeTable, _ points: ShapePoints, _ grouping: RowGrouping
    ) {
        for shape in 0..<table.count {
            let rows = table.rows(of: ShapeIndex(shape))
            if rows.count == 1 {
                notices.add(
                    .warning, "single_shape_point", file: ShapeColumn.file,
                    line: points.lines.line(ofRow: grouping.row(at: rows.lowerBound)),
                    field: "shape_id",
                    "shape '\(printable(table.ids[shape]))' has one point, which is no line; its trips have none"
                )
            }
            guard !table.distances.isEmpty else { continue }
            var before = -Float.infinity
            for row in rows where !table.distances[row].isNaN {
                if table.distances[row] < before {
                    notices.add(
                        .error, "decreasing_shape_distance", file: ShapeColumn.file,
                        line: points.lines.line(ofRow: grouping.row(at: row)),
                        field: "shape_dist_traveled",
                        "\(table.distances[row]) after \(before); the distance is left out")
                    table.distances[row] = .nan
                } else {
                    before = table.distances[row]
                }
            }
        }
    }
}
