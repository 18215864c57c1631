// A row of opening records, and a file of them as it is read.
public import BridgecastCore
public import BridgecastSupport
public import Foundation

/// A usable record, in 32 bytes: files hold millions.
package struct ParsedRecord: Sendable, Equatable {
    private let start: Timestamp
    private let end: Timestamp
    private var number: UInt32
    private let flagBits: UInt8
    private let bridge: UInt8
    private let isLine: Bool
    private let hasEnd: Bool

    init(_ location: RecordLocation, _ opening: Opening, _ flags: RecordFlagSet) {
        start = opening.start
        end = opening.end ?? opening.start
        number = UInt32(clamping: location.number)
        flagBits = flags.rawValue
        bridge = UInt8(opening.bridge.rawValue)
        isLine = location.unit == .line
        hasEnd = opening.end != nil
    }

    /// The record with `lines` lines before the text it was read from.
    func moved(lines: Int) -> ParsedRecord {
        var moved = self
        moved.number += UInt32(clamping: lines)
        return moved
    }

    package var location: RecordLocation {
        RecordLocation(number: Int(number), unit: isLine ? .line : .record)
    }
    package var opening: Opening {
        Opening(bridge: BridgeIndex.all[Int(bridge)], start: start, end: hasEnd ? end : nil)
    }
    package var flags: [RecordFlag] { RecordFlagSet(rawValue: flagBits).flags }
}

/// The position of a record in its file.
public struct RecordLocation: Sendable, Equatable, Codable {
    /// Line of a CSV file or number of a JSON record, from 1.
    public let number: Int
    /// What `number` counts.
    public let unit: Unit

    /// What a location counts.
    public enum Unit: String, Sendable, Codable {
        /// Lines of text.
        case line
        /// Entries of a JSON array.
        case record
    }
}

// MARK: - Flags

/// Something notable about a record that is kept.
public enum RecordFlag: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    /// At most one minute: a test or an aborted opening.
    case short
    /// At least thirty minutes: maintenance or a stuck span.
    case long
    /// No closing time: how long it lasted is unknown.
    case missingEnd = "missing_end"
    /// `minutesopen` differs from the times by more than two minutes.
    case minutesDisagree = "minutes_disagree"
    /// In the hour that clocks repeat in November; resolved by `minutesopen` where possible.
    case repeatedHour = "repeated_hour"
}

struct RecordFlagSet: OptionSet {
    let rawValue: UInt8

    // A bit for each of RecordFlag.allCases, in order.
    static let short = RecordFlagSet(rawValue: 1 << 0)
    static let long = RecordFlagSet(rawValue: 1 << 1)
    static let missingEnd = RecordFlagSet(rawValue: 1 << 2)
    static let minutesDisagree = RecordFlagSet(rawValue: 1 << 3)
    static let repeatedHour = RecordFlagSet(rawValue: 1 << 4)

    /// The flags by name, in the order of ``RecordFlag/allCases``.
    var flags: [RecordFlag] {
        if rawValue == 0 { return [] }
        return RecordFlag.allCases.enumerated().filter { rawValue >> $0.offset & 1 == 1 }
            .map(\.element)
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// - Parameters:
    ///   - stated: The minutes stated by its record.
    ///   - isRepeated: Whether it is in the hour that clocks repeat.
    @inline(__always)
    init(_ opening: Opening, minutes stated: Double?, isRepeated: Bool) {
        self.init()
        if isRepeated { insert(.repeatedHour) }
        guard let length = opening.minutes else {
            insert(.missingEnd)
            return
        }
        if length <= Opening.shortMinutes { insert(.short) }
        if length >= Opening.longMinutes { insert(.long) }
        if let stated, abs(stated - length) > 2 { insert(.minutesDisagree) }
    }
}

// MARK: - Rejections

/// Why a record is not used.
public enum RecordRejection: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    /// Fewer or more fields than the header, or not an object.
    case wrongShape = "wrong_shape"
    /// A quote that never closes, or text after one that did.
    case badQuoting = "bad_quoting"
    /// `entitytype` is not "Bridge".
    case notABridge = "not_a_bridge"
    /// Neither id nor name is one of the seven bridges.
    case unknownBridge = "unknown_bridge"
    /// Id and name are those of different bridges.
    case contradictoryBridge = "contradictory_bridge"
    /// No opening time.
    case missingOpenTime = "missing_open_time"
    /// An opening or closing time in neither date form.
    case unreadableTime = "unreadable_time"
    /// A time that clocks skipped in March.
    case nonexistentTime = "nonexistent_time"
    /// The closing time is before the opening time.
    case closesBeforeOpening = "closes_before_opening"
    /// After the present.
    case inTheFuture = "in_the_future"
    /// Before 2001: a clock that was never set.
    case tooEarly = "too_early"
    /// Longer than a day.
    case implausiblyLong = "implausibly_long"
    /// Coordinates that are not numbers or more than 2 km from the bridge.
    case implausibleLocation = "implausible_location"
}

