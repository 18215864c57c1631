// Requests that wait to share a batch, and the workspaces of those that run alone.
internal import BridgecastCore
internal import Synchronization

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
