#!/usr/bin/env python3
"""How many boards a second a service answers with realtime on, and how soon a refreshed feed reaches a listener.

    transit_load.py [--feed TIMETABLE --stop ID] [--seconds 5] [--connections 16] [--refreshes 2] [--program PATH]

The small line of timetable.py unless a timetable is named. Trip updates come over HTTP from a feed inside this program; the moment at which its
last byte was sent is held against the moment at which the event `transit` was here. Prints figures; exit code 1 if an answer is none.
"""
import argparse, asyncio, http.server, json, pathlib, sys, tempfile, threading, time, urllib.parse

from city import City
from events import Stream
from questions import Connection, get
from server import PROGRAM, UNLIMITED, Service
import timetable


class Feed:
    """Trip updates that are new whenever somebody asks."""

    def __init__(self):
        self.sent, feed = [], self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                now = int(time.time())
                body = json.dumps(timetable.messages(now)[0]).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                self.wfile.flush()
                feed.sent.append(time.monotonic())

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/trip-updates" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def listen(service, feed, refreshes):
    """Seconds from the end of a feed's reply to its event."""
    stream, waits = Stream(service, timeout=60), []
    while len(waits) < refreshes:
        name, data = stream.next()[1:]
        here = time.monotonic()
        if name == "transit" and data["refreshed"]:
            # An event of before this began has no reply near it.
            last = max((sent for sent in feed.sent if sent <= here), default=0)
            if here - last < 5:
                waits.append(here - last)
    stream.close()
    return waits


async def load(service, path, seconds, connections):
    """Answers, wrong ones, and the times of all."""
    end, times, wrong = time.monotonic() + seconds, [], 0

    async def ask():
        nonlocal wrong
        connection, message = Connection(service), get(path)
        while time.monotonic() < end:
            began = time.monotonic()
            status, _ = await connection.ask(message)
            times.append(time.monotonic() - began)
            wrong += status != 200
        connection.close()

    await asyncio.gather(*(ask() for _ in range(connections)))
    return wrong, sorted(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--feed")
    parser.add_argument("--stop", default=timetable.SOUTH)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--refreshes", type=int, default=2)
    parser.add_argument("--program", default=PROGRAM)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bridgecast-transit-") as name:
        folder, city, feed = pathlib.Path(name), City(), Feed()
        transit = ["--transit", options.feed] if options.feed else timetable.write(folder, False)
        service = Service(["--bridges-url", city.url, "--no-store", "--transit-updates", feed.url, "--transit-interval", "20", *transit] + UNLIMITED,
                          folder, options.program)
        try:
            service.wait_until_ready()
            path = "/api/v1/stops/%s/board" % urllib.parse.quote(options.stop, safe="")
            wrong, times = asyncio.run(load(service, path, options.seconds, options.connections))
            print("boards: %d a second, median %.1f ms, p99 %.1f ms, %d wrong" % (
                len(times) / options.seconds, times[len(times) // 2] * 1e3, times[len(times) * 99 // 100] * 1e3, wrong))
            if options.refreshes:
                waits = listen(service, feed, options.refreshes)
                print("a refreshed feed reaches a listener in: %s ms" % ", ".join("%.1f" % (wait * 1e3) for wait in waits))
        finally:
            service.stop()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
