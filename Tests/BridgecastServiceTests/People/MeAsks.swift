// The requests to `/api/v1/me` that are validated against the description, in the order in which they are sent.
import BridgecastAlerts

extension Ask {
    static let ofMe: [Ask] = journal + alerts

    /// A rule that the person has before.
    static let rule = "kept-rule"
    private static let endpoint = "https://push.example.org/send/abc"

    private static let alerts: [Ask] = [
        Ask(
            "POST \(base)/me/alerts/push", body: PersonAlertsFixture.subscription(endpoint),
            hasToken: true),
        Ask(
            "POST \(base)/me/alerts/push",
            body: PersonAlertsFixture.subscription("https://127.0.0.1/send"), hasToken: true, 422),
        Ask("POST \(base)/me/alerts/push", body: "{\"endpoint\": 5}", hasToken: true, 422),
        Ask("POST \(base)/me/alerts/push", body: "x", as: "text/plain", hasToken: true, 415),
        .me(
            "POST /alerts/rules",
            form:
                "bridge=Ballard&up=true&still_up=15,20&likely=0.5&days=mon-fri&from=7:00&until=9:30"
        ),
        .me("POST /alerts/rules", form: "line=44&priority=high"),
        .me("POST /alerts/rules", form: "reminders=true&days=daily"),
        .me("POST /alerts/rules", form: "bridge=Ballard", 422),
        .me("POST /alerts/rules", form: "bridge=Tower&up=true", 400),
        .me("POST /alerts/rules", form: "up=true", 400),
        .me("POST /alerts/test", form: ""),
        .me("POST /alerts/pause", form: "for=hour"),
        .me("POST /alerts/pause", form: "for=ever", 400),
        .me("GET /alerts"), Ask("GET \(base)/me/alerts", "", 401),
        .me("POST /alerts/pause", form: "for=off"),
        .me("DELETE /alerts/rules/{id}", at: "/alerts/rules/\(rule)"),
        .me("DELETE /alerts/rules/{id}", at: "/alerts/rules/\(rule)", 404),
        .me("DELETE /alerts/push/{id}", at: "/alerts/push/\(AlertBrowser.id(of: endpoint))"),
        .me("DELETE /alerts/push/{id}", at: "/alerts/push/\(AlertBrowser.id(of: endpoint))", 404),
    ]

