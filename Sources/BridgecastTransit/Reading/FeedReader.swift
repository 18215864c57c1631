// From a zip file or a folder to a feed: reads its tables one after another, referenced ones first. Rows are found in
// TableText; the rows of each table are read in NetworkTables, TripTables and StopTimeReading.
internal import BridgecastCore
internal import BridgecastSupport
public import Foundation

extension TransitFeed {
    /// Reads a feed from a zip file or a folder, also from one folder within either.
    ///
    /// Files and columns unknown to GTFS are ignored; unusable rows are left out. O(bytes), about 30 bytes of memory a stop
    /// time; unpacking has a thread of its own.
    ///
    /// - Throws: ``TransitFeedError``. Problems of single rows are in ``notices``.
    public convenience init(contentsOf url: URL) throws(TransitFeedError) {
        let path = url.relativePath
        let reader: FeedReader
        do throws(TransitFeedError.Problem) {
            reader = try Self.reader(of: url, FeedLimits())
        } catch { throw TransitFeedError(error, in: path) }
        self.init(try Self.parts(reader, named: url.lastPathComponent, in: path))
    }

    /// Reads a feed from a zip file in memory.
    ///
    /// - Throws: ``TransitFeedError``
    package convenience init(zip bytes: [UInt8], name: String) throws(TransitFeedError) {
        self.init(try Self.parts(ofZip: bytes, name, FeedLimits()))
    }

    /// Reads the tables; an error has the findings until then.
    private static func parts(
        _ reader: FeedReader, named name: String, in path: String
    ) throws(TransitFeedError) -> FeedParts {
        var reader = reader
        do throws(TransitFeedError.Problem) {
            return try reader.parts(named: name)
        } catch {
            throw TransitFeedError(error, in: path, reader.notices)
        }
    }

    private static func reader(
        of url: URL, _ limits: FeedLimits
    ) throws(TransitFeedError.Problem) -> FeedReader {
        let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
        guard !isFolder else { return FeedReader(try FeedFiles(folder: url, limits), limits) }
        let file = try FeedStream.openFile(url, maxBytes: limits.fileBytes)
        var head: [UInt8] = []
        do {
            _ = try file.append(4096, to: &head)
        } catch { throw TransitFeedError.Problem(error) }
        guard FileFormat.isZip(head) else { throw .notAFeed(FileFormat.description(of: head)) }
        let files = try FeedFiles(ZipFile(contents: .file(file)), bytes: file.byteCount, limits)
        return FeedReader(files, limits)
    }

    static func parts(
        ofZip bytes: [UInt8], _ name: String, _ limits: FeedLimits
    ) throws(TransitFeedError) -> FeedParts {
        let reader: FeedReader
        do throws(TransitFeedError.Problem) {
            guard FileFormat.isZip(bytes) else {
                throw .notAFeed(FileFormat.description(of: Array(bytes.prefix(4096))))
            }
            let zip = ZipFile(contents: .memory(bytes))
            reader = FeedReader(try FeedFiles(zip, bytes: bytes.count, limits), limits)
        } catch { throw TransitFeedError(error, in: name) }
        return try parts(reader, named: name, in: name)
    }
}

// MARK: - Limits

/// Limits of reading a feed: the publisher of a file does not decide how much memory reading it takes.
struct FeedLimits {
    var fileBytes = 2 << 30
    /// Unpacked bytes that are read of a feed; an offset in a column of texts fits into 32 bits.
    var unpackedBytes = 1 << 32 - 1
    /// Unpacked bytes allowed for a zip file of any size.
    var freeBytes = 64 << 20
    /// Unpacked bytes allowed beyond that for each byte of the zip file.
    ///
    /// Timetables compress to a tenth, a file of zeros to a thousandth.
    var ratio = 50
    var files = 10_000
    /// Rows of stop times or shapes; a row number fits into 32 bits, and a stop time takes 30 bytes.
    var rows = 100_000_000
    /// Rows of any other table; a stop takes 80 bytes, however short its row is.
    var otherRows = 50_000_000

    /// Unpacked bytes allowed for a zip file of `packed` bytes.
    func maxUnpackedBytes(from packed: Int) -> Int {
        min(unpackedBytes, freeBytes + ratio * packed)
    }
}

// MARK: - Tables

/// Reads the tables of a feed.
struct FeedReader {
    var notices: FeedNotices
    let limits: FeedLimits
    private let files: FeedFiles
    private let maxBytes: Int
    private var bytesRead = 0

