// Everything that may stand on a board, as numbers: sorted and cut before any text is made.
internal import BridgecastCore

/// A call at a stop that may stand on a board.
struct BoardCandidate {
    /// Where it is found.
    enum Source {
        /// A row of the timetable on a service day, started by frequency at so many seconds or else -1.
        case timetable(row: Int32, day: Int32, start: Int32)
        /// A place in ``TransitSnapshot/live``.
        case live(Int32)
        /// A place in ``TransitSnapshot/added``.
        case added(Int32)
    }

    /// The moment that it is sorted by, seconds since 1970.
    var expected: Int64
    /// The trip's row; Int32.max for a run that the timetable does not have.
    var trip: Int32
    /// Place among the stops of the run.
    var order: Int32
    /// 0, 1, or -1.
    var direction: Int8
    var source: Source

    /// Orders by moment, then by run, then by stop.
    static func isBefore(_ lhs: Self, _ rhs: Self) -> Bool {
        if lhs.expected != rhs.expected { return lhs.expected < rhs.expected }
        if lhs.trip != rhs.trip { return lhs.trip < rhs.trip }
        return lhs.order < rhs.order
    }

    /// Whether another one is the same call of the same live run.
    func isTwin(of other: Self) -> Bool {
        guard case .live(let run) = source, case .live(let same) = other.source else {
            return false
        }
        return run == same && order == other.order
    }
}