    private static let journal: [Ask] = [
        .me("GET"), Ask("GET \(base)/me", "", 401),
        .me("GET /settings"),
        Ask("POST \(base)/me/import", body: imported, hasToken: true, 422),
        .me("POST /journeys/start", form: "from=Ballard&to=Downtown", 422),
        .me("PATCH /settings", form: "keeps_history=true&refresh_min=10&reminder_lead_s=600"),
        .me("PATCH /settings", form: "reminder_lead_s=7201", 400),
        .me("PATCH /settings", form: "keeps_history=maybe", 400),
        .me("PATCH /settings", form: "color=red", 400),
        .me("PATCH /settings", form: "", 400),
        Ask(
            "POST \(base)/me/import", body: imported, hasToken: true),
        .me("POST /favourites", form: "name=commute&from=Ballard&to=Downtown&refresh_min=2"),
        .me("POST /favourites", form: "name=bus&line=44&stop=N1"),
        .me("POST /favourites", form: "name=commute&from=Ballard&to=Fremont", 422),
        .me("POST /favourites", form: "name=nothing", 400),
        .me("POST /favourites", form: "name=x&from=a&to=b&color=red", 400),
        .me(
            "POST /favourites/{id}", at: "/favourites/own",
            form: "position=1&refresh_min=0&name=Route+44"),
        .me("POST /favourites/{id}", at: "/favourites/none", form: "position=1", 404),
        .me("GET /favourites"),
        .me("POST /reminders", form: "favourite=commute&by=9:00&days=mon-fri&confidence=0.95"),
        .me("POST /reminders", form: "favourite=bus&catching=8:40&walk_min=6&zone=America/Denver"),
        .me("POST /reminders", form: "favourite=bus&by=8:40", 400),
        .me("POST /reminders", form: "favourite=nothing&by=8:40", 404),
        .me("POST /reminders", form: "favourite=commute&by=9:00&confidence=0", 422),
        .me("GET /reminders"),
        .me("PATCH /reminders/{id}", at: "/reminders/wake", form: "on=false&lead_min=10"),
        .me("PATCH /reminders/{id}", at: "/reminders/wake", form: "x=1", 400),
        .me("PATCH /reminders/{id}", at: "/reminders/none", form: "on=true", 404),
        .me("DELETE /reminders/{id}", at: "/reminders/wake"),
        .me("DELETE /reminders/{id}", at: "/reminders/wake", 404),
        .me("POST /journeys/start", form: "favourite=commute"),
        .me("POST /journeys/start", form: "favourite=commute", 422),
        .me("POST /journeys/start", form: "favourite=nothing", 404),
        .me("POST /journeys/start", form: "from=Ballard&to=Nowhere+at+all", 404),
        .me("GET"),
        .me("POST /journeys/stop", form: "stopped=false"),
        .me("POST /journeys/stop", form: "stopped=false", 404),
        .me(
            "POST /journeys",
            form: "favourite=commute&departed=2026-02-19T17:30&arrived=2026-02-19T17:55&minutes=20"),
        .me(
            "POST /journeys",
            form: "from=a&to=b&departed=2026-02-19T17:30&arrived=2026-02-19T17:00",
            422),
        .me(
            "POST /journeys",
            form: "from=a&to=b&mode=transit&departed=2026-02-19T17:04&arrived=2026-02-19T17:22"
                + "&planned_departure=2026-02-19T17:00&minutes=15&way=44&expected_s=930.5"
                + "&p90_s=1200&delay_s=30.5&chance=0.2&bridges=Montlake,Fremont"),
        .me(
            "POST /journeys",
            form: "from=a&to=b&departed=2026-02-19T17:04&arrived=2026-02-19T17:22&chance=0.2", 400),
        .me("POST /journeys", form: "from=a&to=b&departed=2026-02-19T17:30", 400),
        .me("GET /journeys", "range=month&limit=1&zone=America/New_York"),
        .me("GET /journeys", "zone=Mars", 400),
        .me("GET /statistics", "range=all&on_time_min=3"), .me("GET /statistics"),
        .me("GET /export"),
        Ask("POST \(base)/me/import", body: "{}", hasToken: true, 422),
        Ask("POST \(base)/me/import", body: "id\n", as: "text/csv", hasToken: true, 415),
        .me("POST /journeys/clear", form: "before=2026-01-01T00:00"),
        .me("POST /journeys/clear", form: "", 400),
        .me("DELETE /journeys/{id}", at: "/journeys/imported"),
        .me("DELETE /journeys/{id}", at: "/journeys/imported", 404),
        .me("DELETE /favourites/{id}", at: "/favourites/own"),
        .me("DELETE /favourites/{id}", at: "/favourites/own", 404),
        .me("DELETE /settings"),
    ]

    private static let imported = """
        {"format": "bridgecast-journal", "version": 2, "reminders": [{
            "id": "wake", "favourite_id": "own", "time": "07:00", "days": "mon",
            "zone": "America/Los_Angeles"}], "favourites": [{
            "id": "own", "name": "tram", "kind": "stop", "line": "1", "stop": "N1",
            "refresh_min": 5, "use_count": 0}], "journeys": [{
            "id": "imported", "route": "car/a/b", "name": "a -> b", "mode": "car",
            "planned_departure": "2026-02-01T08:00:00-08:00",
            "planned_arrival": "2026-02-01T08:20:00-08:00", "abandoned": true,
            "created_at": "2026-02-01T08:00:00-08:00"}]}
        """
}
