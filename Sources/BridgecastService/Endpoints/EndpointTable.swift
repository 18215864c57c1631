// All resources of the service in one list: the router, the description and its test are made from it.
// Belongs here: what each resource reads from a request and answers; not: arithmetic (the library), or the form of
// documents (BridgecastAnswers).

/// The resources of the service.
package enum EndpointTable {
    /// Where the versioned resources stand.
    package static let base = "/api/v1"

    /// Every resource.
    package static let all: [Endpoint] = [
        BridgeEndpoints.all, PatternEndpoint.all, ForecastEndpoints.all, RouteEndpoints.all,
        PlacesEndpoint.all,
        HistoryEndpoint.all, DayEndpoint.all, SkillEndpoint.all, GeographyEndpoint.all,
        StopEndpoints.all, NearestEndpoint.all, TransitRouteEndpoints.all, TripEndpoints.all,
        BridgeAlertsEndpoint.all, CalendarEndpoint.all,
        EventsEndpoint.all, HealthEndpoints.all, DescriptionEndpoint.all,
    ].flatMap { $0 }
}
