// A favourite: a trip or a stop that a person uses often, in the person's own order.
public import BridgecastCore
public import BridgecastSupport

/// How often a favourite is refreshed while it is shown.
public enum FavouriteRefresh: Int, Sendable, Codable, CaseIterable {
    /// Only when asked.
    case manual = 0
    /// Every minute.
    case oneMinute = 1
    /// Every two minutes.
    case twoMinutes = 2
    /// Every five minutes; the default.
    case fiveMinutes = 5
    /// Every ten minutes.
    case tenMinutes = 10
    /// Every quarter of an hour.
    case fifteenMinutes = 15

    /// Seconds between refreshes; nil for ``manual``.
    public var seconds: Double? { self == .manual ? nil : Double(rawValue) * 60 }

    /// Seconds to the next refresh by ``AdaptiveRefresh``: sooner before a departure, later on a poor network; nil for
    /// ``manual``.
    ///
    /// - Parameter departure: When to leave, or when the bus or train does; nil if nothing is planned.
    public func seconds(
        departure: Timestamp?, now: Timestamp, condition: NetworkCondition
    ) -> Double? {
        AdaptiveRefresh.seconds(
            interval: seconds,
            departure: departure.map { Double($0.secondsSinceEpoch - now.secondsSinceEpoch) },
            condition: condition)
    }

    /// Reads `manual` or a number of minutes.
    public init?(text: String) {
        guard let value = text == "manual" ? 0 : Int(text), let refresh = Self(rawValue: value)
        else { return nil }
        self = refresh
    }

    /// As ``init(text:)`` reads it.
    public var text: String { self == .manual ? "manual" : "\(rawValue)" }
}

/// A trip or a stop that a person uses often.
public struct Favourite: Sendable, Equatable, Identifiable {
    /// What a favourite is of.
    public enum Target: Sendable, Hashable {
        /// A trip on roads: both ends as `predict` takes them, and the mode.
        case trip(from: String, to: String, mode: JourneyMode)
        /// A line at a stop; the direction is empty for both.
        case stop(line: String, stop: String, direction: String)

        /// Which journeys are of it; see ``Journey/route``.
        public var route: String {
            switch self {
            case .trip(let from, let to, let mode): Journey.identity(from: from, to: to, mode: mode)
            case .stop(let line, let stop, let direction):
                "transit/\(foldedName(line))/\(foldedName(stop))/\(foldedName(direction))"
            }
        }

        /// For people, such as `home -> work, by car`.
        public var text: String {
            switch self {
            case .trip(let from, let to, let mode): "\(from) -> \(to), \(mode.phrase)"
            case .stop(let line, let stop, let direction):
                "line \(line) at \(stop)" + (direction.isEmpty ? "" : ", towards \(direction)")
            }
        }
    }

    /// Whether it is of a trip on roads, not of a stop.
    public var isTrip: Bool { if case .trip = target { true } else { false } }

    /// Unique in a journal: letters, digits and `-`.
    public var id: String
    /// The name to show; unique, ignoring case, accents and blanks.
    public var name: String
    /// What it is of.
    public var target: Target
    /// How often it is refreshed.
    public var refresh: FavouriteRefresh
    /// When a journey on it last began; nil if none has.
    public var lastUsed: Timestamp?
    /// How many journeys began on it.
    public var useCount: Int
    /// The mean travel time of the journeys on it that are kept, seconds; nil before the first arrival.
    public var averageSeconds: Double?

    /// Creates a favourite; parameters as the properties.
    public init(
        id: String, name: String, target: Target, refresh: FavouriteRefresh = .fiveMinutes,
        lastUsed: Timestamp? = nil, useCount: Int = 0, averageSeconds: Double? = nil
    ) {
        self.id = id
        self.name = name
        self.target = target
        self.refresh = refresh
        self.lastUsed = lastUsed
        self.useCount = useCount
        self.averageSeconds = averageSeconds
    }

    /// Checks a favourite before it is kept.
    ///
    /// - Throws: ``FavouriteProblem``.
    public func validate() throws(FavouriteProblem) {
        guard Journey.isID(id) else { throw .badText("id") }
        guard Journey.isText(name), !foldedName(name).isEmpty else { throw .badText("name") }
        switch target {
        case .trip(let from, let to, _):
            guard Journey.isText(from), !foldedName(from).isEmpty else { throw .badText("from") }
            guard Journey.isText(to), !foldedName(to).isEmpty else { throw .badText("to") }
        case .stop(let line, let stop, let direction):
            guard Journey.isText(line) else { throw .badText("line") }
            guard Journey.isText(stop) else { throw .badText("stop") }
            guard direction.isEmpty || Journey.isText(direction) else {
                throw .badText("direction")
            }
        }
        let seconds = 0...Double(Journey.maxSeconds)
        guard useCount >= 0, useCount < 1 << 31, averageSeconds.map(seconds.contains) ?? true,
            lastUsed.map({ $0.secondsSinceEpoch >= 0 }) ?? true
        else { throw .badNumber }
    }
}

extension Favourite {
    /// When its reminders say to leave next: by the average time of a trip, by the walk to a stop.
    ///
    /// A time to leave still counts for ``AdaptiveRefresh/lateSeconds`` after it. Without an average a trip counts from
    /// its deadline.
    /// - Parameter reminders: Of any favourites; those that are off do not count.
    /// - Returns: Nil if no reminder is of it.
    public func nextDeparture(by reminders: [Reminder], now: Timestamp) -> Timestamp? {
        let earliest = now.adding(seconds: -Int64(AdaptiveRefresh.lateSeconds))
        return reminders.filter { $0.favourite == id && $0.isOn }.compactMap { reminder in
            let seconds = Int64(averageSeconds ?? 0) + Int64(reminder.walkSeconds)
            // The time to leave for the next deadline may have passed already.
            return reminder.deadlines(after: earliest, count: 2).lazy
                .map { $0.adding(seconds: -seconds) }.first { $0 >= earliest }
        }.min()
    }
}

/// Why a favourite is refused.
public enum FavouriteProblem: Failure, Equatable {
    /// A text is empty, too long or has a NUL, with the field's name.
    case badText(String)
    /// The use count, the average or the date of the last use is impossible.
    case badNumber

    /// Always ``FailureKind/usage``: what was entered is wrong.
    public var kind: FailureKind { .usage }

    /// What is wrong.
    public var description: String {
        switch self {
        case .badText(let field):
            "\(field) is empty, longer than \(Journey.maxTextLength) characters, or has a NUL"
        case .badNumber: "the use count, the average time or the last use is impossible"
        }
    }
}
