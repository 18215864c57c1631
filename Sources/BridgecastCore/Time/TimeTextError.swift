// Why a text is not a usable time.

/// Why a text is not a usable time; `description` tells a person what to do.
public enum TimeTextError: Failure, Equatable {
    /// The text has none of the accepted forms.
    case unreadable(String)
    /// The wall clock in Seattle showed this time twice.
    case ambiguous(String)
    /// The wall clock in Seattle never showed this time.
    case nonexistent(String)

    /// Whose matter it is.
    public var kind: FailureKind { .usage }

    /// The problem and its remedy, in one sentence.
    public var description: String {
        switch self {
        case .unreadable(let text):
            "'\(printable(text, most: 60))' is not a time: write 2026-02-20T17:50:00-08:00 (RFC 3339), or "
                + "2026-02-20T17:50 for Seattle time"
        case .ambiguous(let text):
            "'\(printable(text, most: 60))' happened twice in Seattle, because clocks were set back: add the offset, "
                + "-07:00 for the first or -08:00 for the second"
        case .nonexistent(let text):
            "'\(printable(text, most: 60))' never happened in Seattle, because clocks were set forward from 02:00 to "
                + "03:00 that night: choose a time before or after, or add an offset"
        }
    }
}
