// One reason for a forecast, as a code with values; the words are made from these, in Reason+Text.swift.

/// A reason for a forecast: what kind it is, and the values that make it this one.
///
/// ``code`` and ``values`` say all that ``text`` says, so that a translation can be made from them alone.
public enum Reason: Sendable, Hashable {
    /// The span is up; since when is not known.
    case raised(BridgeIndex)
    /// The span has been up for so many minutes.
    case raisedFor(BridgeIndex, minutes: Int)
    /// The span has been up for so many minutes, which a share of its openings, 0...1, do not reach.
    case raisedLong(BridgeIndex, minutes: Int, shorterShare: Double)
    /// The span was lowered so many minutes ago.
    case loweredRecently(BridgeIndex, minutesAgo: Int)
    /// Boats that were let through at a neighbour come to the bridge about the time of the arrival.
    case convoy(Convoy)
    /// The bridge beyond the neighbour went up so many minutes ago, before it: boats come from bridge to bridge.
    case convoyInOrder(BridgeIndex, beyond: BridgeIndex, minutesAgo: Int)
    /// A neighbour went up so many times within so many minutes.
    case neighbourOften(BridgeIndex, neighbour: BridgeIndex, openings: Int, minutes: Int)
    /// Smaller boats must wait until a moment.
    case closedWindow(BridgeIndex, until: Timestamp)
    /// Smaller boats had to wait and may go from a moment on, which is past by the time of the arrival.
    case windowEnded(BridgeIndex, from: Timestamp)
    /// The bridge opens only on the hour and half-hour.
    case halfHourOnly(BridgeIndex)
    /// The bridge's last openings were long: how long they lasted on average, and how long they usually last.
    case longOpenings(BridgeIndex, lastMinutes: Int, usualMinutes: Int)
    /// The bridge has opened more often today than is usual by now.
    case busyDay(BridgeIndex, openings: Int, usualOpenings: Int)
    /// The bridge has opened less often today than is usual by now.
    case quietDay(BridgeIndex, openings: Int, usualOpenings: Int)
    /// Nothing moves the forecast but the hour: the chance, 0...1, that the span is up at such a time.
    case usual(BridgeIndex, probability: Double)
    /// As ``usual(_:probability:)``, and it is not known whether the span is up now.
    case stateUnknown(BridgeIndex, probability: Double)

    /// Boats on their way from one bridge to another.
    public struct Convoy: Sendable, Hashable {
        /// The bridge that went up, and the one they are coming to.
        public let neighbour, bridge: BridgeIndex
        /// Minutes since the neighbour went up.
        public let minutesAgo: Int
        /// Minutes from there to here, of slow and of fast boats.
        public let leastMinutes, mostMinutes: Int
    }
}

extension Reason {
    /// The kinds of reasons; a raw value never changes its meaning.
    public enum Code: String, Sendable, CaseIterable {
        /// ``Reason/raised(_:)``
        case raised
        /// ``Reason/raisedFor(_:minutes:)``
        case raisedFor = "raised_for"
        /// ``Reason/raisedLong(_:minutes:shorterShare:)``
        case raisedLong = "raised_long"
        /// ``Reason/loweredRecently(_:minutesAgo:)``
        case loweredRecently = "lowered_recently"
        /// ``Reason/convoy(_:)``
        case convoy
        /// ``Reason/convoyInOrder(_:beyond:minutesAgo:)``
        case convoyInOrder = "convoy_in_order"
        /// ``Reason/neighbourOften(_:neighbour:openings:minutes:)``
        case neighbourOften = "neighbour_often"
        /// ``Reason/closedWindow(_:until:)``
        case closedWindow = "closed_window"
        /// ``Reason/windowEnded(_:from:)``
        case windowEnded = "window_ended"
        /// ``Reason/halfHourOnly(_:)``
        case halfHourOnly = "half_hour_only"
        /// ``Reason/longOpenings(_:lastMinutes:usualMinutes:)``
        case longOpenings = "long_openings"
        /// ``Reason/busyDay(_:openings:usualOpenings:)``
        case busyDay = "busy_day"
        /// ``Reason/quietDay(_:openings:usualOpenings:)``
        case quietDay = "quiet_day"
        /// ``Reason/usual(_:probability:)``
        case usual
        /// ``Reason/stateUnknown(_:probability:)``
        case stateUnknown = "state_unknown"
    }

