// Why a snapshot cannot say something of a bridge.

/// Why a snapshot cannot say something of a bridge.
public enum LiveSnapshotError: Failure, Equatable {
    /// An opening ends before it starts.
    case endsBeforeItStarts(BridgeIndex, KnownOpening)
    /// Two openings have no end.
    case twoWithoutEnd(BridgeIndex)
    /// An opening does not go with the state: it has no end although the span is down, or ends after it went up.
    case contradicts(BridgeIndex, SpanState, KnownOpening)

    /// Whose matter it is.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .endsBeforeItStarts(let bridge, let opening):
            "the opening of \(bridge) at \(TimeText.rfc3339(opening.start)) ends "
                + "before it starts"
        case .twoWithoutEnd(let bridge):
            "two openings of \(bridge) have no end: only the last can be under way"
        case .contradicts(let bridge, let state, let opening):
            "\(bridge) is \(state), but its opening at \(TimeText.rfc3339(opening.start)) "
                + (opening.end == nil ? "has no end" : "ends later")
                + ": mend one of them, or leave the state out"
        }
    }
}
