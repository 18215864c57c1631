// Long computations: on threads of their own, in order, counted, and not begun for tasks that are cancelled.
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing
@testable import BridgecastCore
@testable import BridgecastEngine

@Suite struct ComputeExecutorTests {
    private func inference(
        _ change: (inout InferenceOptions) -> Void = { _ in }
    ) throws -> TrafficInference {
        var options = InferenceOptions()
        options.executor = ComputeExecutor(threads: 1)
        change(&options)
        return TrafficInference(try ModelFile.read(RandomModel.bytes(.int8)), options: options)
    }

    private static func name() -> String { Thread.current.name ?? "" }

    @Test func aComputationRunsOnAThreadOfItsOwnOrInPlace() async throws {
        let own = try await inference().computing(.table, refusal: { $0 }) {
            () throws(InferenceError) in
            Self.name()
        }
        #expect(own.hasPrefix("bridgecast-"))
        let inPlace = try await inference { $0.executor = nil }.computing(.table, refusal: { $0 }) {
            () throws(InferenceError) in Self.name()
        }
        #expect(!inPlace.hasPrefix("bridgecast-"))
    }

    /// While one runs and others wait, more are refused as busy; what is cancelled before its turn never runs.
    @Test func tooManyAreRefusedAndTheCancelledAreNotBegun() async throws {
        let inference = try inference { $0.maxComputationsInFlight = 2 }
        let hasBegun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let ran = Atomic<Int>(0)
        let first = Task {
            try await inference.computing(.table, refusal: { $0 }) { () throws(InferenceError) in
                hasBegun.signal()
                _ = mayEnd.wait(timeout: .now() + 600)
            }
        }
        await withCheckedContinuation { continuation in
            Thread {
                hasBegun.wait(); continuation.resume()
            }.start()
        }
        let second = Task {
            try await inference.computing(.table, refusal: { $0 }) { () throws(InferenceError) in
                _ = ran.add(1, ordering: .relaxed)
            }
        }
        while inference.computationsInFlight.value < 2 { await Task.yield() }
        let refused = await #expect(throws: InferenceError.self) {
            _ = try await inference.table(in: .unknown(at: .now), reaching: 60)
        }
        #expect(refused == .queueFull(computations: 2, limit: 2) && refused?.kind == .busy)
        // A new model is loaded nevertheless, although the only thread is busy.
        try await inference.reload(contentsOf: Fixtures.model("bridgecast.int8.bcm"))
        #expect(inference.computationsInFlight.value == 2)
        second.cancel()
        mayEnd.signal()
        try await first.value
        await #expect(throws: InferenceError.cancelled) { try await second.value }
        #expect(ran.load(ordering: .relaxed) == 0)
        _ = try await inference.table(in: .unknown(at: .now), reaching: 60)
    }
}

@Suite struct DeadlineTests {
    private func inference(
        _ change: (inout InferenceOptions) -> Void = { _ in }
    ) throws -> TrafficInference {
        var options = InferenceOptions()
        options.executor = ComputeExecutor(threads: 1)
        change(&options)
        return TrafficInference(try ModelFile.read(RandomModel.bytes(.int8)), options: options)
    }

