#!/usr/bin/env python3
"""A stand-in for the city's and the state's feeds, on this machine, with everything that can go wrong.

The Swift tests start it, and the checks of this folder:

    stand_in.py --records CSV [--port 0] [--seed 1]

Prints its address, then serves until it is ended:

  /SCENARIO/resource/ID.json   the records as a SODA data set, with $select, $where, $order, $limit, $offset
  /SCENARIO/bridges            GetBridgeData's reply for the time in X-Replay-Time (else for now)
  /SCENARIO/.../route/v1/...    OSRM's reply for two places, and decks between them
  /SCENARIO/.../route?json=...  Valhalla's
  /log                         the requests so far, as JSON

SCENARIO is what goes wrong, several joined by '+': ok, and those in SODA_FAULTS and BRIDGE_FAULTS below and in
routers.py; 'once' lets it go wrong for the first request only; 'moving' changes rows while they are read; 'frozen'
keeps one time, 'stuck' gives the first page whatever the offset, 'drip' takes minutes for its reply.
'flaky' chooses one of them for about every third request; the tests and the soak use that.
"""
import collections
import datetime
import functools
import gzip
import http.server
import json
import os
import pathlib
import random
import socketserver
import subprocess
import sys
import threading
import time
import urllib.parse
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

import routers
from checks import parser
from records import Records, utc

LOG, LOCK = [], threading.Lock()
SEEN = collections.Counter()
SODA_FAULTS = ["429", "503", "cut", "slow", "wrongjson", "html", "repeat", "reset", "message", "message-404"]
BRIDGE_FAULTS = ["429", "500", "cut", "slow", "wrongjson", "html", "unknown-id", "status-word", "twice", "huge", "loop",
                 "gzip-bomb", "reset", "empty"]


