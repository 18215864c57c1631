// Runs a live service and a view of it side by side until one ends or a signal comes.
// Belongs here: what `watch` and `replay` share: the run, the board, lines and JSON; not: their own options.
import Bridgecast
import BridgecastCore
import BridgecastData
import BridgecastLive
import BridgecastStore
import Foundation
import Glibc
import Logging

/// A service with its view.
struct LiveSession {
    let parts: LiveParts
    let forecaster: LiveForecaster
    let view: ViewOptions
    let what: String
    let logging: LogOptions
    let metrics: MetricsRegistry?
    let end: Timestamp?

    /// Runs until the end, `q`, SIGINT or SIGTERM; then everything is closed in order.
    @MainActor
    func run() async throws {
        let app = AppStateModel()
        var parts = parts
        let (news, teller) = AsyncStream.makeStream(of: LiveNews.self)
        if view.chosen == .ndjson { parts.listener = { teller.yield($0) } }
        let service = try LiveService(parts, forecaster: forecaster, app: app)
        let work = Task { [end] in try await service.run(until: end) }
        let stops = Signals.stopping.map { number in
            Signals.each(number) { work.cancel() }
        }
        let ticks = Task { [logging, metrics, log = parts.log] in
            while !Task.isCancelled {
                do {
                    try logging.writeMetrics(metrics)
                } catch {
                    log.error(
                        "metrics not written",
                        metadata: ["reason": "\(CommandFailure(error).message)"])
                }
                try await Task.sleep(for: .seconds(60))
            }
        }
        let show =
            switch view.chosen {
            case .board: board(app, service, work)
            case .lines: lines(app, work)
            case .ndjson: documents(of: news, teller, work)
            }
        let result = await work.result
        // The last changes are shown before the view ends.
        try? await Task.sleep(for: .milliseconds(100))
        await show.end()
        ticks.cancel()
        for stop in stops { stop.cancel() }
        let written = Result { try logging.writeMetrics(metrics) }
        await report(service)
        parts.store?.close()
        if let failure = show.failure() { throw failure }
        try written.get()
        let counts = await service.counts
        if let problem = counts.storeProblem {
            throw CommandFailure(
                .io, "\(counts.unstored) readings were not stored; the last one because: \(problem)"
            )
        }
        do {
            try result.get()
        } catch is CancellationError {
            return
        }
    }

    /// Something that is shown, how it is ended, and why it ended by itself if it did.
    private struct Showing {
        var failure: @MainActor () -> (any Error)? = { nil }
        let end: @MainActor () async -> Void
    }

    @MainActor
    private func lines(_ app: AppStateModel, _ work: Task<Void, any Error>) -> Showing {
        let view = LinesView(app, clock: parts.clock)
        return written(work, { try await view.run() }) { $0.cancel() }
    }

    @MainActor
    private func documents(
        of news: AsyncStream<LiveNews>, _ teller: AsyncStream<LiveNews>.Continuation,
        _ work: Task<Void, any Error>
    ) -> Showing {
        let view = NewsView(news, clock: parts.clock)
        return written(work, { try await view.run() }) { task in
            // What has been published is written before the end.
            teller.finish()
            await task.value
        }
    }

    /// Something that writes lines; where nobody can read on, there is nothing to go on for.
    @MainActor
    private func written(
        _ work: Task<Void, any Error>, _ write: @escaping @MainActor () async throws -> Void,
        end: @escaping @MainActor (Task<Void, Never>) async -> Void
    ) -> Showing {
        var failure: (any Error)?
        let task = Task {
            do {
                try await write()
            } catch {
                failure = error
                work.cancel()
            }
        }
        return Showing(failure: { failure }, end: { await end(task) })
    }

    @MainActor
    private func board(
        _ app: AppStateModel, _ service: LiveService, _ work: Task<Void, any Error>
    ) -> Showing {
        let terminal = Terminal(hasColour: view.hasColour)
        let board = BoardView(app, clock: parts.clock, what: what, terminal: terminal)
        let held = HeldTerminal(terminal, redraw: { board.wakeUp() }) { key in
            if key == "q" { work.cancel() }
            if key == "r" { Task { try await service.refresh() } }
        }
        let task = Task { await board.run() }
        return Showing {
            board.draw()
            board.stop()
            task.cancel()
            held.release()
        }
    }

    /// Says on standard error what came of it, where that is asked for by a log level.
    private func report(_ service: LiveService) async {
        let counts = await service.counts
        let sorted = counts.latencies.sorted()
        let p99 = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        parts.log.info(
            "ended",
            metadata: [
                "requests": "\(counts.requests)", "failures": "\(counts.failures)",
                "batches": "\(counts.batches)", "changes": "\(counts.changes)",
                "change_to_models_p99_ms": "\(fixed(p99 * 1000, 3))",
            ])
    }
}
