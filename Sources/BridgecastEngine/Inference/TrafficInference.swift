// The actor that serves forecasts: many callers, one model that can be swapped meanwhile.
public import BridgecastCore
public import Foundation
internal import Synchronization

/// Loads a model and forecasts with it, for any number of callers.
///
/// Small requests that come together run as one batch, on this actor; large ones, tables and rankings run on
/// ``InferenceOptions/executor``, with a workspace each from a pool. A request runs on the model that was in use when it was
/// made, whatever is reloaded meanwhile. Requests beyond ``InferenceOptions/maxRowsInFlight`` are refused before anything
/// is computed for them.
public actor TrafficInference {
    /// The code path in use.
    public nonisolated let computeUnits: ComputeUnits
    /// How callers are served.
    public nonisolated let options: InferenceOptions

    private nonisolated let serving: Mutex<ServedModel>
    nonisolated let waiting = Mutex<WaitingRequests>(WaitingRequests())
    /// Rows that wait or run.
    nonisolated let rowsInFlight = Atomic<Int>(0)
    nonisolated let batches = Atomic<Int>(0)
    /// Computations that wait for ``InferenceOptions/executor`` or run on it.
    nonisolated let computationsInFlight = InFlightCount()
    private nonisolated let pool: WorkspacePool
    nonisolated let rowScratch = RowScratchPool()
    var workspace = Workspace()
    var joined = FeatureBatch()
    var probabilities: [Float] = []

    /// Loads and validates a model file.
    ///
    /// - Throws: ``ModelFileError``.
    public init(
        contentsOf url: URL, computeUnits: ComputeUnits = .all,
        options: InferenceOptions = InferenceOptions()
    ) throws(ModelFileError) {
        self.init(try ModelFile.read(url), computeUnits: computeUnits, options: options)
    }

    /// Serves a model that is already loaded.
    public init(
        _ model: LoadedModel, computeUnits: ComputeUnits = .all,
        options: InferenceOptions = InferenceOptions()
    ) {
        self.computeUnits = computeUnits
        self.options = options
        serving = Mutex(ServedModel(model))
        pool = WorkspacePool(threads: options.threads)
    }

    /// The model in use.
    public nonisolated var model: LoadedModel { serving.withLock { $0.model } }

    /// Batches run so far; fewer than requests where these shared one.
    public nonisolated var batchesRun: Int { batches.load(ordering: .relaxed) }

    /// Replaces the model by another file's; if that is refused, the old one goes on serving.
    ///
    /// The file is read and validated on a thread of its own, whatever computations wait, while the old model serves: at
    /// most 64 MB of an ordinary file; pipes and devices are refused.
    /// - Throws: ``ModelFileError/refused(file:_:)``.
    @concurrent
    public nonisolated func reload(contentsOf url: URL) async throws(ModelFileError) {
        use(
            try await Self.run(on: ComputeExecutor.reading) { () throws(ModelFileError) in
                try ModelFile.readFile(url)
            })
    }

    package nonisolated func use(_ model: LoadedModel) {
        let next = ServedModel(model)
        serving.withLock { $0 = next }
    }

    /// Forecasts the delay for each request.
    ///
    /// - Parameters:
    ///   - requests: Any number, also none.
    ///   - situation: What is known at issue time.
    /// - Returns: One distribution per request, in order.
    /// - Throws: ``InferenceError``; nothing is computed for requests that are refused.
    @concurrent
    public nonisolated func forecast(
        _ requests: [ForecastRequest], in situation: Situation
    ) async throws(InferenceError) -> [DelayDistribution] {
        try await traced(.forecast) { (clock) throws(InferenceError) in
            guard requests.count >= options.minRowsAlone else {
                try admit(requests.count)
                defer { leave(requests.count) }
                let (batch, model) = try inputs(of: requests, in: situation)
                return try Self.delays(try await predict(batch, on: model, clock))
            }
            let admission = try RowAdmission(of: requests.count, to: self)
            return try await compute(clock, refusal: { $0 }) { () throws(InferenceError) in
                defer { withExtendedLifetime(admission) {} }
                let (batch, model) = try self.inputs(of: requests, in: situation)
                return try Self.delays(self.predictAlone(batch, on: model))
            }
        }
    }

    /// Forecasts one delay.
    ///
    /// - Throws: As ``forecast(_:in:)->[DelayDistribution]``.
    @concurrent
    public nonisolated func forecast(
        _ request: ForecastRequest, in situation: Situation
    ) async throws(InferenceError) -> DelayDistribution {
        try await forecast([request], in: situation)[0]
    }

    /// As ``forecast(_:in:)->[DelayDistribution]``, at once and on the calling thread: for callers that have no tasks.
    package nonisolated func forecastNow(
        _ requests: [ForecastRequest], in situation: Situation
    ) throws(InferenceError) -> [DelayDistribution] {
        try admit(requests.count)
        defer { leave(requests.count) }
        let (batch, model) = try inputs(of: requests, in: situation)
        return try Self.delays(predictAlone(batch, on: model))
    }

    private nonisolated func inputs(
        of requests: [ForecastRequest], in situation: Situation
    ) throws(InferenceError) -> (FeatureBatch, LoadedModel) {
        for (index, request) in requests.enumerated() { try request.check(index: index) }
        let current = current
        return (current.rows(requests, in: situation), current.model)
    }

    static func delays(_ probabilities: [Float]) throws(InferenceError) -> [DelayDistribution] {
        var delays: [DelayDistribution] = []
        delays.reserveCapacity(probabilities.count / DelayBins.count)
        for row in 0..<probabilities.count / DelayBins.count {
            delays.append(try .row(row, of: probabilities))
        }
        return delays
    }

    /// Runs rows that the caller has built, for this actor's model.
    ///
    /// - Returns: The probability of each delay bin, [B, 12]; NaN in rows that hold NaN or infinity.
    /// - Throws: As ``forecast(_:in:)->[DelayDistribution]``.
    @concurrent
    public nonisolated func predict(_ batch: FeatureBatch) async throws(InferenceError) -> [Float] {
        try await traced(.forecast) { (clock) throws(InferenceError) in
            let model = model
            guard batch.rowCount >= options.minRowsAlone else {
                try admit(batch.rowCount)
                defer { leave(batch.rowCount) }
                return try await predict(batch, on: model, clock)
            }
            let admission = try RowAdmission(of: batch.rowCount, to: self)
            return try await compute(clock, refusal: { $0 }) { () throws(InferenceError) in
                defer { withExtendedLifetime(admission) {} }
                return try self.predictAlone(batch, on: model)
            }
        }
    }

    /// Forecasts every bridge at a grid of leads, with queueing and without, in one batch.
    ///
    /// - Parameters:
    ///   - departure: Nothing is looked up for earlier arrivals; by default the issue time. For one more than an
    ///     hour ahead the time up to it is left out.
    ///   - minutes: The farthest arrival the table must reach, after the departure; both together at most
    ///     ``ForecastTable/maxLeadMinutes``. A quarter of an hour takes 14 rows, so
    ///     ``InferenceOptions/maxRowsInFlight`` is the nearer limit: 49 days by default.
    ///   - traffic: Densities of the approaches.
    ///   - modes: Who may look things up. With only those who queue, or only those who do not, half the rows
    ///     are saved.
    ///   - model: By default the one in use. A host that says in its answer which model it is of names it here, whatever
    ///     is reloaded meanwhile.
    /// - Throws: As ``forecast(_:in:)->[DelayDistribution]``.
    @concurrent
    public nonisolated func table(
        in situation: Situation, leaving departure: Timestamp? = nil, reaching minutes: Double,
        traffic: TrafficDensity = TrafficDensity(),
        modes: Set<Route.Mode> = Set(Route.Mode.allCases), model: LoadedModel? = nil
    ) async throws(InferenceError) -> ForecastTable {
        try await traced(.table) { (clock) throws(InferenceError) in
            let lead = departure?.minutes(since: situation.issueTime) ?? 0
            guard lead >= 0 else { throw .departureInThePast(minutes: -lead) }
            guard minutes >= 0 else { throw .reach(minutes: minutes) }
            let plan = try ForecastTablePlan(
                situation, from: lead, reaching: lead + minutes, traffic: traffic, modes: modes)
            let served = model.map(ServedModel.init) ?? current
            return try await compute(clock, refusal: { $0 }) { () throws(InferenceError) in
                try self.table(plan, by: served)
            }
        }
    }

    /// The model in use with what builds its features: an answer that takes several forecasts takes them all by one.
    package nonisolated var current: ServedModel { serving.withLock { $0 } }

    /// Computes a table at once and on the calling thread.
    package nonisolated func table(
        _ plan: ForecastTablePlan, by current: ServedModel
    ) throws(InferenceError) -> ForecastTable {
        try admit(plan.rowCount)
        defer { leave(plan.rowCount) }
        let probabilities = try predictAlone(plan.rows(current.builder), on: current.model)
        return try plan.table(probabilities, current.model.climatology)
    }

    /// Counts rows in, before anything is done for them, so that refusing is cheap under overload.
    nonisolated func admit(_ rows: Int) throws(InferenceError) {
        let limit = options.maxRowsInFlight
        guard rows <= limit else { throw .tooLarge(rows: rows, limit: limit) }
        guard !Task.isCancelled else { throw .cancelled }
        guard Self.isBeforeDeadline else { throw .deadlineExceeded }
        var before = rowsInFlight.load(ordering: .relaxed)
        while true {
            guard before + rows <= limit else {
                throw .overloaded(rowsInFlight: before, limit: limit)
            }
            let (isCounted, found) = rowsInFlight.weakCompareExchange(
                expected: before, desired: before + rows, ordering: .relaxed)
            if isCounted { return }
            before = found
        }
    }

    /// Refuses where `rows` rows could not be admitted now, before the roads are searched in vain.
    package nonisolated func refuseUnlessAdmissible(_ rows: Int) throws(InferenceError) {
        try admit(rows)
        leave(rows)
    }

    /// Rows that are counted until it is released: a computation may outlive the call that asked for it.
    private final class RowAdmission: Sendable {
        private let rows: Int
        private let inference: TrafficInference

        init(of rows: Int, to inference: TrafficInference) throws(InferenceError) {
            try inference.admit(rows)
            self.rows = rows
            self.inference = inference
        }

        deinit { inference.leave(rows) }
    }

    nonisolated func leave(_ rows: Int) { rowsInFlight.subtract(rows, ordering: .relaxed) }

    /// Has few rows run with others that wait.
    private nonisolated func predict(
        _ batch: FeatureBatch, on model: LoadedModel, _ clock: CallClock
    ) async throws(InferenceError) -> [Float] {
        guard batch.rowCount > 0 else {
            clock.begin()
            return []
        }
        return try await wait(for: WaitingRequest(batch, model, clock))
    }

    nonisolated func predictAlone(
        _ batch: FeatureBatch, on model: LoadedModel
    ) throws(InferenceError) -> [Float] {
        guard !Task.isCancelled else { throw .cancelled }
        var output: [Float] = []
        batches.add(1, ordering: .relaxed)
        pool.withWorkspace {
            model.predict(batch, into: &output, workspace: &$0, units: computeUnits)
        }
        return output
    }
}

