// The openings of a bridge that a row is compared with, as plain numbers: nothing of them is counted by reference.

/// A bridge's newest openings, the newest first.
struct NewestOpenings: Sendable {
    /// Openings that count.
    static let most = 3

    /// How many there are, at most ``most``.
    let count: Int
    private let starts: (Timestamp, Timestamp, Timestamp)
    /// When the newest one ended, if it has.
    let newestEnd: Timestamp?

    init(_ recent: [KnownOpening]) {
        count = min(recent.count, Self.most)
        func start(_ index: Int) -> Timestamp {
            index < recent.count ? recent[index].start : .earliest
        }
        starts = (start(0), start(1), start(2))
        newestEnd = recent.first?.end
    }

    /// When an opening began.
    subscript(index: Int) -> Timestamp {
        switch index {
        case 0: starts.0
        case 1: starts.1
        default: starts.2
        }
    }
}
