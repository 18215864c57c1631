// Routes with their figures, in order: what a ranking is and what is shown of it.

/// A crossing as scored.
public struct CrossingScore: Sendable, Equatable, Codable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// Mean arrival at the bridge, after the delays of the bridges before.
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
        (self.bridge, self.arrival, self.leadMinutes) = (bridge, arrival, leadMinutes)
        (self.delay, self.expectedDelayMinutes) = (delay, expectedDelayMinutes)
        self.probabilityDelayed = probabilityDelayed
    }
}

/// A route with its figures, which are also its own members: `score.p90Minutes`.
@dynamicMemberLookup
public struct RouteScore: Sendable, Equatable, Codable {
    /// The route.
    public let route: Route
    /// Travel time, chances and the score they add up to.
    public let figures: RouteFigures
    /// Its crossings in order.
    public let crossings: [CrossingScore]

    /// Creates a score; parameters as the properties.
    public init(route: Route, figures: RouteFigures, crossings: [CrossingScore]) {
        (self.route, self.figures, self.crossings) = (route, figures, crossings)
    }

    /// A figure.
    public subscript<Value>(dynamicMember member: KeyPath<RouteFigures, Value>) -> Value {
        figures[keyPath: member]
    }

    /// Expected arrival when leaving at a time.
    public func expectedArrival(leaving departure: Timestamp) -> Timestamp {
        departure.adding(minutes: figures.expectedMinutes)
    }

    /// Grams of CO2 that a waiting car is expected to blow out; 0 for those who do not queue.
    ///
    /// 24 g a minute: what 0.16 US gallons of petrol an hour make (Argonne National Laboratory, "Idling
    /// reduction savings", 2-litre sedan; 8.89 kg a gallon, US EPA).
    public var idlingCO2Grams: Double {
        route.mode == .car ? figures.expectedDelayMinutes * Self.idlingGramsPerMinute : 0
    }

    private static let idlingGramsPerMinute = 0.16 * 8_890 / 60

    /// What sets this score apart from another's, the weightiest first: differences in weighted minutes,
    /// which add up to the difference of the scores; positive ones count against this route.
    public func differences(
        from other: RouteScore, weights: RouteWeights
    ) -> [(criterion: RouteCriterion, minutes: Double)] {
        RouteCriterion.allCases.compactMap { criterion in
            let minutes = weights[criterion] * (figures[criterion] - other.figures[criterion])
            return minutes == 0 ? nil : (criterion, minutes)
        }.sorted { abs($0.minutes) > abs($1.minutes) }
    }
}

/// Routes ranked for one departure, the best first: a collection of their scores.
public struct RouteRanking: Sendable, Equatable, Codable, RandomAccessCollection {
    /// When the forecast behind it was made.
    public let issueTime: Timestamp
    /// When one leaves.
    public let departure: Timestamp
    /// When one wants to be there, if that matters.
    public let deadline: Timestamp?
    /// What it was ranked by.
    public let weights: RouteWeights
    /// The routes; equal ones in order of expected time, then as they were given.
    public let scores: [RouteScore]

    package init(
        issueTime: Timestamp, departure: Timestamp, deadline: Timestamp?, weights: RouteWeights,
        scores: [RouteScore]
    ) {
        (self.issueTime, self.departure, self.deadline) = (issueTime, departure, deadline)
        (self.weights, self.scores) = (weights, scores)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many routes there are.
    public var endIndex: Int { scores.count }

    /// The score at a rank, counted from 0.
    public subscript(rank: Int) -> RouteScore { scores[rank] }

    /// When one is expected to arrive by a route of the ranking.
    public func expectedArrival(by score: RouteScore) -> Timestamp {
        score.expectedArrival(leaving: departure)
    }
}
