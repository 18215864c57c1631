// Forecasts at once by a model that is named, a single row without allocating; behind the service's `/forecast`.
package import BridgecastCore
internal import Synchronization

extension TrafficInference {
    /// The forecast of one request by a model, at once and on the calling thread, to the last bit that of
    /// ``forecast(_:in:)``; nothing is allocated once the situation is known.
    ///
    /// - Parameter model: The one that a host has named in its answer, whatever is reloaded meanwhile.
    /// - Throws: As ``forecast(_:in:)``.
    package nonisolated func forecastNow(
        _ request: ForecastRequest, in situation: Situation, by model: LoadedModel
    ) throws(InferenceError) -> DelayDistribution {
        try admit(1)
        defer { leave(1) }
        try request.check(place: 0)
        batches.add(1, ordering: .relaxed)
        return try desks.forecast(
            request, in: situation, by: Serving(model), units: computeUnits)
    }

    /// The forecasts of many requests by a model, in one batch on the calling thread.
    ///
    /// - Throws: As ``forecast(_:in:)``.
    package nonisolated func forecastNow(
        _ requests: [ForecastRequest], in situation: Situation, by model: LoadedModel
    ) throws(InferenceError) -> [DelayDistribution] {
        try admit(requests.count)
        defer { leave(requests.count) }
        for (place, request) in requests.enumerated() { try request.check(place: place) }
        let rows = Serving(model).rows(requests, in: situation)
        return try Self.delays(predictAlone(rows, on: model))
    }
}

/// A batch of one row with all that its computation takes.
private struct RowDesk: Sendable {
    var batch = FeatureBatch(capacity: 1)
    var workspace = Workspace()
    var probabilities: [Float] = []

    mutating func run(
        _ request: ForecastRequest, in situation: Situation, by current: Serving,
        units: ComputeUnits
    ) {
        batch.removeRows()
        current.builder.append(
            request.bridge, leadMinutes: request.leadMinutes, density: request.density,
            in: situation, to: &batch)
        current.model.predict(batch, into: &probabilities, workspace: &workspace, units: units)
    }
}

/// Desks that are not in use; as many as have ever been needed at once.
///
/// Each keeps what rows of the newest situation have in common.
final class RowDesks: Sendable {
    private let idle = Mutex<[RowDesk]>([])

    func forecast(
        _ request: ForecastRequest, in situation: Situation, by current: Serving,
        units: ComputeUnits
    ) throws(InferenceError) -> DelayDistribution {
        var desk = idle.withLock { $0.popLast() } ?? RowDesk()
        desk.run(request, in: situation, by: current, units: units)
        let result = DelayDistribution(row: 0, of: desk.probabilities)
        let used = desk
        idle.withLock { $0.append(used) }
        guard let result else { throw .notFinite(request: 0) }
        return result
    }
}
