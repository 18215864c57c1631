// The arithmetic of a TripClock on plain memory, for the loops of a search.

extension TripClock {
    /// Paces of the quarters of an hour, valid as long as their clock's are.
    @safe struct Rows {
        /// Seconds a tenth of a second of free travel, by quarter of an hour, and the best of three quarters in a row.
        let rows, soon: UnsafePointer<SIMD8<Double>>
        let last: Int

        /// When an edge is behind one, if no quarter of an hour ends on the way; or else a time before which it is not.
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

        /// When a stretch of one pace group is behind one that was entered at a time.
        func arrival(_ deciseconds: Double, _ group: Int, at start: Double) -> Double {
            var (rest, time) = (deciseconds, start)
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

    /// Lends the paces to a loop.
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
