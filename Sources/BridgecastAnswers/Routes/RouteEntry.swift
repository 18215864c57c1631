// A ranked route as JSON, what every document of routes says of it first; written straight from its figures.
package import BridgecastCore

/// What is said of a ranked route everywhere.
package struct RouteEntry {
    /// 1 is the best.
    package let rank: Int
    /// The route.
    package let route: Route
    /// Its figures.
    package let figures: RouteFigures
    /// When one leaves.
    package let departure: Timestamp

    /// Creates an entry; parameters as the properties.
    package init(rank: Int, route: Route, figures: RouteFigures, departure: Timestamp) {
        (self.rank, self.route) = (rank, route)
        (self.figures, self.departure) = (figures, departure)
    }

    /// Writes its fields into an object that is open.
    package func write(into json: inout JSONWriter) {
        json.field("rank", rank)
        json.field("id", route.id)
        json.field("name", route.name)
        json.field("score", figures.score, decimals: 4)
        json.object("travel_s") { json in
            json.field("mean", figures.expectedMinutes * 60, decimals: 1)
            json.field("p50", figures.p50Minutes * 60, decimals: 1)
            json.field("p80", figures.p80Minutes * 60, decimals: 1)
            json.field("p90", figures.p90Minutes * 60, decimals: 1)
            json.field("p95", figures.p95Minutes * 60, decimals: 1)
        }
        json.field("expected_arrival", departure.adding(minutes: figures.expectedMinutes))
        json.field("probability_stopped", figures.probabilityStopped, decimals: 5)
        json.field("expected_delay_s", figures.expectedDelayMinutes * 60, decimals: 1)
        if let onTime = figures.probabilityOnTime {
            json.field("probability_on_time", onTime, decimals: 5)
        }
    }
}
