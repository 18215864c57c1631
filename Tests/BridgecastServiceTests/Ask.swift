// The requests whose answers are validated against the description: every endpoint, every form, all kinds of refusals.
/// A request, and the operation of the description that it is.
struct Ask: Sendable, CustomStringConvertible {
    let operation: String
    let uri: String
    let accept: String
    let body: String?
    /// The media type of the body.
    let bodyType: String
    /// Whether it is sent with a person's token.
    let hasToken: Bool
    let status: Int

    init(
        _ operation: String, _ query: String = "", at path: String? = nil,
        accept: String = "application/json", body: String? = nil,
        as bodyType: String = "application/json", hasToken: Bool = false, _ status: Int = 200
    ) {
        self.operation = operation
        let template = operation.split(separator: " ")[1]
        uri = (path ?? String(template)) + (query.isEmpty ? "" : "?" + query)
        self.accept = accept
        self.body = body
        self.bodyType = bodyType
        self.hasToken = hasToken
        self.status = status
    }

    /// As a person, with a form.
    static func me(
        _ operation: String, _ query: String = "", at path: String? = nil, form: String? = nil,
        _ status: Int = 200
    ) -> Ask {
        let parts = operation.split(separator: " ")
        return Ask(
            "\(parts[0]) \(base)/me\(parts.count > 1 ? parts[1] : "")", query,
            at: path.map { "\(base)/me\($0)" }, body: form,
            as: "application/x-www-form-urlencoded", hasToken: true, status)
    }

    var description: String { "\(operation) \(uri) \(accept)" }
}

extension Ask {
    static let base = "/api/v1"
    static let geoJSON = "application/geo+json"
    private static let html = "text/html"
    private static let svg = "image/svg+xml"
    private static let png = "image/png"

