// Why single records are not used; each reason has a name that reports count. Used by SDOTRecordParser, RecordReader.

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
