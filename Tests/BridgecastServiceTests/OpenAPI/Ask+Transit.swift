// The requests about buses and trains whose answers are held against the description.

extension Ask {
    private static let south = "\(base)/stops/S%2F1%20s%C3%BCd"
    private static let line = "\(base)/routes/15%2F%C3%84"

    /// Every resource of transit, every form of its answer, and refusals of all kinds.
    static let transit: [Ask] = [
        Ask("GET \(base)/stops/{id}/board", at: south + "/board"),
        Ask("GET \(base)/stops/{id}/board", "arrivals=true", at: "\(base)/stops/N1/board"),
        Ask(
            "GET \(base)/stops/{id}/board",
            "per_direction=3&horizon_min=60&direction=0&route_id=15/%C3%84&on_time_s=90",
            at: "\(base)/stops/ballard/board"),
        Ask("GET \(base)/stops/{id}/board", "at=2027-06-01T12:00", at: south + "/board"),
        Ask("GET \(base)/stops/{id}/board", "limit=0", at: south + "/board", 400),
        Ask("GET \(base)/stops/{id}/board", "route_id=99", at: south + "/board", 404),
        Ask("GET \(base)/stops/{id}/board", at: "\(base)/stops/N3/board", 404),
        Ask("GET \(base)/stops/{id}/departures", at: south + "/departures"),
        Ask("GET \(base)/stops/{id}/predictions", "limit=5", at: south + "/predictions"),
        Ask("GET \(base)/stops/{id}/board/timeline", at: south + "/board/timeline"),
        Ask("GET \(base)/board/timeline", "stop_id=N1&arrivals=true&limit=2"),
        Ask("GET \(base)/board/timeline", "lat=47.65&lon=-122.3762"),
        Ask("GET \(base)/board/timeline", "", 400),
        Ask("GET \(base)/board/timeline", "stop_id=N1&lat=47", 400),
        Ask("GET \(base)/stops/nearest", "lat=47.667&lon=-122.376&stations=3&arrivals=true"),
        Ask("GET \(base)/stops/nearest", "", 400),
        Ask("GET \(base)/stops/nearest", "lat=0&lon=0", 404),
        Ask("GET \(base)/stops", "limit=3&offset=1"),
        Ask("GET \(base)/stops", "route_id=15/%C3%84"),
        Ask("GET \(base)/routes/{id}", at: line),
        Ask("GET \(base)/routes/{id}", at: "\(base)/routes/ferry"),
        Ask("GET \(base)/routes/{id}", at: "\(base)/routes/16", 404),
        Ask("GET \(base)/routes/{id}/live-widget", at: line + "/live-widget"),
        Ask("GET \(base)/routes/{id}/live-widget", "stop_id=N1", at: line + "/live-widget"),
        Ask("GET \(base)/realtime"), Ask("GET \(base)/realtime", "route_id=15/%C3%84&limit=1"),
        Ask("GET \(base)/trips/{id}", at: "\(base)/trips/n-18:00"),
        Ask("GET \(base)/trips/{id}", "date=2026-07-04", at: "\(base)/trips/s-25:10"),
        Ask("GET \(base)/trips/{id}", "date=2025-07-04", at: "\(base)/trips/s-25:10", 404),
        Ask("GET \(base)/trips/{id}/map", at: "\(base)/trips/n-18:00/map", accept: geoJSON),
        Ask("GET \(base)/trips/{id}/map", at: "\(base)/trips/n-18:00/map"),
        Ask("GET \(base)/trips/{id}/map", at: "\(base)/trips/x/map", 404),
        Ask("GET /gtfs-rt/alerts", accept: "application/x-protobuf"),
        Ask("GET /gtfs-rt/alerts", "", 406),
        Ask("GET /calendar/{bridge}.ics", at: "/calendar/Montlake.ics", accept: "text/calendar"),
        Ask("GET /calendar/{bridge}.ics", at: "/calendar/Tower.ics", accept: "text/calendar", 404),
    ]
}
