// Times calls: one by one for percentiles, and many together for what a call costs in a loop.
private import Glibc

/// The monotonic clock, and what reading it costs.
enum Stopwatch {
    /// Nanoseconds since some moment.
    @inline(__always)
    static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Median cost of reading the clock twice, which every single timing contains once, nanoseconds.
    static func overhead() -> Double {
        let samples = (0..<10_001).map { _ -> UInt64 in
            let start = now()
            return now() - start
        }
        return Double(samples.sorted()[5_000])
    }
}

/// One round of at most so many calls and about so many nanoseconds, half of them one by one.
@inline(__always)
func timedRound(
    calls most: Int, nanoseconds budget: UInt64, _ call: () throws -> Void
) rethrows -> RoundTimings {
    let start = Stopwatch.now()
    try call()
    // A call that takes a whole turn is its own warm-up and its own loop.
    let first = Stopwatch.now() - start
    if first > budget { return RoundTimings(single: [first], looped: Double(first)) }
    try call()
    let estimate = max((Stopwatch.now() - start) / 2, 20)
    let calls = max(2, min(most, Int(budget / 2 / estimate)))
    var single: [UInt64] = []
    single.reserveCapacity(calls)
    for _ in 0..<calls {
        let start = Stopwatch.now()
        try call()
        single.append(Stopwatch.now() - start)
    }
    let loopStart = Stopwatch.now()
    for _ in 0..<calls { try call() }
    let looped = Double(Stopwatch.now() - loopStart) / Double(calls)
    return RoundTimings(single: single, looped: looped)
}

/// The value that a share of sorted nanoseconds does not exceed, in microseconds.
func percentile(_ share: Double, of sorted: [UInt64]) -> Double {
    Double(sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]) / 1000
}

/// The middle of some numbers.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