/// Why a record was rejected, with the field and the value that show it.
struct RecordDefect: Error, Equatable {
    let rejection: RecordRejection
    let field: String
    let value: String
}

package struct RejectedRecord: Sendable {
    package private(set) var location: RecordLocation
    package let rejection: RecordRejection
    package let field: String
    package let value: String

    /// The record with `lines` lines before the text it was read from.
    func moved(lines: Int) -> RejectedRecord {
        var moved = self
        moved.location = RecordLocation(number: location.number + lines, unit: location.unit)
        return moved
    }
}

/// The records of one file.
public struct RecordFile: Sendable {
    /// The file.
    public let input: FileIdentity
    /// How its records are written.
    public let form: RecordForm
    /// The usable records, in file order.
    package let records: [ParsedRecord]
    /// The first ``maxExamples`` others of each reason; all are counted in `rejections`.
    package let rejected: [RejectedRecord]
    package let rejections: [RecordRejection: Int]

    static let maxExamples = 3

    /// The number of records in the file, usable or not.
    public var rowsRead: Int { records.count + rejections.values.reduce(0, +) }
    /// The openings of the usable records.
    public var openings: [Opening] { records.map(\.opening) }

    /// Reads a file and detects its form.
    ///
    /// Memory is 32 bytes a record and one block of text, or some parts of a megabyte for CSV; time is linear in the
    /// length.
    ///
    /// - Parameter now: Records of later times are rejected.
    /// - Throws: ``DocumentError`` if the file as a whole is not what it claims to be; a bad
    ///   record is never thrown, only counted.
    public init(_ url: URL, now: Timestamp) throws(DocumentError) {
        var window = try TextWindow(url)
        try self.init(&window, now: now)
    }

    /// Reads a whole text in memory; `name` is for errors; throws as ``init(_:now:)``.
    package init(_ bytes: [UInt8], name: String, now: Timestamp) throws(DocumentError) {
        var window = try TextWindow(bytes, path: name)
        try self.init(&window, now: now)
    }

    private init(_ window: inout TextWindow, now: Timestamp) throws(DocumentError) {
        var reader = RecordReader(now: now)
        let start = Array(window.bytes[window.start..<window.end])
        switch window.firstByte {
        case UInt8(ascii: "{"):
            form = .ndjson
            try reader.readJSON(&window, areLines: true)
        case UInt8(ascii: "["):
            form = .json
            try reader.readJSON(&window, areLines: false)
        default:
            form = .csv
            try reader.readCSV(&window)
        }
        records = reader.results.records
        rejected = reader.results.rejected
        rejections = reader.results.rejections
        input = window.identity()
        guard rowsRead > 0 else { throw window.error("the file holds no records") }
        if form == .ndjson, rowsRead == 1, records.isEmpty {
            throw window.error(Self.refusal(ofObject: start))
        }
    }

    /// Why a single JSON object is no record.
    private static func refusal(ofObject text: [UInt8]) -> String {
        guard let message = SODAMessage.text(text) else {
            return
                "a JSON object that is no record; records are CSV, a JSON array, or an object a line"
        }
        return "not records, but a message of the API: \(printable(message, maxLength: 200))"
    }

    /// The refusal of a file whose rows were all rejected.
    package var noUsableRow: DocumentError {
        DocumentError(
            DocumentProblem("", "none of its \(rowsRead) rows is usable; nothing was stored"),
            in: input.path)
    }

    /// The indices of records that continue the opening of an earlier one, without repetitions.
    package func pieces(gapSeconds: Int64) -> Set<Int> {
        var indices = BridgeIndex.all.map { _ in [Int]() }
        for (index, record) in records.enumerated() {
            indices[record.opening.bridge.rawValue].append(index)
        }
        return Set(
            indices.flatMap { indices in
                OpeningConsolidation.pieces(
                    of: indices.map { records[$0].opening }, gapSeconds: gapSeconds
                ).map { indices[$0] }
            })
    }
}

/// The forms in which the city publishes its records.
public enum RecordForm: String, Sendable, Codable {
    /// Comma-separated values, of the API or of the portal's export.
    case csv
    /// A JSON array of objects, as SODA returns.
    case json
    /// A JSON object a line, as `history export` writes.
    case ndjson
}
