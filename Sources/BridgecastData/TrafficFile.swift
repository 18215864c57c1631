// Measured traffic from CSV or JSON: volumes, speeds, travel times or saturation.
public import BridgecastCore
public import BridgecastSupport
public import Foundation

/// Reads measurements of traffic.
///
/// Columns, in any order and case: `bridge` (name or id), `time` (RFC 3339, or Seattle time) and one of
/// `volume_vph` (vehicles an hour, the busier direction), `rho` (degree of saturation), `travel_time_s`
/// with `free_flow_s`, or `speed_mph` with `free_flow_mph`. JSON is an array of such objects.
public struct TrafficFile: Sendable {
    /// The measurements.
    public private(set) var readings: [TrafficReading] = []
    /// The first few problems: line or entry, and what is wrong.
    public private(set) var problems: [String] = []
    /// The number of rows with a problem.
    public private(set) var rejected = 0

    private enum Field: String, CaseIterable {
        case bridge, time, rho
        case volumePerHour = "volumevph"
        case travelSeconds = "traveltimes"
        case freeFlowSeconds = "freeflows"
        case milesPerHour = "speedmph"
        case freeFlowMilesPerHour = "freeflowmph"

        /// The field with a header; case, spaces and underscores do not matter.
        init?(header: String) {
            self.init(rawValue: foldedName(header))
        }
    }

    private static let maxProblems = 5

    /// Reads a file.
    ///
    /// - Throws: ``DocumentError`` if it is not such a table or holds no measurement.
    public init(_ url: URL) throws(DocumentError) {
        var window = try TextWindow(url)
        try read(&window)
    }

    /// Reads a table in memory.
    ///
    /// - Throws: As ``init(_:)-(URL)``.
    public init(_ bytes: [UInt8], name: String) throws(DocumentError) {
        var window = try TextWindow(bytes, path: name)
        try read(&window)
    }

    private mutating func read(_ window: inout TextWindow) throws(DocumentError) {
        if window.firstByte == UInt8(ascii: "[") {
            try readJSON(&window)
        } else {
            try readCSV(&window)
        }
        guard !readings.isEmpty else {
            let reason = problems.first.map { "; \($0)" } ?? ""
            throw window.error("it holds no measurement of traffic\(reason)")
        }
    }

    private mutating func readCSV(_ window: inout TextWindow) throws(DocumentError) {
        var scanner = CSVScanner()
        guard try scanner.next(&window) == .record else {
            throw window.error("line 1 is not a CSV header")
        }
        let columns = scanner.fields.map { Field(header: RawRecord.text($0, window.bytes.span)) }
        guard columns.contains(.bridge), columns.contains(.time) else {
            throw window.error("not a table of traffic: line 1 needs the columns bridge and time")
        }
        while true {
            let step = try scanner.next(&window)
            if step == .end { return }
            let location = "line \(scanner.recordLine)"
            guard step == .record, scanner.fieldCount == columns.count else {
                reject("\(location): wrong number of fields, or broken quotes")
                continue
            }
            var texts: [Field: String] = [:]
            for (column, slice) in zip(columns, scanner.fields) {
                if let column { texts[column] = RawRecord.text(slice, window.bytes.span) }
            }
            add(texts, at: location)
        }
    }

    private mutating func readJSON(_ window: inout TextWindow) throws(DocumentError) {
        var scanner = JSONRecordScanner(fieldCount: Field.allCases.count) {
            Field(header: $0).flatMap(Field.allCases.firstIndex)
        }
        while true {
            let step = try scanner.next(&window)
            if step == .end { return }
            let location = "[\(scanner.number - 1)]"
            guard step == .record else {
                reject("\(location): not an object")
                continue
            }
            var texts: [Field: String] = [:]
            for (field, slice) in zip(Field.allCases, scanner.fields) where slice != .absent {
                texts[field] = RawRecord.text(slice, window.bytes.span)
            }
            add(texts, at: location)
        }
    }

    private mutating func add(_ texts: [Field: String], at location: String) {
        guard let bridge = texts[.bridge].flatMap({ BridgeCatalogue.index(named: $0) }) else {
            return reject(
                "\(location): bridge: unknown '\(printable(texts[.bridge] ?? "", maxLength: 30))'")
        }
        guard let time = texts[.time].flatMap({ try? TimeText.parse($0) }) else {
            return reject(
                "\(location): time: '\(printable(texts[.time] ?? "", maxLength: 30))' is not a time"
            )
        }
        guard let measurement = Self.measurement(texts) else {
            return reject("\(location): no volume_vph, rho, travel_time_s or speed_mph in it")
        }
        guard measurement.density(of: bridge) != nil else {
            return reject("\(location): a value out of range")
        }
        readings.append(TrafficReading(bridge: bridge, measurement: measurement, measuredAt: time))
    }

    /// The first kind of measurement for which a row has the numbers.
    private static func measurement(_ texts: [Field: String]) -> TrafficMeasurement? {
        func number(_ field: Field) -> Double? {
            texts[field].flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        }
        if let volume = number(.volumePerHour) { return .volume(vehiclesPerHour: volume) }
        if let seconds = number(.travelSeconds), let free = number(.freeFlowSeconds) {
            return .travelTime(seconds: seconds, freeFlowSeconds: free)
        }
        if let speed = number(.milesPerHour), let free = number(.freeFlowMilesPerHour), speed > 0 {
            return .travelTime(seconds: 3600 / speed, freeFlowSeconds: 3600 / free)
        }
        return number(.rho).map(TrafficMeasurement.saturation)
    }

    private mutating func reject(_ problem: String) {
        rejected += 1
        if problems.count < Self.maxProblems { problems.append(problem) }
    }
}

/// Live traffic from a file that another program keeps up to date.
public struct TrafficFileFeed: TrafficFeed {
    /// The feed's name.
    public let name = "traffic-file"
    private let path: String

    /// Creates a feed.
    public init(path: String) { self.path = path }

    /// Reads the current content of the file.
    ///
    /// - Throws: ``DocumentError``.
    public func readings() async throws -> [TrafficReading] {
        try TrafficFile(URL(fileURLWithPath: path)).readings
    }
}
