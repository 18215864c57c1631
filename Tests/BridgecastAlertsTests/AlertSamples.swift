// Boards, rules, files and carriers for tests of alerts.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Synchronization

@testable import BridgecastAlerts

/// A winter afternoon.
let testNow = Fixtures.timestamp("2018-01-04T15:00")

let ballard = BridgeIndex.ballard

func rule(
    _ conditions: BridgeConditions, id: String = "r1", of subscriber: String = "s1",
    hours: AlertHours = .always, priority: AlertPriority = .normal
) -> AlertRule {
    AlertRule(
        id: id, subscriber: subscriber, subject: .bridge(ballard, conditions), hours: hours,
        priority: priority, createdAt: testNow)
}

func person(_ id: String = "s1", pausedUntil: Timestamp? = nil) -> Subscriber {
    Subscriber(
        id: id, name: id, address: .command(["/bin/true"]), pausedUntil: pausedUntil)
}

func board(
    _ state: SpanState, at time: Timestamp, seconds: Double? = 5, chance: Double? = nil,
    lines: [LineAlert] = []
) -> AlertBoard {
    AlertBoard(
        at: time, systemTime: time, secondsSinceLast: seconds,
        bridges: [ballard: BridgeCondition(state: state, chance: chance)], lineAlerts: lines)
}

func makePlanner(_ rules: [AlertRule], pausedUntil: Timestamp? = nil) -> AlertPlanner {
    AlertPlanner(rules: rules, subscribers: [person(pausedUntil: pausedUntil)])
}

extension AlertPlan {
    /// Kinds of alerts with what is to become of them, such as `up waiting`.
    var summary: [String] {
        alerts.map { "\($0.alert.identity.kind.name) \($0.status.rawValue)" }
    }
}

/// Calls a closure with a new file of alerts, in memory where the machine allows.
func withAlerts<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let shared = URL(fileURLWithPath: "/dev/shm")
    let folder =
        FileManager.default.isWritableFile(atPath: shared.path)
        ? shared.appendingPathComponent("bridgecast-test-\(UUID().uuidString)")
        : try Fixtures.temporaryFolder()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appendingPathComponent("deep/alerts.sqlite"))
}

extension AlertStore {
    /// Adds a person with rules about Ballard, and returns the person.
    @discardableResult
    func addPerson(
        _ name: String = "me", _ conditions: BridgeConditions...,
        address: AlertAddress = .command(["/bin/true"])
    ) throws -> Subscriber {
        for conditions in conditions {
            _ = try add(to: name, address) { subscriber in
                AlertRule(
                    id: UUID().uuidString.lowercased(), subscriber: subscriber,
                    subject: .bridge(ballard, conditions), createdAt: testNow)
            }
        }
        guard let found = try subscribers().first(where: { $0.name == name }) else {
            throw AlertStoreError(path: path, .unknown(name))
        }
        return found
    }

    /// Records an alert of a person that waits.
    @discardableResult
    func record(
        _ occasion: String, for subscriber: String, _ kind: AlertKind = .raised,
        priority: AlertPriority = .normal, now: Timestamp
    ) throws -> [LedgerEntry] {
        let alert = Alert(
            identity: AlertIdentity(rule: "r-\(subscriber)", occasion: occasion, kind: kind),
            subscriber: subscriber, priority: priority, at: now, title: "title \(occasion)",
            text: "text \(occasion)")
        var plan = AlertPlan(at: now)
        plan.alerts = [PlannedAlert(alert: alert)]
        return try record(plan, now: now)
    }

    /// The status of each alert by its occasion.
    func statuses() throws -> [String: AlertStatus] {
        Dictionary(
            try log(max: 10_000).map { ($0.alert.identity.occasion, $0.status) },
            uniquingKeysWith: { $1 })
    }
}

/// A carrier whose outcomes a test decides, and that keeps what it was given.
final class RecordingCarrier: AlertCarrier {
    private let state = Mutex<[(subscriber: String, message: AlertMessage)]>([])
    private let outcome: @Sendable (AlertMessage, Subscriber) async -> CarrierOutcome

    init(
        _ outcome: @escaping @Sendable (AlertMessage, Subscriber) async -> CarrierOutcome = {
            _, _ in .delivered
        }
    ) {
        self.outcome = outcome
    }

    var sent: [(subscriber: String, message: AlertMessage)] { state.withLock { $0 } }

    func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome {
        state.withLock { $0.append((subscriber.id, message)) }
        return await outcome(message, subscriber)
    }
}

/// A clock that a test moves; its two times can be moved apart.
final class HandClock: WallClock {
    private let state: Mutex<(now: Timestamp, seconds: Double)>

    init(_ now: Timestamp) { state = Mutex((now, 0)) }

    var now: Timestamp { state.withLock { $0.now } }
    var monotonicSeconds: Double { state.withLock { $0.seconds } }

    func advance(seconds: Double) {
        state.withLock {
            $0.now = $0.now.adding(seconds: Int64(seconds))
            $0.seconds += seconds
        }
    }

    func set(_ now: Timestamp) { state.withLock { $0.now = now } }

    func sleep(seconds: Double) async throws {
        try await Task.sleep(for: .seconds(3600))
    }
}