    init(_ files: FeedFiles, _ limits: FeedLimits) {
        self.files = files
        self.limits = limits
        notices = files.notices
        maxBytes = files.packedBytes.map(limits.maxUnpackedBytes) ?? limits.unpackedBytes
    }

    /// Reads all tables.
    ///
    /// - Throws: What makes the whole feed unusable.
    mutating func parts(named name: String) throws(TransitFeedError.Problem) -> FeedParts {
        let agencies = try readAgencies()
        let zone = try zone(of: agencies)
        let info = try readInfo()
        let stops = try readStops()
        var routes = try readRoutes(agencies)
        try readDirections(&routes)
        let services = try readServices()
        let shapes = try readShapes()
        var trips = try readTrips(routes: routes, services: services, shapes: shapes)
        let stopTimes = try readStopTimes(&trips, stops)
        let frequencies = try readFrequencies(&trips)
        let transfers = try readTransfers(stops)
        noteUnused(routes, shapes, trips: trips, stopTimes: stopTimes)
        return FeedParts(
            name: name, agencies: agencies, zone: zone, info: info, notices: notices, stops: stops,
            routes: routes, trips: trips, stopTimes: stopTimes, services: services, shapes: shapes,
            frequencies: frequencies, transfers: transfers,
            calls: StopCalls(stopTimes, stops: stops.count),
            children: StationChildren(parents: stops.parents))
    }

    /// The problem of a feed that exceeds ``maxBytes``.
    private var sizeProblem: TransitFeedError.Problem {
        guard let packed = files.packedBytes else {
            return .tooLarge(bytes: maxBytes + 1, max: maxBytes)
        }
        return .unpacksTooMuch(bytes: packed, max: maxBytes)
    }

    /// The stated size of a file, limited to ``maxBytes``; 0 if unknown.
    func statedBytes(_ name: String) -> Int { min(max(0, files.files[name]?.bytes ?? 0), maxBytes) }

    func has(_ name: String) -> Bool { files.files[name] != nil }

    /// Goes through the rows of a table.
    ///
    /// - Parameters:
    ///   - isRequired: Whether a missing file or column makes the feed unusable; if not, it becomes a notice.
    ///   - maxRows: ``FeedLimits/otherRows`` if nil.
    /// - Returns: The table's header; nil if there is no such table.
    /// - Throws: What makes the whole feed unusable, including too many rows.
    @discardableResult mutating func forEachRow<Column: FeedColumn>(
        of column: Column.Type, isRequired: Bool, maxRows: Int? = nil,
        _ body: (borrowing TableRow<Column>, inout FeedNotices) -> Void
    ) throws(TransitFeedError.Problem) -> TableHeader<Column>? {
        guard let table = try table(of: column, isRequired: isRequired) else { return nil }
        let maxRows = maxRows ?? limits.otherRows
        var count = 0
        bytesRead += try table.forEachRow(&notices) { row, notices in
            count += 1
            if count <= maxRows { body(row, &notices) }
        }
        guard count <= maxRows else { throw .tooManyRows(file: Column.file, max: maxRows) }
        return table.header
    }

    private mutating func table<Column: FeedColumn>(
        of column: Column.Type, isRequired: Bool
    ) throws(TransitFeedError.Problem) -> TableText<Column>? {
        guard let stream = try files.stream(Column.file) else {
            guard !isRequired else { throw .missingFile(Column.file) }
            return nil
        }
        let parts = PrefetchedParts(
            LineParts(
                stream, name: Column.file, maxBytes: maxBytes - bytesRead, sizeProblem: sizeProblem)
        )
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

extension FeedReader {
    /// Notes trips with fewer than two stops, routes without trips and shapes without trips.
    mutating func noteUnused(
        _ routes: RouteTable, _ shapes: ShapeTable, trips: TripTable, stopTimes: StopTimeTable
    ) {
        var hasTrips = [Bool](repeating: false, count: routes.count)
        var isUsed = [Bool](repeating: false, count: shapes.count)
        for trip in 0..<trips.count {
            hasTrips[Int(trips.routes[trip])] = true
            if trips.shapes[trip] >= 0 { isUsed[Int(trips.shapes[trip])] = true }
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
        for (shape, isUsed) in isUsed.enumerated()
        where !isUsed && shapes.rows(of: ShapeIndex(shape)).count > 1 {
            notices.add(
                .warning, "unused_shape", file: ShapeColumn.file, field: "shape_id",
                "no trip uses shape '\(printable(shapes.ids[shape]))'")
        }
    }
}
