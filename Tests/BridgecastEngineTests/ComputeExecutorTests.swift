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
        let own = try await inference().computing(refusal: { $0 }) { () throws(InferenceError) in
            Self.name()
        }
        #expect(own.hasPrefix("bridgecast-"))
        let inPlace = try await inference { $0.executor = nil }.computing(refusal: { $0 }) {
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
            try await inference.computing(refusal: { $0 }) { () throws(InferenceError) in
                hasBegun.signal()
                _ = mayEnd.wait(timeout: .now() + 60)
            }
        }
        await withCheckedContinuation { continuation in
            Thread {
                hasBegun.wait(); continuation.resume()
            }.start()
        }
        let second = Task {
            try await inference.computing(refusal: { $0 }) { () throws(InferenceError) in
                _ = ran.add(1, ordering: .relaxed)
            }
        }
        while inference.computationsInFlight.load(ordering: .relaxed) < 2 { await Task.yield() }
        let refused = await #expect(throws: InferenceError.self) {
            _ = try await inference.table(in: .unknown(at: .now), reaching: 60)
        }
        #expect(refused == .queueFull(computations: 2, limit: 2) && refused?.kind == .busy)
        // A new model is loaded nevertheless, although the only thread is busy.
        try await inference.reload(contentsOf: Fixtures.model("bridgecast.int8.bcm"))
        #expect(inference.computationsInFlight.load(ordering: .relaxed) == 2)
        second.cancel()
        mayEnd.signal()
        try await first.value
        await #expect(throws: InferenceError.cancelled) { try await second.value }
        #expect(ran.load(ordering: .relaxed) == 0)
        _ = try await inference.table(in: .unknown(at: .now), reaching: 60)
    }
}
