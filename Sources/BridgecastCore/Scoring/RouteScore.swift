// A route with its figures: what scoring makes and what is shown.

/// A travel time's mean and quantiles, seconds, delays at bridges included.
public struct TravelSeconds: Sendable, Equatable {
    /// The mean.
    public let mean: Double
    /// Not exceeded in 50, 80, 90 and 95 cases of 100.
    public let p50, p80, p90, p95: Double

    /// Creates figures, seconds.
    public init(mean: Double, p50: Double, p80: Double, p90: Double, p95: Double) {
        (self.mean, self.p50, self.p80, self.p90, self.p95) = (mean, p50, p80, p90, p95)
    }
}

/// A crossing as scored.
public struct CrossingScore: Sendable, Equatable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// Mean arrival at the bridge, after the delays of the bridges before.
    public let arrival: Timestamp
    /// Mean minutes from issue time to arrival.
    public let leadMinutes: Double
    /// The delay at that mean arrival.
    public let delay: DelayDistribution
    /// The expected delay over all possible arrivals, seconds.
    public let expectedDelaySeconds: Double
    /// The probability of any delay over all possible arrivals, 0...1.
    public let probabilityDelayed: Double

    /// Creates a crossing; parameters as the properties.
    public init(
        bridge: BridgeIndex, arrival: Timestamp, leadMinutes: Double, delay: DelayDistribution,
        expectedDelaySeconds: Double, probabilityDelayed: Double
    ) {
        self.bridge = bridge
        self.arrival = arrival
        self.leadMinutes = leadMinutes
        self.delay = delay
        self.expectedDelaySeconds = expectedDelaySeconds
        self.probabilityDelayed = probabilityDelayed
    }
}

/// A route with its figures.
public struct RouteScore: Sendable, Equatable {
    /// The route.
    public let route: Route
    /// The travel time, delays included.
    public let travelSeconds: TravelSeconds
    /// Its crossings in order.
    public let crossings: [CrossingScore]
    /// Probability of any delay at any bridge.
    public let probabilityStopped: Double
    /// Expected delay at all bridges, seconds.
    public let expectedDelaySeconds: Double
    /// Probability of arriving by the wanted time, 0...1; nil if none is wanted.
    public let probabilityOnTime: Double?
    /// Value of each criterion.
    public let criteria: [RouteCriterion: Double]
    /// Weighted sum of the criteria, minutes; less is better.
    public let score: Double

    /// Creates a score; parameters as the properties.
    public init(
        route: Route, travelSeconds: TravelSeconds, crossings: [CrossingScore],
        probabilityStopped: Double, expectedDelaySeconds: Double, probabilityOnTime: Double?,
        criteria: [RouteCriterion: Double], score: Double
    ) {
        self.route = route
        self.travelSeconds = travelSeconds
        self.crossings = crossings
        self.probabilityStopped = probabilityStopped
        self.expectedDelaySeconds = expectedDelaySeconds
        self.probabilityOnTime = probabilityOnTime
        self.criteria = criteria
        self.score = score
    }

    /// Expected arrival when leaving at a time.
    public func expectedArrival(leaving departure: Timestamp) -> Timestamp {
        departure.adding(minutes: travelSeconds.mean / 60)
    }

    /// Grams of CO2 that a waiting car is expected to blow out; 0 for those who do not queue.
    ///
    /// 24 g a minute: what 0.16 US gallons of petrol an hour make (Argonne National Laboratory, "Idling
    /// reduction savings", 2-litre sedan; 8.89 kg a gallon, US EPA).
    public var idlingCO2Grams: Double {
        route.mode == .car ? expectedDelaySeconds / 60 * Self.idlingGramsPerMinute : 0
    }

    private static let idlingGramsPerMinute = 0.16 * 8_890 / 60

    /// What sets this score apart from another's, the weightiest first: differences in weighted minutes,
    /// which add up to the difference of the scores; positive ones count against this route.
    public func differences(
        from other: RouteScore, weights: RouteWeights
    ) -> [(criterion: RouteCriterion, minutes: Double)] {
        RouteCriterion.allCases.compactMap { criterion in
            guard let own = criteria[criterion], let its = other.criteria[criterion] else {
                return nil
            }
            let minutes = weights[criterion] * (own - its)
            return minutes == 0 ? nil : (criterion, minutes)
        }.sorted { abs($0.minutes) > abs($1.minutes) }
    }
}
