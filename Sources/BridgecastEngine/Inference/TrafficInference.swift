// The actor that serves forecasts: many callers, one model that can be swapped while it serves.
public import BridgecastCore
public import Foundation
private import Synchronization

/// Loads a model and forecasts with it, for any number of callers.
///
/// Features are computed on the caller's thread. Small requests that come together run as one batch, on
/// the actor; large ones run on the caller's thread with a workspace from a pool. A request runs on
/// the model that was in use when it was made, whatever is reloaded meanwhile.
public actor TrafficInference {
    /// The code path in use.
    public nonisolated let computeUnits: ComputeUnits
    /// How callers are served.
    public nonisolated let options: ServiceOptions

    private nonisolated let serving: Mutex<Serving>
    private nonisolated let waiting = Mutex<WaitingRequests>(WaitingRequests())
    private nonisolated let rowsInFlight = Atomic<Int>(0)
    private nonisolated let batches = Atomic<Int>(0)
    private nonisolated let pool: WorkspacePool
    private var workspace = Workspace()
    private var joined = FeatureBatch()
    private var probabilities: [Float] = []

    /// Loads and validates a model file.
    ///
    /// - Throws: ``ModelFileError``.
    public init(
        contentsOf url: URL, computeUnits: ComputeUnits = .all,
        options: ServiceOptions = ServiceOptions()
    ) throws(ModelFileError) {
        self.init(try ModelFile.read(url), computeUnits: computeUnits, options: options)
    }

    /// Serves a model that is already loaded.
    public init(
        _ model: LoadedModel, computeUnits: ComputeUnits = .all,
        options: ServiceOptions = ServiceOptions()
    ) {
        self.computeUnits = computeUnits
        self.options = options
        serving = Mutex(Serving(model))
        pool = WorkspacePool(threads: options.threads)
    }

    /// The model in use.
    public nonisolated var model: LoadedModel { serving.withLock { $0.model } }

    /// Batches run so far; fewer than requests where these shared one.
    public nonisolated var batchesRun: Int { batches.load(ordering: .relaxed) }

    /// Replaces the model by another file's; if that is refused, the old one goes on serving.
    ///
    /// The file is read and validated on the caller's thread, while the old model serves.
    /// - Throws: ``ModelFileError``.
    public nonisolated func reload(contentsOf url: URL) throws(ModelFileError) {
        let next = Serving(try ModelFile.read(url))
        serving.withLock { $0 = next }
    }

    /// Forecasts the delay for each request.
    ///
    /// - Parameters:
    ///   - requests: Any number, also none.
    ///   - situation: What is known at issue time.
    /// - Returns: One distribution per request, in order.
    /// - Throws: ``InferenceError``; `CancellationError` if the task is cancelled before its rows run.
    public nonisolated func forecast(
        _ requests: [ForecastRequest], in situation: Situation
    ) async throws -> [DelayDistribution] {
        let current = serving.withLock { $0 }
        var batch = FeatureBatch(capacity: requests.count)
        for request in requests {
            current.builder.append(
                request.bridge, leadMinutes: request.leadMinutes, density: request.density,
                in: situation, to: &batch)
        }
        let probabilities = try await predict(batch, on: current.model)
        return requests.indices.map { DelayDistribution(row: $0, of: probabilities) }
    }

    /// Runs rows that the caller has built, for this actor's model.
    ///
    /// - Returns: The probability of each delay bin, [B, 12]; NaN in rows that hold NaN or infinity.
    /// - Throws: As ``forecast(_:in:)``.
    public nonisolated func predict(_ batch: FeatureBatch) async throws -> [Float] {
        try await predict(batch, on: model)
    }

    private nonisolated func predict(
        _ batch: FeatureBatch, on model: LoadedModel
    ) async throws -> [Float] {
        let rows = batch.rowCount
        guard rows > 0 else { return [] }
        try Task.checkCancellation()
        let (_, inFlight) = rowsInFlight.add(rows, ordering: .relaxed)
        defer { rowsInFlight.subtract(rows, ordering: .relaxed) }
        guard inFlight <= options.mostRowsInFlight else {
            throw InferenceError.overloaded(
                rowsInFlight: inFlight - rows, limit: options.mostRowsInFlight)
        }
        guard rows < options.leastRowsAlone else {
            var output: [Float] = []
            batches.add(1, ordering: .relaxed)
            pool.withWorkspace {
                model.predict(batch, into: &output, workspace: &$0, units: computeUnits)
            }
            return output
        }
        return try await wait(for: WaitingRequest(batch, model))
    }

    /// Joins the requests that wait, for the window if there is one, and has them run.
    private nonisolated func wait(for request: WaitingRequest) async throws -> [Float] {
        let deadline = waiting.withLock { $0.add(request, window: options.coalescingWindow) }
        if let deadline {
            do {
                try await Task.sleep(until: deadline, clock: .continuous)
            } catch {
                waiting.withLock { $0.remove(request) }
                throw error
            }
        }
        return try await result(of: request)
    }

    /// Runs all that waits, unless this request has run with others before its turn came.
    private func result(of request: WaitingRequest) throws -> [Float] {
        if let result = request.result { return result }
        guard !Task.isCancelled else {
            waiting.withLock { $0.remove(request) }
            throw CancellationError()
        }
        let requests = waiting.withLock { $0.takeAll() }
        // All of one model together; two only while a reload happens.
        var rest = requests
        while let first = rest.first {
            let group = rest.filter { $0.model.isSame(as: first.model) }
            run(group, on: first.model)
            rest = rest.filter { !$0.model.isSame(as: first.model) }
        }
        guard let result = request.result else { throw CancellationError() }
        return result
    }

    private func run(_ requests: [WaitingRequest], on model: LoadedModel) {
        batches.add(1, ordering: .relaxed)
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

extension TrafficInference {
    /// Forecasts every bridge at a grid of leads, with queueing and without, in one batch.
    ///
    /// - Parameters:
    ///   - minutes: The farthest arrival the table must reach.
    ///   - traffic: Densities of the approaches.
    ///   - modes: Who will look things up. With only those who queue, or only those who do not, half the
    ///     rows are saved, and the table says the same for all.
    /// - Throws: As ``forecast(_:in:)``.
    public nonisolated func table(
        in situation: Situation, reaching minutes: Double, traffic: TrafficDensity,
        modes: Set<Route.Mode> = Set(Route.Mode.allCases)
    ) async throws -> ForecastTable {
        let plan = ForecastTablePlan(
            situation.issueTime, reaching: minutes, traffic: traffic, modes: modes)
        return plan.table(try await forecast(plan.requests, in: situation))
    }
}
