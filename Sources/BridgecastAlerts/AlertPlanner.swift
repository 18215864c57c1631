// Decides what is sent to which subscriber, and when: a function of the rules, of what was seen, and of the board.
public import BridgecastCore
internal import BridgecastJourneys

/// An alert that was decided on, and what is to become of it.
public struct PlannedAlert: Hashable, Sendable {
    /// The alert.
    public var alert: Alert
    /// ``AlertStatus/waiting`` if it is to be sent; else why not.
    public var status = AlertStatus.waiting
}

/// What a board leads to; all of it is kept in one transaction before anything is sent.
public struct AlertPlan: Sendable {
    /// When the board was made.
    public var at: Timestamp
    /// The alerts in the order of bridges, then of rules.
    public var alerts: [PlannedAlert] = []
    /// Openings that began, went on or ended.
    public var openings: [SeenOpening] = []
    /// Whether rules about likely openings are armed, where that has changed.
    public var isArmed: [String: Bool] = [:]
    /// What is announced of reminders; each has an alert.
    public var announcements: [KeptAnnouncement] = []

    /// Whether there is nothing to be kept.
    public var isEmpty: Bool { alerts.isEmpty && openings.isEmpty && isArmed.isEmpty }
}

/// What a planner remembers over restarts.
public struct AlertMemory: Sendable {
    /// The openings of each bridge in the order in which they were seen.
    public var openings: [SeenOpening] = []
    /// Rules whose threshold was reached, until the chance has fallen again.
    public var disarmed: Set<String> = []
    /// The last announcement of each reminder by each rule.
    public var announcements: [KeptAnnouncement] = []
    /// When the last board was made; nil before the first.
    public var lastAt: Timestamp?

    /// Remembers nothing.
    public init() {}
}

/// Decides on alerts.
///
/// It does not know the time but from boards, sends nothing and keeps nothing: the same boards give the same plans. An
/// alert that it decides on again after a restart has the same ``AlertIdentity``, by which the ledger refuses it.
public struct AlertPlanner: Sendable {
    private var rules: RuleIndex
    private var bridges: [OpeningsOfBridge]
    private var disarmed: Set<String>
    private var lastAt: Timestamp?
    /// The reminders around a day, and those that were decided on.
    private var calendar: ReminderCalendar
    private var handledReminders: Set<AlertIdentity> = []
    private var handledLines: Set<AlertIdentity> = []
    private var shownLines: (minute: LocalMinute, alerts: [LineAlert])?
    private var announcer: ReminderAnnouncer

    /// A rule about likely openings is armed again when the chance falls below this share of its threshold.
    public static let rearmingShare = 0.7

    /// Creates a planner.
    public init(rules: [AlertRule], subscribers: [Subscriber], memory: AlertMemory = AlertMemory())
    {
        self.rules = RuleIndex(rules, subscribers)
        bridges = BridgeIndex.all.map { bridge in
            OpeningsOfBridge(bridge, kept: memory.openings.filter { $0.bridge == bridge })
        }
        disarmed = memory.disarmed
        announcer = ReminderAnnouncer(memory.announcements)
        lastAt = memory.lastAt
        calendar = ReminderCalendar(self.rules)
    }

    /// Uses other rules from now on.
    public mutating func use(rules: [AlertRule], subscribers: [Subscriber]) {
        self.rules = RuleIndex(rules, subscribers)
        calendar = ReminderCalendar(self.rules)
        disarmed.formIntersection(rules.map(\.id))
        announcer.use(rules)
        // A new rule is about the alerts that are shown now, too.
        shownLines = nil
    }

