private import Dispatch
private import Foundation
private import Synchronization

/// Divides work over threads of Dispatch.
package enum Parallel {
    /// Numbers of threads that callers may ask for, up to one a core; others are clamped.
    package static let threadCounts = 1...max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// Runs `body` on ranges that cover `0..<count`, on the caller's thread and up to `threads - 1` others, and returns
    /// when all are done.
    ///
    /// - Parameters:
    ///   - step: Every range but the last has a multiple of this length.
    ///   - body: Receives a range, and the number of its thread, `0..<threads`: no two ranges run at a time with the
    ///     same number, so memory can be set aside for each.
    @inline(__always)
    package static func run(
        _ count: Int, threads: Int, step: Int, _ body: (Range<Int>, _ thread: Int) -> Void
    ) {
        if threads > 1 {
            divide(count, threads: threads, step: step, body)
        } else {
            body(0..<count, 0)
        }
    }

    private static func divide(
        _ count: Int, threads: Int, step: Int, _ body: (Range<Int>, Int) -> Void
    ) {
        let taken = Atomic<Int>(0)
        withoutActuallyEscaping(body) { body in
            // Safe: all iterations are done when concurrentPerform returns, and callers know that `body` runs on several
            // threads.
            nonisolated(unsafe) let body = body
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                while true {
                    let start = taken.load(ordering: .relaxed)
                    guard start < count else { return }
                    let end = start + length(left: count - start, threads: threads, step: step)
                    let (isMine, _) = taken.compareExchange(
                        expected: start, desired: end, ordering: .relaxed)
                    if isMine { body(start..<end, thread) }
                }
            }
        }
    }

    /// Long at first and short at the end, so that a late thread does not keep the others waiting.
    private static func length(left: Int, threads: Int, step: Int) -> Int {
        let length = max(step, min(left / threads, maxLength) / step * step)
        return left - length < step ? left : length
    }

    private static let maxLength = 1_024
}
