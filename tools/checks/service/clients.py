"""Clients of a service: a listener to events, the questions of a mixed load, and hostile clients."""
import asyncio
import http.client
import json


class Stream:
    """A listener to /api/v1/events."""

    def __init__(self, service, last=None, timeout=30):
        self.connection = http.client.HTTPConnection(service.host, service.port, timeout=timeout)
        self.connection.request("GET", "/api/v1/events", headers={"Last-Event-ID": last} if last else {})
        self.answer = self.connection.getresponse()
        self.retry = None

    def next(self):
        """The next event as (id, name, data); None at the end of the stream."""
        fields = {}
        while True:
            line = self.answer.readline()
            if not line:
                return None
            text = line.decode().rstrip("\r\n")
            if text.startswith("retry:"):
                self.retry = int(text[6:])
            elif text == "":
                if "data" in fields:
                    return fields.get("id"), fields.get("event", "message"), json.loads(fields["data"])
                fields = {}
            elif not text.startswith(":"):
                name, _, value = text.partition(":")
                fields[name] = value.lstrip(" ")

    def close(self):
        self.connection.close()


def number(identity):
    """The run and the number of an event, from its id."""
    run, _, count = identity.rpartition("-")
    return run, int(count)


# A mixed load

def get(path, accept=None):
    return "GET %s HTTP/1.1\r\nHost: a\r\n%s" % (path, "Accept: %s\r\n" % accept if accept else ""), b""


def post(path, document):
    body = json.dumps(document).encode()
    head = "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n" % (path, len(body))
    return head, body


ROWS = [{"bridge": bridge, "lead_min": lead} for bridge in (1, 2, 3, 4, 6, 21, 29) for lead in range(0, 60, 3)]
ROUTES = [{"id": "r%d" % n, "name": "r", "origin": "a", "destination": "b",
           "steps": [{"minutes": 5}, {"bridge": "Fremont"}, {"minutes": n % 30}]} for n in range(100)]
# Of the line of stand_ins.py.
STOP, LINE = "/api/v1/stops/S%2F1%20s%C3%BCd", "/api/v1/routes/15%2F%C3%84"
QUESTIONS = [
    ("bridges", get("/api/v1/bridges")), ("bridges as GeoJSON", get("/api/v1/bridges", "application/geo+json")),
    ("bridge", get("/api/v1/bridges/Fremont?hours=3")),
    ("forecast", get("/api/v1/forecast?bridge=Fremont&lead_min=10")),
    ("forecast", get("/api/v1/forecast?bridge=2&lead_min=30")), ("forecasts", get("/api/v1/forecast")),
    ("batch", post("/api/v1/forecast", {"rows": ROWS})),
    ("explain", get("/api/v1/explain?bridge=Ballard&lead_min=5")),
    ("routes", get("/api/v1/routes?from=Ballard&to=Downtown")),
    ("routes as GeoJSON", get("/api/v1/routes?from=Fremont&to=Capitol%20Hill&mode=bike", "application/geo+json")),
    ("rank", post("/api/v1/routes/rank", {"routes": ROUTES})),
    ("depart", get("/api/v1/depart?from=Ballard&to=Downtown")), ("places", get("/api/v1/places?q=ball")),
    ("history", get("/api/v1/history?limit=200")), ("history as CSV", get("/api/v1/history?limit=200", "text/csv")),
    ("skill", get("/api/v1/skill")), ("pattern", get("/api/v1/bridges/Fremont/pattern")),
    ("day", get("/api/v1/days/2026-02-20")), ("past bridges", get("/api/v1/bridges?issue_time=2026-02-19T17:50")),
    ("past routes", get("/api/v1/routes?from=Ballard&to=Downtown&issue_time=2026-02-19T17:50")),
    ("states", get("/api/v1/days/2026-02-19?forecasts=false")),
    ("geography", get("/api/v1/geography?metres_per_pixel=50")), ("board", get(STOP + "/board")),
    ("predictions", get(STOP + "/predictions?limit=5")), ("timeline", get(STOP + "/board/timeline")),
    ("nearest", get("/api/v1/stops/nearest?lat=47.66&lon=-122.376")), ("line", get(LINE)),
    ("live widget", get(LINE + "/live-widget")), ("stops", get("/api/v1/stops?route_id=15/%C3%84")),
    ("trip", get("/api/v1/trips/n-18:00")), ("trip map", get("/api/v1/trips/n-18:00/map")),
    ("bridge alerts", get("/gtfs-rt/alerts")), ("calendar", get("/calendar/Montlake.ics")),
    ("description", get("/openapi.json")), ("health", get("/healthz")), ("ready", get("/readyz")),
    ("metrics", get("/metrics")),
]


