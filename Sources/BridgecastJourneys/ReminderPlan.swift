// What to announce of a reminder now, given what was announced before: a pure rule, which can be tried for any events.
public import BridgecastCore

/// When to leave for a deadline, as forecast at an issue time.
public struct LeaveBy: Sendable, Equatable {
    /// The reminder's id.
    public var reminder: String
    /// When to be there, or the departure of the bus or train.
    public var deadline: Timestamp
    /// The latest time to leave, in time for the walk; nil if no departure from now on is likely enough to be in time.
    public var departure: Timestamp?
    /// The name of the way that allows to leave last, or of the line; empty without one.
    public var way: String
    /// The probability of being in time when leaving then by that way, 0...1; nil for a stop.
    public var probabilityOnTime: Double?
    /// What drawbridges may add to a bus or train, the P90 of its delay in seconds; nil for a trip, whose probability has it
    /// in it, and where it is not known.
    public var bridgeSeconds: Double?

    /// Creates one; parameters as the properties.
    public init(
        reminder: String, deadline: Timestamp, departure: Timestamp?, way: String = "",
        probabilityOnTime: Double? = nil, bridgeSeconds: Double? = nil
    ) {
        self.reminder = reminder
        self.deadline = deadline
        self.departure = departure
        self.way = way
        self.probabilityOnTime = probabilityOnTime
        self.bridgeSeconds = bridgeSeconds
    }

    /// When to leave for a bus or train: its departure less the walk.
    ///
    /// A bridge makes it later, never earlier, and may let it catch up. So the walk begins for the departure as forecast
    /// without the bridge, and what the bridge may add is shown with it.
    ///
    /// - Parameters:
    ///   - reminder: Of a stop.
    ///   - deadline: The departure by the reminder's own time.
    ///   - departure: The departure as forecast, or of the timetable; nil if it is cancelled or unknown.
    ///   - line: Its name.
    ///   - bridgeSeconds: The P90 of the delay at drawbridges before the stop; nil if that is not known.
    public init(
        catching departure: Timestamp?, of line: String, for reminder: Reminder,
        deadline: Timestamp, bridgeSeconds: Double?
    ) {
        self.init(
            reminder: reminder.id, deadline: deadline,
            departure: departure?.adding(seconds: -Int64(reminder.walkSeconds)), way: line,
            bridgeSeconds: bridgeSeconds)
    }
}

/// One announcement of a reminder; what delivers it keeps its ``identity`` and so sends it once.
public struct ReminderAnnouncement: Sendable, Equatable {
    /// What tells announcements apart.
    public struct Identity: Sendable, Hashable {
        /// The reminder's id.
        public var reminder: String
        /// The deadline that it is of.
        public var deadline: Timestamp
        /// 0 for the first announcement of that deadline, then 1, 2 and so on.
        public var sequence: Int

        /// Creates an identity.
        public init(reminder: String, deadline: Timestamp, sequence: Int) {
            self.reminder = reminder
            self.deadline = deadline
            self.sequence = sequence
        }

        /// As one text, such as `r1/1772125200/0`: an id has no `/`.
        public var text: String { "\(reminder)/\(deadline.secondsSinceEpoch)/\(sequence)" }
    }

    /// What tells it from others.
    public var identity: Identity
    /// When to leave; nil if it is too late.
    public var departure: Timestamp?

    /// Creates an announcement.
    public init(identity: Identity, departure: Timestamp?) {
        self.identity = identity
        self.departure = departure
    }
}

/// What to announce of a reminder at an issue time.
public enum ReminderPlan: Sendable, Equatable {
    /// Nothing now; `until` is when the first announcement is due if the forecast stays, nil if none will be.
    case nothing(until: Timestamp?)
    /// The time to leave, less the lead, has come.
    case announce(ReminderAnnouncement)
    /// The time to leave has moved by more than two minutes since it was announced; the seconds, negative if it is earlier.
    case announceAgain(ReminderAnnouncement, movedSeconds: Int64)
    /// No departure is likely enough to be in time any more.
    case tooLate(ReminderAnnouncement)

    /// A time to leave that has moved by no more is not announced again, seconds.
    public static let toleranceSeconds: Int64 = 120

    /// Decides what to announce.
    ///
    /// Once the announced time to leave has passed by ``toleranceSeconds`` the person has left: nothing more is announced
    /// for that deadline.
    /// - Parameters:
    ///   - reminder: The reminder; nothing is announced if it is off.
    ///   - leaveBy: When to leave, as forecast now.
    ///   - announced: The last announcement of the reminder; one of another deadline does not count.
    ///   - announcesMoves: Whether it is announced again when the time to leave moves; see
    ///     ``JourneyStore/announcesMoves()``.
    ///   - now: The issue time of the forecast.
    public init(
        for reminder: Reminder, _ leaveBy: LeaveBy, announced: ReminderAnnouncement?,
        announcesMoves: Bool = true, at now: Timestamp
    ) {
        let last = announced.flatMap {
            $0.identity.deadline == leaveBy.deadline && $0.identity.reminder == reminder.id
                ? $0 : nil
        }
        guard reminder.isOn, leaveBy.reminder == reminder.id, now <= leaveBy.deadline else {
            self = .nothing(until: nil)
            return
        }
        let identity = ReminderAnnouncement.Identity(
            reminder: reminder.id, deadline: leaveBy.deadline,
            sequence: last.map { $0.identity.sequence + 1 } ?? 0)
        // What has passed cannot be caught any more.
        let departure = leaveBy.departure.flatMap { $0 >= now ? $0 : nil }
        let next = ReminderAnnouncement(identity: identity, departure: departure)
        guard let last else {
            self = Self.first(next, lead: reminder.leadSeconds, at: now)
            return
        }
        let plan = Self.repeated(next, after: last, lead: reminder.leadSeconds, at: now)
        if case .announceAgain = plan, !announcesMoves {
            self = .nothing(until: nil)
        } else {
            self = plan
        }
    }

    private static func first(
        _ next: ReminderAnnouncement, lead: Int, at now: Timestamp
    ) -> ReminderPlan {
        guard let departure = next.departure else { return .tooLate(next) }
        let due = departure.adding(seconds: -Int64(lead))
        return now >= due ? .announce(next) : .nothing(until: due)
    }

    private static func repeated(
        _ next: ReminderAnnouncement, after last: ReminderAnnouncement, lead: Int,
        at now: Timestamp
    ) -> ReminderPlan {
        guard let before = last.departure else {
            // It was too late; a bridge that closes early may change that.
            return next.departure == nil ? .nothing(until: nil) : first(next, lead: lead, at: now)
        }
        guard now <= before.adding(seconds: toleranceSeconds) else { return .nothing(until: nil) }
        guard let departure = next.departure else {
            // Just after the announced time that is what is expected of one who has left.
            return now < before ? .tooLate(next) : .nothing(until: nil)
        }
        let moved = departure.secondsSinceEpoch - before.secondsSinceEpoch
        return abs(moved) > toleranceSeconds
            ? .announceAgain(next, movedSeconds: moved) : .nothing(until: nil)
    }
}
