#!/usr/bin/env python3
"""Thousands of open Trip pages, simulated as they ask: what they cost the service, and how long they wait.

    open_pages.py [--pages 5000] [--trips 1000] [--minutes 10] [--program PATH]

Each page listens to the events. With every new board it asks for its ways, after a random pause of up to fifteen seconds,
and once a minute for the curve of departures, if that is on the screen (on half of the pages). The trips are between
places that the service knows; how popular they are follows Zipf's law. Fails if the service takes more than one core,
or 99 in 100 answers more than 100 ms. Needs no network.
"""
import asyncio
import collections
import json
import os
import pathlib
import random
import resource
import time
import urllib.error
import urllib.parse
import urllib.request

from server import PROGRAM, UNLIMITED, serving

from checks import finish, parser

REPLAY = ["--replay", "2026-02-20T17:50/2026-02-20T21:00", "--no-store"]
SPREAD_SECONDS, CURVE_SECONDS, SHARE_WITH_CURVE = 15.0, 60.0, 0.5
MAX_CORES, MAX_P99_SECONDS = 1.0, 0.1
TICKS = os.sysconf("SC_CLK_TCK")


class Events(asyncio.Protocol):
    """The stream of one page: calls it with every board, and drops the bytes."""

    def __init__(self, on_board):
        self.on_board = on_board

    def connection_made(self, transport):
        transport.write(b"GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")

    def data_received(self, data):
        if b"event: forecast" in data:
            self.on_board()


class Pages:
    """What the pages asked, and what came of it."""

    def __init__(self, service, options):
        self.service, self.options = service, options
        self.seconds, self.wrong = collections.defaultdict(list), collections.Counter()
        self.trips = trips(service, options.trips)
        self.is_over = False

    async def run(self):
        loop = asyncio.get_running_loop()
        popularity = [1 / (rank + 1) for rank in range(len(self.trips))]
        for number, trip in enumerate(random.Random(1).choices(self.trips, popularity, k=self.options.pages)):
            await self.open(loop, number, trip)
        began, ticks = time.monotonic(), self.processor_ticks()
        self.seconds.clear()
        await asyncio.sleep(self.options.minutes * 60)
        cores = (self.processor_ticks() - ticks) / TICKS / (time.monotonic() - began)
        self.is_over = True
        return cores

    async def open(self, loop, number, trip):
        dice = random.Random(number)
        asked = {"curve": time.monotonic() - dice.random() * CURVE_SECONDS}
        has_curve = dice.random() < SHARE_WITH_CURVE

        def on_board():
            if not self.is_over:
                loop.call_later(dice.random() * SPREAD_SECONDS, lambda: loop.create_task(follow()))

        async def follow():
            await self.ask("routes", trip)
            if has_curve and time.monotonic() - asked["curve"] >= CURVE_SECONDS:
                asked["curve"] = time.monotonic()
                await self.ask("depart", trip)

        await loop.create_connection(lambda: Events(on_board), self.service.host, self.service.port)

    async def ask(self, resource_name, trip):
        """A question on a connection of its own: the service has closed the page's last one, which was idle too long."""
        began = time.monotonic()
        try:
            reader, writer = await asyncio.open_connection(self.service.host, self.service.port)
            writer.write(b"GET /api/v1/%s?%s HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
                         % (resource_name.encode(), trip))
            answer = await reader.read()
            writer.close()
            if not answer.startswith(b"HTTP/1.1 200"):
                self.wrong[answer[:30]] += 1
        except OSError as error:
            self.wrong[repr(error)] += 1
        self.seconds[resource_name].append(time.monotonic() - began)

    def processor_ticks(self):
        fields = pathlib.Path("/proc/%d/stat" % self.service.process.pid).read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])


def places(service):
    """Names of places on the roads."""
    found = set()
    for letter in "abcdefghilmnopqrstuw":
        with urllib.request.urlopen("%s/api/v1/places?limit=50&q=%s" % (service.address, letter)) as answer:
            found |= {place["name"] for place in json.load(answer)["places"]}
    return sorted(found)


def trips(service, count):
    """Queries of different trips that have ways: a place on a motorway or an island may have none by bike."""
    names, dice, found = places(service), random.Random(2), {}
    while len(found) < count:
        start, end = dice.sample(names, 2)
        mode = dice.choices(["car", "bike", "walk"], [8, 1.5, 0.5])[0]
        query = urllib.parse.urlencode({"from": start, "to": end, "mode": mode})
        try:
            with urllib.request.urlopen("%s/api/v1/routes?%s" % (service.address, query)):
                found[query.encode()] = True
        except urllib.error.HTTPError as refusal:
            refusal.close()
    return list(found)


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def check(service, options):
    """What is wrong."""
    pages = Pages(service, options)
    cores = asyncio.run(pages.run())
    every = [second for list_ in pages.seconds.values() for second in list_]
    for name, seconds in pages.seconds.items():
        print("%s: %.0f a second; p50 %.1f ms, p99 %.1f ms, max %.0f ms" % (
            name, len(seconds) / (60 * options.minutes), 1e3 * quantile(seconds, 0.5), 1e3 * quantile(seconds, 0.99),
            1e3 * max(seconds)))
    print("%d pages of %d trips: %.2f cores, p99 %.1f ms" % (
        options.pages, options.trips, cores, 1e3 * quantile(every, 0.99)))
    wrong = ["%d times: %s" % (count, text) for text, count in pages.wrong.items()]
    if cores > MAX_CORES:
        wrong.append("%.2f cores, more than %.1f" % (cores, MAX_CORES))
    if not quantile(every, 0.99) <= MAX_P99_SECONDS:
        wrong.append("99 in 100 answers take up to %.0f ms" % (1e3 * quantile(every, 0.99)))
    return wrong


def main():
    line = parser(__doc__)
    line.add_argument("--pages", type=int, default=5000)
    line.add_argument("--trips", type=int, default=1000)
    line.add_argument("--minutes", type=float, default=10)
    line.add_argument("--program", default=PROGRAM)
    options = line.parse_args()
    # A stream and a question of each page, at both ends.
    files, allowed = 3 * options.pages + 1000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, max(files, allowed)))
    limits = ["--max-connections", str(files), "--max-connections-per-client", str(files),
              "--max-streams", str(files), "--max-streams-per-client", str(files)]
    with serving(REPLAY + UNLIMITED + limits, options.program) as (service, _):
        service.wait_until_ready()
        wrong = check(service, options)
    finish(wrong)


if __name__ == "__main__":
    main()
