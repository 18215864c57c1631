// Measured traffic from a plain table, CSV or JSON: volumes, speeds, travel times or saturation itself.
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
        case bridge, time, volumevph, rho, traveltimes, freeflows, speedmph, freeflowmph

        init?(header: String) {
            self.init(rawValue: header.lowercased().filter { $0.isLetter || $0.isNumber })
        }

        var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    private static let mostProblems = 5

    /// Reads a file.
    ///
    /// - Throws: ``RecordFileError`` if it is no such table or holds no measurement at all.
    public init(_ url: URL) throws(RecordFileError) {
        var window = try TextWindow(url)
        try read(&window)
    }

    /// Reads a table that is in memory.
    ///
    /// - Throws: As ``init(_:)-(URL)``.
    public init(_ bytes: [UInt8], name: String) throws(RecordFileError) {
        var window = try TextWindow(bytes, path: name)
        try read(&window)
    }

    private mutating func read(_ window: inout TextWindow) throws(RecordFileError) {
        let first = window.bytes[window.start..<window.end].first { $0 > 32 }
        if first == UInt8(ascii: "[") { try readJSON(&window) } else { try readCSV(&window) }
        guard !readings.isEmpty else {
            let why = problems.first.map { "; \($0)" } ?? ""
            throw RecordFileError(
                .content, path: window.path, reason: "it holds no measurement of traffic\(why)")
        }
    }

    private mutating func readCSV(_ window: inout TextWindow) throws(RecordFileError) {
        var scanner = CSVScanner()
        guard try scanner.next(&window) == .record else {
            throw RecordFileError(.content, path: window.path, reason: "line 1 is no CSV header")
        }
        let columns = scanner.fields.map { Field(header: RawRecord.text($0, window.bytes.span)) }
        guard columns.contains(.bridge), columns.contains(.time) else {
            throw RecordFileError(
                .content, path: window.path,
                reason: "not a table of traffic: line 1 needs the columns bridge and time")
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

    private mutating func readJSON(_ window: inout TextWindow) throws(RecordFileError) {
        var scanner = JSONRecordScanner(fieldCount: Field.allCases.count) {
            Field(header: $0)?.place
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
            for field in Field.allCases where scanner.fields[field.place] != .absent {
                texts[field] = RawRecord.text(scanner.fields[field.place], window.bytes.span)
            }
            add(texts, place)
        }
    }

    private mutating func add(_ texts: [Field: String], _ place: String) {
        func number(_ field: Field) -> Double? {
            texts[field].flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        }
        guard let bridge = texts[.bridge].flatMap({ BridgeCatalogue.index(named: $0) }) else {
            return reject(
                "\(place): bridge: unknown '\(printable(texts[.bridge] ?? "", most: 30))'")
        }
        guard let moment = texts[.time].flatMap({ try? TimeText.parse($0) }) else {
            return reject("\(place): time: '\(printable(texts[.time] ?? "", most: 30))' is no time")
        }
        let measurement: TrafficMeasurement
        if let volume = number(.volumevph) {
            measurement = .volume(vehiclesPerHour: volume)
        } else if let seconds = number(.traveltimes), let free = number(.freeflows) {
            measurement = .travelTime(seconds: seconds, freeFlowSeconds: free)
        } else if let speed = number(.speedmph), let free = number(.freeflowmph), speed > 0 {
            measurement = .travelTime(seconds: 3600 / speed, freeFlowSeconds: 3600 / free)
        } else if let rho = number(.rho) {
            measurement = .saturation(rho)
        } else {
            return reject("\(place): no volume_vph, rho, travel_time_s or speed_mph in it")
        }
        guard measurement.density(of: bridge) != nil else {
            return reject("\(place): a value that cannot be measured")
        }
        readings.append(
            TrafficReading(bridge: bridge, measurement: measurement, measuredAt: moment))
    }

    private mutating func reject(_ problem: String) {
        rejected += 1
        if problems.count < Self.mostProblems { problems.append(problem) }
    }
}
