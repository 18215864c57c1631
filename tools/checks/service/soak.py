#!/usr/bin/env python3
"""Half an hour of everything at once: questions of all kinds, a new model every second, a feed that dies and comes
back, clients that stop reading, and clients that send a byte a second.

    soak.py [--minutes 30] [--rate 150] [--program PATH] [--port 0]

Every answer must be 2xx, 304, or a documented refusal (429 and 503 with Retry-After). Memory and open files are
sampled every five seconds. After a warm-up the last quarter's mean may exceed the first quarter's by 5 % at most.
Needs no network.
"""
import asyncio
import collections
import os
import pathlib
import random
import shutil
import signal
import statistics
import tempfile
import time

from clients import HOSTILE, QUESTIONS, Connection
from server import PROGRAM, ROOT, UNLIMITED, Service
from stand_ins import City, write_timetable

from checks import finish, parser

GROWTH, WARM_UP = 1.05, 0.15
# Seconds that the feed is alive, and dead.
ALIVE, DEAD = 70, 50


class Soak:
    """What was asked, and the results."""

    def __init__(self, service, options, folder, city):
        self.service, self.options, self.folder, self.city = service, options, folder, city
        self.counts, self.wrong = collections.Counter(), collections.Counter()
        self.samples, self.seconds = [], []
        self.end = time.monotonic() + options.minutes * 60

    def is_over(self):
        return time.monotonic() > self.end or self.service.process.poll() is not None

    async def ask(self, index, clients):
        """A client with a connection that stays open, now and then a new one."""
        dice, connection = random.Random(index), Connection(self.service)
        while not self.is_over():
            name, message = dice.choice(QUESTIONS)
            began = time.monotonic()
            try:
                status, fields = await connection.ask(message, etag=dice.random() < 0.3)
                self.seconds.append(time.monotonic() - began)
                self.counts["%s %d" % (name, status)] += 1
                promised = status in (429, 503) and b"retry-after" in fields
                if not (200 <= status < 300 or status == 304 or promised):
                    self.wrong["%s was answered with %d" % (name, status)] += 1
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError) as error:
                self.wrong["%s was not answered: %r" % (name, error)] += 1
                connection.close()
            if dice.random() < 0.02:
                connection.close()
            await asyncio.sleep(max(0, clients / self.options.rate * 2 * dice.random() - (time.monotonic() - began)))
        connection.close()

    async def be_hostile(self, kind, index):
        while not self.is_over():
            try:
                await kind(self.service, self.is_over)
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                pass  # It is there to be disconnected.
            self.counts["hostile " + kind.__name__] += 1
            await asyncio.sleep(1 + index % 3)

    async def reload(self):
        """A new file every second, one in ten of which is no model; also SIGHUP now and then."""
        model, turn = self.folder + "/model.bcm", 0
        while not self.is_over():
            turn += 1
            source = ROOT / ("models/bridgecast.%s.bcm" % ("int8" if turn % 2 else "fp16"))
            shutil.copy(source, model + ".new")
            if turn % 10 == 0:
                with open(model + ".new", "r+b") as file:
                    file.truncate(5_000)
            os.replace(model + ".new", model)
            if turn % 3 == 0:
                self.service.signal(signal.SIGHUP)
            self.counts["models"] += 1
            await asyncio.sleep(1)

    async def feed(self):
        while not self.is_over():
            await asyncio.sleep(ALIVE)
            await asyncio.to_thread(self.city.stop)
            self.counts["deaths of the feed"] += 1
            await asyncio.sleep(DEAD)
            self.city.start()

    async def watch(self):
        while not self.is_over():
            self.samples.append((self.service.resident_kilobytes(), self.service.descriptors()))
            await asyncio.sleep(5)

    async def run(self):
        clients = 24
        tasks = [self.ask(index, clients) for index in range(clients)] + [self.reload(), self.watch()]
        tasks += [self.be_hostile(kind, index) for kind in HOSTILE for index in range(4)]
        feed = asyncio.create_task(self.feed())
        await asyncio.gather(*tasks)
        feed.cancel()


def quarters(samples, column):
    """The means of the first and the last quarter, after the warm-up."""
    steady = [sample[column] for sample in samples[int(len(samples) * WARM_UP):]]
    part = max(1, len(steady) // 4)
    return statistics.mean(steady[:part]), statistics.mean(steady[-part:])


def start(options, folder, city):
    shutil.copy(ROOT / "models/bridgecast.int8.bcm", folder + "/model.bcm")
    arguments = [
        "--bridges-url", city.url, "--store", folder + "/history.sqlite", "--model", folder + "/model.bcm", "--skill",
        str(ROOT / "models/bridgecast.skill.json"), "--header-seconds", "5", "--answer-seconds", "5",
        *write_timetable(pathlib.Path(folder), False), *UNLIMITED]
    service = Service(arguments, folder, options.program, options.port)
    service.wait_until_ready()
    return service


def report(soak, wrong):
    """Prints the figures, and adds to what is wrong that memory or open files grew."""
    for name, count in sorted(soak.counts.items()):
        print("%8d  %s" % (count, name))
    times = sorted(soak.seconds) or [float("nan")]
    print("answers: median %.1f ms, p99 %.1f ms, slowest %.0f ms" % (
        times[len(times) // 2] * 1e3, times[len(times) * 99 // 100] * 1e3, times[-1] * 1e3))
    for column, name in ((0, "memory, kB"), (1, "open files")):
        first, last = quarters(soak.samples, column)
        print("%s: first quarter %.0f, last quarter %.0f, max %d" % (
            name, first, last, max(sample[column] for sample in soak.samples)))
        if last > first * GROWTH + (2 if column else 0):
            wrong.append("%s grew from %.0f to %.0f" % (name, first, last))


def main():
    line = parser(__doc__)
    line.add_argument("--minutes", type=float, default=30)
    line.add_argument("--rate", type=float, default=150, help="questions a second")
    line.add_argument("--program", default=PROGRAM)
    line.add_argument("--port", type=int, default=0)
    options = line.parse_args()
    folder, city = tempfile.mkdtemp(prefix="bridgecast-soak-"), City()
    service = start(options, folder, city)
    soak = Soak(service, options, folder, city)
    asyncio.run(soak.run())
    wrong = ["%s (%d times)" % entry for entry in soak.wrong.items()]
    if service.process.poll() is not None:
        wrong.append("the service ended with %s: %s" % (service.process.poll(), service.log_end()))
    else:
        code, seconds = service.stop()
        if code != 0 or seconds > 10:
            wrong.append("stopped with exit code %s in %.1f s" % (code, seconds))
    report(soak, wrong)
    finish(wrong)


if __name__ == "__main__":
    main()
