// A journey: what was planned, what was forecast at its start, and what happened.
public import BridgecastCore
public import BridgecastSupport
private import Foundation

/// How a journey is made.
public enum JourneyMode: String, Sendable, Codable, CaseIterable {
    /// By car; it waits in the queue at a bridge.
    case car
    /// By bicycle.
    case bike
    /// On foot.
    case walk
    /// By bus or train.
    case transit

    /// The mode for which roads are searched; nil for transit.
    public var roadMode: Route.Mode? { Route.Mode(rawValue: rawValue) }

    /// For sentences: `by car`, `on foot`.
    public var phrase: String {
        switch self {
        case .car: "by car"
        case .bike: "by bike"
        case .walk: "on foot"
        case .transit: "by transit"
        }
    }
}

/// How a journey ended.
public enum JourneyOutcome: String, Sendable, Codable, CaseIterable {
    /// It has not ended.
    case underWay = "under_way"
    /// It arrived.
    case arrived
    /// It was given up, or another way was taken.
    case abandoned
}

/// The forecast at a journey's start, kept beside what happened.
public struct JourneyForecast: Sendable, Equatable {
    /// The name of the road route that ranked first, such as `Ballard Bridge, 15th Ave W`.
    public var way: String
    /// The expected travel time, seconds.
    public var expectedSeconds: Double
    /// The travel time that nine trips in ten do not exceed, seconds.
    public var p90Seconds: Double
    /// The probability of losing any time at a bridge, 0...1.
    public var probabilityStopped: Double
    /// The drawbridges of the way, in order.
    public var bridges: [BridgeIndex]
    /// The expected delay at the drawbridges, part of ``expectedSeconds``; nil in journals of before it was kept.
    public var expectedDelaySeconds: Double?

    /// Creates a forecast; parameters as the properties.
    public init(
        way: String, expectedSeconds: Double, p90Seconds: Double, probabilityStopped: Double,
        bridges: [BridgeIndex], expectedDelaySeconds: Double? = nil
    ) {
        self.expectedDelaySeconds = expectedDelaySeconds
        self.way = way
        self.expectedSeconds = expectedSeconds
        self.p90Seconds = p90Seconds
        self.probabilityStopped = probabilityStopped
        self.bridges = bridges
    }

    /// The forecast of a route that was scored.
    public init(_ score: RouteScore) {
        self.init(
            way: score.route.name, expectedSeconds: score.expectedMinutes * 60,
            p90Seconds: score.p90Minutes * 60, probabilityStopped: score.probabilityStopped,
            bridges: score.crossings.map(\.bridge),
            expectedDelaySeconds: score.expectedDelayMinutes * 60)
    }
}

/// A journey of the person whose journal it is.
public struct Journey: Sendable, Equatable, Identifiable {
    /// Unique in a journal: letters, digits and `-`.
    public var id: String
    /// Which journeys are of one route: ``identity(from:to:mode:)`` or a line with its stop.
    public var route: String
    /// The route's name to show.
    public var name: String
    /// How it is made.
    public var mode: JourneyMode
    /// When it was to begin.
    public var plannedDeparture: Timestamp
    /// When it was to end, as forecast at its start or as stated.
    public var plannedArrival: Timestamp
    /// When it began; nil if that is not known.
    public var actualDeparture: Timestamp?
    /// When it ended; nil if it has not, or was abandoned.
    public var actualArrival: Timestamp?
    /// Whether it was abandoned.
    public var isAbandoned: Bool
    /// Whether it lost time at a bridge; nil if that is not known.
    public var wasStopped: Bool?
    /// The forecast at its start; nil if there was none.
    public var forecast: JourneyForecast?
    /// When it was entered.
    public var createdAt: Timestamp

    /// Creates a journey; parameters as the properties.
    public init(
        id: String, route: String, name: String, mode: JourneyMode, plannedDeparture: Timestamp,
        plannedArrival: Timestamp, actualDeparture: Timestamp? = nil,
        actualArrival: Timestamp? = nil, isAbandoned: Bool = false, wasStopped: Bool? = nil,
        forecast: JourneyForecast? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.route = route
        self.name = name
        self.mode = mode
        self.plannedDeparture = plannedDeparture
        self.plannedArrival = plannedArrival
        self.actualDeparture = actualDeparture
        self.actualArrival = actualArrival
        self.isAbandoned = isAbandoned
        self.wasStopped = wasStopped
        self.forecast = forecast
        self.createdAt = createdAt
    }

    /// A journey with its plan alone.
    ///
    /// - Parameter minutes: How long it is planned to take, 0 or more.
    public init(
        planned target: Favourite.Target, leaving departure: Timestamp, minutes: Double,
        now: Timestamp
    ) {
        let label: (name: String, mode: JourneyMode) =
            switch target {
            case .trip(let from, let to, let mode): ("\(from) -> \(to)", mode)
            case .stop: (target.text, .transit)
            }
        self.init(
            id: Self.newID(), route: target.route, name: label.name, mode: label.mode,
            plannedDeparture: departure, plannedArrival: departure.adding(minutes: minutes),
            createdAt: now)
    }

    /// Adds the line of a ride to the name, which is cut where it gets too long.
    public mutating func add(line: String) {
        let name = "\(name), line \(line)"
        self.name = String(
            String.UnicodeScalarView(name.unicodeScalars.prefix(Self.maxTextLength)))
    }

