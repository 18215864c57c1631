// Small requests that come together run as one batch, on the actor; the other half of TrafficInference.
internal import BridgecastCore
private import Synchronization

extension TrafficInference {
    /// Joins the requests that wait, for the window if there is one, and has them run.
    nonisolated func wait(
        for request: WaitingRequest
    ) async throws(InferenceError) -> [Float] {
        let deadline = waiting.withLock {
            $0.add(request, window: min(options.coalescingWindow, .seconds(3600)))
        }
        if let deadline {
            do {
                try await Task.sleep(until: deadline, clock: .continuous)
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
        guard !Task.isCancelled else {
            waiting.withLock { $0.remove(request) }
            throw .cancelled
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
