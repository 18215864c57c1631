// A route as stretches of travel with bridge crossings between them, and its score.
internal import BridgecastSupport

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

        /// Creates a stretch with the default spread.
        ///
        /// Its variance grows with its length, ``varianceMinutesPerMinute`` a minute, as if every minute
        /// were delayed independently of the others. Divided, a stretch keeps its distribution, and of
        /// two stretches the shorter is the earlier one at every quantile.
        public init(minutes: Double) {
            self.init(
                meanMinutes: minutes,
                spreadMinutes: (Self.varianceMinutesPerMinute * minutes).squareRoot())
        }

        /// The default variance of a minute's travel, minutes squared: 20 minutes have a deviation of 3.
        public static let varianceMinutesPerMinute = 0.45
    }

    /// The mode of travel; it decides whether a traveller waits in the queue.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// Waits in the queue.
        case car
        /// Filters to the front: only the raised span itself delays it.
        case bike
        /// As a bike.
        case walk

        /// Whether the queue of cars matters.
        public var queues: Bool { self == .car }
    }

    /// Unique among the routes that are ranked.
    public var id: String
    /// The name to show.
    public var name: String
    /// Where it starts; routes are ranked among those of the same origin and destination.
    public var origin: String
    /// Where it ends.
    public var destination: String
    /// The mode of travel.
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

    /// Mean minutes of travel without delays at drawbridges.
    public var meanTravelMinutes: Double { steps.meanTravelMinutes }
}

extension [Route.Step] {
    /// Mean minutes of travel without delays at drawbridges.
    package var meanTravelMinutes: Double {
        reduce(0) { sum, step in
            if case .travel(let travel) = step { sum + travel.meanMinutes } else { sum }
        }
    }
}

extension Route.Step: Codable {
    private enum CodingKeys: String, CodingKey {
        case minutes, spread, bridge
    }

    /// Reads `{"minutes": 6, "spread": 1}` or `{"bridge": "Fremont"}`, as in a file of routes.
    ///
    /// - Throws: `DecodingError`, also for a bridge that the catalogue does not have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let minutes = try container.decodeIfPresent(Double.self, forKey: .minutes) {
            let travel = Route.Travel(minutes: minutes)
            let spread = try container.decodeIfPresent(Double.self, forKey: .spread)
            self = .travel(
                Route.Travel(meanMinutes: minutes, spreadMinutes: spread ?? travel.spreadMinutes))
            return
        }
        let name = try container.decode(String.self, forKey: .bridge)
        guard let bridge = BridgeCatalogue.index(named: name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .bridge, in: container,
                debugDescription: "unknown bridge '\(printable(name, maxLength: 40))'")
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

// MARK: - Scores

/// The figures of one route, all times in minutes.
public struct RouteFigures: Sendable, Hashable, Codable {
    /// Mean travel time, delays at bridges included.
    public var expectedMinutes = 0.0
    /// Travel time not exceeded in 50, 80, 90 and 95 cases of 100.
    public var p50Minutes = 0.0, p80Minutes = 0.0, p90Minutes = 0.0, p95Minutes = 0.0
    /// Probability of arriving by the wanted time, 0...1; nil if none is wanted.
    public var probabilityOnTime: Double?
    /// Probability of a delay at any bridge, 0...1.
    public var probabilityStopped = 0.0
    /// Expected delay at all bridges, part of ``expectedMinutes``.
    public var expectedDelayMinutes = 0.0
    /// Openings a day, by history, of all bridges on the route.
    public var openingsPerDay = 0.0
    /// Weighted sum of the criteria; less is better.
    public var score = 0.0

    /// Creates figures that are all 0.
    public init() {}

    /// The value of a criterion, in its unit.
    public subscript(criterion: RouteCriterion) -> Double { criterion.value(of: self) }
}

/// A route with its figures, which are also its own members: `score.p90Minutes`.
@dynamicMemberLookup
public struct RouteScore: Sendable, Equatable, Codable {
    /// The route.
    public let route: Route
    /// Travel time, probabilities and the weighted score.
    public let figures: RouteFigures
    /// Its crossings in order.
    public let crossings: [CrossingScore]

    /// Creates a score; parameters as the properties.
    public init(route: Route, figures: RouteFigures, crossings: [CrossingScore]) {
        self.route = route
        self.figures = figures
        self.crossings = crossings
    }

    /// A figure.
    public subscript<Value>(dynamicMember member: KeyPath<RouteFigures, Value>) -> Value {
        figures[keyPath: member]
    }

    /// Expected arrival when leaving at a time.
    public func expectedArrival(leaving departure: Timestamp) -> Timestamp {
        departure.adding(minutes: figures.expectedMinutes)
    }

    /// Expected CO2 of a waiting car, grams; 0 for modes that do not queue.
    ///
    /// 24 g a minute, from 0.16 US gallons of petrol an hour (Argonne National Laboratory, "Idling
    /// reduction savings", 2-litre sedan; 8.89 kg a gallon, US EPA).
    public var idlingCO2Grams: Double {
        route.mode == .car ? figures.expectedDelayMinutes * Self.idlingGramsPerMinute : 0
    }

    private static let idlingGramsPerMinute = 0.16 * 8_890 / 60

    /// The differences to another score in weighted minutes, the largest first; they add up to the difference of the
    /// scores, and positive ones count against this route.
    public func differences(
        from other: RouteScore, weights: RouteWeights
    ) -> [(criterion: RouteCriterion, minutes: Double)] {
        RouteCriterion.allCases.compactMap { criterion in
            let minutes = weights[criterion] * (figures[criterion] - other.figures[criterion])
            return minutes == 0 ? nil : (criterion, minutes)
        }.sorted { abs($0.minutes) > abs($1.minutes) }
    }
}

/// A crossing as scored.
public struct CrossingScore: Sendable, Equatable, Codable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// Mean arrival at the bridge, including the delays at earlier bridges.
    public let arrival: Timestamp
    /// Mean minutes from issue time to arrival.
    public let leadMinutes: Double
    /// The delay at that mean arrival.
    public let delay: DelayDistribution
    /// The expected delay over all possible arrivals, minutes.
    public let expectedDelayMinutes: Double
    /// The probability of any delay over all possible arrivals, 0...1.
    public let probabilityDelayed: Double

    /// Creates a crossing; parameters as the properties.
    public init(
        bridge: BridgeIndex, arrival: Timestamp, leadMinutes: Double, delay: DelayDistribution,
        expectedDelayMinutes: Double, probabilityDelayed: Double
    ) {
        self.bridge = bridge
        self.arrival = arrival
        self.leadMinutes = leadMinutes
        self.delay = delay
        self.expectedDelayMinutes = expectedDelayMinutes
        self.probabilityDelayed = probabilityDelayed
    }
}