// MARK: - Options

/// How ``TrafficInference`` serves many callers.
public struct InferenceOptions: Sendable {
    /// How long a small request waits for others to share its batch.
    ///
    /// Zero, the default, never waits: requests that come while a batch runs share the next one anyway. More than an
    /// hour counts as one.
    public var coalescingWindow = Duration.zero
    /// Requests of at least this many rows run by themselves, on ``executor``.
    public var minRowsAlone = 256
    /// Rows that may wait or run at a time; requests beyond are refused before anything is done for them.
    public var maxRowsInFlight = 65_536
    /// Computations that may wait or run on ``executor`` at a time, however many rows they have; others are refused.
    public var maxComputationsInFlight = 1_024
    /// Threads that a large batch is divided among; see ``Workspace/init(threads:)``.
    public var threads = 1
    /// Runs long computations: large batches, tables, rankings, searches of roads, curves of departures.
    ///
    /// Nil runs them on the thread that the caller's task is on, which the host's other tasks then wait for.
    public var executor: (any TaskExecutor)? = ComputeExecutor.shared
    /// Called once for each call that is over, in the task that made it; it must return quickly.
    public var onCall: (@Sendable (InferenceTrace) -> Void)?

    /// The defaults.
    public init() {}
}

package struct ServedModel: Sendable {
    package let model: LoadedModel
    package let builder: FeatureBuilder

    package init(_ model: LoadedModel) {
        self.model = model
        builder = FeatureBuilder(climatology: model.climatology)
    }

    package func rows(_ requests: [ForecastRequest], in situation: Situation) -> FeatureBatch {
        var batch = FeatureBatch(capacity: requests.count)
        for request in requests {
            builder.append(
                request.bridge, leadMinutes: request.leadMinutes,
                density: request.density(from: situation.issueTime), in: situation, to: &batch)
        }
        return batch
    }
}
