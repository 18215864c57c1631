// An opening as it looks at issue time: an end still to come is not known.

/// An opening as it looks at issue time: an end still to come is not known.
public struct KnownOpening: Sendable, Hashable, Codable {
    /// When the road closed.
    public let start: Timestamp
    /// When it opened again; nil while the span is up.
    public let end: Timestamp?

    /// Creates a known opening.
    public init(start: Timestamp, end: Timestamp?) {
        self.start = start
        self.end = end
    }
}