    /// A value of a reason, in its own type.
    public enum Value: Sendable, Hashable {
        /// A bridge.
        case bridge(BridgeIndex)
        /// Whole minutes.
        case minutes(Int)
        /// How many there were.
        case count(Int)
        /// A probability, 0...1.
        case probability(Double)
        /// A moment, said as a time of day.
        case time(Timestamp)
    }

    /// A value with its name, in snake_case.
    public struct Field: Sendable, Hashable {
        /// What it is called, such as `minutes_ago`.
        public let name: String
        /// What it is.
        public let value: Value

        fileprivate init(_ name: String, _ value: Value) {
            (self.name, self.value) = (name, value)
        }
    }

    /// What kind of reason it is.
    public var code: Code {
        switch self {
        case .raised: .raised
        case .raisedFor: .raisedFor
        case .raisedLong: .raisedLong
        case .loweredRecently: .loweredRecently
        case .convoy: .convoy
        case .convoyInOrder: .convoyInOrder
        case .neighbourOften: .neighbourOften
        case .closedWindow: .closedWindow
        case .windowEnded: .windowEnded
        case .halfHourOnly: .halfHourOnly
        case .longOpenings: .longOpenings
        case .busyDay: .busyDay
        case .quietDay: .quietDay
        case .usual: .usual
        case .stateUnknown: .stateUnknown
        }
    }

    /// The bridge whose forecast has this reason.
    public var bridge: BridgeIndex {
        switch self {
        case .raised(let bridge), .raisedFor(let bridge, _), .raisedLong(let bridge, _, _),
            .loweredRecently(let bridge, _), .convoyInOrder(let bridge, _, _),
            .neighbourOften(let bridge, _, _, _), .longOpenings(let bridge, _, _),
            .busyDay(let bridge, _, _), .quietDay(let bridge, _, _),
            .closedWindow(let bridge, _), .windowEnded(let bridge, _), .halfHourOnly(let bridge),
            .usual(let bridge, _), .stateUnknown(let bridge, _):
            bridge
        case .convoy(let convoy): convoy.bridge
        }
    }

    /// Its values, ``bridge`` first; the same names in the same order for every reason of a code.
    public var values: [Field] {
        let own = Field("bridge", .bridge(bridge))
        switch self {
        case .raised, .halfHourOnly: return [own]
        case .raisedFor(_, let minutes): return [own, Field("minutes", .minutes(minutes))]
        case .raisedLong(_, let minutes, let share):
            return [
                own, Field("minutes", .minutes(minutes)),
                Field("shorter_share", .probability(share)),
            ]
        case .loweredRecently(_, let ago): return [own, Field("minutes_ago", .minutes(ago))]
        case .convoy(let convoy):
            return [
                own, Field("neighbour", .bridge(convoy.neighbour)),
                Field("minutes_ago", .minutes(convoy.minutesAgo)),
                Field("least_minutes", .minutes(convoy.leastMinutes)),
                Field("most_minutes", .minutes(convoy.mostMinutes)),
            ]
        case .convoyInOrder(_, let beyond, let ago):
            return [
                own, Field("neighbour", .bridge(beyond)), Field("minutes_ago", .minutes(ago)),
            ]
        case .neighbourOften(_, let neighbour, let openings, let minutes):
            return [
                own, Field("neighbour", .bridge(neighbour)), Field("openings", .count(openings)),
                Field("minutes", .minutes(minutes)),
            ]
        case .longOpenings(_, let last, let usual):
            return [
                own, Field("last_minutes", .minutes(last)),
                Field("usual_minutes", .minutes(usual)),
            ]
        case .busyDay(_, let openings, let usual), .quietDay(_, let openings, let usual):
            return [
                own, Field("openings", .count(openings)), Field("usual_openings", .count(usual)),
            ]
        case .closedWindow(_, let end): return [own, Field("until", .time(end))]
        case .windowEnded(_, let end): return [own, Field("from", .time(end))]
        case .usual(_, let probability), .stateUnknown(_, let probability):
            return [own, Field("probability", .probability(probability))]
        }
    }
}
