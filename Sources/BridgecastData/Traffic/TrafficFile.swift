// Measured traffic from a plain table, CSV or JSON: volumes, speeds, travel times or saturation itself.
// Belongs here: measurements of traffic from files and replies; not: what they mean for a bridge (Traffic of Core).
public import BridgecastCore
public import Foundation

/// Reads measurements of traffic.
///
/// Columns, in any order and case: `bridge` (name or id), `time` (RFC 3339, or Seattle time) and one of
/// `volume_vph` (vehicles an hour, the busier direction), `rho` (degree of saturation), `travel_time_s`
/// with `free_flow_s`, or `speed_mph` with `free_flow_mph`. JSON is an array of such objects.
public struct TrafficFile: Sendable {
    /// The measurements.
    public private(set) var readings: [TrafficReading] = []
    /// Rows that were not understood, the first few: line or entry, and why.
    public private(set) var problems: [String] = []
    /// Rows that were not understood.
    public private(set) var rejected = 0

    private enum Field: String, CaseIterable {
        case bridge, time, rho
        case volumePerHour = "volumevph"
        case travelSeconds = "traveltimes"
        case freeFlowSeconds = "freeflows"
        case milesPerHour = "speedmph"
        case freeFlowMilesPerHour = "freeflowmph"

        /// The field of a header, whatever its case, spaces and underscores.
        init?(header: String) {
            self.init(rawValue: foldedName(header))
        }
    }

    private static let mostProblems = 5

    /// Reads a file.
    ///
    /// - Throws: ``DocumentError`` if it is no such table or holds no measurement at all.
    public init(_ url: URL) throws(DocumentError) {
        var window = try TextWindow(url)
        try read(&window)
    }

    /// Reads a table that is in memory.
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
            let why = problems.first.map { "; \($0)" } ?? ""
            throw window.error("it holds no measurement of traffic\(why)")
        }
    }

    private mutating func readCSV(_ window: inout TextWindow) throws(DocumentError) {
        var scanner = CSVScanner()
        guard try scanner.next(&window) == .record else {
            throw window.error("line 1 is no CSV header")
        }
        let columns = scanner.fields.map { Field(header: RawRecord.text($0, window.bytes.span)) }
        guard columns.contains(.bridge), columns.contains(.time) else {
            throw window.error(
                "not a table of traffic: line 1 needs the columns bridge and time")
        }
        while true {
            let step = try scanner.next(&window)
            if step == .end { return }
            let place = "line \(scanner.recordLine)"
            guard step == .record, scanner.fieldCount == columns.count else {
                reject("\(place): wrong number of fields, or broken quotes")
                continue
            }
            var texts: [Field: String] = [:]
            for (column, slice) in zip(columns, scanner.fields) {
                if let column { texts[column] = RawRecord.text(slice, window.bytes.span) }
            }
            add(texts, place)
        }
    }

    private mutating func readJSON(_ window: inout TextWindow) throws(DocumentError) {
        var scanner = JSONRecordScanner(fieldCount: Field.allCases.count) {
            Field(header: $0).flatMap(Field.allCases.firstIndex)
        }
        while true {
            let step = try scanner.next(&window)
            if step == .end { return }
            let place = "[\(scanner.number - 1)]"
            guard step == .record else {
                reject("\(place): no object")
                continue
            }
            var texts: [Field: String] = [:]
            for (field, slice) in zip(Field.allCases, scanner.fields) where slice != .absent {
                texts[field] = RawRecord.text(slice, window.bytes.span)
            }
            add(texts, place)
        }
    }

    private mutating func add(_ texts: [Field: String], _ place: String) {
        guard let bridge = texts[.bridge].flatMap({ BridgeCatalogue.index(named: $0) }) else {
            return reject(
                "\(place): bridge: unknown '\(printable(texts[.bridge] ?? "", most: 30))'")
        }
        guard let moment = texts[.time].flatMap({ try? TimeText.parse($0) }) else {
            return reject("\(place): time: '\(printable(texts[.time] ?? "", most: 30))' is no time")
        }
        guard let measurement = Self.measurement(texts) else {
            return reject("\(place): no volume_vph, rho, travel_time_s or speed_mph in it")
        }
        guard measurement.density(of: bridge) != nil else {
            return reject("\(place): a value that cannot be measured")
        }
        readings.append(
            TrafficReading(bridge: bridge, measurement: measurement, measuredAt: moment))
    }

    /// The first of the ways to measure that a row has the numbers for.
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
        if problems.count < Self.mostProblems { problems.append(problem) }
    }
}
