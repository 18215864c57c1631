// How long travel takes at the hours of one trip.
package import BridgecastCore

/// The paces of the two days from a departure on, and arrival times at these paces.
///
/// Times are seconds of the wall clock since midnight before the departure. A trip over a clock change keeps the clock
/// that it began with; after two days paces no longer change.
package struct TripClock: Sendable {
    /// Seconds since midnight of the departure.
    package let departure: Double
    /// Seconds per tenth of a second of free travel, by quarter of an hour.
    let rows: [SIMD8<Double>]
    /// The best of three quarters in a row.
    let soon: [SIMD8<Double>]
    /// The best of all within `boundSeconds` of the departure, rounded down.
    package let best: SIMD8<Float>
    /// The best of all from the departure on, rounded down.
    let bestEver: SIMD8<Float>

    /// How long from the departure ``best`` is a lower bound.
    package static let boundSeconds = 6 * 3600.0

    package init(_ departure: Timestamp, _ paces: PaceTable) {
        let civil = SeattleTime.civil(at: departure)
        // Wall clock time, also on days with a clock change.
        let start = Double(civil.secondOfDay)
        self.departure = start
        let days = [DayType(civil.date), DayType(civil.date.adding(days: 1))]
        let rows = days.flatMap { day in
            paces.rows[
                day.rawValue * PaceTable.slotsPerDay..<(day.rawValue + 1) * PaceTable.slotsPerDay]
        }.map { SIMD8<Double>($0) * 0.1 }
        let first = Int(start / PaceTable.slotSeconds)
        let last = Int((start + Self.boundSeconds) / PaceTable.slotSeconds)
        let best = rows[first...last].reduce(rows[first]) { pointwiseMin($0, $1) }
        self.best = SIMD8<Float>(best * (1 - 1e-5))
        let ever = rows[first...].reduce(best) { pointwiseMin($0, $1) }
        bestEver = SIMD8<Float>(ever * (1 - 1e-5))
        soon = rows.indices.map { slot in
            rows[slot...min(slot + 2, rows.count - 1)].reduce(rows[slot]) { pointwiseMin($0, $1) }
        }
        self.rows = rows
    }

    /// A clock that stands still: every minute from 0 on has the paces of one time of another clock.
    init(standingAt seconds: Double, of clock: TripClock) {
        let slot = min(Int(seconds / PaceTable.slotSeconds), clock.rows.count - 1)
        departure = 0
        // The last quarter of an hour never ends.
        rows = [clock.rows[slot]]
        soon = rows
        best = SIMD8<Float>(rows[0] * (1 - 1e-5))
        bestEver = best
    }

    /// The arrival at the end of a stretch of one pace group entered at a time.
    package func arrival(_ deciseconds: Double, _ group: PaceGroup, at start: Double) -> Double {
        withRows { $0.arrival(deciseconds, Int(group.rawValue), at: start) }
    }

    /// Pointers to the paces of a clock, valid during ``withRows(_:)``.
    @safe struct Rows {
        /// Seconds per tenth of a second of free travel, by quarter of an hour, and the best of three quarters in a row.
        let rows, soon: UnsafePointer<SIMD8<Double>>
        let last: Int

        /// The arrival at the end of an edge if no quarter of an hour ends on it, or else a lower bound.
        @inline(__always)
        func arrival(_ weights: SIMD8<UInt16>, at start: Double) -> (time: Double, isExact: Bool) {
            let slot = min(Int(start * (1 / PaceTable.slotSeconds)), last)
            let free = SIMD8<Int32>(truncatingIfNeeded: weights)
            let time = unsafe start + product(free, rows + slot)
            let end = Double(slot + 1) * PaceTable.slotSeconds
            if time <= end || slot == last { return (time, true) }
            let soonest = unsafe start + product(free, soon + slot)
            return (max(end, min(soonest, end + 2 * PaceTable.slotSeconds)), false)
        }

        /// The arrival at the end of a stretch of one pace group entered at a time.
        func arrival(_ deciseconds: Double, _ group: Int, at start: Double) -> Double {
            var rest = deciseconds
            var time = start
            while true {
                let slot = min(Int(time / PaceTable.slotSeconds), last)
                let end = Double(slot + 1) * PaceTable.slotSeconds
                let pace = unsafe rows[slot][group]
                if time + rest * pace <= end || slot == last { return time + rest * pace }
                rest -= (end - time) / pace
                time = end
            }
        }

        @inline(__always)
        private func product(_ free: SIMD8<Int32>, _ paces: UnsafePointer<SIMD8<Double>>) -> Double
        {
            let four =
                unsafe SIMD4<Double>(free.lowHalf) * paces.pointee.lowHalf
                + SIMD4<Double>(free.highHalf) * paces.pointee.highHalf
            let two = four.lowHalf + four.highHalf
            return two.x + two.y
        }
    }

    func withRows<Result>(_ body: (Rows) -> Result) -> Result {
        unsafe rows.withUnsafeBufferPointer { rows in
            unsafe soon.withUnsafeBufferPointer { soon in
                guard let first = rows.baseAddress, let next = soon.baseAddress else {
                    preconditionFailure("a clock has two days")
                }
                return unsafe body(Rows(rows: first, soon: next, last: rows.count - 1))
            }
        }
    }
}
