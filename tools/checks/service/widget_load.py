#!/usr/bin/env python3
"""How long a service takes to make a widget, and how many different ones it gives a second once they are made.

    widget_load.py [--count 200] [--connections 8] [--program PATH]

Widgets of the shipped timetable and recording: lines at stops and boards of stops from which something departs then, in all
sizes and numbers of rows, shuffled. They are asked for once, one after another, and then again within the ten seconds for
which they are kept. Prints figures; exit code 1 if an answer is not 200, differs the second time, or shows no departure.
"""
import asyncio
import json
import random
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


def subjects(service):
    """Lines at stops and boards of stops from which something departs in the next hour, as parts of addresses."""
    found = []
    for stop in document(service, "stops?limit=1000")["stops"]:
        board = document(service, "stops/%s/board?horizon_min=60" % stop["id"])
        lines = sorted({departure["route_id"] for departure in board["departures"]})
        found += ["%s/%s" % (line, stop["id"]) for line in lines] + ["board/%s" % stop["id"]] * bool(lines)
    return found


def paths(subjects, form):
    """Addresses of different widgets, always in the same order."""
    found = ["/widget/%s%s?size=%s&rows=%d" % (subject, form, size, rows)
             for subject in subjects for size, numbers in SIZES.items() for rows in numbers]
    random.Random(7).shuffle(found)
    return found


def empty(service, wanted):
    """Those without a countdown: pictures of nothing are made sooner."""
    def source(path):
        with urllib.request.urlopen(service.address + path.replace(".png", ".svg"), timeout=30) as answer:
            return answer.read().decode()
    return [path for path in wanted if "data-at" not in source(path)]


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


async def measure(service, form, options, found):
    """Prints the figures of a form; what is wrong."""
    wanted = paths(found, form)[:options.count]
    one, many = [Connection(service)], [Connection(service) for _ in range(options.connections)]
    # The first picture of a process finds the fonts.
    await ask(one, ["/widget/board/25243%s?size=large&rows=8" % form])
    while service_time(service) % PERIOD != 1:
        await asyncio.sleep(0.1)
    made, wrong = await ask(one, wanted)
    began = time.monotonic()
    again, more = await ask(many, wanted)
    rate = len(wanted) / (time.monotonic() - began)
    served, others = await ask(one, wanted)
    times = sorted(seconds for seconds, _ in made.values())
    print("%-5s %d different: made in %.1f ms (median; p99 %.1f), served in %.2f ms, %d a second from the cache" % (
        form or ".html", len(wanted), statistics.median(times) * 1e3, times[len(times) * 99 // 100] * 1e3,
        statistics.median(seconds for seconds, _ in served.values()) * 1e3, rate))
    changed = [path for path in wanted if made[path][1] != again[path][1]]
    if changed:
        wrong.append("%d are others the second time, such as %s" % (len(changed), changed[0]))
    return wrong + more + others


def main():
    line = parser(__doc__)
    line.add_argument("--count", type=int, default=200)
    line.add_argument("--connections", type=int, default=8)
    line.add_argument("--program", default=PROGRAM)
    options = line.parse_args()
    wrong = []
    with serving(["--replay", DAY, "--no-store", *UNLIMITED], options.program) as (service, _):
        found = subjects(service)
        for form in ("", ".svg", ".png"):
            wrong += asyncio.run(measure(service, form, options, found))
        blank = empty(service, paths(found, ".png")[:options.count])
        print("%d of %d show a departure" % (options.count - len(blank), options.count))
        wrong += ["%s shows no departure" % path for path in blank]
    finish(wrong)


if __name__ == "__main__":
    main()
