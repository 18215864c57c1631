// One opening of one bridge.

/// A span was up and the road closed.
public struct Opening: Sendable, Hashable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// When the road closed (`opendatetime`).
    public let start: Timestamp
    /// When the road opened again (`closedatetime`); nil if not recorded or not yet.
    public let end: Timestamp?
    /// The seams of an opening that was recorded in pieces.
    ///
    /// In a seam the records had the span down; a forecast issued in one must not know that it is
    /// one.
    public let seams: [Range<Timestamp>]

    /// Creates an opening.
    ///
    /// - Precondition: `end`, if known, does not lie before `start`; ``LiveSnapshot/set(_:state:openings:observedSince:)``
    ///   says what is wrong with one that comes from outside.
    public init(
        bridge: BridgeIndex, start: Timestamp, end: Timestamp?, seams: [Range<Timestamp>] = []
    ) {
        precondition(end.map { $0 >= start } ?? true, "an opening cannot end before it starts")
        self.bridge = bridge
        self.start = start
        self.end = end
        self.seams = seams
    }

    /// Length in minutes, or nil if the end is unknown.
    public var minutes: Double? { end?.minutes(since: start) }

    /// At most this long: a test or an aborted opening; kept, but flagged.
    public static let shortMinutes = 1.0
    /// At least this long: maintenance or a stuck span; kept, but flagged.
    public static let longMinutes = 30.0
}
