#!/usr/bin/env python3
"""Runs a replay on the stand-in feeds and checks every line of it against the records; tools/checks/soak starts it.

    soak.py --bridgecast BINARY --records CSV [--from DAY] [--minutes 60] [--speed 20] [--scenario flaky]

Each state shown must be what the records have at the time that the board is of, or "unknown"; each "since" must
be the truth or absent. Exit code 1 if anything is wrong.
"""
import collections
import datetime
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

from checks import finish, parser
from records import WITH_SENSOR, Records
from stand_in import start_server

GAP_S, STALE_S, POLL_S = 60, 300, 20


def epoch(text):
    return datetime.datetime.fromisoformat(text).timestamp() if text else None


def resident_mb(process):
    try:
        text = open("/proc/%d/status" % process.pid).read()
        return int(text.split("VmRSS:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return float("nan")


class Soak:
    """A replay, and what was seen of it."""

    def __init__(self, options):
        self.records = Records(options.records, 1)
        self.folder = tempfile.mkdtemp(prefix="bridgecast-soak-")
        self.server, address = start_server(options.records)
        self.start = datetime.datetime.fromisoformat(options.start)
        self.end = self.start + datetime.timedelta(minutes=options.minutes * options.speed)
        self.store, self.log = self.folder + "/seen.sqlite", self.folder + "/log"
        self.speed = options.speed
        # An answer may take its time, and the replay's time runs faster.
        self.slack = 2 + 2.5 * options.speed
        self.counts, self.wrong, self.memory, self.delays = collections.Counter(), [], [], []
        self.began = time.time()
        self.process = subprocess.Popen(
            [options.bridgecast, "replay", "--from", self.start.isoformat(), "--to", self.end.isoformat(),
             "--speed", str(options.speed), "--bridges-url", "%s/%s/bridges" % (address, options.scenario),
             "--format", "ndjson", "--store", self.store, "--log-file", self.log, "--log-level", "info"],
            stdout=subprocess.PIPE, text=True)

    def run(self):
        """Checks all lines; the exit code of the replay."""
        for line in self.process.stdout:
            self.look_at(json.loads(line))
        code = self.process.wait()
        self.server.kill()
        return code

    def look_at(self, board):
        self.counts["lines"] += 1
        self.counts["phase " + board["phase"]] += 1
        now, passed = epoch(board["generated_at"]), time.time() - self.began
        self.delays.append(self.start.timestamp() + passed * self.speed - now)
        if len(self.memory) < 1 + passed / 30:
            self.memory.append(resident_mb(self.process))
        feeds = {feed["id"]: feed for feed in board["sources"]}
        fetched = epoch(feeds.get("bridges", {}).get("fetched_at"))
        for bridge in board["bridges"]:
            self.counts[bridge["state"]] += 1
            if bridge["state"] != "unknown":
                what = "%s %s" % (board["generated_at"], bridge["bridge"])
                self.wrong += ["%s: %s" % (what, problem) for problem in self.problems(bridge, now, fetched)]

    def problems(self, bridge, now, fetched):
        """What is wrong with the state of a bridge."""
        state, key = bridge["state"], str(bridge["bridge_id"])
        if key not in WITH_SENSOR:
            yield "%s, but it has no sensor" % state
            return
        # The board may be written just before the feed's line: the state is of then or of now.
        steps = [at - back for at in (fetched, now) if at for back in range(int(self.slack) + POLL_S)]
        if not any(self.records.is_raised(key, at) == (state == "raised") for at in steps):
            yield "shown %s, as of %s" % (state, fetched)
        if now - (fetched or now) > STALE_S + self.slack + POLL_S:
            yield "%s shown %d s after the last reading" % (state, now - fetched)
        since = epoch(bridge.get("since"))
        if state == "raised" and since:
            self.counts["since known"] += 1
            starts = [start for start, _ in self.records.spans[key] if start <= since + 1]
            if not starts or since - max(starts) > GAP_S + self.slack:
                yield "raised since %s, truly %s" % (bridge["since"], starts[-1:])

    def check_store(self):
        """Whether what was stored happened."""
        seen = sqlite3.connect(self.store).execute("SELECT bridge, start, end FROM observedOpening").fetchall()
        for bridge, first, _ in seen:
            if not any(start <= first + 1 and end + self.slack + STALE_S >= first
                       for start, end in self.records.spans[str(bridge)]):
                self.wrong.append("stored opening of %s at %d never happened" % (bridge, first))
        first, last = self.start.timestamp(), self.end.timestamp()
        happened = sum(first <= start < last for bridge in WITH_SENSOR for start, _ in self.records.spans[bridge])
        print("openings: %d happened at bridges with a sensor, %d stored" % (happened, len(seen)))

    def report(self):
        memory, delays = self.memory, sorted(self.delays)
        print("memory MB: first %.0f, a quarter %.0f, half %.0f, last %.0f, max %.0f" % (
            memory[0], memory[len(memory) // 4], memory[len(memory) // 2], memory[-1], max(memory)))
        print("after the clock, s of the replay: median %.1f, max %.1f" % (delays[len(delays) // 2], delays[-1]))
        print(open(self.log).read().strip().split("\n")[-1])


def main():
    line = parser(__doc__)
    line.add_argument("--bridgecast", required=True)
    line.add_argument("--records", required=True)
    line.add_argument("--from", dest="start", default="2026-02-20T00:00:00-08:00")
    line.add_argument("--minutes", type=float, default=60)
    line.add_argument("--speed", type=float, default=20)
    line.add_argument("--scenario", default="flaky")
    soak = Soak(line.parse_args())
    code = soak.run()
    print("exit %d; %s" % (code, dict(sorted(soak.counts.items()))))
    soak.check_store()
    soak.report()
    finish(soak.wrong + (["the replay ended with exit code %d" % code] if code else []))


if __name__ == "__main__":
    main()
