// Finds stops, routes and trips by the identifiers of a request, and similar names if there is none.
internal import BridgecastSupport
internal import BridgecastCore
internal import BridgecastTransit

extension TransitView {
    /// The stop of an identifier.
    ///
    /// - Throws: ``Problem`` 404 with stops of a similar name or identifier.
    func stop(_ id: String) throws(Problem) -> StopIndex {
        if let stop = feed.stop(id) { return stop }
        let named = NearRows.containing(id, in: feed.stops.names).map { feed.stops.ids[$0] }
        throw Self.unknown("stop", id, near: named + NearRows.nearest(id, in: feed.stops.ids.texts))
    }

    /// The route of an identifier, or of a short name such as `542` if it is unique.
    ///
    /// - Throws: ``Problem`` 404 with routes of a similar name or identifier.
    func route(_ id: String) throws(Problem) -> RouteIndex {
        if let route = feed.route(id) { return route }
        let called = (0..<feed.routes.count).filter { feed.routes.shortNames[$0] == id }
        if !id.isEmpty, let only = called.first, called.count == 1 { return RouteIndex(only) }
        let named =
            (NearRows.containing(id, in: feed.routes.shortNames)
            + NearRows.containing(id, in: feed.routes.longNames)).map { feed.routes.ids[$0] }
        throw Self.unknown(
            "route", id, near: named + NearRows.nearest(id, in: feed.routes.ids.texts))
    }

    /// The trip of an identifier.
    ///
    /// - Throws: ``Problem`` 404 with trips of a similar identifier.
    func trip(_ id: String) throws(Problem) -> TripIndex {
        if let trip = feed.trip(id) { return trip }
        throw Self.unknown("trip", id, near: NearRows.nearest(id, in: feed.trips.ids.texts))
    }

    private static func unknown(_ kind: String, _ id: String, near: [String]) -> Problem {
        var seen: Set<String> = []
        let near = near.map { printable($0, maxLength: 100) }.filter { seen.insert($0).inserted }
        return Problem(
            .notFound, "there is no \(kind) '\(printable(id, maxLength: 60))' in the timetable",
            recovery: "use an identifier of the feed, percent-encoded in a path",
            parameter: "\(kind)_id", near: Array(near.prefix(NearRows.maxRows)))
    }
}

/// Rows of a column that are similar to a text; compared by bytes, because a feed has a hundred thousand.
enum NearRows {
    static let maxRows = 5
    /// Rows whose letters are compared one by one.
    private static let maxCompared = 200
    /// Longer texts are compared by their beginnings.
    private static let maxBytes = 64
    /// Bytes of a column that are searched.
    private static let maxColumnBytes = 4 << 20

    /// The identifiers most similar to a text; those with the longest common prefixes are compared letter by letter.
    ///
    /// - Complexity: O(rows).
    static func nearest(_ text: String, in column: TextColumn) -> [String] {
        let wanted = Array(text.utf8.prefix(maxBytes))
        var best: [(row: Int, common: Int)] = []
        var minCommon = 0
        for row in rows(of: column) {
            let common = commonPrefix(wanted, ofRow: row, in: column)
            guard best.count < maxCompared || common > minCommon else { continue }
            best.append((row, common))
            guard best.count >= 2 * maxCompared else { continue }
            best.sort { ($1.common, $0.row) < ($0.common, $1.row) }
            best.removeSubrange(maxCompared...)
            minCommon = best[maxCompared - 1].common
        }
        best.sort { ($1.common, $0.row) < ($0.common, $1.row) }
        return NearNames.nearest(
            text, of: best.prefix(maxCompared).map { column[$0.row] }, max: maxRows)
    }

    /// The first rows that contain a text, ignoring ASCII case; O(bytes).
    static func containing(_ text: String, in column: TextColumn) -> [Int] {
        let wanted = text.utf8.prefix(maxBytes).map(lowercased)
        guard wanted.count >= 2 else { return [] }
        var found: [Int] = []
        for row in rows(of: column) where isContained(wanted, inRow: row, of: column) {
            found.append(row)
            if found.count == maxRows { break }
        }
        return found
    }

    /// The rows within the first megabytes.
    private static func rows(of column: TextColumn) -> Range<Int> {
        guard column.bytes.count > maxColumnBytes else { return 0..<column.count }
        return 0..<(column.ends.firstIndex { $0 > maxColumnBytes } ?? column.count)
    }

    private static func commonPrefix(
        _ wanted: [UInt8], ofRow row: Int, in column: TextColumn
    ) -> Int {
        let range = column.range(row)
        let limit = min(wanted.count, range.count)
        var common = 0
        while common < limit,
            lowercased(column.bytes[range.lowerBound + common]) == lowercased(wanted[common])
        { common += 1 }
        return common
    }

    private static func isContained(
        _ wanted: [UInt8], inRow row: Int, of column: TextColumn
    ) -> Bool {
        let range = column.range(row)
        guard range.count >= wanted.count else { return false }
        return (range.lowerBound...(range.upperBound - wanted.count)).contains { start in
            wanted.indices.allSatisfy { lowercased(column.bytes[start + $0]) == wanted[$0] }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
    }
}