    /// Every endpoint, every form of its answer, and refusals of all kinds.
    static let all: [Ask] =
        ofMe + [
            Ask("GET \(base)/bridges"), Ask("GET \(base)/bridges", accept: geoJSON),
            Ask("GET \(base)/bridges", accept: "image/png", 406),
            Ask("GET \(base)/bridges", "no=1", 400),
            Ask("GET \(base)/bridges/{id}", at: "\(base)/bridges/fremont"),
            Ask(
                "GET \(base)/bridges/{id}", "hours=24&vessel_height_ft=60", at: "\(base)/bridges/29"
            ),
            Ask("GET \(base)/bridges/{id}", "at=2026-07-04T12:00", at: "\(base)/bridges/Ballard"),
            Ask("GET \(base)/bridges/{id}", at: "\(base)/bridges/Golden%20Gate", 404),
            Ask("GET \(base)/bridges/{id}/pattern", at: "\(base)/bridges/ballard/pattern"),
            Ask("GET \(base)/bridges/{id}/pattern", at: "\(base)/bridges/6/pattern"),
            Ask("GET \(base)/bridges/{id}/pattern", at: "\(base)/bridges/Tower/pattern", 404),
            Ask("GET \(base)/bridges/{id}", "hours=25", at: "\(base)/bridges/2", 400),
            Ask("GET \(base)/forecast"),
            Ask("GET \(base)/forecast", "bridge=3&lead_min=10&mode=bike"),
            Ask("GET \(base)/forecast", "bridge=Ballard&at=2026-02-20T19:30"),
            Ask("GET \(base)/forecast", "at=2026-02-20T12:00", 400),
            Ask("GET \(base)/forecast", "bridge=Tower", 400),
            Ask(
                "POST \(base)/forecast",
                body: #"{"rows": [{"bridge": "Fremont", "lead_min": 10}, {"bridge": 2}]}"#),
            Ask(
                "POST \(base)/forecast",
                body: #"{"rows": [{"bridge": 1}], "detail": "full", "mode": "walk"}"#),
            Ask(
                "POST \(base)/forecast",
                body: #"{"rows": [{"bridge": 1, "at": null}], "detail": null, "mode": null}"#),
            Ask("POST \(base)/forecast", body: #"{"rows": [{"bridge": 5}]}"#, 422),
            Ask("POST \(base)/forecast", body: "{", 422),
            Ask("GET \(base)/explain", "bridge=Ballard"),
            Ask("GET \(base)/explain", "bridge=South+Park&lead_min=30"),
            Ask("GET \(base)/explain", "", 400),
            Ask("GET \(base)/routes", "from=Ballard&to=Downtown&explain=true&directions=true"),
            Ask(
                "GET \(base)/routes",
                "from=Fremont&to=Capitol+Hill&mode=bike&arrive_by=2026-02-20T19:00"),
            Ask("GET \(base)/routes", "from=Ballard&to=Downtown", accept: geoJSON),
            Ask("GET \(base)/routes", "from=Balard&to=Downtown", 404),
            Ask("GET \(base)/routes", "from=Ballard", 400),
            Ask("POST \(base)/routes/rank", "detail=summary", body: candidates),
            Ask(
                "POST \(base)/routes/rank", "detail=full&arrive_by=2026-02-20T18:30",
                body: candidates),
            Ask("POST \(base)/routes/rank", body: #"{"routes": []}"#, 422),
            Ask("GET \(base)/depart", "from=Ballard&to=Downtown"),
            Ask("GET \(base)/depart", "from=Ballard&to=Downtown&arrive_by=19:00&confidence=0.8"),
            Ask("GET \(base)/places", "q=ball"), Ask("GET \(base)/places", "q=15th+ave&limit=3"),
            Ask("GET \(base)/places", "near=47.6687,-122.3761&limit=1"),
            Ask("GET \(base)/places", "near=Ballard", 400),
            Ask("GET \(base)/history", "limit=3"),
            Ask("GET \(base)/history", "bridge=2&from=2026-02-20T00:00&offset=1"),
            Ask("GET \(base)/history", "limit=3", accept: "text/csv"),
            Ask("GET \(base)/history", "limit=3", accept: "application/x-ndjson"),
            Ask("GET \(base)/history", "limit=1001", 400),
            Ask("GET \(base)/skill"),
            Ask("GET \(base)/verification"),
            Ask("GET \(base)/days/{date}", at: "\(base)/days/2026-02-19"),
            Ask("GET \(base)/days/{date}", at: "\(base)/days/2026-13-01", 400),
            Ask("GET \(base)/days/{date}", "forecasts=false", at: "\(base)/days/2026-02-19"),
        ] + past + transit + [
            Ask("GET \(base)/geography", "metres_per_pixel=100", accept: geoJSON),
            Ask("GET \(base)/openapi.json"),
            Ask("GET /openapi.json", accept: "application/vnd.oai.openapi+json"),
            Ask("GET /healthz"), Ask("GET /readyz"), Ask("GET /metrics", accept: "*/*"),
        ]

    /// The same of a time that is over.
    private static let past: [Ask] = [
        Ask("GET \(base)/bridges", then), Ask("GET \(base)/bridges", then, accept: geoJSON),
        Ask("GET \(base)/bridges", "issue_time=2021-06-01T12:00"),
        Ask("GET \(base)/bridges", "issue_time=2026-02-20T18:03", 400),
        Ask("GET \(base)/bridges/{id}", then, at: "\(base)/bridges/fremont"),
        Ask("GET \(base)/forecast", then + "&lead_min=10"),
        Ask("GET \(base)/explain", then + "&bridge=Ballard"),
        Ask("GET \(base)/routes", then + "&from=Ballard&to=Downtown"),
        Ask("GET \(base)/routes", then + "&from=Ballard&to=Downtown", accept: geoJSON),
        Ask("GET \(base)/depart", then + "&from=Ballard&to=Downtown"),
    ]

    private static let then = "issue_time=2026-02-19T17:50"

    static let candidates = #"""
        {"routes": [
          {"id": "a", "name": "A", "origin": "Home", "destination": "Work",
           "steps": [{"minutes": 6, "spread": 1}, {"bridge": "Fremont"}, {"minutes": 9}]},
          {"id": "b", "name": "B", "origin": "Home", "destination": "Work", "steps": [{"minutes": 18}]}]}
        """#
}

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
        Ask("GET \(base)/routes/{id}/map", at: line + "/map", accept: geoJSON),
        Ask("GET \(base)/routes/{id}/map", at: line + "/map"),
        Ask("GET \(base)/realtime", "route_id=,", 400),
        Ask("GET \(base)/realtime", "route_id=" + String(repeating: "15,", count: 51), 400),
        Ask("GET \(base)/lines"), Ask("GET \(base)/lines", "q=15&limit=3"),
        Ask("GET \(base)/lines", "limit=0", 400), Ask("GET \(base)/stops", "q=n1"),
        Ask("GET \(base)/realtime", "route_id=15,ferry&stop_id=N1&on_time_s=60"),
        Ask("GET \(base)/routes/{id}/live-widget", at: line + "/live-widget"),
        Ask("GET \(base)/routes/{id}/live-widget", "stop_id=N1", at: line + "/live-widget"),
        Ask("GET \(base)/realtime"), Ask("GET \(base)/realtime", "route_id=15/%C3%84&limit=1"),
        Ask("GET \(base)/trips/{id}", at: "\(base)/trips/n-18:00"),
        Ask("GET \(base)/trips/{id}", "from=S%2F1+s%C3%BCd&to=N1", at: "\(base)/trips/n-18:00"),
        Ask("GET \(base)/trips/{id}", "from=N1&to=N1", at: "\(base)/trips/n-18:00", 400),
        Ask("GET \(base)/trips/{id}", "to=N1", at: "\(base)/trips/n-18:00", 400),
        Ask("GET \(base)/trips/{id}", "date=2026-07-04", at: "\(base)/trips/s-25:10"),
        Ask("GET \(base)/trips/{id}", "date=2025-07-04", at: "\(base)/trips/s-25:10", 404),
        Ask("GET \(base)/trips/{id}/map", at: "\(base)/trips/n-18:00/map", accept: geoJSON),
        Ask("GET \(base)/trips/{id}/map", at: "\(base)/trips/n-18:00/map"),
        Ask("GET \(base)/trips/{id}/map", at: "\(base)/trips/x/map", 404),
        Ask(
            "GET /widget/{line}/{stop}", "size=large&theme=dark", at: "/widget/15/N1", accept: html),
        Ask("GET /widget/{line}/{stop}", "rows=4", at: "/widget/15/N1", accept: html, 400),
        Ask("GET /widget/{line}/{stop}", at: "/widget/99/N1", accept: html, 404),
        Ask("GET /widget/{line}/{stop}.svg", "lang=es", at: "/widget/15/N1.svg", accept: svg),
        Ask("GET /widget/{line}/{stop}.svg", at: "/widget/15/N9.svg", accept: svg, 404),
        Ask("GET /widget/{line}/{stop}.png", "size=round", at: "/widget/15/N1.png", accept: png),
        Ask("GET /widget/board/{stop}", "direction=0", at: "/widget/board/N1", accept: html),
        Ask("GET /widget/board/{stop}", "size=huge", at: "/widget/board/N1", accept: html, 400),
        Ask(
            "GET /widget/board/{stop}.svg", "size=large", at: "/widget/board/N1.svg", accept: svg),
        Ask(
            "GET /widget/board/{stop}.png", "compact=true", at: "/widget/board/N1.png", accept: png),
        Ask("GET /widget/board/{stop}.png", at: "/widget/board/N9.png", accept: png, 404),
        Ask("GET /gtfs-rt/alerts", accept: "application/x-protobuf"),
        Ask("GET /gtfs-rt/alerts", accept: "application/octet-stream"),
        Ask("GET /gtfs-rt/alerts", "", 406),
        Ask("GET /calendar/{bridge}.ics", at: "/calendar/Montlake.ics", accept: "text/calendar"),
        Ask("GET /calendar/{bridge}.ics", at: "/calendar/Tower.ics", accept: "text/calendar", 404),
    ]
}