@functools.cache
def bomb():
    """256 MiB of spaces in a quarter of a megabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(b" " * (1 << 20)) for _ in range(256)) + packer.flush()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    records = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        parts = url.path.strip("/").split("/")
        with LOCK:
            SEEN[url.path] += 1
            turn = SEEN[url.path]
            if url.path != "/log":
                LOG.append({"path": url.path, "query": query, "token": self.headers.get("X-App-Token"),
                            "etag": self.headers.get("If-None-Match"), "at": time.time()})
        if url.path == "/log":
            return self.reply(json.dumps(LOG).encode())
        try:
            self.serve(parts[0].split("+"), parts[1:], query, turn)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def serve(self, scenarios, rest, query, turn):
        if "route" in rest:
            return self.serve_route(next((s for s in scenarios if s in routers.FAULTS), None), rest, query)
        is_soda = rest[:1] == ["resource"]
        fault = self.fault(scenarios, SODA_FAULTS if is_soda else BRIDGE_FAULTS, turn)
        if is_soda:
            body = self.soda_body(scenarios, fault, query, turn)
        else:
            body = self.bridge_body(fault, utc("2026-02-10T12:00:00") if "frozen" in scenarios else self.replay_time())
        self.send(fault, body)

    def fault(self, scenarios, faults, turn):
        """What goes wrong this time."""
        if "flaky" in scenarios:
            dice = random.Random("%s %s %s" % (self.seed, self.path, turn) + (self.headers.get("X-Replay-Time") or ""))
            return dice.choice(faults) if dice.random() < 0.33 else None
        if "once" in scenarios and turn > 1:
            return None
        known = (*faults, "frozen", "loop", "drip", "away")
        return next((s for s in scenarios if s in known or s.startswith(("rest-", "port-"))), None)

    def soda_body(self, scenarios, fault, query, turn):
        if "moving" in scenarios and turn in (2, 3):
            self.records.touch(5)
        if "stuck" in scenarios:
            query["$offset"] = "0"
        rows = self.records.page(query)
        if fault == "repeat" and rows:
            rows = rows + rows[:3] if len(rows) < int(query["$limit"]) else rows
            rows.sort(key=lambda row: (row[":updated_at"], row[":id"]))
        return json.dumps(rows).encode()

    def serve_route(self, fault, rest, query):
        answer = routers.answer(rest, query, fault)
        if answer is None:
            return self.reply(b'{"error_code":106,"error":"Try any of: \'/route\'"}', 404)
        body, status = answer
        if status != 200:
            return self.reply(body, status)
        self.send(fault, body)

    def replay_time(self):
        asked = self.headers.get("X-Replay-Time")
        return datetime.datetime.fromisoformat(asked).timestamp() if asked else time.time()

    def bridge_body(self, fault, time):
        bridges = self.records.bridges(time)
        if fault == "unknown-id":
            bridges.append(dict(bridges[0], BridgeID=77))
        if fault == "status-word":
            bridges[0]["Status"] = "\x1b[2JLifted'; DROP TABLE opening;--"
        if fault == "twice":
            bridges.append(dict(bridges[0], Status="Open" if bridges[0]["Status"] == "Closed" else "Closed"))
        if fault == "empty":
            bridges = []
        # JSON in a JSON string, as the city sends it.
        return json.dumps(json.dumps(bridges)).encode()

    def send(self, fault, body):
        """Replies with the body, or with what the fault makes of it."""
        name, _, detail = (fault or "").partition("-")
        if name in ("rest", "port"):
            return self.reply(b"", *((503, {"Retry-After": detail}) if name == "rest" else
                                     (302, {"Location": "http://127.0.0.1:%s/" % detail})))
        if fault in BROKEN:
            return BROKEN[fault](self, body)
        etag = '"%08x"' % zlib.crc32(body)
        if self.headers.get("If-None-Match") == etag:
            return self.reply(b"", 304, {"ETag": etag})
        if len(body) > 10_000 and "gzip" in (self.headers.get("Accept-Encoding") or ""):
            return self.reply(gzip.compress(body, 1), 200, {"ETag": etag, "Content-Encoding": "gzip"})
        self.reply(body, 200, {"ETag": etag})

    def send_bomb(self, _):
        self.reply(bomb(), 200, {"Content-Encoding": "gzip"})

    def send_away(self, _):
        host = self.headers["Host"].replace("127.0.0.1", "localhost")
        self.reply(b"", 307, {"Location": "http://%s/ok/%s" % (host, self.path.split("/", 2)[2])})

    def send_reset(self, _):
        self.close_connection = True
        self.connection.close()

    def send_cut(self, body):
        self.close_connection = True
        self.begin(body, [body[: len(body) // 2]])

    def send_slowly(self, body):
        step = max(1, len(body) // 8)
        self.begin(body, [body[start:start + step] for start in range(0, len(body), step)], 0.05)

    def begin(self, body, pieces, pause=0):
        """Announces the length of the body, and sends these pieces of it."""
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(pause)

    def reply(self, body, code=200, headers={}):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if code != 304:
            self.wfile.write(body)


# What replies that are no good do, by the fault.
BROKEN = {
    "429": lambda self, _: self.reply(b'{"message":"too many requests"}', 429, {"Retry-After": "1"}),
    "500": lambda self, _: self.reply(b"<html>try later</html>", 500),
    "503": lambda self, _: self.reply(b"<html>try later</html>", 503),
    "html": lambda self, _: self.reply(b"<!doctype html><title>Maintenance</title>"),
    "message": lambda self, _: self.reply(b'{"error":true,"message":"no such dataset"}'),
    "message-404": lambda self, _: self.reply(b'{"code":"dataset.missing","error":true,"message":"Not found"}', 404),
    "wrongjson": lambda self, body: self.reply(body[: len(body) // 2]),
    "huge": lambda self, body: self.reply(b" " * (8 << 20) + body),
    "loop": lambda self, _: self.reply(b"", 302, {"Location": self.path}),
    "drip": lambda self, body: self.begin(body, [bytes([byte]) for byte in body], 0.2),
    "gzip-bomb": Handler.send_bomb,
    "away": Handler.send_away,
    "reset": Handler.send_reset,
    "cut": Handler.send_cut,
    "slow": Handler.send_slowly,
}


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


def start_server(records):
    """A process that serves these records, and its address; it ends with this one."""
    process = subprocess.Popen([sys.executable, __file__, "--records", records, "--until-eof"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


def main():
    line = parser(__doc__)
    line.add_argument("--records", required=True)
    line.add_argument("--port", type=int, default=0)
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--until-eof", action="store_true", help="end when standard input does")
    options = line.parse_args()
    if options.until_eof:
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    Handler.records = Records(options.records, options.seed)
    Handler.seed = options.seed
    server = Server(("127.0.0.1", options.port), Handler)
    print("http://127.0.0.1:%d" % server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
