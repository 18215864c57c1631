// What travel takes at the hours of one trip; the search asks it for every edge.
package import BridgecastCore

/// The paces of the two days from a departure on, and the arithmetic of going through them.
///
/// Times are seconds of the clock on the wall since midnight before the departure. A trip over a change of the clocks
/// keeps the clock it began with; after two days pace changes no more.
package struct TripClock: Sendable {
    /// Seconds since midnight of the departure.
    package let departure: Double
    /// Seconds a tenth of a second of free travel, by quarter of an hour.
    let rows: [SIMD8<Double>]
    /// The best of three quarters in a row.
    let soon: [SIMD8<Double>]
    /// The best of all within `boundSeconds` of the departure, rounded down.
    package let best: SIMD8<Float>
    /// The best of all from the departure on, rounded down.
    let bestEver: SIMD8<Float>

    /// How long ``best`` is no more than what travel takes.
    package static let boundSeconds = 6 * 3600.0

    package init(_ moment: Timestamp, _ paces: PaceTable) {
        let civil = SeattleTime.civil(at: moment)
        // As clocks on the wall have it, also on days with a change of the clocks.
        departure = Double(civil.secondOfDay)
        let days = [DayType(civil.date), DayType(civil.date.adding(days: 1))]
        let rows = days.flatMap { day in
            paces.rows[
                day.rawValue * PaceTable.slotsPerDay..<(day.rawValue + 1) * PaceTable.slotsPerDay]
        }.map { SIMD8<Double>($0) * 0.1 }
        let first = Int(departure / PaceTable.slotSeconds)
        let last = Int((departure + Self.boundSeconds) / PaceTable.slotSeconds)
        let best = rows[first...last].reduce(rows[first]) { pointwiseMin($0, $1) }
        self.best = SIMD8<Float>(best * (1 - 1e-5))
        let ever = rows[first...].reduce(best) { pointwiseMin($0, $1) }
        bestEver = SIMD8<Float>(ever * (1 - 1e-5))
        soon = rows.indices.map { slot in
            rows[slot...min(slot + 2, rows.count - 1)].reduce(rows[slot]) { pointwiseMin($0, $1) }
        }
        self.rows = rows
    }

    /// A clock that stands still: a trip whose every minute has the paces of one moment of another's, from 0 on.
    init(standingAt seconds: Double, of clock: TripClock) {
        let slot = min(Int(seconds / PaceTable.slotSeconds), clock.rows.count - 1)
        departure = 0
        // The last quarter of an hour never ends.
        rows = [clock.rows[slot]]
        soon = rows
        best = SIMD8<Float>(rows[0] * (1 - 1e-5))
        bestEver = best
    }

    /// When a stretch of one pace group is behind one that was entered at a time.
    package func arrival(_ deciseconds: Double, _ group: PaceGroup, at start: Double) -> Double {
        withRows { $0.arrival(deciseconds, Int(group.rawValue), at: start) }
    }
}