    /// Decides what a board leads to.
    ///
    /// - Complexity: O(rules of the bridges that changed, rules about likely openings, and reminders).
    public mutating func plan(_ board: AlertBoard) -> AlertPlan {
        var plan = AlertPlan(at: board.at)
        let minute = LocalMinute(board.at)
        for bridge in BridgeIndex.all {
            guard let condition = board.bridges[bridge] else { continue }
            planChange(of: bridge, to: condition.state, on: board, minute: minute, in: &plan)
            planLikelihood(of: bridge, condition, on: board, minute: minute, in: &plan)
        }
        planReminders(board, &plan)
        planAnnouncements(board, minute, &plan)
        planLines(board, minute, &plan)
        lastAt = board.at
        return plan
    }

    // MARK: Bridges

    private mutating func planChange(
        of bridge: BridgeIndex, to state: SpanState, on board: AlertBoard, minute: LocalMinute,
        in plan: inout AlertPlan
    ) {
        let before = bridges[bridge.rawValue].latest
        let step = bridges[bridge.rawValue].take(
            state, at: board.at, seconds: board.secondsSinceLast)
        switch step {
        case nil:
            // One that is shown again was kept as down.
            if let now = bridges[bridge.rawValue].latest, now.isRaised, before?.isRaised != true {
                plan.openings.append(now)
            }
        case .raised(let opening)?:
            if let before, before.isRaised {
                var ended = before
                ended.isRaised = false
                plan.openings.append(ended)
            }
            plan.openings.append(opening)
            announce(raised: opening, on: board, minute: minute, in: &plan)
        case .stillRaised(let opening, let fromMinutes)?:
            plan.openings.append(opening)
            announce(
                stillRaised: opening, from: fromMinutes, on: board, minute: minute, in: &plan)
        case .lowered(let opening, let isNews)?:
            plan.openings.append(opening)
            let text = AlertText.lowered(opening, at: board.at)
            for rule in rules.lowered[bridge.rawValue] where rule.hours.contains(minute) {
                add(
                    .lowered, of: rule, about: opening.occasion, text, on: board, bridge: bridge,
                    to: &plan, as: isNews ? .waiting : .missed)
            }
        }
    }

    private func announce(
        raised opening: SeenOpening, on board: AlertBoard, minute: LocalMinute,
        in plan: inout AlertPlan
    ) {
        let bridge = opening.bridge
        let text = AlertText.raised(opening)
        for rule in rules.raised[bridge.rawValue] where rule.hours.contains(minute) {
            add(
                .raised, of: rule, about: opening.occasion, text, on: board, bridge: bridge,
                to: &plan)
        }
        // One that has been up for long when it is first seen.
        announce(stillRaised: opening, from: 0, on: board, minute: minute, in: &plan)
    }

    /// The longest time that has been reached; shorter ones reached at once with it say less.
    private func announce(
        stillRaised opening: SeenOpening, from minutes: Int, on board: AlertBoard,
        minute: LocalMinute, in plan: inout AlertPlan
    ) {
        guard opening.minutesUp > minutes else { return }
        let bridge = opening.bridge
        let text = AlertText.stillRaised(opening)
        for rule in rules.stillRaised[bridge.rawValue] where rule.hours.contains(minute) {
            let reached = rule.stillRaisedMinutes.filter {
                $0 > minutes && $0 <= opening.minutesUp
            }
            for count in reached {
                add(
                    .stillRaised(minutes: count), of: rule, about: opening.occasion, text,
                    on: board, bridge: bridge, to: &plan,
                    as: count == reached.last ? .waiting : .superseded)
            }
        }
    }

    private mutating func planLikelihood(
        of bridge: BridgeIndex, _ condition: BridgeCondition, on board: AlertBoard,
        minute: LocalMinute, in plan: inout AlertPlan
    ) {
        guard condition.state == .lowered, let chance = condition.chance else { return }
        for rule in rules.likely[bridge.rawValue] where rule.hours.contains(minute) {
            guard let threshold = rule.likelyThreshold else { continue }
            if chance < threshold * Self.rearmingShare {
                if disarmed.remove(rule.id) != nil { plan.isArmed[rule.id] = true }
            } else if chance >= threshold, disarmed.insert(rule.id).inserted {
                plan.isArmed[rule.id] = false
                // Once in ten minutes of the clock, so that a forecast that is made again is the same occasion.
                let occasion = "likely/\(board.at.secondsSinceEpoch / 600)"
                add(
                    .likely, of: rule, about: occasion,
                    .likely(bridge, chance: chance, at: board.at), on: board, bridge: bridge,
                    to: &plan)
            }
        }
    }

