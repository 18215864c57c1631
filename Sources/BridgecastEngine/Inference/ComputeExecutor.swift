// Threads for long computations, so that those which run a host's tasks stay free.
private import Foundation
private import Synchronization

/// Runs computations on a few threads of its own, in the order in which they were asked for.
///
/// Swift runs all tasks of a program on as many threads as there are cores. A search of roads or a curve of departures
/// keeps such a thread busy for milliseconds and more, during which the host's own tasks wait. Here they share the cores
/// with other threads instead, which the system divides fairly. The threads live as long as the program.
public final class ComputeExecutor: TaskExecutor {
    /// One for the whole program, with a thread for each core but one, and at least one.
    public static let shared = ComputeExecutor(
        threads: ProcessInfo.processInfo.activeProcessorCount - 1)
    /// Reads model files: a new model does not wait behind the computations that are due.
    static let reading = ComputeExecutor(threads: 1)

    private let queue = JobQueue()

    /// - Parameter threads: Clamped to 1 and the number of cores. They never end.
    package init(threads: Int) {
        for number in 0..<Parallel.threadCounts.clamping(threads) {
            let thread = Thread { [queue] in
                Thread.current.name = "bridgecast-\(number)"
                while true { queue.next().runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
    }

    /// Takes a job; the runtime calls it.
    public func enqueue(_ job: consuming ExecutorJob) { queue.add(UnownedJob(job)) }
}

/// Jobs that wait for a thread.
private final class JobQueue: Sendable {
    private struct Jobs {
        var incoming: [UnownedJob] = []
        /// The newest first, so that the oldest is taken from the end.
        var outgoing: [UnownedJob] = []
    }

    private let jobs = Mutex(Jobs())
    private let waiting = DispatchSemaphore(value: 0)

    func add(_ job: UnownedJob) {
        jobs.withLock { $0.incoming.append(job) }
        waiting.signal()
    }

    /// The oldest job; waits for one.
    func next() -> UnownedJob {
        waiting.wait()
        return jobs.withLock { jobs in
            if jobs.outgoing.isEmpty {
                jobs.outgoing = jobs.incoming.reversed()
                jobs.incoming.removeAll(keepingCapacity: true)
            }
            return jobs.outgoing.removeLast()
        }
    }
}

extension TrafficInference {
    /// Runs a computation on ``InferenceOptions/executor``, unless too many wait already or its task is cancelled before its
    /// turn.
    ///
    /// - Parameter refusal: The caller's error for one of ours.
    nonisolated package func computing<Value: Sendable, Failure: Error>(
        refusal: @escaping @Sendable (InferenceError) -> Failure,
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let executor = options.executor else { return try body() }
        let limit = options.maxComputationsInFlight
        let (before, _) = computationsInFlight.add(1, ordering: .relaxed)
        defer { computationsInFlight.subtract(1, ordering: .relaxed) }
        guard before < limit else { throw refusal(.queueFull(computations: before, limit: limit)) }
        return try await Self.run(on: executor) { () throws(Failure) in
            guard !Task.isCancelled else { throw refusal(.cancelled) }
            return try body()
        }
    }

    /// A child task of the caller's, so that the body sees its cancellation.
    static func run<Value: Sendable, Failure: Error>(
        on executor: any TaskExecutor, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withTaskGroup(of: Result<Value, Failure>.self) { group in
            group.addTask(executorPreference: executor) {
                Result { () throws(Failure) in try body() }
            }
            // The group has this one child.
            var results: [Result<Value, Failure>] = []
            for await result in group { results.append(result) }
            return results[0]
        }
        return try result.get()
    }
}
