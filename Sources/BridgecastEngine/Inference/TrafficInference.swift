// The actor that serves forecasts: many callers, one model that can be swapped while it serves.
// Belongs here: the serving of forecasts to many tasks; not: the arithmetic (Compute) or routes (RouteScoring).
public import BridgecastCore
public import Foundation
internal import Synchronization

/// Loads a model and forecasts with it, for any number of callers.
///
/// No work is done on the caller's actor. Small requests that come together run as one batch, on this
/// actor; large ones, tables and rankings run side by side with a workspace each from a pool. A request runs on
/// the model that was in use when it was made, whatever is reloaded meanwhile. Requests beyond
/// ``ServiceOptions/mostRowsInFlight`` are refused before anything is computed for them.
public actor TrafficInference {
    /// The code path in use.
    public nonisolated let computeUnits: ComputeUnits
    /// How callers are served.
    public nonisolated let options: ServiceOptions

    private nonisolated let serving: Mutex<Serving>
    nonisolated let waiting = Mutex<WaitingRequests>(WaitingRequests())
    /// Rows that wait or run.
    nonisolated let rowsInFlight = Atomic<Int>(0)
    nonisolated let batches = Atomic<Int>(0)
    private nonisolated let pool: WorkspacePool
    /// What single rows are computed on.
    nonisolated let desks = RowDesks()
    var workspace = Workspace()
    var joined = FeatureBatch()
    var probabilities: [Float] = []

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
        use(try ModelFile.read(url))
    }

    /// Replaces the model by another that is loaded.
    package nonisolated func use(_ model: LoadedModel) {
        let next = Serving(model)
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
        try admit(requests.count)
        defer { leave(requests.count) }
        let (batch, model) = try inputs(of: requests, in: situation)
        return try Self.delays(try await predict(batch, on: model))
    }

    /// As ``forecast(_:in:)``, at once and on the calling thread: for callers that have no tasks.
    package nonisolated func forecastNow(
        _ requests: [ForecastRequest], in situation: Situation
    ) throws(InferenceError) -> [DelayDistribution] {
        try admit(requests.count)
        defer { leave(requests.count) }
        let (batch, model) = try inputs(of: requests, in: situation)
        return try Self.delays(predictAlone(batch, on: model))
    }

    /// The rows of requests, checked, and the model in use.
    private nonisolated func inputs(
        of requests: [ForecastRequest], in situation: Situation
    ) throws(InferenceError) -> (FeatureBatch, LoadedModel) {
        for (place, request) in requests.enumerated() { try request.check(place: place) }
        let current = current
        return (current.rows(requests, in: situation), current.model)
    }

    static func delays(
        _ probabilities: [Float]
    ) throws(InferenceError) -> [DelayDistribution] {
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
    /// - Throws: As ``forecast(_:in:)``.
    @concurrent
    public nonisolated func predict(_ batch: FeatureBatch) async throws(InferenceError) -> [Float] {
        try admit(batch.rowCount)
        defer { leave(batch.rowCount) }
        return try await predict(batch, on: model)
    }

    /// Forecasts every bridge at a grid of leads, with queueing and without, in one batch.
    ///
    /// - Parameters:
    ///   - departure: Nothing is looked up for earlier arrivals; by default the issue time. For one more than an
    ///     hour ahead the time up to it is left out.
    ///   - minutes: The farthest arrival the table must reach, after the departure; both together at most
    ///     ``ForecastTable/farthestMinutes``. A quarter of an hour takes 14 rows, so
    ///     ``ServiceOptions/mostRowsInFlight`` is the nearer limit: 49 days by default.
    ///   - traffic: Densities of the approaches.
    ///   - modes: Who may look things up. With only those who queue, or only those who do not, half the rows
    ///     are saved.
    /// - Throws: As ``forecast(_:in:)``.
    @concurrent
    public nonisolated func table(
        in situation: Situation, leaving departure: Timestamp? = nil, reaching minutes: Double,
        traffic: TrafficDensity = TrafficDensity(),
        modes: Set<Route.Mode> = Set(Route.Mode.allCases)
    ) async throws(InferenceError) -> ForecastTable {
        try table(
            in: situation, leaving: departure, reaching: minutes, traffic: traffic, modes: modes,
            by: current)
    }

    /// The model in use with what builds its features: an answer that takes several forecasts takes them all by one.
    nonisolated var current: Serving { serving.withLock { $0 } }

    /// Computes a table at once and on the calling thread.
    nonisolated func table(
        _ plan: ForecastTablePlan, by current: Serving
    ) throws(InferenceError) -> ForecastTable {
        try admit(plan.rowCount)
        defer { leave(plan.rowCount) }
        let probabilities = try predictAlone(plan.rows(current.builder), on: current.model)
        return try plan.table(probabilities, current.model.climatology)
    }

    /// Counts rows in, before anything is done for them: refusing costs next to nothing, so that under overload
    /// what can be served is.
    nonisolated func admit(_ rows: Int) throws(InferenceError) {
        let limit = options.mostRowsInFlight
        guard rows <= limit else { throw .tooLarge(rows: rows, limit: limit) }
        guard !Task.isCancelled else { throw .cancelled }
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

    /// Refuses where so many rows could not be admitted now: before the roads are searched for a forecast that
    /// would be refused afterwards.
    nonisolated func refuseUnlessAdmissible(_ rows: Int) throws(InferenceError) {
        try admit(rows)
        leave(rows)
    }

    /// Counts rows out.
    nonisolated func leave(_ rows: Int) { rowsInFlight.subtract(rows, ordering: .relaxed) }

    private nonisolated func predict(
        _ batch: FeatureBatch, on model: LoadedModel
    ) async throws(InferenceError) -> [Float] {
        guard batch.rowCount < options.leastRowsAlone else {
            return try predictAlone(batch, on: model)
        }
        guard batch.rowCount > 0 else { return [] }
        return try await wait(for: WaitingRequest(batch, model))
    }

    /// Runs a batch on the calling thread.
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
