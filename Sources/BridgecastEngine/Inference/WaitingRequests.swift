// Requests that wait to share a batch, and the workspaces of those that run alone.
internal import BridgecastCore
internal import Synchronization

/// A model in use and what builds its features.
struct Serving: Sendable {
    let model: LoadedModel
    let builder: FeatureBuilder

    init(_ model: LoadedModel) {
        self.model = model
        builder = FeatureBuilder(climatology: model.climatology)
    }

    /// The inputs of requests that have been checked.
    func rows(_ requests: [ForecastRequest], in situation: Situation) -> FeatureBatch {
        var batch = FeatureBatch(capacity: requests.count)
        for request in requests {
            builder.append(
                request.bridge, leadMinutes: request.leadMinutes, density: request.density,
                in: situation, to: &batch)
        }
        return batch
    }
}

/// Rows that wait for their batch, and later their result.
final class WaitingRequest: Sendable {
    let batch: FeatureBatch
    let model: LoadedModel
    private let finished = Mutex<[Float]?>(nil)

    init(_ batch: FeatureBatch, _ model: LoadedModel) {
        self.batch = batch
        self.model = model
    }

    /// [B, 12] once its batch has run.
    var result: [Float]? { finished.withLock { $0 } }

    func finish(_ result: [Float]) { finished.withLock { $0 = result } }
}

/// The requests that the next batch will be made of.
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
