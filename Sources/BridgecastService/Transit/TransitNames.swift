// Finds stops, routes and trips by the identifiers of a request, and what is near where there is none.
internal import BridgecastCore
internal import BridgecastTransit
internal import HTTPTypes

extension TransitView {
    /// The stop of an identifier.
    ///
    /// - Throws: ``Problem`` 404 with stops of such a name or identifier.
    func stop(_ id: String) throws(Problem) -> StopIndex {
        if let stop = feed.stop(id) { return stop }
        let named = NearRows.containing(id, in: feed.stops.names).map { feed.stops.ids[$0] }
        throw Self.unknown("stop", id, near: named + NearRows.nearest(id, in: feed.stops.ids.texts))
    }

    /// The route of an identifier, or of the short name that riders have for it, such as `542`, where one alone has it.
    ///
    /// - Throws: ``Problem`` 404 with routes of such a name or identifier.
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
    /// - Throws: ``Problem`` 404 with trips of such an identifier.
    func trip(_ id: String) throws(Problem) -> TripIndex {
        if let trip = feed.trip(id) { return trip }
        throw Self.unknown("trip", id, near: NearRows.nearest(id, in: feed.trips.ids.texts))
    }

    private static func unknown(_ kind: String, _ id: String, near: [String]) -> Problem {
        var seen: Set<String> = []
        let near = near.map { printable($0, most: 100) }.filter { seen.insert($0).inserted }
        return Problem(
            .notFound, .notFound,
            "there is no \(kind) '\(printable(id, most: 60))' in the timetable",
            recovery: "use an identifier of the feed, percent-encoded in a path",
            parameter: "\(kind)_id", near: Array(near.prefix(NearRows.most)))
    }
}

/// Rows of a column of texts that are near to a text; looked for in the bytes, because a feed has a hundred thousand.
enum NearRows {
    /// Rows that are named.
    static let most = 5
    /// Rows whose letters are compared one by one.
    private static let mostCompared = 200
    /// Longer texts are looked for by their beginnings.
    private static let mostBytes = 64
    /// Bytes of a column that are looked at.
    private static let mostColumnBytes = 4 << 20

    /// The identifiers nearest to a text; those that begin as it does are compared letter by letter.
    ///
    /// - Complexity: O(rows).
    static func nearest(_ text: String, in column: TextColumn) -> [String] {
        let wanted = Array(text.utf8.prefix(mostBytes))
        var best: [(row: Int, common: Int)] = []
        var least = 0
        for row in rows(of: column) {
            let common = commonPrefix(wanted, column, row)
            guard best.count < mostCompared || common > least else { continue }
            best.append((row, common))
            guard best.count >= 2 * mostCompared else { continue }
            best.sort { ($1.common, $0.row) < ($0.common, $1.row) }
            best.removeSubrange(mostCompared...)
            least = best[mostCompared - 1].common
        }
        best.sort { ($1.common, $0.row) < ($0.common, $1.row) }
        return NearNames.nearest(
            text, of: best.prefix(mostCompared).map { column[$0.row] }, most: most)
    }

    /// The first rows whose text has another within it, capital or small letters (of ASCII); O(bytes).
    static func containing(_ text: String, in column: TextColumn) -> [Int] {
        let wanted = text.utf8.prefix(mostBytes).map(small)
        guard wanted.count >= 2 else { return [] }
        var found: [Int] = []
        for row in rows(of: column) where contains(wanted, column, row) {
            found.append(row)
            if found.count == most { break }
        }
        return found
    }

    /// The rows within the first megabytes.
    private static func rows(of column: TextColumn) -> Range<Int> {
        guard column.bytes.count > mostColumnBytes else { return 0..<column.count }
        return 0..<(column.ends.firstIndex { $0 > mostColumnBytes } ?? column.count)
    }

    private static func commonPrefix(_ wanted: [UInt8], _ column: TextColumn, _ row: Int) -> Int {
        let range = column.range(row)
        let most = min(wanted.count, range.count)
        var common = 0
        while common < most, small(column.bytes[range.lowerBound + common]) == small(wanted[common])
        {
            common += 1
        }
        return common
    }

    private static func contains(_ wanted: [UInt8], _ column: TextColumn, _ row: Int) -> Bool {
        let range = column.range(row)
        guard range.count >= wanted.count else { return false }
        return (range.lowerBound...(range.upperBound - wanted.count)).contains { start in
            wanted.indices.allSatisfy { small(column.bytes[start + $0]) == wanted[$0] }
        }
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
    }
}