    // MARK: Reminders

    private mutating func planReminders(_ board: AlertBoard, _ plan: inout AlertPlan) {
        // What was decided on before is refused by the ledger, too.
        if calendar.turn(to: board.at) { handledReminders.removeAll() }
        for entry in calendar.entries where entry.dueAt <= board.at {
            let isOver = board.at >= entry.usefulUntil
            // Of those that are over only what became due while nothing ran is missed.
            if isOver {
                guard let lastAt, entry.dueAt > lastAt, entry.dueAt >= entry.rule.createdAt else {
                    continue
                }
            }
            let identity = AlertIdentity(
                rule: entry.rule.id, occasion: entry.occasion, kind: .leaveNow)
            guard handledReminders.insert(identity).inserted else { continue }
            // A clock that is set back reaches it again.
            if isOver { handledReminders.remove(identity) }
            add(
                .leaveNow, of: entry.rule, about: entry.occasion,
                .leaveNow(entry.reminder, leaveBy: entry.leaveBy), on: board, bridge: nil,
                to: &plan, as: isOver ? .missed : .waiting)
        }
    }

    private mutating func planAnnouncements(
        _ board: AlertBoard, _ minute: LocalMinute, _ plan: inout AlertPlan
    ) {
        let decisions = announcer.decisions(
            rules.journals, board.reminders, at: board.at, minute)
        for decision in decisions {
            plan.announcements.append(decision.kept)
            add(
                decision.kind, of: decision.rule,
                about: AlertIdentity.reminderPrefix + decision.kept.announcement.identity.text,
                decision.text, on: board, bridge: nil, to: &plan)
        }
    }

    // MARK: Lines

    private mutating func planLines(
        _ board: AlertBoard, _ minute: LocalMinute, _ plan: inout AlertPlan
    ) {
        // Hours begin at full minutes.
        if let shownLines, shownLines.minute == minute, shownLines.alerts == board.lineAlerts {
            return
        }
        shownLines = (minute, board.lineAlerts)
        let shown = Set(board.lineAlerts.map { Self.occasion($0) })
        handledLines = handledLines.filter { shown.contains($0.occasion) }
        for alert in board.lineAlerts {
            for line in Set(alert.lines.map(RuleIndex.folded)).sorted() {
                for rule in rules.lines[line] ?? [] where rule.hours.contains(minute) {
                    let identity = AlertIdentity(
                        rule: rule.id, occasion: Self.occasion(alert), kind: .line)
                    guard handledLines.insert(identity).inserted else { continue }
                    add(
                        .line, of: rule, about: identity.occasion, .line(alert, of: line),
                        on: board, bridge: nil, link: alert.link, to: &plan)
                }
            }
        }
    }

    private static func occasion(_ alert: LineAlert) -> String { "line/\(alert.id)" }

    // MARK: All

    private func add(
        _ kind: AlertKind, of rule: RuleIndex.Entry, about occasion: String, _ text: AlertText,
        on board: AlertBoard, bridge: BridgeIndex?, link: String? = nil, to plan: inout AlertPlan,
        as status: AlertStatus = .waiting
    ) {
        let alert = Alert(
            identity: AlertIdentity(rule: rule.id, occasion: occasion, kind: kind),
            subscriber: rule.subscriber.id, priority: rule.priority, at: board.at, bridge: bridge,
            title: text.title, text: text.text, link: link)
        let isPaused = rule.subscriber.isPaused(at: board.systemTime, for: rule.priority)
        plan.alerts.append(
            PlannedAlert(alert: alert, status: status == .waiting && isPaused ? .paused : status))
    }
}
