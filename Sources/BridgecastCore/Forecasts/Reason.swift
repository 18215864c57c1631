// One reason for a forecast: its code, its values and its English text. ForecastReason finds which reasons hold.

/// A reason for a forecast: what kind it is, and the values that make it this one.
///
/// ``code`` and ``values`` hold everything that ``text`` does, so that a translation can be made from them.
public enum Reason: Sendable, Hashable {
    /// The span is up; since when is not known.
    case raised(BridgeIndex)
    /// The span has been up for `minutes`.
    case raisedFor(BridgeIndex, minutes: Int)
    /// The span has been up for `minutes`, which a share of openings like this, 0...1, do not reach.
    case raisedLong(BridgeIndex, minutes: Int, shorterShare: Double)
    /// The span was lowered `minutesAgo`.
    case loweredRecently(BridgeIndex, minutesAgo: Int)
    /// Boats that were let through at a neighbour come to the bridge about the time of the arrival.
    case convoy(Convoy)
    /// The bridge beyond the neighbour went up `minutesAgo`, before it: boats come from bridge to bridge.
    case convoyInOrder(BridgeIndex, beyond: BridgeIndex, minutesAgo: Int)
    /// A neighbour went up `openings` times within `minutes`.
    case neighbourOften(BridgeIndex, neighbour: BridgeIndex, openings: Int, minutes: Int)
    /// Smaller boats must wait until a time.
    case closedWindow(BridgeIndex, until: Timestamp)
    /// Smaller boats had to wait and may go from a time on, which is past by the time of the arrival.
    case windowEnded(BridgeIndex, from: Timestamp)
    /// The bridge opens only on the hour and half-hour.
    case halfHourOnly(BridgeIndex)
    /// The bridge's last openings were long: how long they lasted on average, and how long they last by climatology.
    case longOpenings(BridgeIndex, lastMinutes: Int, typicalMinutes: Int)
    /// The bridge has opened more often today than climatology expects by now.
    case busyDay(BridgeIndex, openings: Int, typicalOpenings: Int)
    /// The bridge has opened less often today than climatology expects by now.
    case quietDay(BridgeIndex, openings: Int, typicalOpenings: Int)
    /// The span is down now and the arrival is soon; the climatological probability, 0...1, of being stopped.
    case downNow(BridgeIndex, probability: Double)
    /// The span came down `minutesAgo` and rarely goes up again before the arrival.
    case downLately(BridgeIndex, minutesAgo: Int)
    /// The span has not gone up in the last `hours`.
    case downLong(BridgeIndex, hours: Int)
    /// More likely than by climatology for no single reason: the climatological probability, 0...1, of being stopped.
    case aboveClimatology(BridgeIndex, probability: Double)
    /// Less likely than by climatology for no single reason: the climatological probability, 0...1, of being stopped.
    case belowClimatology(BridgeIndex, probability: Double)
    /// Near climatology, and no other reason holds: the climatological probability, 0...1, of being stopped.
    case nearClimatology(BridgeIndex, probability: Double)
    /// As ``nearClimatology(_:probability:)``, and it is not known whether the span is up now.
    case stateUnknown(BridgeIndex, probability: Double)

    /// Boats on their way from one bridge to another.
    public struct Convoy: Sendable, Hashable {
        /// The bridge that went up, and the one they are coming to.
        public let neighbour, bridge: BridgeIndex
        /// Minutes since the neighbour went up.
        public let minutesAgo: Int
        /// Minutes from there to here, of fast and of slow boats.
        public let minMinutes, maxMinutes: Int
    }
}

