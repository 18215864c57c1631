private import NIOCore
private import Synchronization

/// Limits heavy work to one request per processor at a time; others wait, first come, first served.
package final class WorkLimiter: Sendable {
    private struct State {
        var free: Int
        /// Those that have to wait and have not suspended yet.
        var arriving = 0
        var lastNumber = 0
        /// Numbers in order of arrival; some may have been cancelled.
        var queue = CircularBuffer<Int>()
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private enum Entry {
        case free
        case wait(Int)
        case full
    }

    private let state: Mutex<State>
    private let atOnce: Int
    private let maxWaiting: Int

    /// - Parameters:
    ///   - atOnce: Work that runs at once, at least 1.
    ///   - maxWaiting: Work that may wait; more is refused.
    package init(atOnce: Int = System.coreCount, maxWaiting: Int) {
        self.atOnce = max(1, atOnce)
        state = Mutex(State(free: self.atOnce))
        self.maxWaiting = maxWaiting
    }

    /// Runs work when it is its turn.
    ///
    /// - Throws: ``Problem`` 503 if too many wait; `CancellationError` if the task is cancelled before its turn; what
    ///   the work throws.
    package func run<Result>(_ work: () async throws -> Result) async throws -> Result {
        switch enter() {
        case .free: break
        case .full:
            throw Problem(
                .overloaded, "too many requests wait for their turn",
                recovery: "try again in a second", retryAfterSeconds: 1)
        case .wait(let number): guard await turn(of: number) else { throw CancellationError() }
        }
        defer { leave() }
        return try await work()
    }

    package var runningCount: Int { state.withLock { atOnce - $0.free } }

    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func enter() -> Entry {
        state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return .free
            }
            guard state.waiting.count + state.arriving < maxWaiting else { return .full }
            state.arriving += 1
            state.lastNumber += 1
            return .wait(state.lastNumber)
        }
    }

    /// Waits; false if the task was cancelled first.
    private func turn(of number: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    state.arriving -= 1
                    if Task.isCancelled { return false }
                    // A turn may have become free since the decision to wait.
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting[number] = continuation
                    state.queue.append(number)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let left = state.waiting.removeValue(forKey: number)
                // Cancelled numbers are removed before they outnumber those that may wait.
                if state.queue.count > 2 * maxWaiting + 16 {
                    let waiting = state.waiting
                    state.queue.removeAll { waiting[$0] == nil }
                }
                return left
            }
            continuation?.resume(returning: false)
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            while let number = state.queue.popFirst() {
                if let continuation = state.waiting.removeValue(forKey: number) {
                    return continuation
                }
            }
            state.free += 1
            return nil
        }
        next?.resume(returning: true)
    }
}
