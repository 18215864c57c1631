// A route as scoring sees it: stretches of driving with bridge crossings between them.
// Belongs here: routes, what they are judged by, and ranked ones; not: the search (Roads) or the scoring
// (BridgecastEngine).

/// A way from an origin to a destination.
public struct Route: Sendable, Hashable, Codable {
    /// Part of a route.
    public enum Step: Sendable, Hashable {
        /// Driving, riding or walking without a drawbridge.
        case travel(Travel)
        /// Crossing a drawbridge; takes no time of its own.
        case crossing(BridgeIndex)
    }

    /// A stretch without a drawbridge.
    public struct Travel: Sendable, Hashable {
        /// Mean duration in minutes, not negative.
        public var meanMinutes: Double
        /// Standard deviation in minutes, not negative; one above the mean counts as the mean.
        public var spreadMinutes: Double

        /// Creates a stretch.
        public init(meanMinutes: Double, spreadMinutes: Double) {
            self.meanMinutes = meanMinutes
            self.spreadMinutes = spreadMinutes
        }

        /// Creates a stretch with the usual spread.
        ///
        /// Its variance grows with its length, ``varianceMinutesPerMinute`` a minute, as if every minute
        /// were delayed independently of the others. Divided, a stretch keeps its distribution, and of
        /// two stretches the shorter is the earlier one at every quantile.
        public init(minutes: Double) {
            self.init(
                meanMinutes: minutes,
                spreadMinutes: (Self.varianceMinutesPerMinute * minutes).squareRoot())
        }

        /// The usual variance of a minute's travel, minutes squared: 20 minutes spread by 3.
        public static let varianceMinutesPerMinute = 0.45
    }

    /// How one travels; it decides whether one waits in the queue.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// In the queue behind others.
        case car
        /// Filters to the front: only the raised span itself holds it up.
        case bike
        /// As a bike.
        case walk

        /// Whether the queue of cars matters.
        public var queues: Bool { self == .car }
    }

    /// Unique among the routes that are ranked.
    public var id: String
    /// For people.
    public var name: String
    /// Where it starts; routes are ranked among those of the same origin and destination.
    public var origin: String
    /// Where it ends.
    public var destination: String
    /// How one travels.
    public var mode: Mode
    /// The parts in order.
    public var steps: [Step]

    /// Creates a route.
    public init(
        id: String, name: String, origin: String, destination: String, mode: Mode, steps: [Step]
    ) {
        self.id = id
        self.name = name
        self.origin = origin
        self.destination = destination
        self.mode = mode
        self.steps = steps
    }

    /// The drawbridges it crosses, in order.
    public var crossings: [BridgeIndex] {
        steps.compactMap { step in
            if case .crossing(let bridge) = step { bridge } else { nil }
        }
    }

    /// Mean minutes of travel, drawbridges apart.
    public var meanTravelMinutes: Double {
        steps.reduce(0) { sum, step in
            if case .travel(let travel) = step { sum + travel.meanMinutes } else { sum }
        }
    }
}

extension Route.Step: Codable {
    private enum CodingKeys: String, CodingKey {
        case minutes, spread, bridge
    }

    /// Reads `{"minutes": 6, "spread": 1}` or `{"bridge": "Fremont"}`, as they stand in a file of routes.
    ///
    /// - Throws: `DecodingError`, also for a bridge that the catalogue does not have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let minutes = try container.decodeIfPresent(Double.self, forKey: .minutes) {
            let usual = Route.Travel(minutes: minutes)
            let spread = try container.decodeIfPresent(Double.self, forKey: .spread)
            self = .travel(
                Route.Travel(meanMinutes: minutes, spreadMinutes: spread ?? usual.spreadMinutes))
            return
        }
        let name = try container.decode(String.self, forKey: .bridge)
        guard let bridge = BridgeCatalogue.index(named: name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .bridge, in: container,
                debugDescription: "unknown bridge '\(printable(name, most: 40))'")
        }
        self = .crossing(bridge)
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .travel(let travel):
            try container.encode(travel.meanMinutes, forKey: .minutes)
            try container.encode(travel.spreadMinutes, forKey: .spread)
        case .crossing(let bridge):
            try container.encode(BridgeCatalogue[bridge].name, forKey: .bridge)
        }
    }
}
