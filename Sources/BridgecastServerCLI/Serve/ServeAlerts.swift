// Alerts of a running service: what it publishes becomes boards, and what these lead to is sent.
import BridgecastAlertCarriers
import BridgecastAlerts
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastJourneys
import BridgecastLive
import BridgecastObservation
import BridgecastStore
internal import BridgecastSupport
import BridgecastTransit
import Foundation
import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Sends the alerts of a file while a service runs.
///
/// The file need not exist: as soon as `bridgecast alert add` has made it, its rules count. A service with people makes it.
final class ServeAlerts: Service {
    private let url: URL
    private let reach: NetworkReach
    private let contact: String?
    /// The people with tokens, whose alerts go to their browsers; nil for none.
    private let people: PeopleStore?
    /// The clock of the bridges: in a replay the replay's.
    private let boardClock: any WallClock
    /// Receivers are of the present.
    private let clock = SystemWallClock()
    private let reminders: ReminderForecaster
    private let log: Logger
    private let diagnostics: DiagnosticLog?
    /// The streams of people whose address is one.
    let streams = AlertStreams()
    private let brokers: MQTTCarrier
    /// Why the file could not be used when that was last tried.
    private let problem = Mutex("")
    private let shown = Mutex(Shown())
    private let boards: AsyncStream<Shown>
    private let queue: AsyncStream<Shown>.Continuation
    /// Asks for another look at reminders.
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// What the service shows, with the time at which it was published.
    private struct Shown: Sendable {
        var bridges: [BridgeIndex: BridgeCondition] = [:]
        var alerts: [ServiceAlert] = []
        var feed: TransitFeed?
        var reminders = ReminderOutlooks.none
        var at: Timestamp?
        var monotonicSeconds = 0.0
    }

    /// Time passes between publications, too: seconds from one look to the next.
    private static let tickSeconds = 1.0
    /// Looks from one heartbeat of streams to the next.
    private static let heartbeatTicks = 15
    /// A file that is missing or in use is looked for this often, seconds.
    private static let retrySeconds = 2.0
    /// The name of what fails in diagnostics.
    private static let source = "alerts"
    /// The name of the file in diagnostics.
    private static let fileSource = "alert file"
    /// Publications that wait to be taken in at most; a replay at full speed publishes faster than a disk keeps.
    private static let maxWaiting = 100_000
    /// How far ahead an opening counts as likely, minutes.
    private static let likelyMinutes = 10.0

    /// The newest forecast and timetable, which reminders are forecast by.
    private struct Newest: Sendable {
        var update: LiveUpdate?
        var transit: TransitSnapshot?
    }

    private let newest = Mutex(Newest())

    /// - Parameter contact: Where push services can complain; nil for none.
    init(
        _ url: URL, of people: PeopleStore?, reach: NetworkReach, contact: String?,
        boardClock: any WallClock, reminders: ReminderForecaster, log: Logger,
        diagnostics: DiagnosticLog?
    ) {
        self.url = url
        self.people = people
        self.reminders = reminders
        self.reach = reach
        brokers = MQTTCarrier(reach: reach)
        self.contact = contact
        self.boardClock = boardClock
        self.log = log
        self.diagnostics = diagnostics
        (boards, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maxWaiting))
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The file of a plan; nil if no alerts are sent.
    static func url(of plan: ServePlan) throws -> URL? {
        if plan.isOn(.noAlerts) { return nil }
        if let path = plan.alerts { return URL(fileURLWithPath: path) }
        // What a replay shows happened long ago: alerts to it are sent only on request.
        guard plan.replay == nil else { return nil }
        return AlertStore.defaultURL(environment: Console.current.environment)
    }

    // MARK: What is published

    /// Takes in what is published about bridges.
    func take(_ news: LiveNews) {
        guard let update = news.update, news.isForecastNew || !news.changes.isEmpty else { return }
        // Before the first reading states are those of the last run, or of the records.
        guard news.phase != .idle, news.phase != .loading, news.phase != .failed else { return }
        let bridges = Dictionary(
            uniqueKeysWithValues: BridgeIndex.all.map { bridge in
                let state = update.situation[bridge].state
                return (
                    bridge,
                    BridgeCondition(state: state, chance: Self.chance(of: bridge, in: update))
                )
            })
        publish { $0.bridges = bridges }
        newest.withLock { $0.update = update }
        waker.yield()
    }

