// The delays at bridges of one forecast as distribution functions by minute of arrival, shared by all reminders.
import BridgecastCore

/// For each bridge and minute of arrival the probability of a delay of at most so many whole minutes, from 0 on.
///
/// Times on whole minutes are shares of what is up to a minute before and after, the nearer the more. So of the cases in
/// which no time is left for a delay half have none to lose, and the value at 0 is half of the chance of no delay, with a
/// sixth of that of one up to a minute.
struct DelayCurves {
    /// The first minute of arrival.
    let start: Timestamp
    /// How many minutes of arrival there are; a later one counts as the last.
    let minutes: Int

    /// The longest delay, minutes.
    static let longest = Int(DelayBins.longestMinutes)
    /// Values are read in runs of this many.
    static let lanes = 16
    /// Zeros before a curve, and ones after it, so that a run may begin outside.
    private static let margin = lanes
    private static let stride = margin + longest + 4 + margin

    /// [bridge and kind of mode][minute of arrival][minutes of delay], empty for those that no one crosses.
    private var values: [[Float]]

    /// - Parameters:
    ///   - forecasts: For the modes of all crossings.
    ///   - crossings: Bridges, with whether the traveller waits in the queue.
    ///   - from: The first arrival; at or after the issue time and on a whole minute.
    ///   - to: No arrival is later, or it counts as this.
    /// - Complexity: O(crossings x minutes x delays).
    init(
        _ forecasts: ForecastTable, of crossings: Set<ReminderCandidates.Crossing>,
        from: Timestamp, to: Timestamp
    ) {
        let earliest = forecasts.issueTime.adding(minutes: forecasts.leadsMinutes[0])
        let seconds = max(from, earliest).secondsSinceEpoch
        start = Timestamp(secondsSinceEpoch: seconds + (60 - seconds % 60) % 60)
        let first = start.minutes(since: forecasts.issueTime)
        minutes = max(1, Int(to.minutes(since: start)) + 1)
        values = Array(repeating: [], count: BridgeCatalogue.count * 2)
        for crossing in crossings {
            var curves: [Float] = []
            curves.reserveCapacity(minutes * Self.stride)
            for minute in 0..<minutes {
                let delay = forecasts.delayWithin(
                    at: crossing.bridge, leadMinutes: first + Double(minute),
                    queues: crossing.queues)
                curves.append(contentsOf: repeatElement(0, count: Self.margin))
                curves.append(Float(delay[0] / 2 + delay[1] / 6))
                for length in 1..<Self.longest + 4 {
                    curves.append(Float(delay.cumulative(atSeconds: Double(length) * 60)))
                }
                curves.append(contentsOf: repeatElement(1, count: Self.margin))
            }
            values[crossing.number] = curves
        }
    }

    /// The probability that what is left after an arrival suffices for the delay and a last stretch.
    ///
    /// - Parameters:
    ///   - arrival: Minutes after ``start``.
    ///   - left: Minutes from the arrival to the deadline.
    @inline(__always)
    func probability(
        at crossing: ReminderCandidates.Crossing, arrival: Int, left: Int, before stretch: Stretch
    ) -> Float {
        var sum: Float = 0
        let row = row(arrival)
        let curve = values[crossing.number]
        // Reversed, the stretch's last minute comes first.
        var delay = left - stretch.last
        for run in stretch.reversedRuns {
            let index = min(max(delay, -Self.margin), Self.longest + 4)
            sum += (run * curve.run(at: row + index)).sum()
            delay += Self.lanes
        }
        return sum
    }

    /// The distribution of the delay of an arrival by whole minutes, from 0 on.
    func delays(at crossing: ReminderCandidates.Crossing, arrival: Int) -> [Float] {
        let row = row(arrival)
        let curve = values[crossing.number]
        // What is within a minute is shared by both ends of it.
        let none = 3 * curve[row] - curve[row + 1] / 2
        var shares = [none + (curve[row + 1] - none) / 2]
        for length in 1...Self.longest {
            let before = length == 1 ? none : curve[row + length - 1]
            shares.append((curve[row + length + 1] - before) / 2)
        }
        return shares
    }

    private func row(_ arrival: Int) -> Int {
        min(max(arrival, 0), minutes - 1) * Self.stride + Self.margin
    }
}

extension [Float] {
    /// Sixteen values from an index on.
    @inline(__always)
    fileprivate func run(at index: Int) -> SIMD16<Float> {
        precondition(index >= 0 && index + DelayCurves.lanes <= count, "a run is within the curve")
        return unsafe withUnsafeBytes { bytes in
            unsafe bytes.loadUnaligned(
                fromByteOffset: index * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
        }
    }
}

/// The time of a stretch between drawbridges as a distribution over whole minutes.
struct Stretch: Sendable {
    /// The first minute that has a probability.
    let first: Int
    /// The probability of each minute from ``first`` on, which add up to 1.
    let shares: [Float]
    /// The shares from the last to the first, in runs filled up with zeros.
    let reversedRuns: [SIMD16<Float>]
    /// The probability of at most ``first``, ``first`` + 1 and so on minutes.
    let sums: [Float]

    var last: Int { first + shares.count - 1 }

    /// No way at all.
    static let none = Stretch(first: 0, shares: [1])

    /// - Parameter sums: The distribution function at whole minutes; by default that of the shares, half of the cases of a
    ///   minute being at most that.
    init(first: Int, shares: [Float], sums: [Float]? = nil) {
        self.first = first
        self.shares = shares
        var sum: Float = 0
        self.sums =
            sums
            ?? shares.map { share in
                sum += share
                return sum - share / 2
            }
        var runs: [SIMD16<Float>] = []
        for (index, share) in shares.reversed().enumerated() {
            if index % DelayCurves.lanes == 0 { runs.append(.zero) }
            runs[runs.count - 1][index % DelayCurves.lanes] = share
        }
        reversedRuns = runs
    }

    /// The time of this stretch and then another.
    func followed(by other: Stretch) -> Stretch {
        var sums = [Float](repeating: 0, count: shares.count + other.shares.count - 1)
        for (index, share) in shares.enumerated() {
            for (offset, next) in other.shares.enumerated() { sums[index + offset] += share * next }
        }
        return Stretch(first: first + other.first, shares: sums)
    }
}
