// Runs a live service and a view of it until one ends or a signal comes, for `watch` and `replay`.
import ArgumentParser
import Bridgecast
import BridgecastAnswers
package import BridgecastCore
import BridgecastData
import BridgecastEngine
package import BridgecastLive
internal import BridgecastRouting
import BridgecastStore
package import Dispatch
import Foundation
import Glibc
package import Logging

/// A service with its view.
struct LiveSession {
    let parts: LiveParts
    let forecaster: LiveForecaster
    let view: ViewOptions
    let title: String
    let logging: LogOptions
    let metrics: MetricsRegistry?
    let end: LiveEnd

    /// Runs until the end, `q`, SIGINT or SIGTERM; then everything is closed in order.
    ///
    /// - Throws: ``CommandFailure`` if the feed never answered, or what was seen could not be stored or archived.
    @MainActor
    func run() async throws {
        let app = AppStateModel()
        var parts = parts
        let (news, newsInput) = AsyncStream.makeStream(of: LiveNews.self)
        if view.chosen != .board { parts.listener = { newsInput.yield($0) } }
        let service = try LiveService(parts, forecaster: forecaster, app: app)
        let archiving = parts.archiver.map { archiver in Task { await archiver.run() } }
        let work = Task { [end] in try await service.run(until: end.time) }
        let limit = Task { [end] in
            guard let seconds = end.seconds else { return }
            try await parts.clock.sleep(seconds: seconds)
            work.cancel()
        }
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
            case .board: board(app, of: service, stopping: work)
            case .lines: written(.lines(news), newsInput, stopping: work)
            case .ndjson: written(.documents(news), newsInput, stopping: work)
            }
        let result = await work.result
        await show.end()
        limit.cancel()
        ticks.cancel()
        for stop in stops { stop.cancel() }
        let written = Result { try logging.writeMetrics(metrics) }
        parts.archiver?.finish()
        await archiving?.value
        await report(service)
        parts.store?.close()
        if let failure = show.failure() { throw failure }
        try written.get()
        do {
            try result.get()
        } catch is CancellationError {}
        try check(await service.counts)
    }

    private func check(_ counts: LiveService.Counts) throws {
        if let problem = counts.storeProblem {
            throw CommandFailure(
                .io, "\(counts.unstored) readings were not stored; the last one because: \(problem)"
            )
        }
        if let problem = counts.feedProblem, counts.failures == counts.requests {
            throw CommandFailure(.io, "no reading in all this time: \(problem)")
        }
        if let archived = parts.archiver?.counts { try check(archived) }
    }

    private func check(_ archived: ForecastArchiver.Counts) throws {
        if archived.repeated > 0 {
            remark([
                "the archive has forecasts of \(archived.repeated) of these times already, which stay"
            ])
        }
        if archived.failed > 0 {
            let reason = archived.problems[.archiving].map { "; the last time because: \($0)" }
            throw CommandFailure(
                .io, "forecasts of \(archived.failed) times were not archived\(reason ?? "")")
        }
        if let problem = archived.problem { remark(["archive: \(problem)"]) }
    }

    /// A running view: how to end it, and its failure if it ended by itself.
    private struct RunningView {
        var failure: @MainActor () -> (any Error)? = { nil }
        let end: @MainActor () async -> Void
    }

    /// A view that writes lines; if it fails, such as on a closed pipe, the service is stopped.
    @MainActor
    private func written(
        _ view: NewsView, _ newsInput: AsyncStream<LiveNews>.Continuation,
        stopping work: Task<Void, any Error>
    ) -> RunningView {
        var failure: (any Error)?
        let task = Task {
            do {
                try await view.run()
            } catch {
                failure = error
                work.cancel()
            }
        }
        return RunningView(failure: { failure }) {
            // Everything published is written before the end.
            newsInput.finish()
            await task.value
        }
    }

    @MainActor
    private func board(
        _ app: AppStateModel, of service: LiveService, stopping work: Task<Void, any Error>
    ) -> RunningView {
        let terminal = Terminal(hasColour: view.colours.areShown)
        let board = BoardView(app, clock: parts.clock, title: title, terminal: terminal)
        let held = HeldTerminal(terminal, redraw: { board.wakeUp() }) { key in
            if key == "q" { work.cancel() }
            if key == "r" { Task { try await service.refresh() } }
        }
        let task = Task { await board.run() }
        return RunningView {
            board.draw()
            board.stop()
            task.cancel()
            held.release()
        }
    }

    /// Logs the counters of the run.
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

