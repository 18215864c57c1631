// What all benchmarks share: the clock, a round of calls, percentiles, memory, results and errors.
public import BridgecastSupport
private import Foundation
private import Glibc

/// How long one part of a forecast took.
public struct PartResult: Sendable, Encodable {
    /// The name of the part.
    public let part: String
    /// Items of a call: rows, routes.
    public let count: Int
    /// Median of a call, microseconds.
    public let p50: Double
    /// 90th percentile, microseconds.
    public let p90: Double
    /// 99th percentile, microseconds.
    public let p99: Double
    /// Growth of the process, kB, where it was measured.
    public let residentKB: Int?

    init(_ part: String, count: Int, _ timings: [UInt64], residentKB: Int? = nil) {
        self.residentKB = residentKB
        self.part = part
        self.count = count
        let sorted = timings.sorted().map(microseconds)
        p50 = percentile(0.5, of: sorted)
        p90 = percentile(0.9, of: sorted)
        p99 = percentile(0.99, of: sorted)
    }
}

/// Why a benchmark was refused.
public enum BenchError: Failure {
    /// A contender's output is wrong by more than the tolerance: the largest difference and its index in the outputs.
    case disagreement(network: String, contender: String, batch: Int, by: Float, at: Int)
    /// The search of roads and plain Dijkstra find different travel times.
    case differentMinutes(trip: String, minutes: Double, plain: Double)

    /// Always a fault of the software.
    public var kind: FailureKind { .software }

    /// The fault and where it is.
    public var description: String {
        switch self {
        case .disagreement(let network, let contender, let batch, let by, let at):
            "network \(network), batch \(batch): \(contender) differs by \(by) at output \(at); "
                + "nothing was timed"
        case .differentMinutes(let trip, let minutes, let plain):
            "search, \(trip): \(minutes) minutes where plain Dijkstra finds \(plain)"
        }
    }
}

// MARK: - Time

/// The monotonic clock, and what reading it costs.
enum Stopwatch {
    /// Nanoseconds since an arbitrary time.
    @inline(__always) static func now() -> UInt64 {
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

/// Times at most `maxCalls` calls for about `budget` nanoseconds, first one by one, then as many in a loop.
@inline(__always) func timedRound(
    calls maxCalls: Int, nanoseconds budget: UInt64, _ call: () throws -> Void
) rethrows -> RoundTimings {
    let start = Stopwatch.now()
    try call()
    // A call that takes the whole budget is the only one.
    let first = Stopwatch.now() - start
    if first > budget { return RoundTimings(single: [first], looped: Double(first)) }
    try call()
    let estimate = max((Stopwatch.now() - start) / 2, 20)
    let calls = max(2, min(maxCalls, Int(budget / 2 / estimate)))
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

/// Timings of one round, nanoseconds a call.
struct RoundTimings {
    /// Calls timed one by one.
    var single: [UInt64]
    /// Mean of calls in a loop without reading the clock between them.
    var looped: Double
}

func microseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1000 }

/// A percentile of sorted values; 0 if there are none.
package func percentile(_ share: Double, of sorted: [Double]) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

// MARK: - Memory

/// Memory of this process in RAM, kB.
func residentKB() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
}

/// Peak memory of this process in RAM, kB.
func peakResidentKB() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}
