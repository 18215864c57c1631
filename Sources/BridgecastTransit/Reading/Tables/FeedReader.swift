// Reads the tables of a feed one after another, those first that others name; used by TransitFeed's reading.
// Belongs here: what the rows of each table become; not: how rows are found (Text).
internal import BridgecastCore

/// A feed that is being read.
struct FeedReader {
    /// What was found so far.
    var notices: FeedNotices
    let limits: FeedLimits
    private let files: FeedFiles
    private let mostBytes: Int
    private var bytesRead = 0

    init(_ files: FeedFiles, _ limits: FeedLimits) {
        (self.files, self.limits, notices) = (files, limits, files.notices)
        mostBytes = files.packedBytes.map(limits.mostUnpacked) ?? limits.unpackedBytes
    }

    /// Reads all tables.
    ///
    /// - Throws: What makes the feed as a whole unusable.
    mutating func parts(named name: String) throws(TransitFeedError.Problem) -> FeedParts {
        let agencies = try readAgencies()
        let zone = try zone(of: agencies)
        let info = try readInfo()
        let stops = try readStops()
        var routes = try readRoutes(agencies)
        try readDirections(&routes)
        let services = try readServices()
        let shapes = try readShapes()
        var trips = try readTrips(routes, services, shapes)
        let stopTimes = try readStopTimes(&trips, stops)
        let frequencies = try readFrequencies(&trips)
        let transfers = try readTransfers(stops)
        noteUnused(routes, trips, shapes, stopTimes)
        return FeedParts(
            name: name, agencies: agencies, zone: zone, info: info, notices: notices,
            stops: stops, routes: routes, trips: trips, stopTimes: stopTimes, services: services,
            shapes: shapes, frequencies: frequencies, transfers: transfers,
            calls: StopCalls(stopTimes, stops: stops.count),
            children: StationChildren(parents: stops.parents))
    }

    /// Why a feed of more bytes is refused.
    private var tooMuch: TransitFeedError.Problem {
        guard let packed = files.packedBytes else {
            return .tooLarge(bytes: mostBytes + 1, most: mostBytes)
        }
        return .unpacksTooMuch(bytes: packed, most: mostBytes)
    }

    /// What a file says it holds, as far as it can be believed; 0 where that is unknown.
    func statedBytes(_ name: String) -> Int {
        min(max(0, files.files[name]?.bytes ?? 0), mostBytes)
    }

    /// Whether the feed has a file.
    func has(_ name: String) -> Bool { files.files[name] != nil }

    /// Goes through the rows of a table.
    ///
    /// - Parameters:
    ///   - isRequired: Whether a missing file or column makes the feed useless; else it is noted.
    ///   - most: Rows that are read; nil for those of ``FeedLimits/otherRows``.
    /// - Returns: The table's header; nil if there is no such table.
    /// - Throws: What makes the feed as a whole unusable, more rows among it.
    @discardableResult
    mutating func forEachRow<Column: FeedColumn>(
        of column: Column.Type, isRequired: Bool, most: Int? = nil,
        _ body: (borrowing TableRow<Column>, Span<UInt8>, inout FeedNotices) -> Void
    ) throws(TransitFeedError.Problem) -> TableHeader<Column>? {
        guard let table = try table(of: column, isRequired: isRequired) else { return nil }
        var found = FeedNotices()
        swap(&found, &notices)
        defer { swap(&found, &notices) }
        let most = most ?? limits.otherRows
        var count = 0
        bytesRead += try table.forEachRow(&found) { row, bytes, notices in
            count += 1
            if count <= most { body(row, bytes, &notices) }
        }
        guard count <= most else { throw .tooManyRows(file: Column.file, most: most) }
        return table.header
    }

    private mutating func table<Column: FeedColumn>(
        of column: Column.Type, isRequired: Bool
    ) throws(TransitFeedError.Problem) -> TableText<Column>? {
        guard let stream = try files.stream(Column.file) else {
            guard !isRequired else { throw .missingFile(Column.file) }
            return nil
        }
        let parts = PartsAhead(
            LineParts(
                stream, Column.file, most: mostBytes - bytesRead, refusal: tooMuch))
        let errors = notices.count(.error)
        do throws(TransitFeedError.Problem) {
            if let table = try TableText<Column>(parts, &notices) { return table }
        } catch {
            guard case .missingColumn(let file, let name) = error, !isRequired else { throw error }
            notices.add(
                .error, "missing_required_column", file: file, line: 1, field: name,
                "is missing; the file is not read")
            return nil
        }
        guard !isRequired else { throw .empty(Column.file) }
        if notices.count(.error) == errors {
            notices.add(.error, "empty_file", file: Column.file, "is empty")
        }
        return nil
    }
}
