// Boards go in, messages go out: plans, keeps and queues in this order, and notices what commands change.
public import BridgecastCore
private import BridgecastSupport

/// Decides on alerts and has them sent.
public actor AlertRecorder {
    private let store: AlertStore
    private let dispatcher: AlertDispatcher
    private let clock: any WallClock
    private let report: @Sendable (String) -> Void
    private var planner: AlertPlanner
    private var subscribers: [Subscriber]
    private var version: Int
    /// A plan that could not be kept yet.
    private var unkept: AlertPlan?

    /// Settles what an earlier process left, and queues what still waits.
    ///
    /// - Parameters:
    ///   - clock: The system's.
    ///   - report: Called with what could not be kept or read.
    /// - Throws: ``AlertStoreError``.
    public init(
        _ store: AlertStore, dispatcher: AlertDispatcher, clock: any WallClock,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(AlertStoreError) {
        self.store = store
        self.dispatcher = dispatcher
        self.clock = clock
        self.report = report
        try store.recover(now: clock.now)
        version = try store.version()
        subscribers = try store.subscribers()
        planner = AlertPlanner(
            rules: try store.rules(), subscribers: subscribers, memory: try store.memory())
        await dispatcher.enqueue(try store.waiting(), for: subscribers)
    }

    /// How many rules are in use.
    public var ruleCount: Int { (try? store.rules().count) ?? 0 }

    /// Takes a board in: what it leads to is on the disk, and queued, when this returns.
    ///
    /// If it cannot be kept, nothing is sent, and it is tried again with the next board.
    public func take(_ board: AlertBoard) async {
        await readChanges()
        let plan = planner.plan(board)
        var pending = unkept ?? AlertPlan(at: plan.at)
        pending.add(plan)
        guard !pending.isEmpty else { return }
        do {
            let entries = try store.record(pending, now: clock.now)
            unkept = nil
            if !entries.isEmpty { await dispatcher.enqueue(entries, for: subscribers) }
        } catch {
            unkept = pending
            report("\(error)")
        }
    }

    /// Reads rules, people and tests that a command has changed.
    private func readChanges() async {
        do {
            let version = try store.version()
            guard version != self.version else { return }
            subscribers = try store.subscribers()
            planner.use(rules: try store.rules(), subscribers: subscribers)
            await dispatcher.enqueue(try store.waiting(), for: subscribers)
            self.version = version
        } catch {
            report("\(error)")
        }
    }
}

extension AlertPlan {
    /// Alerts that wait to be kept at most.
    private static let maxUnkept = 10_000

    /// Adds a later plan.
    fileprivate mutating func add(_ later: AlertPlan) {
        at = later.at
        alerts = Array((alerts + later.alerts).suffix(Self.maxUnkept))
        openings = Array((openings + later.openings).suffix(Self.maxUnkept))
        announcements = Array((announcements + later.announcements).suffix(Self.maxUnkept))
        isArmed.merge(later.isArmed) { $1 }
    }
}