    /// Takes in what is published about buses and trains.
    func take(_ news: TransitNews) {
        let snapshot = news.snapshot
        newest.withLock { $0.transit = snapshot }
        publish { shown in
            shown.alerts = snapshot.alerts
            shown.feed = snapshot.feed
        }
    }

    private func publish(_ change: (inout Shown) -> Void) {
        let now = boardClock.now
        let seconds = boardClock.monotonicSeconds
        let copy = shown.withLock { shown in
            change(&shown)
            shown.at = now
            shown.monotonicSeconds = seconds
            return shown
        }
        queue.yield(copy)
    }

    /// The highest chance that a span is up at a lead of the next ten minutes: queues are left out, which outlast it.
    private static func chance(of bridge: BridgeIndex, in update: LiveUpdate) -> Double? {
        update.table.leadsMinutes.lazy.filter { $0 <= likelyMinutes }.map { lead in
            update.table.delayWithin(at: bridge, leadMinutes: lead, queues: false)
                .probabilityDelayed
        }.max()
    }

    // MARK: Running

    /// Runs until the service shuts down, and then until what is under way has arrived or not.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.deliver()
                try await Task.sleep(for: .seconds(Self.retrySeconds))
            }
        }
    }

    private func deliver() async {
        guard people != nil || AlertStore.isThere(url) else { return }
        do {
            let claim = try DeliveryClaim(url)
            let store = try AlertStore(url, .writing, emptiesLogRegularly: true)
            defer { store.close() }
            try await deliver(from: store)
            withExtendedLifetime(claim) {}
        } catch {
            noteThatTheFileCannotBeUsed(error)
        }
    }

    private func deliver(from store: AlertStore) async throws {
        let leavers = try people.map { try LeaverWatch(of: $0, url, streams: streams, log: log) }
        leavers?.look()
        let dispatcher = AlertDispatcher(
            store, carriers: try carriers(store), clock: clock,
            report: { [weak self] in self?.report($0) })
        let recorder = try await AlertRecorder(store, dispatcher: dispatcher, clock: clock) {
            [log] problem in
            log.error("alerts not kept", metadata: ["reason": "\(printable(problem))"])
        }
        let count = await recorder.ruleCount
        streams.use(store)
        defer {
            streams.finish()
            brokers.close()
        }
        log.info("alerts", metadata: ["rules": "\(count)"])
        noteThatTheFileIsUsed()
        await withDiscardingTaskGroup { group in
            group.addTask { await dispatcher.run() }
            group.addTask { await self.tick() }
            group.addTask { await leavers?.run() }
            group.addTask { await self.forecastReminders(of: store) }
            group.addTask { await self.reminders.prepare() }
            await self.feed(recorder)
            group.cancelAll()
        }
    }

    /// It is tried again every few seconds; each reason is logged once.
    private func noteThatTheFileCannotBeUsed(_ error: any Error) {
        let isNew = problem.withLock { problem in
            defer { problem = "\(error)" }
            return problem != "\(error)"
        }
        guard isNew else { return }
        log.error("no alerts are sent", metadata: ["reason": "\(error)"])
        guard let failure = error as? any Failure else { return }
        let policy = RecoveryPolicy(
            Backoff(firstSeconds: Self.retrySeconds, maxSeconds: Self.retrySeconds))
        diagnostics?.note(
            failure, "the file of alerts cannot be used", from: Self.fileSource,
            policy.result(after: failure, failures: 1), at: clock.now)
    }

    private func noteThatTheFileIsUsed() {
        let hadProblem = problem.withLock { problem in
            defer { problem = "" }
            return !problem.isEmpty
        }
        if hadProblem { diagnostics?.noteRecovery(of: Self.fileSource) }
    }

    private func carriers(_ store: AlertStore) throws -> [String: any AlertCarrier] {
        var carriers: [String: any AlertCarrier] = [
            "webhook": WebhookCarrier(reach: reach, clock: clock),
            "ntfy": NtfyCarrier(reach: reach, clock: clock),
            "command": CommandCarrier(),
            "stream": streams,
            "mqtt": brokers,
        ]
        let key = try store.setting(AlertStore.pushKey, orMake: PushKey.makeBytes)
        if let key = PushKey(key) {
            _ = try store.setting(AlertStore.publicPushKey) { Array(key.publicText.utf8) }
            let push = PushCarrier(reach: reach, clock: clock, key: key, contact: contact)
            carriers["push"] = push
            if people != nil {
                carriers["person"] = PersonCarrier(store, streams: streams, push: push)
            }
        }
        return carriers
    }

    private func tick() async {
        var count = 0
        while (try? await Task.sleep(for: .seconds(Self.tickSeconds))) != nil {
            count += 1
            if count % Self.heartbeatTicks == 0 { streams.sendHeartbeat() }
            if shown.withLock({ $0.at != nil }) { publish { _ in } }
            waker.yield()
        }
    }

    /// Publishes when to leave for the reminders that rules name, with each forecast and change.
    private func forecastReminders(of store: AlertStore) async {
        var stops: RiderStops?
        var journals: Set<ReminderJournal> = []
        var version: Int?
        var mayHaveRemovals = false
        for await _ in wakes {
            if let now = try? store.version(), now != version,
                let named = try? store.reminderJournals()
            {
                version = now
                journals = named
                mayHaveRemovals = true
            }
            // What was removed while others read it is still in the log.
            if mayHaveRemovals || store.hasRemovalsInLog {
                mayHaveRemovals = (try? store.emptyLog(waits: false)) != true
            }
            let newest = newest.withLock { $0 }
            guard let update = newest.update, version != nil else { continue }
            if let transit = newest.transit, stops?.feed !== transit.feed, !journals.isEmpty {
                stops = RiderStops(transit.feed)
            }
            let transit = newest.transit.flatMap { snapshot in stops.map { (snapshot, $0) } }
            if let found = await reminders.outlooks(of: journals, by: update, transit) {
                publish { $0.reminders = found }
            }
        }
    }

    /// Gives the recorder one board after the other.
    private func feed(_ recorder: AlertRecorder) async {
        var last: Double?
        for await shown in boards {
            guard let at = shown.at else { continue }
            let board = AlertBoard(
                at: at, systemTime: clock.now,
                secondsSinceLast: last.map { max(0, shown.monotonicSeconds - $0) },
                bridges: shown.bridges,
                lineAlerts: shown.feed.map { LineAlert.active(in: shown.alerts, of: $0, at: at) }
                    ?? [], reminders: shown.reminders)
            last = shown.monotonicSeconds
            await recorder.take(board)
        }
    }

    /// Persons and texts are in the file alone; the log has what an alert is and what became of it.
    private func report(_ report: DispatchReport) {
        switch report {
        case .failed(let failure, let result):
            diagnostics?.note(
                failure, failure.publicDescription, from: Self.source, result, at: clock.now)
            log.warning(
                "alert not delivered",
                metadata: [
                    "reason": "\(printable("\(failure)", maxLength: 200))",
                    "recovery": "\(result.name)",
                ])
        case .recovered:
            diagnostics?.noteRecovery(of: Self.source)
            log.info("alerts are delivered again")
        case .storeFailed(let reason):
            log.error("alerts not kept", metadata: ["reason": "\(printable(reason))"])
        case .settled(let alert, let status, let detail):
            Counter(
                label: "bridgecast_alerts_total",
                dimensions: [
                    ("kind", alert.identity.kind.name), ("status", status.rawValue),
                ]
            ).increment()
            log.info(
                "alert",
                metadata: [
                    "id": "\(alert.identity.digest)", "kind": "\(alert.identity.kind.name)",
                    "status": "\(status.rawValue)",
                    "reason": "\(printable(detail ?? "", maxLength: 200))",
                ])
        }
    }
}
