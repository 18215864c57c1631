// Whether a span is up, and an opening as it looks at issue time.

/// Whether a span is known to be up or down.
public enum SpanState: Sendable, Hashable, Codable {
    /// No complete record and no live reading.
    case unknown
    /// Down: cars pass.
    case lowered
    /// Up: the road is closed; since when, if that is known.
    case raised(since: Timestamp?)
}

extension SpanState {
    /// Whether it is up.
    package var isRaised: Bool { if case .raised = self { true } else { false } }
}

extension SpanState: CustomStringConvertible {
    /// "unknown", "lowered", "raised" or "raised since" a time in RFC 3339.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .lowered: "lowered"
        case .raised(since: nil): "raised"
        case .raised(let since?): "raised since \(TimeText.rfc3339(since))"
        }
    }
}
