// `bridgecast serve`: forecasts, routes and live events over HTTP; `--check` only reads settings
// and files.
import ArgumentParser
import BridgecastAlertCarriers
import BridgecastAlerts
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastFeeds
import BridgecastJourneys
import BridgecastLive
#if PostgreSQL
    import BridgecastPostgreSQL
#endif
import BridgecastRoads
import BridgecastService
import BridgecastStore
internal import BridgecastSupport
import Foundation
import Glibc
import Logging
import Metrics
import NIOCore
import ServiceLifecycle
import Synchronization

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.serve.rawValue, abstract: NetworkCommand.serve.abstract,
        discussion: """
            Serves under /api/v1, described at /openapi.json. Each option can also be set in the environment or \
            in a file (--config): --max-rows is BRIDGECAST_HTTP_MAX_ROWS and {"http": {"max_rows": ...}}; \
            an option has precedence over the environment, and that over the file. --check shows all values and \
            their sources. --replay serves the past without a network; at its end its clock stops. A new model \
            file is loaded as soon as it appears, and on SIGHUP; SIGTERM shuts the service down gracefully.
            """)

    @Option(
        name: .long, help: "A configuration file (JSON). Default: what BRIDGECAST_CONFIG names.")
    var config: String?

    @Flag(name: .long, help: "Check settings and files, show all values, and end.")
    var check = false

    @OptionGroup var options: ServeOptions

    func run() async throws {
        try await reportingFailures {
            let plan = try ServePlan(
                options: options, environment: Console.current.environment, file: config)
            try checkAddress(plan.bridgesURL, of: "--bridges-url")
            // The table would show a password that should not be in it.
            _ = try ServeSource.store(of: plan)
            // It holds an access code, so what is wrong with it is not shown.
            if let url = plan.travelTimesURL, (try? FeedRequest.check(url)) == nil {
                throw CommandFailure(.usage, "--travel-times-url: it is not an address of a feed")
            }
            guard check else { return try await ServeRun(plan: plan).run() }
            try Console.print(plan.table)
            try Console.print(try ServeCheck.lines(plan).joined(separator: "\n"))
        }
    }
}

// MARK: - Run

/// Runs a service until a signal ends it; a hang-up loads the model again.
struct ServeRun {
    let plan: ServePlan

    /// Runs until SIGINT or SIGTERM, then closes everything in order.
    ///
    /// - Throws: ``CommandFailure`` or an error of a file, if it cannot begin.
    func run() async throws {
        let log = try LineLog.logger("serve", level: plan.logLevel, file: plan.logFile)
        let inputs = try ServeInputs(plan)
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        // Before a store is created in its place.
        _ = try ServeSource.archive(of: plan)
        let store = try ServeSource.store(of: plan).map { try HistoryStore.open($0, .writing) }
        // Each reading is stored as it comes, so that closing the store is all that is left to do.
        defer { store?.close() }
        if let replay = try ServeSource.replay(of: plan) {
            let transit = try ServeTransit.parts(plan, replaying: replay.period, client: nil)
            let source = ServeSource(replaying: replay, of: plan, into: store, log: log)
            try await serve(source, inputs, transit: transit, metrics: registry)
        } else {
            try await FeedClient.with(log: log) { client in
                let transit = try ServeTransit.parts(plan, replaying: nil, client: client)
                let source = try ServeSource(
                    feedsOf: plan, through: client, into: store, log: log)
                // Before feeds are closed: their last errors are noted.
                defer { source.live.diagnostics?.flush() }
                try await serve(source, inputs, transit: transit, metrics: registry)
            }
        }
        log.info("ended")
    }

    private func serve(
        _ source: ServeSource, _ inputs: ServeInputs, transit: TransitParts?,
        metrics registry: MetricsRegistry
    ) async throws {
        var parts = try parts(source, inputs, metrics: registry)
        parts.transit = transit
        let rollout = try plan.features.map { try FeatureRollout(of: $0) }
        let people = try ServePeople.store(of: plan)
        parts.people = people.map { PersonAccess($0, features: rollout, log: source.live.log) }
        let settings = inputs.settings
        let log = source.live.log
        try addAlerts(to: &parts, of: people, rollout, roads: inputs.network)
        let service = try RouteService(parts, settings) { port in
            let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
            try? Console.print("listening on http://\(host):\(port)")
            log.info("listening", metadata: ["host": "\(settings.host)", "port": "\(port)"])
        }
        let models = service.current.models
        let reload = Signals.each(SIGHUP) { models.reload() }
        defer { reload.cancel() }
        let refit = try dailyRefit(inputs, log: log).map { refit in
            Task { await refit.runDaily() }
        }
        defer { refit?.cancel() }
        try await run(service, settings: settings, log: log)
    }

