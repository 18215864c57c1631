#!/usr/bin/env python3
"""How long a service takes to make a widget, and how many different ones it gives a second once they are made.

    widget_load.py [--count 200] [--connections 8] [--program PATH]

Widgets of the shipped timetable and recording, each of another line, stop, size or number of rows. They are asked for once,
one after another, and then again within the ten seconds for which they are kept. Prints figures; exit code 1 if an
answer is not 200, or differs the second time.
"""
import asyncio
import itertools
import json
import statistics
import sys
import time
import urllib.request

from clients import Connection, get
from server import PROGRAM, UNLIMITED, serving

from checks import finish, parser

DAY = "2018-01-04T15:00"
PERIOD = 10
SIZES = {"small": (1, 2, 3), "medium": range(1, 9), "large": range(1, 9), "round": (1,)}


def document(service, path):
    with urllib.request.urlopen("%s/api/v1/%s" % (service.address, path), timeout=30) as answer:
        return json.load(answer)["data"]


def paths(service, form):
    """Addresses of different widgets, sizes in turn."""
    stops = [stop["id"] for stop in document(service, "stops?limit=1000")["stops"]]
    lines = [line["id"] for line in document(service, "lines?limit=100")["lines"]]
    for rows, (stop, line), (size, numbers) in itertools.product(range(8), itertools.product(stops, lines), SIZES.items()):
        if rows < len(numbers):
            yield "/widget/%s/%s%s?size=%s&rows=%d" % (line, stop, form, size, numbers[rows])


def service_time(service):
    """Seconds of the service's clock."""
    with urllib.request.urlopen(service.address + "/healthz", timeout=10) as answer:
        text = answer.headers["X-Service-Time"]
    return int(text[17:19])


async def ask(connections, wanted):
    """Times and tags of answers, asked over some connections at once."""
    queue, found, wrong = list(reversed(wanted)), {}, []

    async def work(connection):
        while queue:
            path = queue.pop()
            began = time.monotonic()
            status, fields = await connection.ask(get(path))
            found[path] = (time.monotonic() - began, fields.get(b"etag"))
            if status != 200:
                wrong.append("%s: status %d" % (path, status))

    await asyncio.gather(*(work(connection) for connection in connections))
    return found, wrong


async def measure(service, form, options):
    """Prints the figures of a form; what is wrong."""
    wanted = list(itertools.islice(paths(service, form), options.count))
    one, many = [Connection(service)], [Connection(service) for _ in range(options.connections)]
    # The first picture of a process finds the fonts.
    await ask(one, ["/widget/board/25243%s?size=large&rows=8" % form])
    while service_time(service) % PERIOD != 1:
        await asyncio.sleep(0.1)
    made, wrong = await ask(one, wanted)
    began = time.monotonic()
    again, more = await ask(many, wanted)
    rate = len(wanted) / (time.monotonic() - began)
    served, _ = await ask(one, wanted)
    times = sorted(seconds for seconds, _ in made.values())
    print("%-5s %d different: made in %.1f ms (median; p99 %.1f), served in %.2f ms, %d a second from the cache" % (
        form or ".html", len(wanted), statistics.median(times) * 1e3, times[len(times) * 99 // 100] * 1e3,
        statistics.median(seconds for seconds, _ in served.values()) * 1e3, rate))
    changed = [path for path in wanted if made[path][1] != again[path][1]]
    if changed:
        wrong.append("%d are others the second time, such as %s" % (len(changed), changed[0]))
    return wrong + more


def main():
    line = parser(__doc__)
    line.add_argument("--count", type=int, default=200)
    line.add_argument("--connections", type=int, default=8)
    line.add_argument("--program", default=PROGRAM)
    options = line.parse_args()
    wrong = []
    with serving(["--replay", DAY, "--no-store", *UNLIMITED], options.program) as (service, _):
        for form in ("", ".svg", ".png"):
            wrong += asyncio.run(measure(service, form, options))
    finish(wrong)


if __name__ == "__main__":
    main()