// MARK: - Codes

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
        /// ``Reason/longOpenings(_:lastMinutes:typicalMinutes:)``
        case longOpenings = "long_openings"
        /// ``Reason/busyDay(_:openings:typicalOpenings:)``
        case busyDay = "busy_day"
        /// ``Reason/quietDay(_:openings:typicalOpenings:)``
        case quietDay = "quiet_day"
        /// ``Reason/downNow(_:probability:)``
        case downNow = "down_now"
        /// ``Reason/downLately(_:minutesAgo:)``
        case downLately = "down_lately"
        /// ``Reason/downLong(_:hours:)``
        case downLong = "down_long"
        /// ``Reason/aboveClimatology(_:probability:)``
        case aboveClimatology = "above_climatology"
        /// ``Reason/belowClimatology(_:probability:)``
        case belowClimatology = "below_climatology"
        /// ``Reason/nearClimatology(_:probability:)``
        case nearClimatology = "usual"
        /// ``Reason/stateUnknown(_:probability:)``
        case stateUnknown = "state_unknown"
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
        case .downNow: .downNow
        case .downLately: .downLately
        case .downLong: .downLong
        case .aboveClimatology: .aboveClimatology
        case .belowClimatology: .belowClimatology
        case .nearClimatology: .nearClimatology
        case .stateUnknown: .stateUnknown
        }
    }

    /// A direction in which a reason moves the chance of being stopped.
    enum Tendency {
        /// Up, or down.
        case more, less
        /// It keeps the chance near climatology.
        case near
        /// Up or down, depending on the time.
        case either
    }

    /// Which way it moves the chance of being stopped.
    var tendency: Tendency {
        switch self {
        case .raised, .raisedFor, .raisedLong, .loweredRecently, .convoy, .convoyInOrder,
            .neighbourOften, .windowEnded, .longOpenings, .busyDay, .aboveClimatology:
            .more
        case .downNow, .downLately, .downLong, .closedWindow, .quietDay, .belowClimatology: .less
        case .nearClimatology, .stateUnknown: .near
        case .halfHourOnly: .either
        }
    }
}

// MARK: - Values

extension Reason {
    /// A value of a reason, in its own type.
    public enum Value: Sendable, Hashable {
        /// A bridge.
        case bridge(BridgeIndex)
        /// Whole minutes.
        case minutes(Int)
        /// Whole hours.
        case hours(Int)
        /// How many there were.
        case count(Int)
        /// A probability, 0...1.
        case probability(Double)
        /// A time, shown as a time of day.
        case time(Timestamp)
    }

    /// A value with its name, in snake_case.
    public struct Field: Sendable, Hashable {
        /// What it is called, such as `minutes_ago`.
        public let name: String
        /// What it is.
        public let value: Value

        fileprivate init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
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
            .downNow(let bridge, _), .downLately(let bridge, _), .downLong(let bridge, _),
            .aboveClimatology(let bridge, _), .belowClimatology(let bridge, _),
            .nearClimatology(let bridge, _),
            .stateUnknown(let bridge, _):
            bridge
        case .convoy(let convoy): convoy.bridge
        }
    }

    /// Its values, ``bridge`` first; the same names in the same order for every reason of a code.
    public var values: [Field] { [Field("bridge", .bridge(bridge))] + otherValues }

    private var otherValues: [Field] {
        switch self {
        case .raised, .halfHourOnly: []
        case .raisedFor(_, let minutes): [Field("minutes", .minutes(minutes))]
        case .raisedLong(_, let minutes, let share):
            [Field("minutes", .minutes(minutes)), Field("shorter_share", .probability(share))]
        case .loweredRecently(_, let ago), .downLately(_, let ago):
            [Field("minutes_ago", .minutes(ago))]
        case .convoy(let convoy):
            [
                Field("neighbour", .bridge(convoy.neighbour)),
                Field("minutes_ago", .minutes(convoy.minutesAgo)),
                Field("min_minutes", .minutes(convoy.minMinutes)),
                Field("max_minutes", .minutes(convoy.maxMinutes)),
            ]
        case .convoyInOrder(_, let beyond, let ago):
            [Field("neighbour", .bridge(beyond)), Field("minutes_ago", .minutes(ago))]
        case .neighbourOften(_, let neighbour, let openings, let minutes):
            [
                Field("neighbour", .bridge(neighbour)), Field("openings", .count(openings)),
                Field("minutes", .minutes(minutes)),
            ]
        case .longOpenings(_, let last, let typical):
            [Field("last_minutes", .minutes(last)), Field("typical_minutes", .minutes(typical))]
        case .busyDay(_, let openings, let typical), .quietDay(_, let openings, let typical):
            [Field("openings", .count(openings)), Field("typical_openings", .count(typical))]
        case .closedWindow(_, let end): [Field("until", .time(end))]
        case .windowEnded(_, let end): [Field("from", .time(end))]
        case .downLong(_, let hours): [Field("hours", .hours(hours))]
        case .downNow(_, let probability), .aboveClimatology(_, let probability),
            .belowClimatology(_, let probability), .nearClimatology(_, let probability),
            .stateUnknown(_, let probability):
            [Field("probability", .probability(probability))]
        }
    }
}