    /// What the service has without people and alerts; the log says which files are missing.
    private func parts(
        _ source: ServeSource, _ inputs: ServeInputs, metrics registry: MetricsRegistry
    ) throws -> ServiceParts {
        // All that runs on these threads is the service's own, and requests have their turns already.
        var options = InferenceOptions()
        options.executor = nil
        var parts = ServiceParts(
            live: source.live, inference: TrafficInference(inputs.model, options: options),
            metrics: registry, openings: source.openings)
        parts.live.archiver = try archiver(source, inputs)
        parts.replicaLog = try replicaLog()
        parts.modelURL = inputs.modelURL
        parts.modelDigest = inputs.modelDigest
        parts.network = inputs.network
        parts.skill = inputs.skill
        parts.geography = inputs.geography
        parts.page = inputs.page
        parts.description = inputs.description
        let log = source.live.log
        if inputs.page == nil, !plan.isOn(.noPage) {
            log.warning("no page: name its folder with --page")
        }
        if inputs.description == nil {
            log.warning(
                "openapi.json is not installed next to the program; /openapi.json answers 404")
        }
        return parts
    }

    /// The alerts of the plan's file and people; nothing if the plan has none.
    private func addAlerts(
        to parts: inout ServiceParts, of people: PeopleStore?, _ rollout: FeatureRollout?,
        roads: RoadNetwork?
    ) throws {
        guard let url = try ServeAlerts.url(of: plan) else { return }
        let reach: NetworkReach = plan.isOn(.alertsPrivate) ? .everywhere : .publicOnly
        let alerts = ServeAlerts(
            url, of: people, reach: reach, contact: plan.alertsContact,
            boardClock: parts.live.clock,
            reminders: ReminderForecaster(
                parts.inference, roads: roads,
                opening: JournalOpener(people: people, rollout: rollout), log: parts.live.log),
            log: parts.live.log, diagnostics: parts.live.diagnostics)
        parts.personAlerts = PersonAlerts(
            url, refusal: { PushCarrier.refusal(of: $0, by: reach) },
            listen: { person, lastEventID in
                try alerts.streams.listen(
                    person.alertOwner, tokenMadeAt: person.tokenMadeAt,
                    lastEventID: lastEventID)
            })
        parts.bridgeListener = { alerts.take($0) }
        parts.transitListener = { alerts.take($0) }
        parts.alertStream = { alerts.streams.listen(token: $0, lastEventID: $1) }
        parts.endStreams = { alerts.streams.finish() }
        parts.companions.append(alerts)
    }

    /// The log of the services that share a store in a database; nil for a store of this service alone.
    private func replicaLog() throws -> (any ReplicaLog)? {
        #if PostgreSQL
            guard plan.replay == nil, case .database(let address)? = try ServeSource.store(of: plan)
            else { return nil }
            return PostgreSQLReplicaLog(address)
        #else
            return nil
        #endif
    }

    private func archiver(
        _ source: ServeSource, _ inputs: ServeInputs
    ) throws -> ForecastArchiver? {
        try ServeSource.archive(of: plan).map { url in
            .archiving(
                to: url, plan.archiveKind,
                keepingDays: plan.archiveKind == .live ? plan.archiveDays : nil,
                reference: inputs.skill.flatMap { SkillReference($0) },
                clock: source.live.clock, log: source.live.log, outcomes: source.outcomes)
        }
    }

    private func dailyRefit(_ inputs: ServeInputs, log: Logger) throws -> DailyRefit? {
        guard plan.refitHour >= 0, let store = try ServeSource.store(of: plan) else { return nil }
        return DailyRefit(
            hour: plan.refitHour, store: store, model: inputs.modelURL.path, log: log)
    }

    private func run(
        _ service: RouteService, settings: ServiceSettings, log: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(services: [service], logger: log)
        configuration.maximumGracefulShutdownDuration = .seconds(settings.shutdownSeconds)
        let group = ServiceGroup(configuration: configuration)
        let isStopping = StopFlag()
        let stops = [SIGINT, SIGTERM, SIGQUIT].map { number in
            Signals.each(number) {
                isStopping.set()
                Task { await group.triggerGracefulShutdown() }
            }
        }
        defer { for stop in stops { stop.cancel() } }
        do {
            try await group.run()
        } catch let error where isStopping.isSet || error is CancellationError {
            // The grace period was over: what was still open was cut off.
            log.warning("ended before everything was answered")
        } catch let error as any Failure {
            throw error
        } catch {
            // The library's own description has its functions and the system's number.
            let reason =
                (error as? IOError).map { LocalFileError.description(of: $0.errnoCode) }
                ?? printable("\(error)", maxLength: 300)
            throw CommandFailure(
                .io,
                "cannot listen on \(settings.host), port \(settings.port): \(reason); choose others with --host and --port"
            )
        }
    }
}

/// Whether a signal has asked the service to end.
private final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}

extension ServePlan {
    /// What the forecasts of a plan are of.
    var archiveKind: ForecastArchive.Kind { self.replay == nil ? .live : .replay }
}