    /// The only thread is busy for as long as it takes: who has a deadline is answered at it.
    @Test func aCallThatWaitsIsAnsweredAtItsDeadline() async throws {
        let inference = try inference()
        let mayEnd = DispatchSemaphore(value: 0)
        let busy = Task {
            try await inference.computing(.table, refusal: { $0 }) { () throws(InferenceError) in
                _ = mayEnd.wait(timeout: .now() + 600)
            }
        }
        while inference.computationsInFlight.value < 1 { await Task.yield() }
        let error = await #expect(throws: InferenceError.self) {
            try await inference.within(.milliseconds(20)) {
                try await $0.table(in: .unknown(at: .now), reaching: 60)
            }
        }
        #expect(error == .deadlineExceeded && error?.kind == .busy)
        #expect(inference.computationsInFlight.value == 2, "it is counted until its turn")
        mayEnd.signal()
        try await busy.value
        // After what was given up, and with enough time.
        _ = try await inference.within(.seconds(60)) {
            try await $0.table(in: .unknown(at: .now), reaching: 60)
        }
        #expect(inference.computationsInFlight.value == 0)
        #expect(inference.rowsInFlight.load(ordering: .relaxed) == 0)
    }

    @Test func aCancelledCallWithADeadlineEndsAtOnce() async throws {
        let inference = try inference()
        let mayEnd = DispatchSemaphore(value: 0)
        let busy = Task {
            try await inference.computing(.table, refusal: { $0 }) { () throws(InferenceError) in
                _ = mayEnd.wait(timeout: .now() + 600)
            }
        }
        while inference.computationsInFlight.value < 1 { await Task.yield() }
        let waiting = Task {
            try await inference.within(.seconds(600)) {
                try await $0.table(in: .unknown(at: .now), reaching: 60)
            }
        }
        while inference.computationsInFlight.value < 2 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: InferenceError.cancelled) { try await waiting.value }
        #expect(inference.computationsInFlight.value == 2, "the thread is still busy")
        mayEnd.signal()
        try await busy.value
    }

    @Test(arguments: [
        Duration(secondsComponent: .max, attosecondsComponent: 0), .seconds(1e17), .seconds(86_400),
    ])
    func aLongTimeIsNoLimit(_ limit: Duration) async throws {
        let inference = try inference { $0.coalescingWindow = .milliseconds(1) }
        let request = ForecastRequest(bridge: .fremont, leadMinutes: 5)
        try await inference.within(limit) {
            _ = try await $0.forecast(request, in: .unknown(at: .now))
            _ = try await $0.table(in: .unknown(at: .now), reaching: 60)
        }
    }

    @Test func timeThatIsOverIsNotSpent() async throws {
        let inference = try inference()
        let request = ForecastRequest(bridge: .fremont, leadMinutes: 5)
        await #expect(throws: InferenceError.deadlineExceeded) {
            try await inference.within(.zero) {
                try await $0.forecast(request, in: .unknown(at: .now))
            }
        }
        #expect(inference.batchesRun == 0)
    }

    /// The closer one counts, whichever is inside.
    @Test func deadlinesNest() async throws {
        let inference = try inference()
        await #expect(throws: InferenceError.deadlineExceeded) {
            try await inference.within(.zero) { inner in
                try await inner.within(.seconds(60)) {
                    try await $0.table(in: .unknown(at: .now), reaching: 60)
                }
            }
        }
        _ = try await inference.table(in: .unknown(at: .now), reaching: 60)
    }

    /// A request that cannot wait for the batch has it run at once.
    @Test func aBatchIsNotWaitedForBeyondTheDeadline() async throws {
        let inference = try inference { $0.coalescingWindow = .seconds(600) }
        let request = ForecastRequest(bridge: .fremont, leadMinutes: 5)
        _ = try await inference.within(.seconds(60)) {
            try await $0.forecast(request, in: .unknown(at: .now))
        }
        #expect(inference.batchesRun == 1)
        #expect(inference.rowsInFlight.load(ordering: .relaxed) == 0)
    }

    /// What was given up counts until it is over: its rows are computed all the same.
    @Test func rowsCountUntilTheirComputationIsOver() async throws {
        let inference = try inference { $0.maxRowsInFlight = 500 }
        let mayEnd = DispatchSemaphore(value: 0)
        let busy = Task {
            try await inference.computing(.table, refusal: { $0 }) { () throws(InferenceError) in
                _ = mayEnd.wait(timeout: .now() + 600)
            }
        }
        while inference.computationsInFlight.value < 1 { await Task.yield() }
        let many = Array(repeating: ForecastRequest(bridge: .fremont, leadMinutes: 5), count: 400)
        await #expect(throws: InferenceError.deadlineExceeded) {
            try await inference.within(.milliseconds(20)) {
                try await $0.forecast(many, in: .unknown(at: .now))
            }
        }
        await #expect(throws: InferenceError.overloaded(rowsInFlight: 400, limit: 500)) {
            try await inference.forecast(many, in: .unknown(at: .now))
        }
        mayEnd.signal()
        try await busy.value
        while inference.computationsInFlight.value > 0 { await Task.yield() }
        while inference.rowsInFlight.load(ordering: .relaxed) > 0 { await Task.yield() }
        #expect(try await inference.forecast(many, in: .unknown(at: .now)).count == 400)
    }
}

@Suite struct InferenceTraceTests {
    @Test func everyCallIsReportedOnce() async throws {
        let traces = Mutex<[InferenceTrace]>([])
        var options = InferenceOptions()
        options.onCall = { trace in traces.withLock { $0.append(trace) } }
        options.maxRowsInFlight = 5_000
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)), options: options)
        let situation = Situation.unknown(at: .now)
        let request = ForecastRequest(bridge: .fremont, leadMinutes: 5)
        _ = try await inference.forecast(request, in: situation)
        _ = try await inference.forecast(Array(repeating: request, count: 400), in: situation)
        _ = try await inference.table(in: situation, reaching: 60)
        await #expect(throws: InferenceError.self) {
            try await inference.forecast(
                ForecastRequest(bridge: .fremont, leadMinutes: -1), in: situation)
        }
        await #expect(throws: InferenceError.self) {
            try await inference.forecast(Array(repeating: request, count: 6_000), in: situation)
        }
        await #expect(throws: InferenceError.self) {
            try await inference.table(in: situation, reaching: .nan)
        }
        let all = traces.withLock { $0 }
        #expect(all.map(\.call) == [.forecast, .forecast, .table, .forecast, .forecast, .table])
        #expect(all.map(\.error?.kind) == [nil, nil, nil, .usage, .usage, .usage])
        for trace in all {
            #expect((trace.began == nil) == (trace.error != nil))
            #expect(trace.asked <= trace.began ?? trace.ended && trace.ended >= trace.asked)
            #expect(trace.waited >= .zero)
        }
    }

    /// Without a density it is that of the hour of arrival, as tables take it.
    @Test func theDensityIsThatOfTheHourUnlessItIsGiven() async throws {
        let inference = try TrafficInference(contentsOf: Fixtures.model("bridgecast.int8.bcm"))
        let now = Fixtures.timestamp("2026-02-24T16:50")
        let situation = Situation.unknown(at: now)
        let density = TrafficProfile.density(of: .fremont, at: now.adding(minutes: 30))
        let usual = try await inference.forecast(
            ForecastRequest(bridge: .fremont, leadMinutes: 30), in: situation)
        let given = try await inference.forecast(
            ForecastRequest(bridge: .fremont, leadMinutes: 30, density: Float(density)),
            in: situation)
        let free = try await inference.forecast(
            ForecastRequest(bridge: .fremont, leadMinutes: 30, density: 0), in: situation)
        #expect(usual == given && usual != free)
        let table = try await inference.table(in: situation, reaching: 60)
        #expect(usual == (try table.delay(at: .fremont, leadMinutes: 30, mode: .car)))
    }
}
