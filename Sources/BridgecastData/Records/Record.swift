package import BridgecastCore

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
