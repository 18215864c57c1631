// What can be wrong with, or noteworthy about, a single record; each has a name that reports count.

/// Why a record is not used.
public enum RecordRejection: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    /// Fewer or more fields than the header, or no object.
    case wrongShape = "wrong_shape"
    /// A quote that never closes, or text after one that did.
    case badQuoting = "bad_quoting"
    /// `entitytype` is something else than "Bridge".
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
    /// The road opened before it closed.
    case closesBeforeOpening = "closes_before_opening"
    /// After the present.
    case inTheFuture = "in_the_future"
    /// Before 2001: a clock that was never set.
    case tooEarly = "too_early"
    /// Longer than a day.
    case implausiblyLong = "implausibly_long"
    /// Coordinates that are no numbers or more than 2 km from the bridge.
    case implausiblePlace = "implausible_place"
}

/// What is kept, but worth knowing.
public enum RecordFlag: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    /// At most one minute: a test or an aborted opening.
    case short
    /// At least thirty minutes: maintenance or a stuck span.
    case long
    /// No closing time: how long it lasted is unknown.
    case missingEnd = "missing_end"
    /// `minutesopen` differs from the times by more than two minutes.
    case minutesDisagree = "minutes_disagree"
    /// In the hour that clocks repeat in November; told apart by `minutesopen` where possible.
    case repeatedHour = "repeated_hour"
}

/// The flags of a record, one bit each in the order of ``RecordFlag/allCases``.
struct RecordFlagSet: OptionSet {
    let rawValue: UInt8

    mutating func insert(_ flag: RecordFlag) { insert(Self(flag)) }

    private init(_ flag: RecordFlag) {
        let place = RecordFlag.allCases.firstIndex(of: flag) ?? 0
        self.init(rawValue: 1 << UInt8(place))
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    var flags: [RecordFlag] {
        rawValue == 0 ? [] : RecordFlag.allCases.filter { contains(Self($0)) }
    }
}

/// Where in which file a record stands.
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

/// A rejected record's reason, with the field and the value that show it.
struct RecordDefect: Error, Equatable {
    let rejection: RecordRejection
    let field: String
    let value: String
}
