// The live pipeline of a service that has replicas: one of them polls, all publish.
internal import BridgecastLive
internal import Logging
internal import Metrics
internal import ServiceLifecycle
private import Synchronization

/// Follows the log of the replicas, and polls the feeds whenever it is this replica's turn.
struct ReplicaPipeline: Service {
    private let state: ServiceState
    private let outbox: ReplicaOutbox
    private let forecaster: LiveForecaster
    private let publisher: SnapshotPublisher
    private let follower: ReplicaFollower
    /// The service of the term in which this replica polls.
    private let polling = PollingService()

    /// - Throws: An error of the records.
    init(
        _ state: ServiceState, _ outbox: ReplicaOutbox,
        maxAgeSeconds: Double = ReplicaFollower.defaultMaxAgeSeconds
    ) throws {
        self.state = state
        self.outbox = outbox
        forecaster = try LivePipeline.forecaster(of: state)
        publisher = SnapshotPublisher(state)
        follower = ReplicaFollower(
            state, log: outbox.log, forecaster: forecaster, publisher: publisher,
            maxAgeSeconds: maxAgeSeconds)
    }

    func run() async throws {
        // From the beginning, for the sum over all replicas.
        Gauge(label: Self.gauge).record(0)
        try await LivePipeline.archiving(state) {
            await cancelWhenGracefulShutdown {
                await withDiscardingTaskGroup { group in
                    group.addTask { await follower.follow() }
                    group.addTask { await follower.keepCurrent() }
                    group.addTask { await takeTurns() }
                    group.addTask { await forecastAgain() }
                }
            }
        }
    }

    /// Polls whenever no other replica does.
    private func takeTurns() async {
        var failures = 0
        var lastReason = ""
        while !Task.isCancelled {
            do {
                let term = try await outbox.log.campaign()
                failures = 0
                try await poll(in: term)
            } catch is CancellationError { return } catch {
                failures += 1
                let reason = "\(error)"
                // Attempts that fail alike are one message.
                if failures == 1 || reason != lastReason {
                    state.log.warning(
                        "this replica does not poll", metadata: ["reason": "\(reason)"])
                }
                lastReason = reason
                try? await Task.sleep(for: .seconds(ReplicaFollower.waitSeconds(failures)))
            }
        }
    }

    /// Polls until the term ends, and lets another replica poll then.
    private func poll(in term: any ReplicaTerm) async throws {
        let result: Result<Void, any Error>
        do {
            try await follower.wait(for: term.lastSequence)
            try await publish(in: term)
            result = .success(())
        } catch { result = .failure(error) }
        polling.set(nil)
        outbox.end()
        await follower.endTerm()
        Gauge(label: Self.gauge).record(0)
        await term.end()
        try result.get()
    }

    private static let gauge = "bridgecast_replica_polls"

    private func publish(in term: any ReplicaTerm) async throws {
        let records = outbox.begin(term)
        let parts = LivePipeline.parts(of: state) { [publisher, outbox] news in
            // What polls may learn late that its term has ended: others publish then.
            guard outbox.term?.number == term.number else { return }
            outbox.offer(news, publisher.publish(news))
        }
        let live =
            if let news = await follower.begin(term: term.number) {
                try LiveService(parts, forecaster: forecaster, after: news)
            } else { try LiveService(parts, forecaster: forecaster) }
        polling.set(live)
        Gauge(label: Self.gauge).record(1)
        state.log.info("this replica polls", metadata: ["term": "\(term.number)"])
        // Not cancelled with the rest: what has been published is written.
        let writing = Task { try await write(records, in: term) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { outbox.end() }
                try await live.run()
            }
            group.addTask { try await writing.value }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Writes records until there are no more; the first that cannot be written ends the term.
    private func write(_ records: AsyncStream<ReplicaRecord>, in term: any ReplicaTerm) async throws
    {
        do {
            for await record in records {
                try await term.append(
                    record.bytes(), eventCount: record.sent.count,
                    isPublication: record.publication != nil)
            }
        } catch {
            // At once: what polls may still wait for the database.
            outbox.end()
            await term.end()
            throw error
        }
    }

    /// Makes a new snapshot immediately when a new model is loaded.
    private func forecastAgain() async {
        for await _ in state.models.changes {
            guard let live = polling.service else {
                await follower.forecastAgain()
                continue
            }
            do {
                try await live.forecastAgain()
            } catch {
                state.log.error("no forecast by the new model", metadata: ["reason": "\(error)"])
            }
        }
    }
}

/// The live service of the current term, for those that do not run it.
private final class PollingService: Sendable {
    private let current = Mutex<LiveService?>(nil)

    var service: LiveService? { current.withLock { $0 } }

    func set(_ service: LiveService?) { current.withLock { $0 = service } }
}