/// When a live command ends by itself, if it does.
package struct LiveEnd: Sendable {
    /// A time of the clock; nil for none.
    package var time: Timestamp?
    /// Seconds after it began, by a clock that is never set; nil for none.
    package var seconds: Double?

    package init(time: Timestamp? = nil, seconds: Double? = nil) {
        self.time = time
        self.seconds = seconds
    }
}

// MARK: - Options

/// Model, routes, view and log of a live command.
package struct LiveSetting {
    package let log: Logger
    let model: LoadedModel
    let archivedModel: ArchivedModel
    let routes: [Route]
    let view: ViewOptions
    let logging: LogOptions
    let metrics: MetricsRegistry?

    /// Runs and shows a service until it ends.
    ///
    /// - Parameters:
    ///   - title: For the board.
    package func show(_ parts: LiveParts, title: String, until end: LiveEnd) async throws {
        var parts = parts
        parts.archivedModel = { [archivedModel] _ in archivedModel }
        let forecaster = try LiveForecaster(
            TrafficInference(model), history: try parts.records(parts.clock.now), routes: routes,
            reachMinutes: OutlookEntry.defaultReachMinutes)
        let session = LiveSession(
            parts: parts, forecaster: forecaster, view: view, title: title, logging: logging,
            metrics: metrics, end: end)
        try await session.run()
    }
}

/// Options that `watch` and `replay` share: routes, model, view and log.
package struct LiveOptions: ParsableArguments {
    @Option(name: .long, help: "Routes to rank, in any format of predict.")
    var routes: String?

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    @OptionGroup var view: ViewOptions
    @OptionGroup var logging: LogOptions

    package init() {}

    /// Loads model and routes and starts the log: everything that does not depend on the feeds.
    ///
    /// - Parameter command: For the log.
    package func prepare(_ command: String) throws -> LiveSetting {
        let url = try model.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.defaultModel()
        let (model, digest) = try ModelLoading.loadNamed(url)
        let candidates = try routes.map {
            try CandidateFile.read(URL(fileURLWithPath: $0), mode: .car)
        }
        remark(candidates?.notes ?? [])
        let (log, metrics) = try logging.begin(command, isBoard: view.chosen == .board)
        return LiveSetting(
            log: log, model: model,
            archivedModel: ArchivedModel(file: url.lastPathComponent, sha256: digest),
            routes: candidates?.routes ?? [], view: view,
            logging: logging, metrics: metrics)
    }
}

// MARK: - Signals

/// Signals that a live command handles.
package enum Signals {
    /// Signals that end it as `q` does; a hang-up does not if it was started with nohup.
    package static var stopping: [Int32] {
        var hangUp = sigaction()
        // Safe: the call only fills the structure it is given.
        unsafe sigaction(SIGHUP, nil, &hangUp)
        let handler = unsafe unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self)
        let isIgnored = unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
        return [SIGINT, SIGTERM, SIGQUIT] + (isIgnored ? [] : [SIGHUP])
    }

    /// Calls a closure for each signal, from the return of this call on.
    package static func each(
        _ number: Int32, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        // The default action would end the process before the source sees the signal.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: body)
        // Sources are registered later, on another thread; a signal that comes meanwhile would be lost.
        let registered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { registered.signal() }
        source.activate()
        registered.wait()
        return source
    }
}
