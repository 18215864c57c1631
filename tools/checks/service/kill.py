#!/usr/bin/env python3
"""Kills the service under load, again and again, and checks what is left and what its clients receive.

    kill.py [--rounds 20] [--program PATH] [--seed 1]

After each kill -9 it must be ready again in less than a second (--ready), every opening and every watched period that
a reader saw in the store before the kill must still be there, and a client of the stream of events that reconnects
with its last id must get the next event, or a `reset`. Needs no network: the feed is in stand_ins.py.
"""
import http.client
import json
import pathlib
import random
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "feeds"))

import stores
from clients import Stream, number
from server import PROGRAM, UNLIMITED, Service
from stand_ins import City

from checks import finish, parser

PATHS = ["/api/v1/bridges", "/api/v1/forecast?bridge=Fremont&lead_min=10", "/api/v1/routes?from=Ballard&to=Downtown",
         "/api/v1/history?limit=100", "/api/v1/bridges/Ballard"]


def load(service, stopped, answers):
    """Asks until `stopped`, or the service is gone."""
    connection = http.client.HTTPConnection(service.host, service.port, timeout=10)
    dice = random.Random(id(stopped))
    while not stopped.is_set():
        try:
            connection.request("GET", dice.choice(PATHS))
            answer = connection.getresponse()
            answer.read()
            answers.append(answer.status)
        except (OSError, http.client.HTTPException):
            return


def seen_events(service, found, last):
    """Listens until the service is gone, and appends all events to `found`."""
    try:
        stream = Stream(service, last=last)
        while event := stream.next():
            found.append(event)
    except (OSError, http.client.HTTPException):
        pass


class KillTest:
    """Rounds of starting, asking and killing, and what is wrong."""

    def __init__(self, options):
        self.options, self.dice = options, random.Random(options.seed)
        # So fast that a bridge moves between any two starts, each of which begins with a reading.
        self.city = City(period=7, up=3)
        self.folder = tempfile.mkdtemp(prefix="bridgecast-kill-")
        self.store = self.folder + "/history.sqlite"
        self.wrong, self.ready = [], []
        self.answered, self.resets, self.continued = 0, 0, 0
        self.last_event, self.before = None, None

    def round(self, turn):
        what = "round %d" % turn
        service = Service(["--bridges-url", self.city.url, "--store", self.store] + UNLIMITED, self.folder,
                          self.options.program)
        self.ready.append(service.wait_until_ready())
        if turn and self.ready[-1] >= self.options.ready:
            self.wrong.append("%s: ready after %.2f s" % (what, self.ready[-1]))
        if turn:
            looks = [(self.before, float("inf"))]
            self.wrong += ["%s: %s" % (what, problem) for problem in stores.problems(self.store, looks)]
        events, answers = self.load_and_kill(service)
        self.answered += len(answers)
        self.wrong += ["%s: an answer with %d" % (what, status) for status in set(answers) - {200, 304, 429, 503}]
        if events:
            self.check_first(events[0], what)
            self.last_event = events[-1][0]
        else:
            self.wrong.append("%s: a listener received nothing" % what)

    def load_and_kill(self, service):
        """The events and the statuses that clients received until the kill."""
        events, answers, stopped = [], [], threading.Event()
        listener = threading.Thread(target=seen_events, args=(service, events, self.last_event), daemon=True)
        threads = [listener] + [threading.Thread(target=load, args=(service, stopped, answers)) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.3 + 2 * self.dice.random())
        self.before = stores.rows(self.store)
        service.kill()
        stopped.set()
        for thread in threads:
            thread.join(15)
        return events, answers

    def check_first(self, event, what):
        """The first event of a listener that reconnects: the next one, or a reset."""
        if self.last_event is None:
            return
        (run, count), (old_run, old_count) = number(event[0]), number(self.last_event)
        if event[1] == "reset":
            self.resets += 1
        elif (run, count) == (old_run, old_count + 1):
            self.continued += 1
        else:
            self.wrong.append("%s: after %s a listener is sent %s, %s" % (what, self.last_event, event[0], event[1]))


def main():
    line = parser(__doc__)
    line.add_argument("--rounds", type=int, default=20)
    line.add_argument("--program", default=PROGRAM)
    line.add_argument("--ready", type=float, default=1.0, help="seconds until it is ready again")
    line.add_argument("--seed", type=int, default=1)
    options = line.parse_args()
    test = KillTest(options)
    for turn in range(options.rounds + 1):
        test.round(turn)
    test.city.stop()
    print(
        "%d kills: ready after %.2f s (median), %.2f s (slowest); %d answers; %d listeners continued, %d were reset"
        % (
            options.rounds, sorted(test.ready)[len(test.ready) // 2], max(test.ready[1:] or test.ready), test.answered,
            test.continued, test.resets))
    found = stores.rows(test.store)
    print("in the store: " + json.dumps({table: len(rows) for table, rows in found.items()}))
    if not found["observedPeriod"]:
        test.wrong.append("nothing was watched: this run proves nothing")
    finish(test.wrong)


if __name__ == "__main__":
    main()
