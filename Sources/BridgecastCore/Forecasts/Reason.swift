// One reason for a forecast, as a code with values (Reason+Values.swift); its words are made in Reason+Text.swift.

/// A reason for a forecast: what kind it is, and the values that make it this one.
///
/// ``code`` and ``values`` say all that ``text`` says, so that a translation can be made from them alone.
public enum Reason: Sendable, Hashable {
    /// The span is up; since when is not known.
    case raised(BridgeIndex)
    /// The span has been up for so many minutes.
    case raisedFor(BridgeIndex, minutes: Int)
    /// The span has been up for so many minutes, which a share of openings like this, 0...1, do not reach.
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
    /// The span is down now and the arrival is soon; the chance, 0...1, that it is up at such a time.
    case downNow(BridgeIndex, probability: Double)
    /// The span came down so many minutes ago and seldom goes up again before the arrival.
    case downLately(BridgeIndex, minutesAgo: Int)
    /// The span has not gone up in the last so many hours.
    case downLong(BridgeIndex, hours: Int)
    /// More likely than usual by no single reason: the chance, 0...1, that the span is up at such a time.
    case overUsual(BridgeIndex, probability: Double)
    /// Less likely than usual by no single reason: the chance, 0...1, that the span is up at such a time.
    case underUsual(BridgeIndex, probability: Double)
    /// The forecast is near the usual, and no other reason is told: the chance, 0...1, that the span is up at such a time.
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
        /// ``Reason/downNow(_:probability:)``
        case downNow = "down_now"
        /// ``Reason/downLately(_:minutesAgo:)``
        case downLately = "down_lately"
        /// ``Reason/downLong(_:hours:)``
        case downLong = "down_long"
        /// ``Reason/overUsual(_:probability:)``
        case overUsual = "over_usual"
        /// ``Reason/underUsual(_:probability:)``
        case underUsual = "under_usual"
        /// ``Reason/usual(_:probability:)``
        case usual
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
        case .overUsual: .overUsual
        case .underUsual: .underUsual
        case .usual: .usual
        case .stateUnknown: .stateUnknown
        }
    }
}
