// Threads for long computations, so that those which run a host's tasks stay free.
package import BridgecastSupport
private import Foundation
private import Synchronization

/// Runs computations on a few threads of its own, in the order in which they were asked for.
///
/// Swift runs all tasks of a program on as many threads as there are cores. A search of roads or a curve of departures
/// keeps such a thread busy for milliseconds and more, during which the host's own tasks wait. Computed here, it shares the
/// cores with Swift's threads, and the system wakes those in time. The threads live as long as the program.
public final class ComputeExecutor: TaskExecutor {
    /// One for the whole program, with a thread for each core.
    public static let shared = ComputeExecutor(
        threads: ProcessInfo.processInfo.activeProcessorCount)
    /// Reads model files: a new model does not wait behind the computations that are due.
    static let reading = ComputeExecutor(threads: 1, name: "bridgecast-read")

    private let queue = JobQueue()

    /// - Parameters:
    ///   - threads: Clamped to 1 and the number of cores. They never end.
    ///   - name: Of the threads, followed by their number.
    package init(threads: Int, name: String = "bridgecast") {
        for number in 0..<Parallel.threadCounts.clamping(threads) {
            let thread = Thread { [queue] in
                var job = queue.next()
                // A name given while the thread is being started is lost; once there is a job, it has been.
                Thread.current.name = "\(name)-\(number)"
                while true {
                    job.runSynchronously(on: self.asUnownedTaskExecutor())
                    job = queue.next()
                }
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

// MARK: - Computations of one inference

extension TrafficInference {
    /// Runs a computation on ``InferenceOptions/executor``, unless too many wait already, or its task is cancelled or its
    /// deadline reached before its turn.
    ///
    /// - Parameter refusal: The caller's error for one of ours.
    nonisolated package func computing<Value: Sendable, Failure: BridgecastSupport.Failure>(
        _ call: InferenceTrace.Call, refusal: @escaping @Sendable (InferenceError) -> Failure,
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await traced(call) { (clock) throws(Failure) in
            try await compute(clock, refusal: refusal, body)
        }
    }

    /// Reports a call to the host when it is over.
    nonisolated func traced<Value, Failure: BridgecastSupport.Failure>(
        _ call: InferenceTrace.Call, _ body: (CallClock) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let clock = CallClock(call, options.onCall)
        do throws(Failure) {
            let value = try await body(clock)
            clock.report(nil)
            return value
        } catch {
            clock.report(error)
            throw error
        }
    }

    nonisolated func compute<Value: Sendable, Failure: Error>(
        _ clock: CallClock, refusal: @escaping @Sendable (InferenceError) -> Failure,
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let executor = options.executor else {
            clock.begin()
            return try body()
        }
        let limit = options.maxComputationsInFlight
        let inFlight = computationsInFlight
        let before = inFlight.add()
        guard before < limit else {
            inFlight.subtract()
            throw refusal(.queueFull(computations: before, limit: limit))
        }
        let work = { @Sendable () throws(Failure) -> Value in
            // At its end: a caller that gave up does not stop it.
            defer { inFlight.subtract() }
            guard Self.isBeforeDeadline else { throw refusal(.deadlineExceeded) }
            guard !Task.isCancelled else { throw refusal(.cancelled) }
            clock.begin()
            return try body()
        }
        guard let deadline = Self.deadline else { return try await Self.run(on: executor, work) }
        return try await Self.run(on: executor, until: deadline, refusal: refusal, work)
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

    /// A task of its own that is cancelled at the deadline, and is not waited for after that.
    private static func run<Value: Sendable, Failure: Error>(
        on executor: any TaskExecutor, until deadline: ContinuousClock.Instant,
        refusal: @escaping @Sendable (InferenceError) -> Failure,
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let (results, first) = AsyncStream<Result<Value, Failure>>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let work = Task(executorPreference: executor) {
            first.yield(Result { () throws(Failure) in try body() })
        }
        let timer = Task {
            guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else {
                return
            }
            first.yield(.failure(refusal(.deadlineExceeded)))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        // Ends without a result if the caller's task is cancelled.
        for await result in results { return try result.get() }
        throw refusal(.cancelled)
    }
}

// MARK: - Deadlines

extension TrafficInference {
    /// The deadline of the calls of this task; nil for none.
    @TaskLocal static var deadline: ContinuousClock.Instant?

    /// Gives all calls of a closure, together, a limited time.
    ///
    /// Those that are not answered by then throw ``InferenceError/deadlineExceeded``: at the deadline, even if they wait for
    /// others. A curve stops at its next departure; a table or a ranking that has begun is computed to its end, and its rows
    /// count until then. With ``InferenceOptions/executor`` nil, and for small requests, a computation that has begun is
    /// waited for.
    ///
    /// The limit also holds for other inferences and for tasks that the closure starts, unless they are detached.
    /// ```swift
    /// let routes = try await inference.within(.milliseconds(80)) { try await $0.rank(trip, by: planner, ...) }
    /// ```
    /// - Parameter limit: From now on; a closer deadline of an outer call stays in force.
    /// - Throws: What the closure throws.
    public nonisolated func within<Value, Failure: Error>(
        _ limit: Duration,
        _ body: (TrafficInference) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let own = ContinuousClock.now + min(limit, Self.maxTimeLimit)
        let deadline = Self.deadline.map { min($0, own) } ?? own
        let result: Result<Value, Failure> = await Self.$deadline.withValue(deadline) {
            do throws(Failure) { return .success(try await body(self)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Tasks cannot sleep without end; a year is enough.
    private static let maxTimeLimit = Duration.seconds(366 * 86_400)

    /// Whether there is time left for a call of this task.
    static var isBeforeDeadline: Bool { deadline.map { ContinuousClock.now < $0 } ?? true }
}

/// A number that tasks which outlive their caller count in and out.
final class InFlightCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// Counts one in; returns how many there were before.
    func add() -> Int { count.add(1, ordering: .relaxed).oldValue }

    func subtract() { count.subtract(1, ordering: .relaxed) }
}
