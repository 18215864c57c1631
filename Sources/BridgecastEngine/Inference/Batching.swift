// Small requests run as one batch on the actor; single rows and large batches, on callers' threads.
package import BridgecastCore
internal import Synchronization

extension TrafficInference {
    /// Joins the requests that wait, for the window if there is one, and has them run.
    nonisolated func wait(for request: WaitingRequest) async throws(InferenceError) -> [Float] {
        let batchTime = waiting.withLock {
            $0.add(request, window: min(options.coalescingWindow, .seconds(3600)))
        }
        // Who cannot wait so long has the batch run now.
        if let batchTime, batchTime <= Self.deadline ?? batchTime {
            do {
                try await Task.sleep(until: batchTime, clock: .continuous)
            } catch {
                waiting.withLock { $0.remove(request) }
                throw .cancelled
            }
        }
        return try await result(of: request)
    }

    /// Runs all that waits, unless this request has run with others before its turn came.
    private func result(of request: WaitingRequest) throws(InferenceError) -> [Float] {
        if let result = request.result { return result }
        guard !Task.isCancelled, Self.isBeforeDeadline else {
            waiting.withLock { $0.remove(request) }
            throw Task.isCancelled ? .cancelled : .deadlineExceeded
        }
        let requests = waiting.withLock { $0.takeAll() }
        // All of one model together; two only while a reload happens.
        var rest = requests
        while let first = rest.first {
            let group = rest.filter { $0.model.isSame(as: first.model) }
            run(group, on: first.model)
            rest = rest.filter { !$0.model.isSame(as: first.model) }
        }
        guard let result = request.result else { throw .cancelled }
        return result
    }

    private func run(_ requests: [WaitingRequest], on model: LoadedModel) {
        batches.add(1, ordering: .relaxed)
        for request in requests { request.clock.begin() }
        if requests.count == 1, let only = requests.first {
            var output: [Float] = []
            model.predict(only.batch, into: &output, workspace: &workspace, units: computeUnits)
            only.finish(output)
            return
        }
        joined.removeAll()
        for request in requests { joined.append(contentsOf: request.batch) }
        model.predict(joined, into: &probabilities, workspace: &workspace, units: computeUnits)
        var start = 0
        for request in requests {
            let end = start + request.batch.rowCount * DelayBins.count
            request.finish(Array(probabilities[start..<end]))
            start = end
        }
    }
}

/// Rows that wait for their batch, and later their result.
final class WaitingRequest: Sendable {
    let batch: FeatureBatch
    let model: LoadedModel
    let clock: CallClock
    private let finished = Mutex<[Float]?>(nil)

    init(_ batch: FeatureBatch, _ model: LoadedModel, _ clock: CallClock) {
        self.batch = batch
        self.model = model
        self.clock = clock
    }

    /// [B, 12] once its batch has run.
    var result: [Float]? { finished.withLock { $0 } }

    func finish(_ result: [Float]) { finished.withLock { $0 = result } }
}

struct WaitingRequests {
    private var requests: [WaitingRequest] = []
    private var deadline: ContinuousClock.Instant?

    /// Adds a request; returns when the batch is to run, or nil for as soon as may be.
    mutating func add(_ request: WaitingRequest, window: Duration) -> ContinuousClock.Instant? {
        requests.append(request)
        guard window > .zero else { return nil }
        if let deadline { return deadline }
        let deadline = ContinuousClock.now + window
        self.deadline = deadline
        return deadline
    }

    mutating func remove(_ request: WaitingRequest) {
        requests.removeAll { $0 === request }
        if requests.isEmpty { deadline = nil }
    }

    mutating func takeAll() -> [WaitingRequest] {
        defer { (requests, deadline) = ([], nil) }
        return requests
    }
}

// MARK: - Single rows

extension TrafficInference {
    /// The forecast of one request by a model, at once and on the calling thread, to the last bit that of
    /// ``forecast(_:in:)->DelayDistribution``; nothing is allocated once the situation is known.
    ///
    /// - Parameter model: The one that a host has named in its answer, whatever is reloaded meanwhile.
    /// - Throws: As ``forecast(_:in:)->DelayDistribution``.
    package nonisolated func forecastNow(
        _ request: ForecastRequest, in situation: Situation, by model: LoadedModel
    ) throws(InferenceError) -> DelayDistribution {
        try admit(1)
        defer { leave(1) }
        try request.check(index: 0)
        batches.add(1, ordering: .relaxed)
        return try rowScratch.forecast(
            request, in: situation, by: ServedModel(model), units: computeUnits)
    }

    /// Many forecasts in one batch on the calling thread; throws as ``forecast(_:in:)->[DelayDistribution]``.
    package nonisolated func forecastNow(
        _ requests: [ForecastRequest], in situation: Situation, by model: LoadedModel
    ) throws(InferenceError) -> [DelayDistribution] {
        try admit(requests.count)
        defer { leave(requests.count) }
        for (index, request) in requests.enumerated() { try request.check(index: index) }
        let rows = ServedModel(model).rows(requests, in: situation)
        return try Self.delays(predictAlone(rows, on: model))
    }
}

private struct RowScratch: Sendable {
    var batch = FeatureBatch(capacity: 1)
    var workspace = Workspace()
    var probabilities: [Float] = []

    package mutating func run(
        _ request: ForecastRequest, in situation: Situation, by current: ServedModel,
        units: ComputeUnits
    ) {
        batch.removeRows()
        current.builder.append(
            request.bridge, leadMinutes: request.leadMinutes,
            density: request.density(from: situation.issueTime),
            in: situation, to: &batch)
        current.model.predict(batch, into: &probabilities, workspace: &workspace, units: units)
    }
}

/// Scratch that is not in use; as many as have ever been needed at once.
///
/// Each keeps what rows of the newest situation have in common.
final class RowScratchPool: Sendable {
    private let idle = Mutex<[RowScratch]>([])

    func forecast(
        _ request: ForecastRequest, in situation: Situation, by current: ServedModel,
        units: ComputeUnits
    ) throws(InferenceError) -> DelayDistribution {
        var scratch = idle.withLock { $0.popLast() } ?? RowScratch()
        scratch.run(request, in: situation, by: current, units: units)
        let result = DelayDistribution(row: 0, of: scratch.probabilities)
        let used = scratch
        idle.withLock { $0.append(used) }
        guard let result else { throw .notFinite(request: 0) }
        return result
    }
}

/// Workspaces that tasks borrow; as many as have ever been needed at once.
final class WorkspacePool: Sendable {
    private let idle = Mutex<[Workspace]>([])
    private let threads: Int

    init(threads: Int) { self.threads = threads }

    func withWorkspace(_ body: (inout Workspace) -> Void) {
        var workspace = idle.withLock { $0.popLast() } ?? Workspace(threads: threads)
        body(&workspace)
        let borrowed = workspace
        idle.withLock { $0.append(borrowed) }
    }
}