// MARK: - Text

extension Reason {
    /// The reason as an English phrase for drivers.
    public var text: String {
        switch self {
        case .raised(let bridge): "\(bridge) is raised now"
        case .raisedFor(let bridge, let minutes):
            minutes == 0
                ? "\(bridge) has just been raised" : "\(bridge) has been raised for \(minutes) min"
        case .raisedLong(_, _, let share):
            "of openings like this \(min(99, Int((share * 100).rounded()))) in 100 do not last so long"
        case .loweredRecently(let bridge, let ago): "\(bridge) was lowered \(Self.ago(ago))"
        case .convoy(let convoy):
            "\(convoy.neighbour) went up \(Self.ago(convoy.minutesAgo)); boats usually reach "
                + "\(convoy.bridge) in \(convoy.minMinutes) to \(convoy.maxMinutes) min"
        case .convoyInOrder(_, let beyond, let ago):
            "\(beyond) went up before, \(Self.ago(ago)): boats come from bridge to bridge"
        case .neighbourOften(_, let neighbour, let openings, let minutes):
            "\(neighbour) went up \(openings) times in the last \(minutes) min"
        case .closedWindow(_, let end): "closed to smaller boats until \(TimeText.clock(end))"
        case .windowEnded(_, let end): "boats that waited may go from \(TimeText.clock(end)) on"
        case .halfHourOnly: "opens only on the hour and half-hour then"
        case .longOpenings(_, let last, let typical):
            "its openings have lasted \(last) min lately, usually \(typical)"
        case .busyDay(_, let openings, let typical):
            "a busy day: \(openings) openings where \(typical) \(typical == 1 ? "is" : "are") usual by now"
        case .quietDay(_, let openings, let typical):
            "a quiet day: \(openings == 0 ? "no" : "\(openings)") opening\(openings == 1 ? "" : "s") "
                + "where \(typical) \(typical == 1 ? "is" : "are") usual by now"
        case .downNow(let bridge, let probability):
            "\(bridge) is down now; at this hour \(Self.share(probability)) are usually stopped"
        case .downLately(let bridge, let ago):
            "\(bridge) came down \(Self.ago(ago)) and seldom goes up again so soon"
        case .downLong(_, let hours): "no opening in the last \(hours) h"
        case .aboveClimatology(_, let probability):
            "more likely than usual for the hour (\(Self.share(probability)) stopped), by all that is known"
        case .belowClimatology(_, let probability):
            "less likely than usual for the hour (\(Self.share(probability)) stopped), by all that is known"
        case .nearClimatology(_, let probability): Self.typicalText(probability)
        case .stateUnknown(_, let probability):
            Self.typicalText(probability) + "; its state now is not known"
        }
    }

    private static func ago(_ minutes: Int) -> String {
        minutes == 0 ? "just now" : "\(minutes) min ago"
    }

    private static func typicalText(_ probability: Double) -> String {
        "usual for the hour: \(share(probability)) stopped"
    }

    /// As "5 in 100".
    private static func share(_ probability: Double) -> String {
        // As precise as climatology is kept.
        let perMille = Int((Float(probability) * 1000).rounded())
        return perMille >= 10
            ? "\((perMille + 5) / 10) in 100" : "\(max(perMille, 1)) in 1000"
    }
}