    /// A random id.
    public static func newID() -> String { UUID().uuidString.lowercased() }

    /// When it began, else when it was to begin.
    public var start: Timestamp { actualDeparture ?? plannedDeparture }

    /// Whether it arrived, was abandoned, or is under way.
    public var outcome: JourneyOutcome {
        isAbandoned ? .abandoned : actualArrival == nil ? .underWay : .arrived
    }

    /// Seconds from departure to arrival; nil before it has arrived.
    public var travelSeconds: Int64? {
        actualArrival.map { $0.secondsSinceEpoch - start.secondsSinceEpoch }
    }

    /// Seconds by which it arrived later than planned, negative if earlier; nil before it has arrived.
    public var delaySeconds: Int64? {
        actualArrival.map { $0.secondsSinceEpoch - plannedArrival.secondsSinceEpoch }
    }

    /// ``delaySeconds`` in minutes.
    public var delayMinutes: Double? { delaySeconds.map { Double($0) / 60 } }

    /// The identity of a route between two places: their names without capitals, accents and blanks, and the mode.
    public static func identity(from: String, to: String, mode: JourneyMode) -> String {
        "\(mode.rawValue)/\(foldedName(from))/\(foldedName(to))"
    }
}

// MARK: - Checks

/// Why a journey is refused.
public enum JourneyProblem: Failure, Equatable {
    /// It ends before it starts, planned or actually.
    case endsBeforeStart
    /// It starts or ends more than a minute in the future.
    case future
    /// It takes more than 24 hours.
    case tooLong
    /// It started more than 24 hours from the plan.
    case farFromPlan
    /// A time is before 1970.
    case tooEarly
    /// It arrived, but did not depart.
    case neverDeparted
    /// It arrived and was abandoned.
    case arrivedAndAbandoned
    /// A text is empty, too long or has a NUL, with the field's name.
    case badText(String)
    /// The forecast has an impossible number.
    case badForecast

    /// Always ``FailureKind/usage``: what was entered is wrong.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .endsBeforeStart: "the journey ends before it starts; check both times"
        case .future: "the journey is in the future; enter it when it has begun"
        case .tooLong: "the journey takes more than 24 hours; check both times"
        case .farFromPlan: "the journey began more than 24 hours from its plan; check both times"
        case .tooEarly: "the journey is before 1970; check its date"
        case .neverDeparted: "the journey has an arrival and no departure; enter both"
        case .arrivedAndAbandoned: "the journey both arrived and was abandoned; enter one of them"
        case .badText(let field):
            "\(field) is empty, longer than \(Journey.maxTextLength) characters, or has a NUL"
        case .badForecast: "the forecast's times must be 0 to 24 hours, and its chance 0 to 1"
        }
    }
}

extension Journey {
    /// The maximum duration of a journey, seconds.
    public static let maxSeconds: Int64 = 86_400
    /// Clocks differ: a journey may be this far in the future, seconds.
    public static let clockToleranceSeconds: Int64 = 60
    /// The maximum length of a text, Unicode scalars.
    public static let maxTextLength = 200
    static let maxIDLength = 64

    /// Checks a journey before it is kept.
    ///
    /// - Throws: ``JourneyProblem``.
    public func validate(now: Timestamp) throws(JourneyProblem) {
        guard Self.isID(id) else { throw .badText("id") }
        guard Self.isText(route) else { throw .badText("route") }
        guard Self.isText(name) else { throw .badText("name") }
        let times = [plannedDeparture, plannedArrival, actualDeparture, actualArrival, createdAt]
        guard times.allSatisfy({ $0.map { $0.secondsSinceEpoch >= 0 } ?? true }) else {
            throw .tooEarly
        }
        try Self.check(plannedDeparture, plannedArrival)
        if let actualArrival {
            guard let actualDeparture else { throw .neverDeparted }
            guard !isAbandoned else { throw .arrivedAndAbandoned }
            try Self.check(actualDeparture, actualArrival)
        }
        let gap = start.secondsSinceEpoch - plannedDeparture.secondsSinceEpoch
        guard gap.magnitude <= Self.maxSeconds else { throw .farFromPlan }
        let limit = now.adding(seconds: Self.clockToleranceSeconds)
        guard max(start, actualArrival ?? start) <= limit else { throw .future }
        try forecast?.validate()
    }

    private static func check(_ start: Timestamp, _ end: Timestamp) throws(JourneyProblem) {
        guard end >= start else { throw .endsBeforeStart }
        guard end.secondsSinceEpoch - start.secondsSinceEpoch <= maxSeconds else { throw .tooLong }
    }

    static func isText(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.count <= maxTextLength
            // The store would end it there.
            && !text.unicodeScalars.contains("\0")
    }

    static func isID(_ text: String) -> Bool {
        (1...maxIDLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }
}

extension JourneyForecast {
    fileprivate func validate() throws(JourneyProblem) {
        guard Journey.isText(way) else { throw .badText("way") }
        let seconds = 0...Double(Journey.maxSeconds)
        guard seconds.contains(expectedSeconds), seconds.contains(p90Seconds),
            (0...1).contains(probabilityStopped),
            expectedDelaySeconds.map((0...expectedSeconds).contains) ?? true,
            bridges.count <= BridgeCatalogue.count * 2
        else { throw .badForecast }
    }
}
