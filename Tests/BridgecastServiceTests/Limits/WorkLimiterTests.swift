import HTTPTypes
import Synchronization
import Testing
@testable import BridgecastService
@testable import BridgecastSupport

/// Work that goes on until it is ended.
private final class RequestHandler: Sendable {
    private let stream: AsyncStream<Void>
    private let source: AsyncStream<Void>.Continuation

    init() { (stream, source) = AsyncStream.makeStream() }

    func wait() async { for await _ in stream { return } }
    func open() { source.finish() }
}

/// What happened, in order, and how much of it at once.
private final class Record: Sendable {
    private let numbers = Mutex<[Int]>([])
    private let counts = Mutex((now: 0, most: 0))

    var order: [Int] { numbers.withLock { $0 } }
    var most: Int { counts.withLock { $0.most } }

    func note(_ number: Int) { numbers.withLock { $0.append(number) } }
    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }
    func end() { counts.withLock { $0.now -= 1 } }
}

@Suite struct WorkLimiterTests {
    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func tooMuchWaitingWorkIsRefused() async throws {
        let limiter = WorkLimiter(atOnce: 1, maxWaiting: 1)
        let gate = RequestHandler()
        let first = Task { try await limiter.run { await gate.wait() } }
        await until { limiter.runningCount == 1 }
        let second = Task { try await limiter.run { 2 } }
        await until { limiter.waitingCount == 1 }
        let problem = await #expect(throws: Problem.self) { try await limiter.run {} }
        #expect(problem?.status == .serviceUnavailable && problem?.code == .overloaded)
        #expect(problem?.retryAfterSeconds == 1)
        gate.open()
        try await first.value
        #expect(try await second.value == 2)
        #expect(try await limiter.run { 3 } == 3)
        #expect(limiter.waitingCount == 0 && limiter.runningCount == 0)
    }

    @Test func workRunsInOrderOfArrival() async throws {
        let limiter = WorkLimiter(atOnce: 1, maxWaiting: 10)
        let gate = RequestHandler()
        let record = Record()
        let first = Task { try await limiter.run { await gate.wait() } }
        await until { limiter.runningCount == 1 }
        var waiting: [Task<Void, any Error>] = []
        for number in 1...5 {
            waiting.append(
                Task { try await limiter.run { record.note(number) } })
            await until { limiter.waitingCount == number }
        }
        // Who leaves is passed over.
        waiting[2].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[2].value }
        #expect(limiter.waitingCount == 4)
        gate.open()
        try await first.value
        for number in [0, 1, 3, 4] { try await waiting[number].value }
        #expect(record.order == [1, 2, 4, 5])
    }

    @Test func failingWorkReleasesItsTurn() async throws {
        struct Failure: Error {}
        let limiter = WorkLimiter(atOnce: 1, maxWaiting: 1)
        for _ in 0..<3 {
            await #expect(throws: Failure.self) { try await limiter.run { throw Failure() } }
        }
        #expect(try await limiter.run { 1 } == 1)
    }

    @Test func concurrentWorkIsLimited() async throws {
        let limiter = WorkLimiter(atOnce: 2, maxWaiting: 1000)
        let record = Record()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await limiter.run {
                        record.begin()
                        await Task.yield()
                        record.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(record.most <= 2)
        #expect(limiter.runningCount == 0)
    }

    @Test func cancelledWorkIsRemoved() async throws {
        let limiter = WorkLimiter(atOnce: 1, maxWaiting: 4)
        let gate = RequestHandler()
        let first = Task { try await limiter.run { await gate.wait() } }
        await until { limiter.runningCount == 1 }
        for _ in 0..<100 {
            let task = Task { try await limiter.run {} }
            await until { limiter.waitingCount == 1 }
            task.cancel()
            _ = await task.result
        }
        #expect(limiter.waitingCount == 0)
        gate.open()
        try await first.value
        try await limiter.run {}
    }
}

@Suite struct BodyBudgetTests {
    @Test func allBodiesTogetherAreLimited() throws {
        let budget = BodyBudget(max: 100)
        let first = budget.share()
        try first.take(60)
        try first.take(30)
        let second = budget.share()
        do {
            try second.take(11)
            Issue.record("more was held than there is")
        } catch {
            #expect(error.status == .serviceUnavailable)
            #expect(error.retryAfterSeconds == 5)
        }
        #expect(budget.bytesHeld == 90)
        try second.take(10)
        first.giveBack()
        first.giveBack()
        #expect(budget.bytesHeld == 10)
    }

    @Test func aFailedRequestReleasesItsBytes() throws {
        let budget = BodyBudget(max: 100)
        do {
            let share = budget.share()
            try share.take(70)
        }
        #expect(budget.bytesHeld == 0)
    }
}
