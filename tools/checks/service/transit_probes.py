"""Questions about the line that timetable.py writes, with what its buses told on the replayed afternoon; probes.py asks them."""
import json


def look_at(probes):
    """Asks for boards, vehicles, trips, alerts and calendars; what is wrong is kept by the probes."""
    stop, line = "/api/v1/stops/S%2F1%20s%C3%BCd", "/api/v1/routes/15%2F%C3%84"
    look = lambda path: json.loads(probes.ask("GET", path)[2])
    board = look(stop + "/board")
    first = board["data"]["departures"][0]
    probes.expect(first["predicted_departure_epoch_s"] - first["scheduled_departure_epoch_s"] == 60, "a bus a minute late", first)
    probes.expect("occupancy_status" in first, "how full it is", first)
    sources = {source["id"]: source for source in board["sources"]}
    probes.expect(not sources["trip_updates"]["stale"] and not sources["vehicle_positions"]["error"], "realtime is fresh", sources)
    probes.expect({"timetable", "replay"} <= set(sources), "all sources are named", sources)
    probes.expect("S/1 süd" == board["data"]["stop"]["id"], "an identifier with a slash", board["data"]["stop"])
    arrivals = look("/api/v1/stops/ballard/board?arrivals=true&direction=0")["data"]["departures"]
    probes.expect(any(bus["bridges"] and bus["bridges"][0]["bridge"] == "Ballard" for bus in arrivals), "the bridge before a bus", arrivals[:1])
    widget = look(line + "/live-widget?stop_id=S/1%20s%C3%BCd")
    probes.expect(len(widget["predictions"]) == 3 and widget["stops"] and widget["vehicles"], "a live widget", list(widget))
    trip = widget["vehicles"][0]["id"][1:]
    probes.expect(look("/api/v1/trips/" + trip)["data"]["stops"][0]["lat"] == 47.65, "a trip's stops have places", trip)
    timeline = look(stop + "/board/timeline")["data"]["entries"]
    gaps = {later["date_epoch_s"] - entry["date_epoch_s"] for entry, later in zip(timeline, timeline[1:])}
    probes.expect(gaps == {300}, "an entry every five minutes", gaps)
    for path, code, near in ((stop[:-1] + "/board", "not_found", "S/1 süd"), ("/api/v1/routes/interbay", "not_found", "15/Ä")):
        problem, _ = probes.problem(404, "GET", path, code=code)
        probes.expect(near in problem.get("near", []), "what is near", problem)
    for query, status, code in (("", 400, "noLocation"), ("?lat=0&lon=0", 404, "noStation"),
                                ("?lat=47.66&lon=-122.376&located_at=2026-02-20T12:00", 400, "cacheStale")):
        probes.problem(status, "GET", "/api/v1/stops/nearest" + query, code=code)
    status, head, body = probes.ask("GET", "/gtfs-rt/alerts")
    probes.expect(status == 200 and head["Content-Type"] == "application/x-protobuf" and body[:1] == b"\n", "a feed of alerts", (status, body[:40]))
    status, head, body = probes.ask("GET", "/calendar/3.ics")
    probes.expect(body.startswith(b"BEGIN:VCALENDAR\r\n") and head["Content-Type"].startswith("text/calendar"), "a calendar", head.items())
