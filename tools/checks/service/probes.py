"""Requests by hand to a running service, with the answers that its description promises; check.py sends them."""
import gzip
import http.client
import json
import re

from clients import Stream, number

BRIDGES, RANK = "/api/v1/bridges", "/api/v1/routes/rank"
JSON = {"Content-Type": "application/json"}
PROBLEM_FIELDS = {"type", "title", "status", "code", "detail", "recovery", "retry_after_s", "request_id"}
ROUTE = {"id": "a", "name": "A", "origin": "x", "destination": "y", "steps": [{"minutes": 5}, {"bridge": "Fremont"}]}

# Paths that the page does not name, which must not be served.
HIDDEN = (
    "/../../../../README.md", "/core/../../page/main.js", "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/README.md",
    "/..%2f..%2f..%2f..%2fREADME.md", "/vendor/.installed", "//main.js", "/core/", "/core/types.d.ts", "/etc/passwd")


class Probes:
    """Asks, compares, and keeps what is wrong."""

    def __init__(self, service):
        self.service, self.wrong, self.count = service, [], 0

    def ask(self, method, path, body=None, **fields):
        """Status, fields of the head, and body; an underscore in a field's name is a hyphen."""
        connection = http.client.HTTPConnection(self.service.host, self.service.port, timeout=20)
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def expect(self, holds, what, saw=""):
        self.count += 1
        if not holds:
            self.wrong.append("%s (saw %s)" % (what, str(saw)[:300]))

    def problem(self, status, method, path, body=None, code=None, **fields):
        """A request that must be refused with this status; the problem."""
        what = "%s %s is answered with %d" % (method, path[:80], status)
        got, head, text = self.ask(method, path, body, **fields)
        self.expect(got == status, what, (got, text[:200]))
        self.expect(head["Content-Type"] == "application/problem+json", what + " as problem+json", head["Content-Type"])
        try:
            problem = json.loads(text)
        except ValueError:
            problem = {}
        missing = PROBLEM_FIELDS - set(problem)
        self.expect(not missing, what + " with all fields", (missing, text[:200]))
        self.expect(problem.get("status") == got, what + ": the body has the status too", problem)
        self.expect(problem.get("request_id") == head["X-Request-Id"], what + ": one request id", head["X-Request-Id"])
        self.expect(code is None or problem.get("code") == code, what + " with code %s" % code, problem)
        inside = [word for word in ("/work", "/root", "swift", "Error(", "NIO") if word.encode() in text]
        self.expect(not inside, what + " and shows nothing internal", inside)
        return problem, head

    def caching(self):
        for turn in range(3):
            # The tag changes with every reading; a change in between is no mistake.
            _, head, _ = self.ask("GET", BRIDGES)
            status, again, body = self.ask("GET", BRIDGES, If_None_Match='"other", ' + str(head["ETag"]))
            if status == 304 or turn == 2:
                break
        self.expect(head["ETag"] and head["Cache-Control"], "bridges have an ETag and Cache-Control", head.items())
        self.expect(status == 304 and body == b"" and again["ETag"] == head["ETag"], "a known tag: 304", status)
        self.expect(self.ask("GET", BRIDGES, If_None_Match='"other"')[0] == 200, "an unknown tag: 200")
        self.expect(self.ask("GET", BRIDGES, If_None_Match="*")[0] == 304, "any tag: 304")

    def packing(self):
        _, plain, text = self.ask("GET", BRIDGES)
        status, head, packed = self.ask("GET", BRIDGES, Accept_Encoding="br, gzip")
        self.expect(head["Content-Encoding"] == "gzip" and len(packed) < len(text) / 2, "packed by gzip", head.items())
        self.expect(set(json.loads(gzip.decompress(packed))) == set(json.loads(text)), "packed has the same content")
        self.expect("accept-encoding" in (head["Vary"] or "").lower(), "Vary names Accept-Encoding", head["Vary"])
        self.expect(head["ETag"] != plain["ETag"], "packed bytes have a tag of their own", head["ETag"])
        self.expect(
            self.ask("GET", BRIDGES, Accept_Encoding="gzip;q=0")[1]["Content-Encoding"] is None, "q=0: not packed")

    def methods(self):
        _, get, body = self.ask("GET", "/api/v1/openapi.json")
        status, head, none = self.ask("HEAD", "/api/v1/openapi.json")
        self.expect(status == 200 and none == b"", "HEAD has no body", status)
        self.expect(head["Content-Length"] == str(len(body)), "HEAD has GET's length", head["Content-Length"])
        self.expect(head["ETag"] == get["ETag"], "HEAD has GET's tag", head["ETag"])
        status, head, none = self.ask("HEAD", "/api/v1/events")
        self.expect(
            (status, head["Content-Type"], none) == (200, "text/event-stream", b""), "HEAD of the events", (status, head.items()))
        status, head, _ = self.ask("OPTIONS", BRIDGES, Origin="https://a.example", Access_Control_Request_Method="GET")
        self.expect(
            status == 204 and head["Access-Control-Allow-Origin"] == "*", "OPTIONS for CORS", (status, head.items()))
        self.expect("GET" in (head["Access-Control-Allow-Methods"] or ""), "CORS allows GET", head.items())
        # Browsers ask for the address with its query.
        status, head, _ = self.ask(
            "OPTIONS", RANK + "?mode=bike", Origin="https://a.example", Access_Control_Request_Method="POST")
        self.expect(
            status == 204 and "POST" in (head["Access-Control-Allow-Methods"] or ""), "OPTIONS with a query", status)
        _, head, _ = self.ask("GET", BRIDGES, Origin="https://a.example")
        self.expect(head["Access-Control-Allow-Origin"] == "*", "CORS for GET", head.items())
        self.expect(head["X-Content-Type-Options"] == "nosniff", "nosniff", head.items())
        for method, path in (("DELETE", BRIDGES), ("POST", BRIDGES), ("GET", RANK), ("PUT", "/healthz")):
            _, head = self.problem(405, method, path, code="method_not_allowed")
            self.expect(bool(head["Allow"]) and method not in head["Allow"], "405 has Allow", head["Allow"])

    def forms(self):
        problem, _ = self.problem(406, "GET", BRIDGES, code="not_acceptable", Accept="image/png")
        self.expect("application/json" in problem.get("suggestions", []), "406 names the forms", problem)
        for accept, form in (("application/geo+json", "application/geo+json"), ("*/*", "application/json"),
                             ("text/html, application/json;q=0.2", "application/json")):
            _, head, _ = self.ask("GET", BRIDGES, Accept=accept)
            self.expect(
                (head["Content-Type"] or "").startswith(form), "%s gets %s" % (accept, form), head["Content-Type"])
        for form in ("text/csv", "application/x-ndjson"):
            status, head, body = self.ask("GET", "/api/v1/history?limit=3", Accept=form)
            self.expect(
                status == 200 and head["Content-Type"].startswith(form), "history as " + form, (status, head.items()))
            self.expect(
                body.strip().count(b"\n") == (3 if form == "text/csv" else 2), "three lines of " + form, body[:200])
        body = json.dumps({"routes": [ROUTE]})
        self.problem(415, "POST", RANK, body, Content_Type="text/plain", code="unsupported_media_type")
        self.problem(
            415, "POST", RANK, gzip.compress(body.encode()), Content_Encoding="gzip",
            **{"Content_Type": "application/json"})

    def parameters(self):
        problem, _ = self.problem(404, "GET", "/api/v1/bridges/Fremnot", code="not_found")
        self.expect("Fremont" in problem.get("suggestions", [])[:1], "the nearest bridge first", problem)
        problem, _ = self.problem(404, "GET", "/api/v1/routes?from=Balard&to=Downtown", code="not_found")
        self.expect("Ballard" in problem.get("suggestions", []), "places that are near", problem)
        for path in ("/api/v1/nothing", "/api/v1/nothing?a=1"):
            self.problem(404, "GET", path, code="not_found")
        problem, _ = self.problem(400, "GET", "/api/v1/forecast?bridge=Fremont&lead=10", code="unknown_parameter")
        self.expect(
            "lead_min" in problem.get("suggestions", []) and problem.get("parameter") == "lead", "what there is", problem)
        self.problem(400, "GET", "/api/v1/explain", code="missing_parameter")
        for query in ("lead_min=-1", "lead_min=nan", "lead_min=1&lead_min=2", "mode=boat", "at=yesterday",
                      "at=2001-01-01T00:00",
                      "at=2999-01-01T00:00", "bridge=%ff", "bridge=%4"):
            self.problem(400, "GET", "/api/v1/forecast?" + query)
        for path in ("/api/v1/days/..%2f..%2fetc%2fpasswd", "/api/v1/../../etc/passwd", "/api/v1/bridges/%2e%2e"):
            status = self.ask("GET", path)[0]
            self.expect(status in (400, 404), path + " leads nowhere", status)

    def past(self):
        """What was forecast at a time that is over; the service replays 20 February 2026 or a part of it."""
        _, head, body = self.ask("GET", BRIDGES + "?issue_time=2026-02-19T17:50")
        board = json.loads(body)
        self.expect(
            board["generated_at"] == board["issue_time"] == "2026-02-19T17:50:00-08:00", "now is the issue time",
            body[:200])
        self.expect(
            [source["id"] for source in board["sources"]] == ["records"], "the records are the source",
            board["sources"])
        self.expect(
            board["clock_rate"] == 0 and board["replay_until"] is None, "the clock of the past does not run", body[:400])
        status = self.ask("GET", BRIDGES + "?issue_time=2026-02-19T17:50", If_None_Match=head["ETag"])[0]
        self.expect(status == 304, "a known tag of the past: 304", status)
        _, _, body = self.ask("GET", BRIDGES + "?issue_time=2021-06-01T12:00")
        states = {bridge["state"] for bridge in json.loads(body)["bridges"]}
        self.expect(states == {"unknown"} and json.loads(body)["warnings"], "without records nothing is known", states)
        for time in ("2999-01-01T00:00", "0001-01-02T00:00Z", "2026-02-30T00:00", "now", "2026-03-08T02:30"):
            problem, _ = self.problem(400, "GET", BRIDGES + "?issue_time=" + time, code="bad_parameter")
            self.expect(problem.get("parameter") == "issue_time", "the parameter is named", problem)
        for path in ("/api/v1/history", "/api/v1/places", "/api/v1/events"):
            self.problem(400, "GET", path + "?issue_time=2026-02-19T17:50", code="unknown_parameter")

    def transit(self):
        """The line of stand_ins.py, with the realtime messages of the replayed afternoon."""
        stop, line = "/api/v1/stops/S%2F1%20s%C3%BCd", "/api/v1/routes/15%2F%C3%84"
        look = lambda path: json.loads(self.ask("GET", path)[2])
        board = look(stop + "/board")
        first = board["data"]["departures"][0]
        self.expect(
            first["predicted_departure_epoch_s"] - first["scheduled_departure_epoch_s"] == 60, "a bus a minute late",
            first)
        self.expect("occupancy_status" in first, "how full it is", first)
        sources = {source["id"]: source for source in board["sources"]}
        self.expect(
            not sources["trip_updates"]["stale"] and not sources["vehicle_positions"]["error"], "realtime is fresh",
            sources)
        self.expect({"timetable", "replay"} <= set(sources), "all sources are named", sources)
        self.expect("S/1 süd" == board["data"]["stop"]["id"], "an identifier with a slash", board["data"]["stop"])
        arrivals = look("/api/v1/stops/ballard/board?arrivals=true&direction=0")["data"]["departures"]
        self.expect(
            any(bus["bridges"] and bus["bridges"][0]["bridge"] == "Ballard" for bus in arrivals),
            "the bridge before a bus", arrivals[:1])
        widget = look(line + "/live-widget?stop_id=S/1%20s%C3%BCd")
        self.expect(
            len(widget["predictions"]) == 3 and widget["stops"] and widget["vehicles"], "a live widget", list(widget))
        trip = widget["vehicles"][0]["id"][1:]
        self.expect(
            look("/api/v1/trips/" + trip)["data"]["stops"][0]["lat"] == 47.65, "a trip's stops have places", trip)
        timeline = look(stop + "/board/timeline")["data"]["entries"]
        gaps = {later["date_epoch_s"] - entry["date_epoch_s"] for entry, later in zip(timeline, timeline[1:])}
        self.expect(gaps == {300}, "an entry every five minutes", gaps)
        for path, code, near in ((stop[:-1] + "/board", "not_found", "S/1 süd"),
                                 ("/api/v1/routes/interbay", "not_found", "15/Ä")):
            problem, _ = self.problem(404, "GET", path, code=code)
            self.expect(near in problem.get("suggestions", []), "what is near", problem)
        for query, status, code in (("", 400, "noLocation"), ("?lat=0&lon=0", 404, "noStation"),
                                    ("?lat=47.66&lon=-122.376&located_at=2026-02-20T12:00", 400, "cacheStale")):
            self.problem(status, "GET", "/api/v1/stops/nearest" + query, code=code)
        status, head, body = self.ask("GET", "/gtfs-rt/alerts")
        self.expect(
            status == 200 and head["Content-Type"] == "application/x-protobuf" and body[:1] == b"\n",
            "a feed of alerts",
            (status, body[:40]),
        )
        status, head, body = self.ask("GET", "/calendar/3.ics")
        self.expect(
            body.startswith(b"BEGIN:VCALENDAR\r\n") and head["Content-Type"].startswith("text/calendar"), "a calendar",
            head.items())

    def page(self):
        """The page over HTTP, without a browser: all that its document names is there, and nothing else."""
        status, head, body = self.ask("GET", "/")
        text = body.decode()
        policy = head["Content-Security-Policy"] or ""
        self.expect(
            status == 200 and head["Content-Type"].startswith("text/html"), "the page is there", (status, body[:200]))
        self.expect("default-src 'none'" in policy and "unsafe" not in policy, "it may run nothing but itself", policy)
        self.expect(head["Access-Control-Allow-Origin"] is None, "other sites cannot read it", head.items())
        self.expect(text.count('<th scope="row">') == 7, "it has seven bridges", text[-2000:])
        self.expect(
            "<!-- bridges -->" not in text and " style=" not in text and " onclick=" not in text,
            "it is filled in, nothing inline")
        # "." is the page itself.
        named = [path for path in re.findall(r'(?:href|src)="([^"#]+)"', text) if path != "."]
        self.expect({"vendor/bundle.js", "vendor/bundle.css"} < set(named), "it names its bundle", named)
        for path in named:
            self.expect(not re.match(r"(\w+:)?//|/", path), "its paths are relative", path)
            status, head, body = self.ask("GET", "/" + path)
            self.expect(status == 200 and body, "%s is there" % path, status)
            again = self.ask("GET", "/" + path, If_None_Match=str(head["ETag"]))[0]
            self.expect(head["Cache-Control"] == "no-cache" and again == 304, "%s is not sent twice" % path, again)
        for path in HIDDEN:
            self.problem(404, "GET", path, code="not_found")
        status, head, _ = self.ask("GET", "/", Accept_Language="es")
        self.expect("Accept-Language" in head["Vary"], "the document depends on the language", head["Vary"])
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            self.problem(405, method, "/main.js", code="method_not_allowed")

    def bodies(self):
        post = lambda status, body, code=None, path=RANK: self.problem(status, "POST", path, body, code=code, **JSON)[0]
        for body in (b"{", b"", b"\xff\xfe", b"[" * 100_000, b'{"routes": [], "routes": []}'):
            status = self.ask("POST", RANK, body, **JSON)[0]
            self.expect(status in (400, 422), "POST of %r is refused" % body[:20], status)
        many = post(422, json.dumps({"routes": [dict(ROUTE, id=str(n)) for n in range(10_001)]}))
        self.expect("10" in many.get("detail", "") + many.get("recovery", ""), "the limit is named", many)
        post(422, json.dumps({"rows": [{"bridge": 3}] * 10_001}), path="/api/v1/forecast")
        wrong = post(422, json.dumps({"routes": [dict(ROUTE, steps=[{"bridge": "Golden Gate"}])]}), "unprocessable")
        self.expect("steps[0]" in str(wrong.get("parameter")), "the place in the body", wrong)
        status, _, body = self.ask("POST", RANK, json.dumps({"routes": [ROUTE]}), **JSON)
        self.expect(
            status == 200 and json.loads(body)["groups"][0]["routes"][0]["id"] == "a", "a route is ranked", body[:300])

    def sizes(self):
        self.problem(414, "GET", BRIDGES + "?" + "x" * 9_000, code="url_too_long")
        self.problem(431, "GET", BRIDGES, X_Large="x" * 20_000, code="headers_too_large")
        status = self.refused_at_once()
        self.expect(status == 413, "a body announced as too long is refused before it is sent", status)

    def refused_at_once(self):
        connection = http.client.HTTPConnection(self.service.host, self.service.port, timeout=10)
        try:
            connection.putrequest("POST", RANK)
            for name, value in (("Content-Type", "application/json"), ("Content-Length", str(1 << 30))):
                connection.putheader(name, value)
            connection.endheaders()
            return connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return repr(error)
        finally:
            connection.close()

    def stream(self):
        first = Stream(self.service)
        self.expect(
            first.answer.headers["Content-Type"].startswith("text/event-stream"), "events",
            first.answer.headers.items())
        one = first.next()
        self.expect(
            first.retry and one and one[1] == "forecast", "a new client receives the forecast", (first.retry, one))
        seen = [one] + [first.next() for _ in range(3)]
        first.close()
        counts = [number(event[0])[1] for event in seen]
        self.expect(counts == list(range(counts[0], counts[0] + len(counts))), "ids without a gap", counts)
        again = Stream(self.service, last=seen[0][0])
        missed = [again.next() for _ in range(3)]
        again.close()
        self.expect(missed == seen[1:], "a client that reconnects receives what it missed", [event[:2] for event in missed])
        for last in ("other-5", "nonsense", seen[0][0] + "0000000"):
            other = Stream(self.service, last=last)
            event = other.next()
            other.close()
            self.expect(event[1] == "reset", "an id of another run: reset", event[:2])

    def all(self):
        for probe in (self.page, self.caching, self.packing, self.methods, self.forms, self.parameters, self.past,
                      self.transit, self.bodies, self.sizes, self.stream):
            try:
                probe()
            except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException) as error:
                self.wrong.append("%s ended with %r" % (probe.__name__, error))
        return self.count, self.wrong
