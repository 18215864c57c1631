// A route with its figures: what is shown of it, and what sets it apart from another.

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
