// The live pipeline of a service that is alone: what it publishes becomes snapshots and events.
internal import Bridgecast
internal import BridgecastAnswers
internal import BridgecastData
internal import BridgecastLive
internal import BridgecastObservation
private import Foundation
internal import HTTPTypes
private import Logging
internal import ServiceLifecycle
private import Synchronization

/// Polls the feeds once, for any number of clients.
struct LivePipeline: Service {
    private let state: ServiceState
    private let live: LiveService

    /// How far snapshots look ahead, minutes.
    static let reachMinutes = 120.0
    /// Seconds after which a pipeline that failed is restarted.
    private static let restSeconds = 1.0

    /// - Throws: ``HistoryStoreError`` or an error of the records, if what is known so far cannot be read.
    init(_ state: ServiceState) throws {
        self.state = state
        let publisher = SnapshotPublisher(state)
        let parts = Self.parts(of: state) { news in
            for event in publisher.publish(news) { state.events.send(event) }
        }
        live = try LiveService(parts, forecaster: try Self.forecaster(of: state))
    }

    /// The parts of a live service that publishes to a listener before others get to know of it.
    static func parts(
        of state: ServiceState, listener: @escaping @Sendable (LiveNews) -> Void
    ) -> LiveParts {
        var parts = state.parts.live
        parts.listener = { [bridgeListener = state.parts.bridgeListener] news in
            listener(news)
            bridgeListener?(news)
        }
        parts.archivedModel = { [models = state.models, url = state.parts.modelURL] model in
            let named = models.named
            // One that was replaced meanwhile forecasts again at once.
            guard named.model.isSame(as: model) else { return nil }
            return ArchivedModel(
                file: url?.lastPathComponent ?? model.header.name, sha256: named.digest ?? "")
        }
        parts.bridges = PausableFeed(feed: parts.bridges, pause: state.pause)
        return parts
    }

    /// - Throws: An error of the records.
    static func forecaster(of state: ServiceState) throws -> LiveForecaster {
        let live = state.parts.live
        return try LiveForecaster(
            state.parts.inference, history: try live.records(live.clock.now),
            reachMinutes: reachMinutes)
    }

    /// Runs until the service stops; after a failure, which is logged, the pipeline is restarted.
    func run() async throws {
        try await Self.archiving(state) { try await forecastUntilShutdown() }
    }

    /// Runs a pipeline, and what archives its forecasts until it ends.
    static func archiving(_ state: ServiceState, _ body: () async throws -> Void) async throws {
        let archiver = state.parts.live.archiver
        let archiving = archiver.map { archiver in Task { await archiver.run() } }
        var failure: (any Error)?
        do {
            try await body()
        } catch {
            failure = error
        }
        // The next start scores what is new; a shutdown does not wait for that.
        archiver?.finish(scoring: false)
        await archiving?.value
        if let failure { throw failure }
    }

    private func forecastUntilShutdown() async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { try await keepRunning() }
                group.addTask { try await forecastAgain() }
            }
        }
    }

    private func keepRunning() async throws {
        while !Task.isCancelled {
            do {
                try await live.run()
            } catch is CancellationError {
                return
            } catch {
                state.log.error("live pipeline failed", metadata: ["reason": "\(error)"])
                try await Task.sleep(for: .seconds(Self.restSeconds))
            }
        }
    }

    /// Makes a new snapshot immediately when a new model is loaded.
    private func forecastAgain() async throws {
        for await _ in state.models.changes {
            do {
                try await live.forecastAgain()
            } catch is CancellationError {
                return
            } catch {
                state.log.error("no forecast by the new model", metadata: ["reason": "\(error)"])
            }
        }
    }
}

final class SnapshotPublisher: Sendable {
    private let state: ServiceState
    private let shown = Mutex<(feeds: [FeedStatus], phase: AppPhase)>(([], .idle))

    init(_ state: ServiceState) { self.state = state }

    /// Shows a snapshot of the news.
    ///
    /// - Returns: What has changed, as events in order.
    func publish(_ news: LiveNews) -> [ServiceEvent] {
        guard let update = news.update else { return [] }
        let isFeedNew = shown.withLock { shown in
            defer { shown = (news.feeds, news.phase) }
            return shown.phase != news.phase || !Self.same(shown.feeds, news.feeds)
        }
        let snapshot = BridgesSnapshot(
            madeAt: state.now, update: update, feeds: news.feeds, phase: news.phase,
            pace: state.parts.live.clock.pace)
        state.show(snapshot)
        var events = news.changes.map { change in
            ServiceEvent(
                .state, StateEvent(change, events: news.events, in: snapshot).jsonBytes())
        }
        if news.isForecastNew {
            events.append(ServiceEvent(.forecast, ForecastEvent(snapshot: snapshot).jsonBytes()))
        }
        if isFeedNew {
            events.append(ServiceEvent(.feed, FeedEvent(snapshot: snapshot).jsonBytes()))
        }
        return events
    }

    /// Whether feeds are doing as before, apart from the time of their last answer.
    private static func same(_ before: [FeedStatus], _ after: [FeedStatus]) -> Bool {
        before.count == after.count
            && zip(before, after).allSatisfy { $0.id == $1.id && $0.problem == $1.problem }
    }
}

struct Heartbeat: Service {
    let state: ServiceState

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(state.settings.heartbeatSeconds))
                state.events.sendHeartbeat()
            }
        }
    }
}

/// `GET /api/v1/events`: server-sent events (WHATWG HTML 9.2).
enum EventsEndpoint {
    static let all = [
        Endpoint(
            method: .get, path: EndpointTable.base + "/events", parameters: [], forms: [.events],
            bodyTypes: [], weight: .stream,
            handle: .now { request in
                // Before the first snapshot there are no events.
                _ = try request.state.snapshot()
                let stream = request.state.events.listen(after: request.lastEventID)
                var answer = ServiceAnswer(.events, .stream(stream), keeping: .never)
                // Proxies that buffer answers would delay events.
                answer.fields[.known("X-Accel-Buffering")] = "no"
                return answer
            })
    ]
}