class Connection:
    """A connection that stays open, as those of browsers and proxies."""

    def __init__(self, service):
        self.service, self.writer, self.reader, self.tags = service, None, None, {}

    async def ask(self, message, etag=False):
        """Status and fields of the head; with `etag` it names the answer that it has."""
        head, body = message
        tag = self.tags.get(message) if etag else None
        if self.writer is None:
            self.reader, self.writer = await asyncio.wait_for(
                asyncio.open_connection(self.service.host, self.service.port, limit=1 << 20), 20)
        extra = "Accept-Encoding: gzip\r\n" + ("If-None-Match: %s\r\n" % tag if tag else "")
        self.writer.write((head + extra + "\r\n").encode() + body)
        status, fields = await asyncio.wait_for(self.read(), 30)
        if b"etag" in fields:
            self.tags[message] = fields[b"etag"].decode()
        if fields.get(b"connection") == b"close":
            self.close()
        return status, fields

    async def read(self):
        text = await self.reader.readuntil(b"\r\n\r\n")
        lines = text.split(b"\r\n")
        fields = {
            name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:] if line)
        }
        status = int(lines[0].split()[1])
        if b"content-length" in fields:
            await self.reader.readexactly(int(fields[b"content-length"]))
        elif fields.get(b"transfer-encoding") == b"chunked":
            while size := int(await self.reader.readuntil(b"\r\n"), 16):
                await self.reader.readexactly(size + 2)
            await self.reader.readuntil(b"\r\n")
        return status, fields

    def close(self):
        if self.writer is not None:
            self.writer.close()
            self.writer = None


# Hostile clients, each once around; soak.py keeps some of each going

async def connect(service):
    return await asyncio.wait_for(asyncio.open_connection(service.host, service.port, limit=4096), 20)


async def sends_a_byte_a_second(service, is_over):
    """Slowloris: a head that never ends."""
    _, writer = await connect(service)
    try:
        for byte in b"GET /api/v1/bridges HTTP/1.1\r\nHost: a\r\n" + b"X-Slow: y\r\n" * 50:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(1)
            if is_over() or writer.transport.is_closing():
                return
    finally:
        writer.transport.abort()


async def sends_half_a_body(service, is_over):
    _, writer = await connect(service)
    try:
        writer.write(b"POST /api/v1/routes/rank HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                     b"Content-Length: 5000\r\n\r\n{")
        for _ in range(40):
            await asyncio.sleep(1)
            if is_over() or writer.transport.is_closing():
                return
    finally:
        writer.transport.abort()


async def waits(seconds, is_over):
    """Does nothing for some seconds, or until it is over."""
    for _ in range(seconds):
        await asyncio.sleep(1)
        if is_over():
            return


async def stops_reading(service, is_over):
    """Asks for a lot and takes none of it."""
    reader, writer = await connect(service)
    try:
        reader._transport.pause_reading()
        for _ in range(400):
            writer.write((get("/api/v1/geography?metres_per_pixel=1")[0] + "\r\n").encode())
        await waits(20, is_over)
    finally:
        writer.transport.abort()


async def listens_and_stops_reading(service, is_over):
    """A stream of events that is not read."""
    reader, writer = await connect(service)
    try:
        writer.write((get("/api/v1/events")[0] + "\r\n").encode())
        await reader.readuntil(b"\r\n\r\n")
        reader._transport.pause_reading()
        await waits(30, is_over)
    finally:
        writer.transport.abort()


async def listens(service, is_over):
    """A good listener, for a while."""
    reader, writer = await connect(service)
    try:
        writer.write((get("/api/v1/events")[0] + "\r\n").encode())
        for _ in range(20):
            await asyncio.wait_for(reader.readuntil(b"\n\n"), 60)
            if is_over():
                return
    finally:
        writer.close()


async def hangs_up(service, is_over):
    """Asks and disconnects before the answer."""
    for _ in range(10):
        _, writer = await connect(service)
        writer.write((get("/api/v1/routes?from=Ballard&to=Downtown")[0] + "\r\n").encode())
        await asyncio.sleep(0.01)
        writer.transport.abort()


HOSTILE = [sends_a_byte_a_second, sends_half_a_body, stops_reading, listens_and_stops_reading, listens, hangs_up]
