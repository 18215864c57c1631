#!/usr/bin/env python3
"""How many boards a second a service answers with realtime on, and how soon a refreshed feed reaches a listener.

    transit_load.py [--feed TIMETABLE --stop ID] [--seconds 5] [--connections 16] [--refreshes 2] [--program PATH]

The small line of stand_ins.py unless a timetable is named. Trip updates come over HTTP from a feed inside this
program; the delay is from the last byte of its reply to the event `transit`. Prints figures; exit code 1 if an answer
is not 200.
"""
import asyncio
import json
import pathlib
import sys
import tempfile
import time
import urllib.parse

import stand_ins
from clients import Connection, Stream, get
from server import PROGRAM, UNLIMITED, Service

from checks import parser, serve


class Feed:
    """Trip updates that are new at every request."""

    def __init__(self):
        self.sent = []
        server = serve(lambda: json.dumps(stand_ins.messages(int(time.time()))[0]).encode(),
                       sent=lambda: self.sent.append(time.monotonic()))
        self.url = "http://127.0.0.1:%d/trip-updates" % server.server_port


def listen(service, feed, refreshes):
    """Seconds from the end of a feed's reply to its event."""
    stream, waits = Stream(service, timeout=60), []
    while len(waits) < refreshes:
        name, data = stream.next()[1:]
        here = time.monotonic()
        if name == "transit" and data["refreshed"]:
            # An event from before this began has no reply just before it.
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


def measure(service, feed, options):
    """Prints the figures; whether all answers were 200."""
    path = "/api/v1/stops/%s/board" % urllib.parse.quote(options.stop, safe="")
    wrong, times = asyncio.run(load(service, path, options.seconds, options.connections))
    print("boards: %d a second, median %.1f ms, p99 %.1f ms, %d wrong" % (
        len(times) / options.seconds, times[len(times) // 2] * 1e3, times[len(times) * 99 // 100] * 1e3, wrong))
    if options.refreshes:
        waits = ", ".join("%.1f" % (wait * 1e3) for wait in listen(service, feed, options.refreshes))
        print("a refreshed feed reaches a listener in: %s ms" % waits)
    return wrong == 0


def main():
    line = parser(__doc__)
    line.add_argument("--feed")
    line.add_argument("--stop", default=stand_ins.SOUTH)
    line.add_argument("--seconds", type=float, default=5)
    line.add_argument("--connections", type=int, default=16)
    line.add_argument("--refreshes", type=int, default=2)
    line.add_argument("--program", default=PROGRAM)
    options = line.parse_args()
    with tempfile.TemporaryDirectory(prefix="bridgecast-transit-") as name:
        folder, city, feed = pathlib.Path(name), stand_ins.City(), Feed()
        timetable = ["--transit", options.feed] if options.feed else stand_ins.write_timetable(folder, False)
        arguments = ["--bridges-url", city.url, "--no-store", "--transit-updates", feed.url, "--transit-interval", "20",
                     *timetable, *UNLIMITED]
        service = Service(arguments, folder, options.program)
        try:
            service.wait_until_ready()
            good = measure(service, feed, options)
        finally:
            service.stop()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
