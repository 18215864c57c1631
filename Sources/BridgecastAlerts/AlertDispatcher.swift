// Sends what the ledger has: together what is due together, again what did not arrive, and each person for themselves.
public import BridgecastCore
public import BridgecastSupport
private import Foundation

/// Sends the alerts of a ledger.
///
/// Before a message is sent the ledger says so. A process that ends before the outcome is written down leaves its alerts
/// as ``AlertStatus/unknown``: nothing is sent twice. Each person has a queue of their own, so that one slow receiver
/// delays no other.
public actor AlertDispatcher {
    private let store: AlertStore
    private let carriers: [String: any AlertCarrier]
    private let clock: any WallClock
    private let policy: DispatchPolicy
    private let random: @Sendable () -> Double
    private let report: @Sendable (DispatchReport) -> Void
    private var lanes: [String: Lane] = [:]
    /// What became of alerts and is not written down yet: what comes together is one transaction.
    private var settlements: [AlertStore.Settlement] = []
    private var isFlushScheduled = false
    private var underWay = 0
    private var underWayFailing = 0
    private let (signals, signal) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private struct Item {
        let entry: LedgerEntry
        /// By the clock's monotonic seconds.
        let uselessAtSeconds: Double
    }

    /// What waits for a person.
    private struct Lane {
        var subscriber: Subscriber
        var waiting: [Item] = []
        var readyAtSeconds = 0.0
        var retryAtSeconds = 0.0
        var failures = 0
        var isSending = false

        var dueAtSeconds: Double { max(readyAtSeconds, retryAtSeconds) }
    }

    /// A message that is ready to be sent.
    private struct Departure {
        /// The message's id.
        let id: String
        let subscriber: Subscriber
        var items: [Item]
        let isFailing: Bool

        /// The highest number of attempts that one of its alerts had before.
        var maxAttempts: Int { items.map(\.entry.attempts).max() ?? 0 }
    }

    /// Creates a dispatcher.
    ///
    /// - Parameters:
    ///   - carriers: By ``AlertAddress/carrier``.
    ///   - clock: The system's; also in a replay, because receivers are of the present.
    ///   - random: 0..<1, for waits.
    ///   - report: Called with each outcome.
    public init(
        _ store: AlertStore, carriers: [String: any AlertCarrier], clock: any WallClock,
        policy: DispatchPolicy = DispatchPolicy(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        report: @escaping @Sendable (DispatchReport) -> Void = { _ in }
    ) {
        self.store = store
        self.carriers = carriers
        self.clock = clock
        self.policy = policy
        self.random = random
        self.report = report
    }

    // MARK: Queues

    /// Queues entries of the ledger; entries of people who are not in the list are left in it.
    ///
    /// - Parameter subscribers: All there are now, with their pauses.
    public func enqueue(_ entries: [LedgerEntry], for subscribers: [Subscriber]) {
        let byID = Dictionary(subscribers.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let now = clock.monotonicSeconds
        for id in lanes.keys { if let subscriber = byID[id] { lanes[id]?.subscriber = subscriber } }
        for entry in entries {
            guard let subscriber = byID[entry.alert.subscriber] else { continue }
            var lane = lanes[subscriber.id] ?? Lane(subscriber: subscriber)
            guard !lane.waiting.contains(where: { $0.entry.number == entry.number }) else {
                continue
            }
            if lane.waiting.isEmpty { lane.readyAtSeconds = now + policy.batchSeconds }
            if entry.alert.priority == .critical { lane.readyAtSeconds = now }
            let useful = entry.alert.identity.kind.usefulSeconds
            let age = max(0, clock.now.minutes(since: entry.decidedAt) * 60)
            lane.waiting.append(
                Item(entry: entry, uselessAtSeconds: now + Double(useful) - age))
            lanes[subscriber.id] = lane
            dropOldest(of: subscriber.id)
        }
        signal.yield()
    }

    private func dropOldest(of id: String) {
        guard let waiting = lanes[id]?.waiting, waiting.count > policy.maxWaiting else { return }
        let dropped = waiting.prefix(waiting.count - policy.maxWaiting)
        lanes[id]?.waiting.removeFirst(dropped.count)
        finish(Array(dropped), as: .dropped, detail: "more than \(policy.maxWaiting) were waiting")
    }

    /// Seconds until something is due; nil if nothing waits.
    private func secondsUntilDue() -> Double? {
        lanes.values.lazy.filter { !$0.waiting.isEmpty && !$0.isSending && !self.isHeldUp($0) }
            .map { max(0, $0.dueAtSeconds - self.clock.monotonicSeconds) }.min()
    }

    // MARK: Sending

    /// Sends what becomes due until the task is cancelled, then waits for what is under way.
    public func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for departure in departures() {
                    // Not of this group: a message under way is not cut off when the service ends.
                    let task = Task { await self.send(departure) }
                    group.addTask { await task.value }
                }
                await waitForWork()
            }
        }
        flush()
    }

    /// Sends all that is due now and waits for the outcomes; for tests and short-lived programs.
    package func deliverDue() async {
        await withDiscardingTaskGroup { group in
            for departure in departures() { group.addTask { await self.send(departure) } }
        }
        flush()
    }

    private func waitForWork() async {
        let seconds = isFull ? nil : secondsUntilDue()
        let timer = seconds.map { seconds in
            Task { [clock, signal] in
                // A little later than due: clocks round.
                try await clock.sleep(seconds: max(seconds, 0.005))
                signal.yield()
            }
        }
        defer { timer?.cancel() }
        for await _ in signals { return }
    }

    private var isFull: Bool { underWay >= policy.maxConcurrent }

    /// Whether it has to wait until other messages that may not arrive are over.
    private func isHeldUp(_ lane: Lane) -> Bool {
        lane.failures > 0 && underWayFailing >= policy.maxConcurrentFailing
    }

    /// Takes what is due out of the queues and writes down, all at once, that it is being sent.
    private func departures() -> [Departure] {
        let now = clock.monotonicSeconds
        // People who got the last message go first.
        let due = lanes.values.filter {
            !$0.waiting.isEmpty && !$0.isSending && $0.dueAtSeconds <= now
        }.sorted { ($0.failures, $0.dueAtSeconds) < ($1.failures, $1.dueAtSeconds) }
        var departures: [Departure] = []
        for lane in due {
            let id = lane.subscriber.id
            removeUseless(of: id, now: now)
            removePaused(of: id)
            guard !isFull, !isHeldUp(lane), let departure = departure(of: id) else { continue }
            underWay += 1
            if departure.isFailing { underWayFailing += 1 }
            departures.append(departure)
        }
        // What was taken back has to be waiting in the ledger before it is sent again.
        flush()
        return departures.isEmpty ? [] : begun(departures)
    }

    /// Those of some departures that the ledger has as being sent.
    private func begun(_ departures: [Departure]) -> [Departure] {
        var messages: [Int64: String] = [:]
        for departure in departures {
            for item in departure.items { messages[item.entry.number] = departure.id }
        }
        do {
            let begun = try store.begin(messages, now: clock.now)
            return departures.compactMap { departure in
                var departure = departure
                departure.items.removeAll { !begun.contains($0.entry.number) }
                if departure.items.isEmpty { end(departure) }
                return departure.items.isEmpty ? nil : departure
            }
        } catch {
            // What is not written down is not sent; the disk may be full, and be mended.
            for departure in departures {
                let id = departure.subscriber.id
                end(departure)
                lanes[id]?.waiting.insert(contentsOf: departure.items, at: 0)
                lanes[id]?.retryAtSeconds = clock.monotonicSeconds + policy.maxWaitSeconds / 10
            }
            report(.storeFailed("\(error)"))
            return []
        }
    }

    private func removeUseless(of id: String, now: Double) {
        let useless = lanes[id]?.waiting.filter { $0.uselessAtSeconds <= now } ?? []
        guard !useless.isEmpty else { return }
        lanes[id]?.waiting.removeAll { $0.uselessAtSeconds <= now }
        finish(useless, as: .tooLate, detail: useless.lazy.compactMap(\.entry.detail).first)
    }

    /// A pause that began after they were queued holds them back, too.
    private func removePaused(of id: String) {
        guard let lane = lanes[id] else { return }
        let paused = lane.waiting.filter {
            lane.subscriber.isPaused(at: clock.now, for: $0.entry.alert.priority)
        }
        let numbers = Set(paused.map(\.entry.number))
        lanes[id]?.waiting.removeAll { numbers.contains($0.entry.number) }
        finish(paused, as: .paused, detail: nil)
    }

    private func departure(of id: String) -> Departure? {
        guard let lane = lanes[id], !lane.waiting.isEmpty else { return nil }
        let items = Array(lane.waiting.prefix(policy.maxBatch))
        lanes[id]?.waiting.removeFirst(items.count)
        lanes[id]?.isSending = true
        return Departure(
            id: UUID().uuidString.lowercased(), subscriber: lane.subscriber, items: items,
            isFailing: lane.failures > 0)
    }

    private func send(_ departure: Departure) async {
        let subscriber = departure.subscriber
        let message = AlertMessage(
            id: departure.id, of: departure.items.map(\.entry), sentAt: clock.now)
        let outcome =
            await carriers[subscriber.address.carrier]?.send(message, to: subscriber)
            ?? .refused(reason: "this service has no \(subscriber.address.carrier)")
        end(departure)
        take(outcome, of: departure)
        if lanes[subscriber.id]?.waiting.isEmpty == true, lanes[subscriber.id]?.failures == 0 {
            lanes[subscriber.id] = nil
        }
        signal.yield()
    }

    private func end(_ departure: Departure) {
        underWay -= 1
        if departure.isFailing { underWayFailing -= 1 }
        lanes[departure.subscriber.id]?.isSending = false
    }

    private func take(_ outcome: CarrierOutcome, of departure: Departure) {
        let id = departure.subscriber.id
        defer { report(outcome, of: departure) }
        switch outcome {
        case .delivered:
            lanes[id]?.failures = 0
            finish(departure.items, as: .delivered, detail: nil)
        case .refused(let reason):
            lanes[id]?.failures = 0
            finish(departure.items, as: .refused, detail: reason)
        case .uncertain(let reason):
            putOff(id, retryAfterSeconds: nil)
            finish(departure.items, as: .unknown, detail: reason)
        case .failed(let reason, let retryAfterSeconds):
            putOff(id, retryAfterSeconds: retryAfterSeconds)
            takeBack(departure, reason: reason)
        case .gone(let reason):
            do { try store.markGone(id) } catch { report(.storeFailed("\(error)")) }
            let left = lanes[id]?.waiting ?? []
            lanes[id] = nil
            finish(departure.items + left, as: .refused, detail: reason)
        }
    }

    /// Reports a failure and what follows it, or that messages arrive again.
    private func report(_ outcome: CarrierOutcome, of departure: Departure) {
        guard let failure = DeliveryFailure(outcome) else {
            if departure.isFailing { report(.recovered) }
            return
        }
        var result = policy.recovery.result(
            after: failure, failures: departure.maxAttempts + 1)
        if result.retrySeconds != nil, let lane = lanes[departure.subscriber.id] {
            result = .retryScheduled(after: lane.retryAtSeconds - clock.monotonicSeconds)
        }
        report(.failed(failure, result))
    }

    private func putOff(_ id: String, retryAfterSeconds: Double?) {
        let failures = (lanes[id]?.failures ?? 0) + 1
        lanes[id]?.failures = failures
        lanes[id]?.retryAtSeconds =
            clock.monotonicSeconds
            + policy.waitSeconds(
                failures: failures, retryAfterSeconds: retryAfterSeconds, random: random())
    }

    /// Queues alerts that did not arrive again, before those that came meanwhile.
    private func takeBack(_ departure: Departure, reason: String) {
        let given = departure.items.filter { $0.entry.attempts + 1 >= policy.maxAttempts }
        let again = departure.items.filter { $0.entry.attempts + 1 < policy.maxAttempts }
        finish(given, as: .gaveUp, detail: "\(policy.maxAttempts) attempts: \(reason)")
        finish(again, as: .waiting, detail: reason)
        let items = again.map { item in
            var entry = item.entry
            entry.attempts += 1
            entry.detail = reason
            return Item(entry: entry, uselessAtSeconds: item.uselessAtSeconds)
        }
        lanes[departure.subscriber.id]?.waiting.insert(contentsOf: items, at: 0)
        dropOldest(of: departure.subscriber.id)
    }

    private func finish(_ items: [Item], as status: AlertStatus, detail: String?) {
        guard !items.isEmpty else { return }
        settlements.append(
            AlertStore.Settlement(
                numbers: items.map(\.entry.number), status: status, detail: detail))
        for item in items { report(.settled(item.entry.alert, status, detail: detail)) }
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        Task { self.flush() }
    }

    /// Writes down what became of alerts; of what cannot be written the next start will say that it is unknown.
    private func flush() {
        isFlushScheduled = false
        guard !settlements.isEmpty else { return }
        do {
            try store.finish(settlements, now: clock.now)
            settlements = []
        } catch {
            settlements = settlements.suffix(policy.maxUnwritten)
            report(.storeFailed("\(error)"))
        }
    }
}
