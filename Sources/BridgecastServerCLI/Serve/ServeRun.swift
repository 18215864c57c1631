// Runs the service of a plan until a signal ends it; a hang-up has the model loaded again.
import BridgecastCLI
import BridgecastCore
import BridgecastEngine
import BridgecastFeeds
import BridgecastLive
import BridgecastService
import BridgecastStore
import Foundation
import Glibc
import Logging
import Metrics
import NIOCore
import ServiceLifecycle
import Synchronization

/// A service that is to be run.
struct ServeRun {
    let plan: ServePlan

    /// Runs until SIGINT or SIGTERM, then closes everything in order.
    ///
    /// - Throws: ``CommandFailure`` or an error of a file, if it cannot begin.
    func run() async throws {
        let log = try LineLog.logger(
            "serve", level: plan.logLevel, file: plan.logFile.isEmpty ? nil : plan.logFile)
        let inputs = try ServeInputs(plan)
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        let store = try ServeSource.store(of: plan).map { try HistoryStore($0, .writing) }
        // Each reading is stored as it comes, so that closing is all that is left to save.
        defer { store?.close() }
        if plan.replay.isEmpty {
            try await FeedClient.with(log: log) { client in
                let transit = try ServeTransit.parts(plan, client)
                try await serve(try .feeds(plan, client, log, store), inputs, transit, registry)
            }
        } else {
            let transit = try ServeTransit.parts(plan, nil)
            try await serve(try .replay(plan, log, store), inputs, transit, registry)
        }
        log.info("ended")
    }

    private func serve(
        _ source: ServeSource, _ inputs: ServeInputs, _ transit: TransitParts?,
        _ registry: MetricsRegistry
    ) async throws {
        var parts = ServiceParts(
            live: source.live, inference: TrafficInference(inputs.model), metrics: registry,
            openings: source.openings)
        (parts.modelURL, parts.modelDigest) = (inputs.modelURL, inputs.modelDigest)
        parts.network = inputs.network
        (parts.skill, parts.geography) = (inputs.skill, inputs.geography)
        (parts.page, parts.transit) = (inputs.page, transit)
        let (settings, log) = (inputs.settings, source.live.log)
        if inputs.page == nil, !plan.noPage { log.warning("no page: name its folder with --page") }
        let service = try RouteService(parts, settings) { port in
            let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
            try? Console.print("listening on http://\(host):\(port)")
            log.info("listening", metadata: ["host": "\(settings.host)", "port": "\(port)"])
        }
        let models = service.current.models
        let reload = Signals.each(SIGHUP) { models.reload() }
        defer { reload.cancel() }
        try await run(service, settings, log)
    }

    private func run(
        _ service: RouteService, _ settings: ServiceSettings, _ log: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(services: [service], logger: log)
        configuration.maximumGracefulShutdownDuration = .seconds(settings.shutdownSeconds)
        let group = ServiceGroup(configuration: configuration)
        let isAskedToEnd = Stopped()
        let stops = [SIGINT, SIGTERM, SIGQUIT].map { number in
            Signals.each(number) {
                isAskedToEnd.set()
                Task { await group.triggerGracefulShutdown() }
            }
        }
        defer { for stop in stops { stop.cancel() } }
        do {
            try await group.run()
        } catch let error where isAskedToEnd.isSet || error is CancellationError {
            // It took longer than it may: what was still open was cut off.
            log.warning("ended before everything was answered")
        } catch let error as any Failure {
            throw error
        } catch {
            // The library's error has the system's number and functions of its own; a person needs the reason.
            let reason =
                (error as? IOError).map { unsafe String(cString: strerror($0.errnoCode)) }
                ?? printable("\(error)", most: 300)
            throw CommandFailure(
                .io,
                "cannot listen on \(settings.host), port \(settings.port): \(reason); choose others with --host and --port"
            )
        }
    }
}

/// Whether a signal has asked the service to end.
private final class Stopped: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}
